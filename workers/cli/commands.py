"""The command line of what an owner can do, made from the light index of its commands.

What a command takes and does is loaded when it is given.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from assistant.commands.channel import Channel
from assistant.commands.index import GROUPS, Command, given_in


class FromTable(TyperCommand):
    """One command. Its name and help are at hand; the rest is loaded when it is given."""

    def __init__(self, command: Command) -> None:
        word = command.line.split()[-1]
        super().__init__(word, help=command.help, rich_markup_mode=None)
        self.command = command

    @cached_property
    def whole(self) -> Any:
        """The command with what it takes."""
        from workers.cli.carrying_out import callback  # noqa: PLC0415 (heavy)

        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(self.name, help=self.help)(callback(self.command))
        return get_command(app)

    def make_context(self, info_name: str | None, args: list[str], **more: Any) -> Any:  # type: ignore[override]
        return self.whole.make_context(info_name, args, **more)


def table_of_contents() -> Iterator[FromTable | TyperGroup]:
    """Everything in the table that is given on the command line, as commands and groups of them."""
    groups: dict[str, TyperGroup] = {}
    for command in given_in(Channel.COMMAND_LINE).values():
        first, *rest = command.line.split()
        if not rest:
            yield FromTable(command)
        elif first in groups:
            groups[first].add_command(FromTable(command))
        else:
            groups[first] = TyperGroup(
                name=first,
                help=GROUPS[first],
                commands=[FromTable(command)],
                no_args_is_help=True,
                rich_markup_mode=None,
            )
    yield from (groups[name] for name in GROUPS if name in groups)
