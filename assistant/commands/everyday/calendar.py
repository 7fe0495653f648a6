"""The calendar: what is on, and when its owner is free."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, Table, Waits, Words, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.context import CommandContext
from assistant.commands.typed import moment
from assistant.domain.calendar.events import When
from assistant.domain.calls.states import OWED, CallState, state_name
from assistant.domain.errors import BadArguments
from assistant.domain.policy.decisions import one_line
from assistant.domain.time.moments import zone_of
from assistant.flows.calls.owner_calls import call_tool
from assistant.flows.render.ledger import why_refused
from assistant.tools.calendar.agenda import agenda

_DAYS = 7
_TITLE = 80
"""Characters of a title in the list; JSON has all of it."""
_PATIENCE = 10.0
"""Seconds that a look into the calendar may take before it is told as being under way."""


class _Range(Args):
    since: Annotated[
        str, Field(description="ISO date or time; today by default."), Option(name="--from")
    ] = ""
    until: Annotated[
        str, Field(description="The end, excluded; a week later."), Option(name="--to")
    ] = ""


class _Whenever(Args):
    when: str = Field(
        "today", description="Such as: tomorrow afternoon. Or how long: for 45 minutes."
    )


def _events(ctx: CommandContext, args: _Range) -> Answer:
    now = ctx.now().astimezone(zone_of(ctx.zone))
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    start = moment(args.since, zone=ctx.zone) if args.since else today
    end = moment(args.until, zone=ctx.zone) if args.until else start + timedelta(days=_DAYS)
    if end <= start:
        raise BadArguments("--to must be later than --from")
    if end - start > timedelta(days=366):
        raise BadArguments("ask for 366 days at the most")
    found = agenda(ctx.parts.calendar, When(start=start, end=end), ctx.zone)
    rows = tuple((str(one["when"]), one_line(str(one["title"]), _TITLE)) for one in found)
    table = Table(columns=("when", "title"), rows=rows, empty="Nothing is on.")
    return Answer(blocks=(table,), data=lambda: found)


def _free(ctx: CommandContext, args: _Whenever) -> Answer:
    """Looked up as the owner's own call: recorded, and under the policy like any other."""
    question = ctx.parts.when_free(args.when)
    if question is None:
        example = ctx.typed("free", "tomorrow afternoon")
        raise BadArguments(f"I do not understand when {args.when!r} is; try: {example}")
    [call, *_] = call_tool(
        question.tool,
        question.args,
        by=ctx.by,
        channel=ctx.conversations,
        place=ctx.alone,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    waits = Waits(trace=ctx.cause.trace, calls=(call.id,), soon=_PATIENCE, about=question)
    late = f"{call.handle} takes its time; ask again in a moment."
    return replace(say(question.text, late), waits=waits)


def _looked_up(ctx: CommandContext, _args: _Whenever, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    question = answer.waits.about
    with ctx.read() as tx:
        call = tx.call(answer.waits.calls[0])
    if call.state in OWED:
        return replace(answer, waits=None)
    if call.state is not CallState.DONE:
        return say(
            question.text,
            f"{call.handle} is {state_name(call.state)}: {call.told or why_refused(call)}",
        )
    start, end = (question.args.get(name) for name in ("start", "end"))
    text = f"{question.text}\n{call.result}"
    words = Words(text=text)
    if start and end:
        at, until = map(datetime.fromisoformat, (start, end))
        words = Words(text=text, at=at, until=until)
    return Answer(blocks=(words,))


EVENTS = Body(args=_Range, run=_events)
FREE = Body(args=_Whenever, run=_free, then=_looked_up)
