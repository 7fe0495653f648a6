"""Run one long-lived process; each function returns when the process is told to stop."""

import asyncio
import gc
import logging
import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress

from celery import Celery

from assistant.adapters.sql.driver import make_engines
from assistant.domain.errors import Transient
from assistant.domain.messages import Queue
from workers import logs, revision
from workers.celery.app import GetAssistant, make_app, once_a_process, schedule, serve
from workers.data_folder import DataFolder
from workers.processes.installations import keep_saying_alive
from workers.settings import Settings

log = logging.getLogger(__name__)

_SCHEDULER = "celery.beat:Scheduler"
"""Keeps its times in memory: the tick needs no file, and no space."""


def run_worker(
    settings: Settings,
    *,
    queues: Sequence[str],
    processes: bool,
    concurrency: int,
    beat: bool = False,
) -> None:
    """Run a Celery worker on these queues, with threads or with processes that can be killed.

    With ``beat`` it also sends the tick, from a thread: it dies and is started again with it.
    """
    # Imported before any fork, so that the processes share the loaded modules.
    from workers.parts import rung_assistant  # noqa: PLC0415 (beat does without)

    name = "-".join(queues)
    logs.configure(settings, process=f"worker-{name}")
    refuse_newer_database(settings)
    app = make_app(DataFolder(settings).broker_url)
    get_assistant = once_a_process(lambda: rung_assistant(settings, one_job_at_a_time=processes))
    serve(app, get_assistant)
    if settings.failpoints:
        from workers.failpoints import acks  # noqa: PLC0415 (for tests only)

        acks.install(app)
    if settings.models and set(queues) & {Queue.INTERACTIVE, Queue.SLOW}:
        # The import takes seconds, which the first answer would have to wait for.
        from assistant.adapters.models import request as provider_request  # noqa: F401, PLC0415 (as above)
    _warm_up(get_assistant, processes=processes)
    if beat:
        _beat_beside(app, every=settings.tick_seconds)
        keep_saying_alive(get_assistant())
    app.worker_main(
        [
            "--quiet",  # no banner: the log is lines
            "worker",
            f"--queues={','.join(queues)}",
            f"--pool={'prefork' if processes else 'threads'}",
            # A pool that grows (--autoscale) was once seen to take nothing more, after one of its
            # processes was killed while it was being started: so all are there from the start.
            f"--concurrency={concurrency}",
            f"--hostname={name}.{os.getpid()}@%h",
            "--without-gossip",
            "--without-mingle",
            f"--loglevel={settings.log_level}",
        ]
    )


def run_beat(settings: Settings) -> None:
    """Run Celery beat, which sends the tick and nothing else."""
    logs.configure(settings, process="beat")
    refuse_newer_database(settings)
    app = make_app(DataFolder(settings).broker_url)
    schedule(app, every=settings.tick_seconds)
    app.Beat(
        scheduler=_SCHEDULER,
        max_interval=settings.tick_seconds,
        loglevel=settings.log_level,
        quiet=True,
    ).run()


def run_doors(settings: Settings) -> None:
    """Run the mail doors."""
    from workers.doors import Doors  # noqa: PLC0415 (web and mail servers are heavy)
    from workers.parts import rung_assistant  # noqa: PLC0415

    logs.configure(settings, process="doors")
    refuse_newer_database(settings)
    asyncio.run(Doors(rung_assistant(settings)).serve())


def run_bot(settings: Settings) -> None:
    """Run the bot on Discord. Raises ``Misconfigured`` if Discord refuses its token."""
    from workers.discord.gateway.bot import serve  # noqa: PLC0415 (discord.py is heavy)
    from workers.parts import rung_assistant  # noqa: PLC0415

    logs.configure(settings, process="bot")
    refuse_newer_database(settings)
    assistant = rung_assistant(settings)
    if settings.failpoints:
        from workers.failpoints import bot  # noqa: PLC0415 (for tests only)

        asyncio.run(serve(assistant, desk_of=bot.make_desk, make_callbacks=bot.FailpointCallbacks))
        return
    asyncio.run(serve(assistant))


def refuse_newer_database(settings: Settings) -> None:
    """Raise ``NewerDatabase`` if this code cannot work with it; one that is away may come yet."""
    engines = make_engines(DataFolder(settings).database_url)
    try:
        with suppress(Transient):
            revision.refuse_newer(engines)
    finally:
        engines.dispose()


def _beat_beside(app: Celery, *, every: float) -> None:
    """Send the tick from a thread of this worker, once it is ready for it.

    A thread that ends takes the worker with it, so that both are started again.
    """
    from celery.beat import Service  # noqa: PLC0415 (heavy)
    from celery.signals import worker_ready  # noqa: PLC0415 (heavy)

    schedule(app, every=every)

    def beat() -> None:
        try:
            Service(app, max_interval=every, scheduler_cls=_SCHEDULER).start()
        except Exception:
            log.exception("the clock stopped, so this worker ends")
            os.kill(os.getpid(), signal.SIGTERM)

    def start(**_: object) -> None:
        threading.Thread(target=beat, name="beat", daemon=True).start()

    worker_ready.connect(start, weak=False)


def _warm_up(get_assistant: GetAssistant, *, processes: bool) -> None:
    """Make the parts before the first job, and before the fork, so that children share imports."""
    from celery.signals import worker_process_init, worker_ready  # noqa: PLC0415 (heavy)

    if processes:
        get_assistant().warm_up()
        gc.collect()
        gc.freeze()  # a collection writes to what it walks, and each process would get its copy

    def warm(**_: object) -> None:
        get_assistant().warm_up()

    (worker_process_init if processes else worker_ready).connect(warm, weak=False)
