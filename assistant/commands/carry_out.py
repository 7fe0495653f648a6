"""The one way in: a command by its name, what was typed behind it, and the answer."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from assistant.commands.answer import Answer, Form
from assistant.commands.body import Body, Option, option_of
from assistant.commands.channel import CHATS, PEOPLE, CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.index import GOVERNS, Command, Data, given_in
from assistant.commands.typed import names_a_call
from assistant.domain.errors import AssistantError, BadArguments
from assistant.flows.conversation.news import SEEN, note_act

_OFFERED = 10
"""Values that whoever left an argument out is told, at the most."""


class NoCommand(BadArguments):
    """There is no such command."""


def _is_an_act(command: Command, channel: CommandChannel) -> bool:
    """Whether it shows that the owner is there: a shell also runs what a timer gives.

    What may need no database makes none.
    """
    governs = command.name.split()[0] in GOVERNS and command.data is not Data.FILE
    return channel in CHATS or (channel in PEOPLE and governs)


def _note_act(ctx: CommandContext) -> None:
    """Store that the owner is there. No trouble with that stops a command."""
    with suppress(AssistantError):
        with ctx.read() as tx:
            last = tx.last_acted()
        if last is None or ctx.now() - last >= SEEN:
            with ctx.store.begin(ctx.cause) as tx:
                note_act(tx, channel=ctx.conversations, place=ctx.alone)


def named(name: str, channel: CommandChannel, *, pressed: bool = False) -> Command:
    """The command of this name. Raises ``NoCommand`` where the channel has none."""
    known = given_in(channel, pressed=pressed)
    below = {one.below: one for one in known.values() if one.below}
    found = known.get(name.lower()) or below.get(name.lower())
    if found is None:
        near = get_close_matches(name.lower(), known, n=1)
        hint = f"; did you mean /{near[0]}?" if near else ". /help lists them."
        raise NoCommand(f"There is no command /{name}{hint}")
    return found


@dataclass(frozen=True, kw_only=True)
class BoundCommand:
    """A command with arguments that fit."""

    command: Command
    body: Body[Any]
    args: BaseModel

    def run(self, ctx: CommandContext) -> Answer:
        if _is_an_act(self.command, ctx.channel):
            _note_act(ctx)
        return self.body.run(ctx, self.args)

    def preview(self, ctx: CommandContext) -> Answer | None:
        return self.body.preview(ctx, self.args) if self.body.preview else None

    def form(self, ctx: CommandContext) -> Form | None:
        """What is to be typed first."""
        return self.body.form(ctx, self.args) if self.body.form else None

    def then(self, ctx: CommandContext, answer: Answer, *, rested: bool) -> Answer | None:
        """What came of what it waited for; None where nothing more is said."""
        if answer.waits is None or self.body.then is None:
            return None
        waited = replace(answer, waits=replace(answer.waits, rested=rested))
        return self.body.then(ctx, self.args, waited)

    def having(self, **given: Any) -> "BoundCommand":
        """The command with these arguments instead."""
        return replace(self, args=self.args.model_copy(update=given))


def bound(ctx: CommandContext, name: str, given: Mapping[str, Any]) -> BoundCommand:
    """A command and its arguments, as a button or a form binds them.

    Raises ``NoCommand``, and ``BadArguments``, which says what to type.
    """
    command = named(name, ctx.channel, pressed=True)
    body = command.load()
    return BoundCommand(command=command, body=body, args=fitted(ctx, command, body, given))


def bound_words(ctx: CommandContext, text: str) -> BoundCommand:
    """What is typed in a chat, such as ``/deny A17 not today``. Raises as ``bound``."""
    command, rest = _named_first(text.removeprefix("/").strip(), ctx.channel)
    body = command.load()
    given = from_words(body, rest)
    _refuse_no_handle(ctx, command, body, given)
    return BoundCommand(command=command, body=body, args=fitted(ctx, command, body, given))


def _refuse_no_handle(
    ctx: CommandContext, command: Command, body: Body[Any], given: Mapping[str, Any]
) -> None:
    """Raise ``BadArguments`` where words stand in the place of a call's handle.

    ``/deny too late`` gives a reason and no handle: it is told what waits, and how to type it.
    """
    word = given.get("call", "")
    if not isinstance(word, str) or not word or names_a_call(word):
        return
    rest = " ".join(str(value) for value in given.values() if value is not True)
    takes_words = len(command.takes.split()) > 1 and not body.args.model_fields.keys() & {"yes"}
    behind = [rest] if takes_words and command.name != "edit" else []
    choices = body.choices.get("call")
    found = [value for _, value in choices(ctx, "")][:_OFFERED] if choices else []
    which = f"Which one? {', '.join(found)}." if found else "There is none now."
    typed = ctx.typed(command.name, found[0] if found else "A17", *behind)
    raise BadArguments(f"{word!r} is no call, such as A17. {which} Type: {typed}")


def _named_first(text: str, channel: CommandChannel) -> tuple[Command, str]:
    """The command that a text begins with, and the rest; the name may have two words."""
    name, _, rest = text.partition(" ")
    second, _, behind = rest.strip().partition(" ")
    with suppress(NoCommand):
        return named(f"{name} {second}", channel), behind
    return named(name, channel), rest


def carry_out(ctx: CommandContext, name: str, given: Mapping[str, Any]) -> Answer:
    """Carry out a command. Raises as ``bound``, and what the command raises."""
    return bound(ctx, name, given).run(ctx)


def offered(ctx: CommandContext, name: str, argument: str, typed: str) -> list[tuple[str, str]]:
    """What fits an argument that is being typed: as it is shown, and the value."""
    choices = named(name, ctx.channel).load().choices.get(argument)
    return list(choices(ctx, typed)) if choices else []


def fitted(
    ctx: CommandContext, command: Command, body: Body[Any], given: Mapping[str, Any]
) -> BaseModel:
    """The arguments as the command takes them. Raises ``BadArguments``, which says what to type."""
    for name, info in body.args.model_fields.items():
        if info.is_required() and given.get(name) in (None, "", []):
            raise BadArguments(_missing(ctx, command, body, name))
    try:
        made: BaseModel = body.args.model_validate(dict(given))
    except ValidationError as error:
        wrong = "; ".join(map(_wrong, error.errors()))
        raise BadArguments(f"{wrong}. Type: {_usage(ctx, command)}") from error
    return made


def from_words(body: Body[Any], text: str) -> dict[str, Any]:
    """What was typed behind a command's name: a word for each argument, the last takes the rest."""
    rest = text.strip()
    given: dict[str, Any] = {}
    fields = list(chat_fields(body))
    for name, info, _ in fields:
        word, _, more = rest.partition(" ")
        kind = plain_kind(info)
        if kind is bool:
            given[name] = word.lower() == name
            rest = more.strip() if given[name] else rest
        elif get_origin(kind) is list:
            given[name], rest = rest.split(), ""
        elif name == fields[-1][0]:
            given[name], rest = rest, ""
        elif word:
            alone = word.rstrip(",")  # one of several calls: A38, A39
            given[name] = alone if name == "call" else word
            rest = more.strip()
    return {name: value for name, value in given.items() if value}


def chat_fields(body: Body[Any]) -> Iterator[tuple[str, FieldInfo, Option]]:
    """The arguments that a chat can give, in their order."""
    for name, info in body.args.model_fields.items():
        option = option_of(info.metadata)
        if option.chat:
            yield name, info, option


def plain_kind(info: FieldInfo) -> Any:
    """The type of a field that may be left out, without the None that says so."""
    kind = info.annotation
    if get_origin(kind) in (Union, UnionType):
        [kind] = [one for one in get_args(kind) if one is not NoneType]
    return kind


def as_typed(ctx: CommandContext, name: str, args: Mapping[str, Any], word: str = "") -> str:
    """The command with these arguments as it is typed here: ``/similar A17 yes CONFIRM``."""
    words = [key if value is True else str(value) for key, value in args.items() if value]
    return ctx.typed(name, *words, *filter(None, [word]))


def _missing(ctx: CommandContext, command: Command, body: Body[Any], argument: str) -> str:
    choices = body.choices.get(argument)
    found = [value for _, value in choices(ctx, "")][:_OFFERED] if choices else []
    which = f"which one? {', '.join(found) or 'there is none now'}." if choices else "which one?"
    return f"{which} Type: {_usage(ctx, command)}"


def _usage(ctx: CommandContext, command: Command) -> str:
    return ctx.typed(command.name, *filter(None, [command.takes]))


_WRONG: Mapping[str, str] = {
    "greater_than_equal": "is {ge} or more",
    "less_than_equal": "is {le} or less",
    "int_parsing": "is a whole number",
    "int_type": "is a whole number",
    "int_from_float": "is a whole number",
    "float_parsing": "is a number",
    "bool_parsing": "is yes or no",
    "enum": "is one of {expected}",
    "literal_error": "is one of {expected}",
    "string_too_long": "has {max_length} characters at the most",
    "extra_forbidden": "is nothing that it takes",
}
"""What an argument must be, by the kind of pydantic's problem with it."""


def _wrong(error: ErrorDetails) -> str:
    if error["type"] == "value_error":  # the field says it in words of its own
        return error["msg"].removeprefix("Value error, ")
    where = ".".join(map(str, error["loc"]))
    said = _WRONG.get(error["type"])
    if said is None:
        return ": ".join(filter(None, (where, error["msg"])))
    must = said.format(**{name: f"{value}" for name, value in error.get("ctx", {}).items()})
    return f"{where} {must}, not {error['input']!r}"
