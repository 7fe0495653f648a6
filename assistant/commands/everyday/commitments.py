"""What mails ask of their owner, and what the owner promised: listed, and marked as done."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from assistant.commands.answer import Answer, CommandOutcome, Table, fields, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.calls.lookups import fitting
from assistant.commands.context import CommandContext
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import BadArguments, Conflict, IllegalStep
from assistant.domain.mail.understanding.commitments import (
    Commitment,
    CommitmentKind,
    CommitmentState,
)
from assistant.domain.mail.understanding.promisers import promisers
from assistant.domain.mail.understanding.understood import shortened
from assistant.domain.policy.decisions import one_line
from assistant.domain.time.moments import zone_of
from assistant.domain.time.short import short_day, short_moment

NAME = "commitments"
_ALL = "all"
_MOVES: Mapping[str, CommitmentState] = {
    "done": CommitmentState.DONE,
    "drop": CommitmentState.DROPPED,
    "open": CommitmentState.OPEN,
}
_NAMES: Mapping[CommitmentState, str] = {
    CommitmentState.OPEN: "open",
    CommitmentState.DONE: "done",
    CommitmentState.DROPPED: "dropped",
}
_CHOICES = {
    _ALL: "Also what is done or dropped",
    "done": "Mark one as done",
    "drop": "Take one off the list",
    "open": "Put one back on the list",
}
_WORDS, _WHO, _QUOTE = 80, 60, 120
"""Characters in a table; one of them, and JSON, have all."""
_LINE = 240
"""Characters of what is asked, in a chat."""
_HANDLE = 8
_MOST = 200
_MORE = f"there are more than these {_MOST}: settle some to see the others"
_EMPTY = "Nothing is open: no mail asks anything of you, as far as it was understood."
_UNVERIFIED = "no address is verified: anybody can write one"


def _number_in(typed: str) -> int:
    """Return the number, 0 for none. Raises ``ValueError``."""
    bare = typed.strip().lstrip("#").rstrip(".")
    if not bare:
        return 0
    if not (bare.isascii() and bare.isdigit() and len(bare) < 10):  # noqa: PLR2004 (fits 32 bits)
        raise ValueError(f"{typed!r} is no number of the list, such as 3")
    return int(bare)


def _what(typed: str) -> str:
    """Refuse a word that says nothing here."""
    word = typed.strip().lower()
    if word not in ("", *_CHOICES):
        try:
            _number_in(word)
        except ValueError as error:
            told = f"{typed!r} is none of {', '.join(_CHOICES)}, and no number of the list"
            raise ValueError(told) from error
    return word


def _number(typed: str) -> str:
    return str(_number_in(typed) or "")


class _Asked(Args):
    what: Annotated[
        str,
        AfterValidator(_what),
        Field(description="all, done, drop or open; or the number of one to look at."),
        Option(positional=True),
    ] = ""
    number: Annotated[
        str,
        AfterValidator(_number),
        Field(description="Which one is done, dropped or open: its number in the list."),
        Option(positional=True),
    ] = ""


def _commitments(ctx: CommandContext, args: _Asked) -> Answer:
    if to := _MOVES.get(args.what):
        return _settle(ctx, args, to)
    number = args.number if args.what in ("", _ALL) else args.what
    return _show(ctx, _number_in(number)) if number else _list(ctx, settled=args.what == _ALL)


def _list(ctx: CommandContext, *, settled: bool) -> Answer:
    with ctx.read() as tx:
        found = list(tx.commitments(settled=settled, limit=_MOST + 1))
        more = len(found) > _MOST
        del found[_MOST:]
        by = promisers(tx, found)
    rows = tuple(
        (
            str(one.number),
            _words(one, _WORDS),
            _who(one, by),
            _due(ctx, one),
            *((_NAMES[one.state],) if settled else ()),
            one.mail[:_HANDLE],
        )
        for one in found
    )
    columns = ("no", "what", "who", "due", *(("",) if settled else ()), "mail")
    table = Table(
        columns=columns,
        rows=rows,
        lines=tuple(_line(ctx, one, by, settled=settled) for one in found),
        empty=_EMPTY,
    )
    first = next((str(one.number) for one in found if one.state is CommitmentState.OPEN), "")
    done = f"{ctx.typed(NAME, 'done', first)} marks one as done" if first else ""
    said = "; ".join(filter(None, (_MORE if more else "", done, _UNVERIFIED)))
    notes = (said,) if found else ()
    return Answer(blocks=(table,), notes=notes, data=lambda: [_facts(one) for one in found])


def _show(ctx: CommandContext, number: int) -> Answer:
    with ctx.read() as tx:
        one = tx.commitment(number)
        who = _who(one, promisers(tx, [one]))
    told = {
        f"No {one.number}": one_line(one.words),
        "Who": f"{who} (not verified)" if one.who else who,
        "Due": _due(ctx, one),
        "State": _NAMES[one.state],
        "Its words": one_line(one.quote),
        "Mail": f"{one.mail}; {ctx.typed('read', one.mail[:_HANDLE])} shows it",
    }
    return Answer(blocks=(fields(told),), data=lambda: _facts(one))


def _settle(ctx: CommandContext, args: _Asked, to: CommitmentState) -> Answer:
    if not args.number:
        raise BadArguments(f"which one? Type: {ctx.typed(NAME, args.what, '3')}")
    with ctx.store.begin(ctx.cause) as tx:
        one = tx.commitment(int(args.number))
        try:
            moved = tx.move_commitment(one, to)
        except (IllegalStep, Conflict):
            return _stale(ctx, one)
    back = "" if to is CommitmentState.OPEN else _opens(ctx, moved)
    said = f"No {moved.number} is {_NAMES[to]}: {one_line(moved.words)}"
    return say(said, *filter(None, [back]), data=lambda: _facts(moved))


def _stale(ctx: CommandContext, one: Commitment) -> Answer:
    said = f"No {one.number} is {_NAMES[one.state]} already."
    back = "" if one.state is CommitmentState.OPEN else _opens(ctx, one)
    lines = filter(None, (said, back))
    return say(*lines, outcome=CommandOutcome.STALE, data=lambda: _facts(one))


def _opens(ctx: CommandContext, one: Commitment) -> str:
    return f"{ctx.typed(NAME, 'open', str(one.number))} puts it back on the list."


def _line(ctx: CommandContext, one: Commitment, by: Mapping[str, str], *, settled: bool) -> Line:
    state = _NAMES[one.state] if settled and one.state is not CommitmentState.OPEN else ""
    facts = ", ".join(filter(None, (state, _due(ctx, one), _who(one, by))))
    words, quote = _words(one, _LINE), shortened(one_line(one.quote), _QUOTE)
    quoted = "" if quote.startswith(words[: _QUOTE // 2].rstrip("…")) else f"“{quote}”"
    told = filter(None, (words, facts, quoted, ctx.typed("read", one.mail[:_HANDLE])))
    return Line(label=str(one.number), value="\n".join(told))


def _words(one: Commitment, most: int) -> str:
    return shortened(one_line(one.words), most)


def _who(one: Commitment, by: Mapping[str, str]) -> str:
    """Say who asks; of a promise, also the address that wrote it, which may be a stranger's."""
    who = one_line(one.who, _WHO) or "nobody named"
    if one.kind is not CommitmentKind.PROMISED:
        return f"asked by {who}"
    writer = one_line(by.get(one.mail, ""), _WHO) or "somebody without an address"
    return f"you promised {who}, wrote {writer}"


def _due(ctx: CommandContext, one: Commitment) -> str:
    """Write ``by Fri 28 Nov``, with the time where there is one, or ``was due Thu 19 Nov``."""
    if one.due is None:
        return ""
    now = ctx.now().astimezone(zone_of(ctx.zone))
    due: date = one.due
    if isinstance(due, datetime):
        # Without an offset it is a time of the mail's own zone, and is told as it is.
        local = due.astimezone(zone_of(ctx.zone)) if due.tzinfo else due
        told = (
            short_moment(due, ctx.zone, now=now)
            if due.tzinfo
            else f"{short_day(due.date(), now)} {due:%H:%M}"
        )
        due = local.date()
    else:
        told = short_day(due, now)
    late = due < now.date() and one.state is CommitmentState.OPEN
    return f"was due {told}" if late else f"by {told}"


def _facts(one: Commitment) -> dict[str, Any]:
    return one.model_dump(mode="json", exclude={"owner"})


def _whats(_ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    return fitting([(f"{word}: {told}", word) for word, told in _CHOICES.items()], typed)


def _numbers(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    with ctx.read() as tx:
        found = tx.commitments(settled=True, limit=_MOST)
    told = [(f"{one.number}. {one_line(one.words, _WORDS)}", str(one.number)) for one in found]
    return fitting(told, typed)


COMMITMENTS = Body(args=_Asked, run=_commitments, choices={"what": _whats, "number": _numbers})
