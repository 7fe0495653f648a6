"""The command line's table of contents, and what an error turns into."""

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from assistant.domain.errors import AssistantError
from workers.cli import processes, started, up
from workers.cli.commands import table_of_contents


class _Careful(TyperGroup):
    """The commands of the table too; every error of ours becomes a line on stderr and a code."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for one in table_of_contents():
            self.add_command(one)

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
    help="A personal assistant for your mail and your calendar. Start it with `assistant up`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(up.up)
app.command()(started.chat)
app.command()(started.doctor)
app.command()(started.demo)
app.command()(processes.migrate)
app.command()(processes.worker)
app.command()(processes.beat)
app.command()(processes.doors)
app.command()(processes.bot)
app.command()(processes.health)


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
