"""The reminders that wait: listed, cancelled, and answered when they were told."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from assistant.commands.answer import Answer, CommandOutcome, Table, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.calls.lookups import fitting
from assistant.commands.context import CommandContext
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import Conflict
from assistant.domain.policy.decisions import one_line
from assistant.domain.reminders.reminder import (
    MOST_WAITING,
    REMINDER_NAMES,
    Reminder,
    ReminderState,
)
from assistant.domain.text.quotes import quoted
from assistant.domain.time.moments import zone_of
from assistant.domain.time.short import short_moment, soon
from assistant.flows.operations.reminder_answers import PutOff, be_done, later_moment, put_off
from assistant.tools.reminders.setting import how_often

_WORDS = 80
"""Characters of a reminder in a table."""
_EMPTY = "No reminder waits."


class _Listed(Args):
    what: Annotated[
        Literal["", "all"],
        Field(description="all: also what was told or cancelled."),
        Option(positional=True),
    ] = ""


class _One(Args):
    reminder: str = Field(description="Such as R3.")


class _Later(_One):
    when: PutOff = Field(PutOff.MINUTES, description="minutes (ten), hour or tomorrow.")


def _reminders(ctx: CommandContext, args: _Listed) -> Answer:
    every = args.what == "all"
    state = None if every else ReminderState.WAITING
    with ctx.read() as tx:
        found = tx.reminders(state=state, limit=MOST_WAITING)
    columns = ("", "what", "when", "again", *(("",) if every else ()))
    rows = tuple(
        (
            one.handle,
            one_line(one.text, _WORDS),
            _when(ctx, one),
            how_often(one),
            *((REMINDER_NAMES[one.state],) if every else ()),
        )
        for one in found
    )
    table = Table(
        columns=columns,
        rows=rows,
        lines=tuple(_line(ctx, one) for one in found),
        empty=_EMPTY,
    )
    first = next((one.handle for one in found if one.state is ReminderState.WAITING), "")
    notes = (f"{ctx.typed('reminder cancel', first)} cancels one",) if first else ()
    return Answer(blocks=(table,), notes=notes, data=lambda: [_facts(one) for one in found])


def _cancel(ctx: CommandContext, args: _One) -> Answer:
    with ctx.store.begin(ctx.cause) as tx:
        one = tx.reminder(args.reminder)
        cancelled = one.model_copy(update={"state": ReminderState.CANCELLED})
        waits = one.state is ReminderState.WAITING
        if not waits or not tx.move_reminder(one, cancelled):
            said = f"{one.handle} {REMINDER_NAMES[one.state]} already."
            return say(said, outcome=CommandOutcome.STALE, data=lambda: _facts(one))
    return say(f"Cancelled: {one.handle}, {quoted(one.text)}.", data=lambda: _facts(cancelled))


def _later(ctx: CommandContext, args: _Later) -> Answer:
    now = ctx.now()
    until = later_moment(args.when, now, ctx.zone)
    with ctx.store.begin(ctx.cause) as tx:
        one = tx.reminder(args.reminder)
        try:
            put_off(tx, one, until, zone=ctx.zone, now=now)
        except Conflict as error:
            return say(_why(error), outcome=CommandOutcome.STALE)
    return say(f"I tell you again: {soon(until, ctx.zone, now=now)}.")


def _done(ctx: CommandContext, args: _One) -> Answer:
    with ctx.store.begin(ctx.cause) as tx:
        one = tx.reminder(args.reminder)
        try:
            be_done(tx, one)
        except Conflict as error:
            return say(_why(error), outcome=CommandOutcome.STALE)
    goes_on = f" It comes again: {_when(ctx, one)}." if one.repeats and _waits(one) else ""
    return say(f"Done: {quoted(one.text)}.{goes_on}")


def _why(error: Conflict) -> str:
    return f"{error.args[0]}." if error.args else f"{error}"


def _waits(one: Reminder) -> bool:
    return one.state is ReminderState.WAITING


def _when(ctx: CommandContext, one: Reminder) -> str:
    now = ctx.now().astimezone(zone_of(ctx.zone))
    return short_moment(one.at, ctx.zone, now=now)


def _line(ctx: CommandContext, one: Reminder) -> Line:
    parts = (one_line(one.text), _when(ctx, one), how_often(one))
    return Line(label=one.handle, value="\n".join(filter(None, parts)), at=one.at)


def _facts(one: Reminder) -> dict[str, Any]:
    return {"handle": one.handle, **one.model_dump(mode="json", exclude={"owner", "trace"})}


def _whats(_ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    return fitting([("all: also what was told or cancelled", "all")], typed)


def _waiting(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    with ctx.read() as tx:
        found = tx.reminders(limit=MOST_WAITING)
    told = [(f"{one.handle}: {one_line(one.text, _WORDS)}", one.handle) for one in found]
    return fitting(told, typed)


REMINDERS = Body(args=_Listed, run=_reminders, choices={"what": _whats})
CANCEL = Body(args=_One, run=_cancel, choices={"reminder": _waiting})
LATER = Body(args=_Later, run=_later)
DONE = Body(args=_One, run=_done)
