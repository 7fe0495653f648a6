"""What Tab offers in a chat: commands, the handles that a command takes, the fields of an edit."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from assistant.commands.carry_out import chat_fields, offered
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.index import given_in
from assistant.commands.typed import LENGTH
from assistant.domain.errors import AssistantError
from workers.cli.output import printable

if TYPE_CHECKING:
    from assistant.commands.index import Command

LEAVES = ("/quit", "/exit")


class CommandCompleter(Completer):
    """Completes slash commands. ``context`` is asked for each time, as rows change."""

    def __init__(self, context: Callable[[], CommandContext]) -> None:
        self._context = context

    def get_completions(
        self, document: Document, _complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        text = document.text_before_cursor
        if not text.startswith("/"):
            return
        name, *words = text.split(" ")
        if not words:
            yield from _names(name)
            return
        command = given_in(CommandChannel.TERMINAL).get(name.removeprefix("/").lower())
        if command is None:
            return
        try:
            yield from self._arguments(command, words)
        except AssistantError:  # Tab is no place for errors; the command itself says them
            return

    def _arguments(self, command: "Command", words: list[str]) -> Iterator[Completion]:
        fields = [name for name, _, _ in chat_fields(command.load())]
        *before, typed = words
        ctx = self._context()
        if command.name == "edit" and before:
            yield from _of_edit(ctx, before, typed)
        elif len(before) < len(fields):
            for told, value in offered(ctx, command.name, fields[len(before)], typed):
                yield Completion(value, start_position=-len(typed), display=printable(told))


def _names(typed: str) -> Iterator[Completion]:
    known = given_in(CommandChannel.TERMINAL)
    for name, command in known.items():
        if f"/{name}".startswith(typed.lower()):
            yield Completion(f"/{name}", start_position=-len(typed), display_meta=command.help)
    for name in LEAVES:
        if name.startswith(typed.lower()):
            yield Completion(name, start_position=-len(typed))


def _of_edit(ctx: CommandContext, before: list[str], typed: str) -> Iterator[Completion]:
    """The fields of the call that have no value yet."""
    with ctx.read() as tx:
        call = tx.call_named(before[0])
    given = {word.partition("=")[0] for word in before[1:]}
    times = {"start", "end"} & set(call.asked)
    for name in dict.fromkeys((*call.asked, *(("start", "end", LENGTH) if times else ()))):
        if name not in given and name.startswith(typed):
            yield Completion(f"{name}=", start_position=-len(typed))
