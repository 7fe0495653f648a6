"""What a command works with: the parts, and workers, its own if no others live."""

import getpass
import os
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.domain.errors import Misconfigured, NotFound
from assistant.domain.jobs.job import Cause, JobFacts
from assistant.flows.operations.deliver import shown_before
from workers.cli.options import settings_for
from workers.cli.prompts import terminal_prompts
from workers.command_parts import CommandParts
from workers.data_folder import UpState
from workers.settings import OWNER, Settings
from workers.status import workers_live

if TYPE_CHECKING:
    from workers.parts import Assistant

PATIENCE = 120.0
"""Seconds a command waits for what it set going."""
_POLL = 0.05
_AT_ONCE = 50
"""Jobs of mails that are carried out between two looks at what is left."""
_OF_MAILS = ("read_mail:", "summarise_mail:", "deliver:mail")
_SHOWING = "deliver:"
_LOOKS = 2.0
"""Seconds between two looks for workers."""


class Session:
    """One command's hold on the assistant."""

    def __init__(self, settings: Settings) -> None:
        from workers.parts import silent_assistant  # noqa: PLC0415 (heavy)

        self.settings = settings
        self.assistant: Assistant = silent_assistant(settings)
        self.live = False
        self._ticked = 0.0
        self._looked = 0.0
        self._left_behind: list[Assistant] = []
        """Parts that were in use before workers came or went; another thread may hold them."""

    def open(self) -> None:
        """Bring an embedded database up to date, or say that yours is not."""
        from workers import revision  # noqa: PLC0415 (heavy)

        if not self.settings.database_url:
            self.assistant.data_folder.open()
        found = revision.refuse_newer(self.assistant.engines)
        if found != revision.head():
            self._migrate(found, revision.head())
        self.live = workers_live(self.assistant)
        self._looked = time.monotonic()
        if self.live:
            from workers.parts import rung_assistant  # noqa: PLC0415 (heavy)

            self.assistant.close()
            self.assistant = rung_assistant(self.settings)

    def close(self) -> None:
        """Let go of the parts."""
        for assistant in (*self._left_behind, self.assistant):
            assistant.close()

    def look_for_workers(self) -> bool:
        """Look again whether workers live; return whether that has changed.

        Looks every other second at most. With workers the parts have a bell that they hear.
        """
        from workers.parts import rung_assistant, silent_assistant  # noqa: PLC0415 (heavy)

        if time.monotonic() < self._looked + _LOOKS:
            return False
        self._looked = time.monotonic()
        # A canary may be late, such as after a sleep: while `up` runs, its workers are there.
        up_runs = self.live and self.assistant.data_folder.up_state is UpState.RUNS
        live = up_runs or workers_live(self.assistant)
        if live is self.live:
            return False
        self._left_behind.append(self.assistant)
        self.assistant = (rung_assistant if live else silent_assistant)(self.settings)
        self.live = live
        return True

    def _migrate(self, found: str, head: str) -> None:
        if self.settings.database_url:
            raise Misconfigured(
                f"the database is at revision {found or 'none'}, this code needs {head}; "
                "run `assistant migrate`"
            )
        from workers.processes.supervisor import prepare_database  # noqa: PLC0415 (heavy)

        prepare_database(
            self.assistant,
            say=lambda _part, words: print(words, file=sys.stderr),  # noqa: T201 (no answer of the command)
        )

    def settle(self, trace: str, *, also: str = "", seconds: float = PATIENCE) -> bool:
        """Wait until nothing of a trace, or nothing at all, is left; with no live worker, do it.

        ``also`` names a job of another trace to wait for, such as the thinking of a conversation
        that somebody else has set going. On a terminal it says meanwhile what is being done.
        Returns whether it came to rest; what did not is kept and goes on when workers run.
        """
        give_up = time.monotonic() + seconds
        with _spinner() as doing:
            while time.monotonic() < give_up:
                left = self._left(trace, seconds, also)
                if not left:
                    return True
                doing(said_of(left))
                if self.live or not self._work_on(left, give_up):
                    time.sleep(_POLL)
        return False

    def at_work(self) -> list[JobFacts]:
        """Everything that is being done now, or will be within a minute."""
        return self._left("", 60.0, "")

    def is_left(self, trace: str, also: str) -> bool:
        """Whether jobs of a trace, or one of another, are still to be done soon."""
        return bool(self._left(trace, 60.0, also))

    def _left(self, trace: str, seconds: float, also: str) -> list[JobFacts]:
        """Jobs of a trace, or all, that are due soon; what waits for days is not waited for."""
        soon = self.assistant.clock.now() + timedelta(seconds=seconds)
        jobs = self.assistant.store.jobs(failed=False)
        return [
            job
            for job in jobs
            if job.due < soon
            and not job.periodic
            and (not trace or job.trace == trace or job.id == also)
        ]

    def _work_on(self, jobs: Sequence[JobFacts], give_up: float) -> bool:
        """Carry out the first that are due, until it is time to give up; whether there was one."""
        if time.monotonic() - self._ticked > self.settings.tick_seconds:
            self.assistant.tick()  # takes jobs from commands that were killed
            self._ticked = time.monotonic()
        now = self.assistant.clock.now()
        due = [job for job in jobs if not job.claimed and job.due <= now]
        worked = False
        # To look at all of many mails after each would take longer than they do.
        mails = [job for job in due if job.id.startswith(_OF_MAILS)]
        for job in mails[:_AT_ONCE] if mails == due else due[:1]:
            worked = self._answer(job) or worked
            if time.monotonic() >= give_up:
                break
        return worked

    def _answer(self, job: JobFacts) -> bool:
        """Carry out a job. What is to be shown before it comes first: nobody else shows it."""
        if job.id.startswith(_SHOWING):
            with self.assistant.store.read(Cause(owner=job.owner, trace=job.trace)) as tx:
                before = shown_before(tx, tx.delivery(job.id.removeprefix(_SHOWING)))
            for id in before:
                self.assistant.bus.answer(f"{_SHOWING}{id}")
        return self.assistant.bus.answer(job.id)


def said_of(jobs: Sequence[JobFacts]) -> str:
    """What is being done, from job rows, in a person's words; empty for nothing."""
    words = []
    for job in jobs:
        kind = job.id.partition(":")[0]
        again = f" (tried {job.attempts} times: {job.error})" if job.error else ""
        if kind in _DOING and not job.failed:
            words.append(f"{_DOING[kind]}{again}")
    return " · ".join(dict.fromkeys(words))


_DOING = {
    "think": "thinking…",
    "run": "carrying out a call…",
    "deliver": "writing…",
    "read_mail": "reading a mail…",
    "summarise_mail": "summarising a mail…",
    "erase_mail": "forgetting a mail…",
}


@contextmanager
def _spinner() -> Generator[Callable[[str], None]]:
    """On a terminal, a line on stderr that says what goes on."""
    if not sys.stderr.isatty():
        yield lambda _words: None
        return
    from rich.console import Console  # noqa: PLC0415 (only where people look)

    with Console(stderr=True).status("") as status:
        yield status.update


@contextmanager
def session(data: Path | None, *, quiet: bool = True) -> Generator[Session]:
    """Open the assistant for one command. Logs go to stderr, warnings only if ``quiet``."""
    with unopened(data, quiet=quiet) as made:
        made.open()
        yield made


@contextmanager
def unopened(data: Path | None, *, quiet: bool = True) -> Generator[Session]:
    """As ``session``, for a command that may need no database: it is opened when asked for."""
    from workers import logs  # noqa: PLC0415 (heavy)

    settings = settings_for(data)
    if quiet and settings.log_level == "info":
        settings = settings.model_copy(update={"log_level": "error"})
    logs.configure(settings, process="cli")
    made = Session(settings)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def existing(data: Path | None) -> Generator[Session]:
    """As ``session``, but makes no data folder. Raises ``NotFound`` if there is none."""
    refuse_nothing(settings_for(data))
    with session(data) as opened:
        yield opened


def refuse_nothing(settings: Settings) -> None:
    """Raises ``NotFound`` where nothing was ever kept: a misspelt folder would look like new."""
    if not (settings.database_url or os.path.exists(settings.data_dir)):  # noqa: PTH110 (`Path` raises where it may not look)
        raise NotFound(
            f"the folder {settings.data_dir}; --data or ASSISTANT_DATA_DIR names another, "
            "`assistant up` makes it"
        )


def actor() -> str:
    """Who acts in a terminal: the operating system's user, who may read the data."""
    return f"terminal:{getpass.getuser()}"


def context_of(
    opened: Session, channel: CommandChannel, *, cause: Cause, shown: Mapping[str, str]
) -> CommandContext:
    """What a command may use that is given in a terminal."""
    return CommandContext(
        by=actor(),
        channel=channel,
        conversations=opened.assistant.screen.name,
        place=OWNER,
        cause=cause,
        parts=CommandParts(opened.assistant),
        shown=shown,
        prompts=terminal_prompts() if channel is CommandChannel.COMMAND_LINE else None,
    )
