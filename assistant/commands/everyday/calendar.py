"""The calendar: what is on, and when its owner is free."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, Button, Picture, Waits, Words, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.agenda import agenda, alt_text
from assistant.domain.calendar.events import When
from assistant.domain.calendar.week import Week, week_of
from assistant.domain.calls.states import OWED, CallState, state_name
from assistant.domain.errors import AssistantError, BadArguments
from assistant.domain.time.moments import begins, ends, zone_of
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.values import Unclear
from assistant.domain.time.wall_clock import day_begins
from assistant.flows.calls.owner_calls import call_tool
from assistant.flows.render.cards import card_id, in_short
from assistant.flows.render.ledger import why_refused
from assistant.flows.render.outcomes import delivery_of
from assistant.tools.calendar.agenda import (
    ProposedEvent,
    block_of,
    event_data,
    events_on,
    proposal_data,
    proposals,
)
from assistant.tools.calendar.range import RANGE_DAYS

_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)
_CHOICES = 25
"""Cards that are offered below an agenda, at the most."""
_PATIENCE = 10.0
"""Seconds that a look into the calendar may take before it is told as being under way."""


class _Agenda(Args):
    when: Annotated[
        list[str],
        Field(description="Such as: tomorrow, next week, 4 December. This week, if left out."),
        Option(positional=True),
    ] = Field(default_factory=list)
    picture: Annotated[
        Path | None,
        Field(description="Write a picture of the week to this PNG file."),
        Option(chat=False),
    ] = None


class _Whenever(Args):
    when: str = Field(
        "today", description="Such as: tomorrow afternoon. Or how long: for 45 minutes."
    )


def _agenda(ctx: CommandContext, args: _Agenda) -> Answer:
    """What is on, straight from the calendar, and what is proposed, from the calls that wait."""
    first, last = _days(ctx, " ".join(args.when))
    there = zone_of(ctx.zone)
    monday = first - first.weekday() * _DAY
    sunday = last + (6 - last.weekday()) * _DAY
    when = When(start=day_begins(monday, there), end=day_begins(sunday + _DAY, there))
    calendar = ctx.parts.calendar
    found = events_on(calendar, when, ctx.zone, now=ctx.now())
    events = found.events
    with ctx.read() as tx:
        own = tx.own_uids(calendar.address(), {event.uid for event in events})
        asked = proposals(tx.calls(states={CallState.PARKED}), when, ctx.zone)
    blocks = [*(block_of(event, own) for event in events), *(one.block for one in asked)]
    weeks = [
        week_of(
            monday + n * _DAY,
            blocks,
            zone=ctx.zone,
            now=ctx.now(),
            limits=found.limits(ctx.zone, ctx.now()),
        )
        for n in range(0, (sunday - monday).days, 7)
    ]
    shown = When(start=day_begins(first, there), end=day_begins(last + _DAY, there))
    waits = proposals([one.call for one in asked], shown, ctx.zone)
    text = agenda(*weeks, first=first, last=last)
    picture, notes = _picture(ctx, args, weeks[0])
    return Answer(
        blocks=(
            Words(text="\n".join((text, *found.notes(ctx.zone), *_waiting(ctx, waits)))),
            *picture,
        ),
        notes=notes,
        buttons=tuple(_cards(ctx, waits)),
        data=lambda: {
            "from": first.isoformat(),
            "until": last.isoformat(),
            "zone": ctx.zone,
            "events": [
                {**event_data(one, ctx.zone), "own": one.uid in own}
                for one in events
                if begins(one.when, ctx.zone) < shown.end and ends(one.when, ctx.zone) > shown.start
            ],
            "proposed": [proposal_data(one, ctx.zone) for one in waits],
            "unread": [
                {"id": one.uid, "title": one.title, "why": one.defect} for one in found.defective
            ],
            "as_of": found.as_of.isoformat() if found.as_of else None,
        },
    )


def _days(ctx: CommandContext, words: str) -> tuple[date, date]:
    """The first and the last day that were asked for. Raises ``BadArguments``."""
    there = zone_of(ctx.zone)
    now = ctx.now().astimezone(there)
    if not words:
        return now.date(), now.date() + (6 - now.weekday()) * _DAY
    almanac = Almanac(now=now, zone=there)
    try:
        span = almanac.span(words)
    except Unclear as unclear:
        raise BadArguments(str(unclear)) from unclear
    if span is None:
        example = ctx.typed("agenda", "next week")
        raise BadArguments(f"I do not understand when {words!r} is; try: {example}")
    start, end = (moment.astimezone(there) for moment in almanac.bounds(span))
    first, last = start.date(), (end - _MINUTE).date()
    if last - first >= RANGE_DAYS * _DAY:
        raise BadArguments(f"ask for {RANGE_DAYS} days at the most")
    return first, max(first, last)


def _picture(
    ctx: CommandContext, args: _Agenda, week: Week
) -> tuple[tuple[Picture, ...], tuple[str, ...]]:
    """The picture where it is wanted, or why there is none."""
    if args.picture is None and ctx.channel is not CommandChannel.DISCORD:
        return (), ()
    try:
        content = ctx.parts.draw_week(week)
    except AssistantError as error:
        if args.picture:
            raise
        return (), (f"There is no picture of it: {error}",)
    if args.picture:
        try:
            args.picture.write_bytes(content)
        except OSError as error:
            raise BadArguments(f"--picture {args.picture}: {error.strerror}") from error
    return (Picture(name=f"week-{week.monday}.png", content=content, alt=alt_text(week)),), ()


def _waiting(ctx: CommandContext, waits: Sequence[ProposedEvent]) -> Iterator[str]:
    """Say which calls it is that propose something."""
    if waits:
        calls = ", ".join(one.call.handle for one in waits)
        verb = "waits" if len(waits) == 1 else "wait"
        yield f"{calls} {verb} for your answer: {ctx.typed('pending')}"


def _cards(ctx: CommandContext, waits: Sequence[ProposedEvent]) -> Iterator[Button]:
    """The buttons that show their cards."""
    with ctx.read() as tx:
        found = [(one, delivery_of(tx, card_id(one.call))) for one in waits[:_CHOICES]]
    for one, delivery in found:
        if delivery is not None:
            yield Button(
                label=f"{one.call.handle}: {in_short(delivery.wanted)}",
                command="show",
                args={"delivery": delivery.id},
                verb=Verb.REVEAL,
                subject=delivery.id,
                choice="Show a card",
            )


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


AGENDA = Body(args=_Agenda, run=_agenda)
FREE = Body(args=_Whenever, run=_free, then=_looked_up)
