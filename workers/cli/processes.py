"""Single processes, for those who run many machines; ``assistant up`` runs them all."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.domain.errors import AssistantError
from assistant.domain.queues import Queue
from workers.cli.options import AsJson, NoBackup, settings_for

if TYPE_CHECKING:
    from workers.settings import Settings


class Pool(StrEnum):
    THREADS = "threads"
    PROCESSES = "processes"


class Probe(StrEnum):
    INTERACTIVE = "interactive"
    INGEST = "ingest"
    TOOLS = "tools"
    SLOW = "slow"
    BEAT = "beat"
    DOORS = "doors"
    BOT = "bot"


def migrate(*, no_backup: NoBackup = False, as_json: AsJson = False) -> None:
    """Bring the database to the schema of this code."""
    from workers import revision  # noqa: PLC0415 (heavy)
    from workers.cli.output import print_json  # noqa: PLC0415
    from workers.parts import silent_assistant  # noqa: PLC0415
    from workers.processes.supervisor import prepare_database  # noqa: PLC0415

    assistant = silent_assistant(settings_for(None))
    prepare_database(
        assistant, say=lambda _part, words: typer.echo(words, err=as_json), keep=not no_backup
    )
    found = revision.current(assistant.engines)
    if as_json:
        print_json({"revision": found, "head": revision.head()})
    else:
        typer.echo(f"The database is at revision {found}.")


def worker(
    queues: Annotated[list[Queue], typer.Argument(help="Which queues it serves.")],
    *,
    pool: Annotated[Pool, typer.Option(help="Tools want processes, the rest threads.")],
    concurrency: Annotated[int, typer.Option(min=0, help="0 takes the settings'.")] = 0,
    beat: Annotated[
        bool, typer.Option("--beat", help="Run the clock too, as `beat` does.")
    ] = False,
) -> None:
    """Run one Celery worker."""
    from workers.processes.run import run_worker  # noqa: PLC0415 (heavy)

    settings = settings_for(None)
    processes = pool is Pool.PROCESSES
    run_worker(
        settings,
        queues=[queue.value for queue in queues],
        processes=processes,
        concurrency=concurrency or (settings.tool_processes if processes else settings.threads),
        beat=beat,
    )


def beat() -> None:
    """Run the clock. One is enough; two do nothing twice."""
    from workers.processes.run import run_beat  # noqa: PLC0415 (heavy)

    run_beat(settings_for(None))


def doors() -> None:
    """Run the mail doors."""
    from workers.processes.run import run_doors  # noqa: PLC0415 (heavy)

    run_doors(settings_for(None))


def bot() -> None:
    """Run the bot on Discord. Two of them do nothing twice."""
    from workers.processes.run import run_bot  # noqa: PLC0415 (heavy)

    run_bot(settings_for(None))


def health(
    probes: Annotated[list[Probe], typer.Argument(help="Queues, beat, doors or bot.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Whether parts live, by what they did lately. Exits with 4 if one does not."""
    from workers.cli.output import (  # noqa: PLC0415 (heavy)
        EXIT_UNREACHABLE,
        complain,
        print_json,
    )
    from workers.processes.run import refuse_newer_database  # noqa: PLC0415 (heavy)

    settings = settings_for(None)
    refuse_newer_database(settings)
    results: dict[str, str] = {}
    for probe in probes:
        try:
            _probe(probe, settings)
            results[probe.value] = "ok"
        except AssistantError as error:
            results[probe.value] = str(error)
    if as_json:
        print_json(
            [{"id": name, "ok": said == "ok", "said": said} for name, said in results.items()]
        )
    else:
        for name, said in results.items():
            typer.echo(f"{name}: {said}")
    if any(said != "ok" for said in results.values()):
        complain("not everything lives")
        raise typer.Exit(EXIT_UNREACHABLE)


def _probe(probe: Probe, settings: "Settings") -> None:
    from workers.processes.liveness import (  # noqa: PLC0415 (heavy)
        beat_lives,
        bot_lives,
        doors_live,
        queue_lives,
    )

    if probe is Probe.DOORS:
        doors_live(settings)
    elif probe is Probe.BEAT:
        beat_lives(settings)
    elif probe is Probe.BOT:
        bot_lives(settings)
    else:
        queue_lives(settings, Queue(probe.value))
