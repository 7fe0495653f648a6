"""The command line: what an owner can do, made from the light index of its commands, and the rest.

What a command takes and does is loaded when it is given.
"""

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from assistant.commands.channel import CommandChannel
from assistant.commands.index import GROUPS, Command, given_in
from assistant.domain.errors import BadArguments


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


class CommandGroup(TyperGroup):
    """Commands below one name. A name that is none is told what it is called here."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Raises ``BadArguments``."""
        if args and self.get_command(ctx, args[0]) is None:
            path = ctx.command_path.split()[1:]
            near = suggested(args[0], [" ".join((*path, name)) for name in self.commands])
            listed = " ".join(("assistant", *path, "--help"))
            hint = f"; did you mean `{near}`?" if near else f". `{listed}` lists them."
            raise BadArguments(f"There is no command {args[0]}{hint}")
        return super().resolve_command(ctx, args)


def suggested(word: str, here: Iterable[str]) -> str:
    """What a word that is no command may mean: what a chat calls so, or a name that is near.

    ``here``: the commands among which it was typed.
    """
    every = given_in(CommandChannel.COMMAND_LINE)
    word = word.lower().removeprefix("/")
    lines = [one.line for one in every.values()]
    called = every[word].line if word in every else ""
    names = {line.split()[-1]: line for line in (*lines, *here)}
    if not called and (near := get_close_matches(word, [*names, *every], n=1, cutoff=0.75)):
        called = names.get(near[0]) or every[near[0]].line
    return f"assistant {called}" if called else ""


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
            groups[first] = CommandGroup(
                name=first,
                help=GROUPS[first],
                commands=[from_table(command)],
                no_args_is_help=True,
                rich_markup_mode=None,
            )
    yield from (groups[name] for name in GROUPS if name in groups)
