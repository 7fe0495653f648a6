"""Carry out one command of the command line: read what is given, show, ask, wait and print."""

import inspect
import shlex
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from assistant.commands.answer import (
    Answer,
    Block,
    Card,
    CommandOutcome,
    Content,
    Fields,
    Picture,
    Table,
    Words,
)
from assistant.commands.body import Option, option_of
from assistant.commands.carry_out import BoundCommand, bound
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.index import Command, Data
from assistant.domain.approvals.approval import Verb
from assistant.domain.errors import BadArguments, Denied, NotFound
from workers.cli.options import AsJson
from workers.cli.options import Data as DataFolder
from workers.cli.output import (
    EXITS,
    complain,
    print_content,
    print_fields,
    print_json,
    print_table,
    printable,
)
from workers.cli.session import Session, context_of, existing, session, unopened
from workers.cli.terminal.render import as_lines, barred, detail_lines, echo

_OPENED = {Data.THERE: existing, Data.MADE: session, Data.FILE: unopened}
_ANSWERS = ("approve", "deny")
"""Commands that ask about the card that they print."""
_ASIDE = frozenset(
    {CommandOutcome.STALE, CommandOutcome.DENIED, CommandOutcome.FAILED, CommandOutcome.UNREACHABLE}
)
"""Ends that words tell on standard error."""


# What is given


def callback(command: Command) -> Any:
    """A function whose signature is what the command takes, for typer to read."""

    def call(**given: Any) -> None:
        _run(command, given)

    fields = command.load().args.model_fields
    own = [
        _parameter(name, info, option)
        for name, info in fields.items()
        if (option := option_of(info.metadata)).shell
    ]
    shared = [_keyword("data", DataFolder, None), _keyword("as_json", AsJson, False)]
    signature = inspect.Signature([*own, *shared])
    call.__signature__ = signature  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()}
    return call


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, annotation=annotation, default=default)


def _parameter(name: str, info: FieldInfo, option: Option) -> inspect.Parameter:
    kind: Any = str if option.file else info.annotation
    required = info.is_required()
    default = inspect.Parameter.empty if required else info.get_default(call_default_factory=True)
    if default == []:
        kind, default = kind | None, None
    limits: dict[str, Any] = {}
    for one in info.metadata:
        if isinstance(one, Ge):
            limits["min"] = one.ge
        if isinstance(one, Le):
            limits["max"] = one.le
    more = {"help": info.description, **limits}
    if option.positional or (required and not option.name):
        return _keyword(name, Annotated[kind, typer.Argument(**more)], default)
    dashed = _dashed(name, option)
    if kind is bool and default is True:
        dashed = f"{dashed}/--no-{name}"
    names = [dashed, *filter(None, [option.short, option.old])]
    return _keyword(name, Annotated[kind, typer.Option(*names, **more)], default)


def _dashed(name: str, option: Option) -> str:
    return option.name or f"--{name.replace('_', '-')}"


@contextmanager
def _opened_files(command: Command, given: Mapping[str, Any]) -> Generator[dict[str, Any]]:
    """What was given, each file that it names opened. Raises ``NotFound``."""
    fields = command.load().args.model_fields
    found = {name: value for name, value in given.items() if value is not None}
    with ExitStack() as stack:
        for name, file in list(found.items()):
            if option_of(fields[name].metadata).file:
                if not file:
                    del found[name]
                elif file == "-":
                    found[name] = _standard_input()
                else:
                    try:
                        found[name] = stack.enter_context(Path(file).open("rb"))
                    except OSError as error:
                        raise NotFound(f"{file}: {error.strerror}") from error
        yield found


def _standard_input() -> IO[bytes]:
    """Raises ``NotFound`` where it was closed, as ``<&-`` does."""
    if sys.stdin is None:
        raise NotFound("standard input is closed")
    return sys.stdin.buffer


# Carrying it out


def _run(command: Command, given: dict[str, Any]) -> None:
    data, as_json = given.pop("data"), given.pop("as_json")
    with _opened_files(command, given) as found, _opening(command, found)(data) as opened:
        cause = opened.assistant.cause()
        ctx = context_of(opened, CommandChannel.COMMAND_LINE, cause=cause, shown={})
        asked = bound(ctx, command.name, found)
        as_json = as_json or _wants_json(asked)
        answer = _answered(opened, ctx, asked, as_json=as_json)
        if as_json:
            print_json(answer.data())
        else:
            _print(answer, asked)
        for note in answer.notes:
            complain(note)
    if code := EXITS[answer.outcome]:
        raise typer.Exit(code)


def _opening(
    command: Command, given: Mapping[str, Any]
) -> Callable[[Path | None], AbstractContextManager[Session]]:
    """How the parts are opened."""
    fields = command.load().args.model_fields
    files = [name for name in given if option_of(fields[name].metadata).file]
    return existing if command.data is Data.FILE and not files else _OPENED[command.data]


def _wants_json(asked: BoundCommand) -> bool:
    """Whether something is asked for that is JSON, whatever else is said."""
    fields = type(asked.args).model_fields.items()
    return any(getattr(asked.args, name) for name, info in fields if option_of(info.metadata).json)


def _answered(
    opened: Session, ctx: CommandContext, asked: BoundCommand, *, as_json: bool
) -> Answer:
    """Show what a yes is about, carry the command out, and wait for what comes of it."""
    if preview := asked.preview(ctx):
        if not as_json:
            _print(_about_to_be_answered(preview), asked)
        ctx = ctx.having_shown(preview.digests)
        if preview.question:
            asked = _made_sure(asked, preview, as_json=as_json)
    answer = asked.run(ctx)
    while answer.waits:
        rested = opened.settle(answer.waits.trace)
        then = asked.then(ctx, answer, rested=rested)
        if then is None:
            break
        answer = then
    return answer


def _made_sure(asked: BoundCommand, preview: Answer, *, as_json: bool) -> BoundCommand:
    """Ask on a terminal, for the word where one is wanted and none was given.

    Anywhere else only ``--yes`` is a yes, or ``--json`` where that is enough.
    """
    given = asked.args.model_dump()
    if given["yes"] or (as_json and not preview.final):
        return asked.having(yes=True)
    if sys.stdin is None or not sys.stdin.isatty():
        raise BadArguments("nobody can be asked here: say --yes once you have read what is shown")
    if preview.step and not given["word"]:
        question = f"{preview.question} It takes a second step: {preview.step}"
        word = str(typer.prompt(question, default="", show_default=False))
        if word.strip():
            return asked.having(yes=True, word=word)
    elif typer.confirm(preview.question):
        return asked.having(yes=True)
    raise Denied("nothing was done")


# What is printed


def _print(answer: Answer, asked: BoundCommand) -> None:
    for block in answer.blocks:
        if isinstance(block, Words) and answer.outcome in _ASIDE:
            complain(block.text)
        else:
            _print_block(block)
            if isinstance(block, Card) and asked.command.name not in _ANSWERS:
                _print_ways(block)
    if answer.outcome is CommandOutcome.WAITING and answer.word:
        typer.echo(f"Type: {_as_typed(asked.having(word=answer.word))}")


def _about_to_be_answered(preview: Answer) -> Answer:
    """Leave out how its cards stand: what is said next is what became of them."""
    blocks = (replace(one, state="") if isinstance(one, Card) else one for one in preview.blocks)
    return replace(preview, blocks=tuple(blocks))


def _print_ways(card: Card) -> None:
    """How to say yes or no to a card that waits."""
    if any(one.verb == Verb.APPROVE for one in card.shown.actions):
        ways = (f"assistant approvals {way} {card.handle}" for way in _ANSWERS)
        typer.echo(f"To answer: {', or '.join(ways)}")


def _as_typed(asked: BoundCommand) -> str:
    """A command as it is typed in a shell."""
    words = ["assistant", *asked.command.line.split()]
    for name, info in type(asked.args).model_fields.items():
        value, option = getattr(asked.args, name), option_of(info.metadata)
        if value in (info.get_default(call_default_factory=True), None):
            continue
        if option.positional or (info.is_required() and not option.name):
            words += [shlex.quote(str(value))]
        elif value is True:
            words.append(_dashed(name, option))
        else:
            words += [_dashed(name, option), shlex.quote(str(value))]
    return " ".join(words)


def _print_block(block: Block) -> None:
    match block:
        case Words():
            echo(barred(block.text) if block.outside else printable(block.text))
        case Card():
            if block.shown.tone:
                unpressed = block.shown.model_copy(update={"actions": ()})
                state = f"\n  State: {printable(block.state)}" if block.state else ""
                echo(f"{as_lines(unpressed)}{state}")
                return
            shown = {line.label: line.value for line in block.shown.fields}
            title = block.shown.title.partition(": ")[2]
            print_fields({block.handle: title, **shown, "State": block.state})
        case Fields() if block.title:
            echo(detail_lines(block.title, block.lines))
        case Fields():
            print_fields({line.label: line.value for line in block.lines})
        case Table():
            print_table(block.columns, block.rows, empty=block.empty)
        case Content():
            print_content(block.chunks)
        case Picture():
            pass
