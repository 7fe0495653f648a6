"""The long-lived processes, each as a function that returns when it is told to stop."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from assistant.domain.failpoints import arm, parse_failpoints
from assistant.domain.messages import Queue
from workers import logs
from workers.celery_app import Rooms, make_app, once_a_process, schedule, serve
from workers.house import House
from workers.settings import Settings


def run_worker(
    settings: Settings, *, queues: Sequence[str], processes: bool, concurrency: int
) -> None:
    """A Celery worker on these queues, with threads or with processes that can be killed."""
    # Imported before any fork, so that processes share what it loads.
    from workers.parts import rung_assistant  # noqa: PLC0415 (beat does without)

    name = "-".join(queues)
    logs.configure(settings, process=f"worker-{name}")
    arm(parse_failpoints(settings.failpoints))
    app = make_app(House(settings).broker_url)
    rooms = once_a_process(lambda: rung_assistant(settings))
    serve(app, rooms)
    if settings.models and set(queues) & {Queue.INTERACTIVE, Queue.SLOW}:
        # Seconds, which the first answer would take longer.
        from assistant.adapters import provider_request  # noqa: F401, PLC0415 (as said)
    _warm_up(rooms, processes=processes)
    app.worker_main(
        [
            "--quiet",  # no banner: the log is lines
            "worker",
            f"--queues={','.join(queues)}",
            f"--pool={'prefork' if processes else 'threads'}",
            f"--concurrency={concurrency}",
            f"--hostname={name}.{os.getpid()}@%h",
            "--without-gossip",
            "--without-mingle",
            f"--loglevel={settings.log_level}",
        ]
    )


def run_beat(settings: Settings) -> None:
    """Celery's clock: it sends the tick, and nothing else."""
    logs.configure(settings, process="beat")
    app = make_app(House(settings).broker_url)
    schedule(app, every=settings.tick_seconds)
    folder = House(settings).run
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _keep_schedule_in(folder)
    app.Beat(
        schedule=str(folder / "beat-schedule"),
        max_interval=settings.tick_seconds,
        loglevel=settings.log_level,
        quiet=True,
    ).run()


def run_doors(settings: Settings) -> None:
    """The mail doors."""
    from workers.doors import Doors  # noqa: PLC0415 (web and mail servers are heavy)
    from workers.parts import rung_assistant  # noqa: PLC0415

    logs.configure(settings, process="doors")
    asyncio.run(Doors(rung_assistant(settings)).serve())


def run_bot(settings: Settings) -> None:
    """The bot on Discord. Raises ``Misconfigured``: it has no token, or none that Discord takes."""
    from workers.discord.gateway.bot import serve  # noqa: PLC0415 (discord.py is heavy)
    from workers.parts import rung_assistant  # noqa: PLC0415

    logs.configure(settings, process="bot")
    asyncio.run(serve(rung_assistant(settings)))


def _keep_schedule_in(folder: Path) -> None:
    """Beat's file only remembers when it last ticked; a torn one would keep it from starting."""
    for file in folder.glob("beat-schedule*"):
        file.unlink()


def _warm_up(rooms: Rooms, *, processes: bool) -> None:
    """Import before the first job comes, and before children are made that would each have to."""
    from celery.signals import worker_process_init, worker_ready  # noqa: PLC0415 (heavy)

    signal = worker_process_init if processes else worker_ready
    if processes:
        rooms().warm_up()

    def warm(**_: object) -> None:
        rooms().warm_up()

    signal.connect(warm, weak=False)
