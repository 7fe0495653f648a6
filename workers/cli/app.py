"""The command line's table of contents, and what an error turns into."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from assistant.domain.errors import AssistantError
from workers.cli.commands import CommandGroup, from_module, table_of_contents

_OWN = (
    from_module("started", "init", "Ask for the first settings, try them, and write .env."),
    from_module(
        "up",
        "up",
        "Start every part on this machine. With a terminal, open a chat; Ctrl-C stops it all.",
    ),
    from_module(
        "started",
        "chat",
        "Talk with the assistant. With --once it exits with 6 when something now waits for you.",
    ),
    from_module("started", "doctor", "Try every part, and say what is wrong and what to do."),
    from_module(
        "started",
        "demo",
        "Play the whole path on a scratch directory. Mail, talk, approve: in under a minute.",
    ),
    from_module(
        "started",
        "backup",
        "Copy everything that is kept into a new folder. It may run or not.",
    ),
    from_module("started", "restore", "Check a backup and put it into an empty data folder."),
    from_module("processes", "migrate", "Bring the database to the schema of this code."),
    from_module("processes", "worker", "Run one Celery worker."),
    from_module("processes", "beat", "Run the clock. One is enough; two do nothing twice."),
    from_module("processes", "doors", "Run the mail doors."),
    from_module("processes", "bot", "Run the bot on Discord. Two of them do nothing twice."),
    from_module(
        "processes",
        "health",
        "Whether parts live, by what they did lately. Exits with 4 if one does not.",
    ),
)
"""The commands that are in no table."""

_YOURS = "Every day"
_RULES = "What it may do, and what it did"
_MACHINE = "Set it up and run it"
_SECTIONS: Mapping[str, Sequence[str]] = {
    _YOURS: (
        "chat",
        "mail",
        "commitments",
        "agenda",
        "brief",
        "remind",
        "reminders",
        "reminder",
        "files",
        "approvals",
        "undo",
        "log",
        "status",
    ),
    _RULES: (
        "zone",
        "grants",
        "mode",
        "policy",
        "call",
        "calls",
        "tools",
        "audit",
        "people",
        "pair",
    ),
    _MACHINE: (
        *("init", "up", "demo", "calendar", "doctor", "backup", "restore"),
        *("migrate", "worker", "beat", "doors", "bot", "health"),
    ),
}
"""The sections of the help, with the commands that come first in each."""


class _Careful(CommandGroup):
    """The commands of the table too; every error of ours becomes a line on stderr and a code."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for one in (*_OWN, *table_of_contents()):
            self.add_command(one)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List people's commands before the machine's."""
        named = {name: title for title, names in _SECTIONS.items() for name in names}
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in _SECTIONS}
        width = formatter.width - 6 - max(map(len, self.commands))
        others = [name for name in self.list_commands(ctx) if name not in named]
        for name in (*named, *others):
            if (command := self.get_command(ctx, name)) is not None:
                sections[named.get(name, _YOURS)].append((name, command.get_short_help_str(width)))
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except AssistantError as error:
            from workers.cli.output import complain, exit_code  # noqa: PLC0415 (rich is heavy)

            complain(error)
            raise typer.Exit(exit_code(error)) from error


app = typer.Typer(
    cls=_Careful,
    name="assistant",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def assistant() -> None:
    """A personal assistant for your mail and your calendar. Start it with `assistant up`."""


def main() -> None:
    """Run the command line; usage errors exit with 2, as click has it."""
    os.umask(0o077)  # whatever is written holds somebody's mail
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
