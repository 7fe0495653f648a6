"""What was done lately, at a glance: a sentence that counts, then a line for each change."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import Field

from assistant.commands.answer import Answer, Block, Table, Words
from assistant.commands.body import Args, Body
from assistant.commands.context import CommandContext
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import STATES, CallState, Tally, state_name
from assistant.domain.conversation.deliveries import Line
from assistant.domain.mail.mail import MailQuery
from assistant.domain.policy.decisions import one_line
from assistant.domain.store import Tx
from assistant.domain.time.moments import say_lately, zone_of

_LONGEST_WAIT = timedelta(days=31)
"""A call can wait that long for its answer, and a little longer until it runs."""
_TITLE = 60
_MOST_DAYS = 366


@dataclass(frozen=True, kw_only=True)
class _Change:
    """How a tool's calls are told: ``event made``, ``events made``, ``make an event``."""

    done: str
    many: str
    asked: str


_CHANGES: Mapping[str, _Change] = {
    "create_event": _Change(done="event made", many="events made", asked="make an event"),
    "update_event": _Change(done="event changed", many="events changed", asked="change an event"),
    "delete_event": _Change(done="event deleted", many="events deleted", asked="delete an event"),
    "restore_event": _Change(
        done="event put back", many="events put back", asked="put an event back"
    ),
    "write_file": _Change(done="file written", many="files written", asked="write a file"),
    "delete_file": _Change(done="file deleted", many="files deleted", asked="delete a file"),
    "restore_file": _Change(done="file restored", many="files restored", asked="restore a file"),
}


class _Days(Args):
    days: int = Field(
        1, ge=1, le=_MOST_DAYS, description="How many days, of which today is the last."
    )


def _log(ctx: CommandContext, args: _Days) -> Answer:
    since = _midnight(ctx, args.days)
    with ctx.read() as tx:
        calls = sorted(_changes(tx, since), key=_when, reverse=True)
        mails = tx.count_mails(MailQuery(after=since))
    span = "Today" if args.days == 1 else f"In {args.days} days"
    counted = ", ".join(_counted(calls, mails)) or "nothing was changed, and no mail came"
    table: tuple[Block, ...] = (_table(ctx, calls),) if calls else ()
    return Answer(
        blocks=(Words(text=f"{span}: {counted}"), *table),
        data=lambda: {
            "since": since.isoformat(),
            "counts": _counts(calls),
            "mails": mails,
            "changes": [_facts(call) for call in calls],
        },
    )


def _midnight(ctx: CommandContext, days: int) -> datetime:
    """When the first of these days began where the owner is."""
    today = ctx.now().astimezone(zone_of(ctx.zone)).date()
    first = today - timedelta(days=days - 1)
    return datetime(first.year, first.month, first.day, tzinfo=zone_of(ctx.zone))


def _changes(tx: Tx, since: datetime) -> Iterator[Call]:
    """The calls that changed something, or were to, and were asked for or ended since then.

    One that was replaced is told by the call in its place, and an undo by what it took back.
    """
    found = list(_calls(tx, since - _LONGEST_WAIT))
    shown = {call.id for call in found if call.state is CallState.UNDONE}
    for call in found:
        if call.reach is Reach.READS or call.state is CallState.SUPERSEDED:
            continue
        told_there = STATES[call.state].done and call.undoes in shown
        if not told_there and _when(call) >= since:
            yield call


def _calls(tx: Tx, since: datetime) -> Iterator[Call]:
    last = 0
    while page := tx.calls_since(since, after=last):
        yield from page
        last = page[-1].number


def _when(call: Call) -> datetime:
    at = call.ended or call.created
    assert at is not None  # noqa: S101 (every stored call has it)
    return at


def _counted(calls: Sequence[Call], mails: int) -> Iterator[str]:
    """Such as ``3 events made``, ``1 denied``; what was done comes first."""
    done = Counter(call.tool for call in calls if call.state is CallState.DONE)
    for tool, count in done.items():
        yield f"{count} {_named(tool, count)}"
    for state, count in Counter(_state(call) for call in calls if not _plainly_done(call)).items():
        yield f"{count} {state}"
    if mails:
        yield f"{mails} {'mail' if mails == 1 else 'mails'} came"


def _counts(calls: Sequence[Call]) -> Mapping[str, int]:
    """By tool what was done, and by state what was not."""
    return Counter(call.tool if _plainly_done(call) else call.state.value for call in calls)


def _plainly_done(call: Call) -> bool:
    return call.state is CallState.DONE


def _named(tool: str, count: int) -> str:
    if change := _CHANGES.get(tool):
        return change.done if count == 1 else change.many
    return f"{one_line(tool, _TITLE)} done"


def _state(call: Call) -> str:
    """What became of a call, in a word or a few: ``denied``, ``waits for you``."""
    if call.unclear:
        return Tally.UNKNOWN.lower()
    tally = STATES[call.state].tally
    return state_name(call.state) if tally in (None, Tally.NOT_DONE) else tally.lower()


def _table(ctx: CommandContext, calls: Sequence[Call]) -> Table:
    now = ctx.now()
    rows = tuple(
        (call.handle, say_lately(_when(call), ctx.zone, now=now), _what(call), _title(call))
        for call in calls
    )
    lines = tuple(
        Line(label=handle, value=f"{at}, {what}{f': {title}' if title else ''}")
        for handle, at, what, title in rows
    )
    return Table(columns=("id", "when", "what", "title"), rows=rows, lines=lines, empty="")


def _what(call: Call) -> str:
    """Such as ``event made``; ``event made, undone``; ``make an event: denied``."""
    change = _CHANGES.get(call.tool)
    done = change.done if change else f"{one_line(call.tool, _TITLE)} done"
    if _plainly_done(call):
        return done
    if call.state is CallState.UNDONE:
        return f"{done}, undone"
    return f"{change.asked if change else one_line(call.tool, _TITLE)}: {_state(call)}"


def _title(call: Call) -> str:
    """What it was about: an event by its title, a file by its path, else nothing."""
    for values in (call.facts.args, call.facts.before, call.asked):
        for name in ("title", "path"):
            if isinstance(found := values.get(name), str) and found:
                return one_line(found, _TITLE)
    return ""


def _facts(call: Call) -> dict[str, str]:
    return {
        "id": call.handle,
        "call": call.id,
        "at": _when(call).isoformat(),
        "tool": call.tool,
        "title": _title(call),
        "state": call.state.value,
    }


LOG = Body(args=_Days, run=_log)
