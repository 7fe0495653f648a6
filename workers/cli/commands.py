"""The command line: what an owner can do, made from the light index of its commands, and the rest.

What a command takes and does is loaded when it is given.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from assistant.commands.channel import CommandChannel
from assistant.commands.index import GROUPS, Command, given_in


class Deferred(TyperCommand):
    """One command. Its name and help are at hand; the rest is loaded when it is given."""

    def __init__(self, name: str, help: str, load: Callable[[], Any]) -> None:
        super().__init__(name, help=help, rich_markup_mode=None)
        self._load = load

    @cached_property
    def whole(self) -> Any:
        """The command with what it takes."""
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(self.name, help=self.help)(self._load())
        return get_command(app)

    def make_context(self, info_name: str | None, args: list[str], **more: Any) -> Any:  # type: ignore[override]
        return self.whole.make_context(info_name, args, **more)


def from_table(command: Command) -> Deferred:
    """A command of the table."""

    def load() -> Any:
        from workers.cli.carrying_out import callback  # noqa: PLC0415 (heavy)

        return callback(command)

    return Deferred(command.line.split()[-1], command.help, load)


def from_module(module: str, name: str, help: str) -> Deferred:
    """A command whose function has its name, in a module of this package."""
    return Deferred(name, help, lambda: getattr(import_module(f"workers.cli.{module}"), name))


def table_of_contents() -> Iterator[Deferred | TyperGroup]:
    """Everything in the table that is given on the command line, as commands and groups of them."""
    groups: dict[str, TyperGroup] = {}
    for command in given_in(CommandChannel.COMMAND_LINE).values():
        first, *rest = command.line.split()
        if not rest:
            yield from_table(command)
        elif first in groups:
            groups[first].add_command(from_table(command))
        else:
            groups[first] = TyperGroup(
                name=first,
                help=GROUPS[first],
                commands=[from_table(command)],
                no_args_is_help=True,
                rich_markup_mode=None,
            )
    yield from (groups[name] for name in GROUPS if name in groups)
