"""The rarer answers to a card: to calls like it, to all that waits with it, later."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from assistant.commands.answer import Answer, Button, CommandOutcome, Fields, Waits, Words, say
from assistant.commands.body import Body, OneCall
from assistant.commands.buttons import command_of, plan_name, scope_name
from assistant.commands.calls.lookups import call_named, calls_waiting, look_first, whole_details
from assistant.commands.calls.together import rule_of, yes_to_plan, yes_to_similar
from assistant.commands.channel import PRESSING
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import Approval, Verb
from assistant.domain.approvals.reminders import Later, reminders
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import HAPPENED, CallState, state_name
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import Denied
from assistant.domain.time.moments import say_moment
from assistant.flows.approvals.answers import snooze
from assistant.flows.approvals.plans import plan_of
from assistant.flows.approvals.similar import draft_similar, scope_digest
from assistant.flows.render.call_status import lookup_status, too_late
from assistant.flows.render.cards import card_id, in_short, second_step
from assistant.flows.render.outcomes import shown_digest


def _said(value: object) -> object:
    """Read one of the moments, or the word of it that says which."""
    if not isinstance(value, str) or not value:
        return value or None
    words = value.casefold().split()
    for later in Later:
        if words == later.split() or words == [_WORD[later]]:
            return later
    raise ValueError(f"I can remind you {', '.join(Later)}")


_WORD = {Later.HOUR: "hour", Later.EVENING: "evening", Later.TOMORROW: "tomorrow"}


class _Snoozed(OneCall):
    when: Annotated[
        Later | None, BeforeValidator(_said), Field(description="When to be reminded.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Offer:
    """What one of the answers would mean, and its button."""

    lines: tuple[Line, ...] = ()
    shown: Mapping[str, str] = field(default_factory=dict)
    buttons: tuple[Button, ...] = ()


def _more(ctx: CommandContext, args: OneCall) -> Answer:
    """Each with what it would mean."""
    call = call_named(ctx, args.call)
    if call.state in HAPPENED:
        title = f"{call.handle}: {state_name(call.state)}"
        return Answer(blocks=(Fields(title=title, lines=whole_details(ctx, call)),))
    if call.state is not CallState.PARKED:
        with ctx.read() as tx:
            return Answer(
                blocks=(Words(text=too_late(lookup_status(tx, call))),),
                outcome=CommandOutcome.STALE,
            )
    similar, together = _similar(ctx, call), _together(ctx, call)
    no = _button(Verb.DENY_WHY, "Deny and say why", command_of(Verb.DENY_WHY), call)
    with ctx.read() as tx:
        moments = _moments(ctx, tx.approval(call.id))
    why = _button(Verb.WHY, "Why?", "why", call)
    whole = _button(Verb.DETAILS, "Details", "details", call)
    return Answer(
        blocks=(Fields(title=f"{call.handle}: more", lines=(*similar.lines, *together.lines)),),
        shown={**similar.shown, **together.shown},
        buttons=(whole, *similar.buttons, *together.buttons, no, why, *_later(ctx, call, moments)),
        outcome=CommandOutcome.WAITING,
    )


def _similar(ctx: CommandContext, call: Call) -> _Offer:
    try:
        grant = draft_similar(call.id, by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
    except Denied as error:
        return _Offer(lines=(Line(label="Calls like it", value=str(error)),))
    meant = Line(
        label="Approving calls like it would mean",
        value=rule_of(ctx, grant, zone=ctx.zone),
        at=grant.expires,
    )
    return _Offer(
        lines=(meant,),
        shown={scope_name(call.id): scope_digest(grant)},
        buttons=(yes_to_similar(call),),
    )


def _together(ctx: CommandContext, call: Call) -> _Offer:
    """Of the others each in a line: their cards are shown where this one is, or none counts."""
    plan = plan_of(call.id, cause=ctx.cause, ctx=ctx.flows)
    if len(plan) < 2:  # noqa: PLR2004 (one alone is no plan)
        return _Offer()
    with ctx.read() as tx:
        cards = {one.id: tx.delivery(card_id(one)) for one in plan}
        digests = {id: shown_digest(tx, id, card) for id, card in cards.items()}
    told = "\n".join(f"{one.handle}: {in_short(cards[one.id].wanted)}" for one in plan)
    lines = [Line(label="All that waits together", value=told)]
    if step := second_step(plan):
        lines.append(Line(label="Approving all takes a second step", value=step))
    if not all(digests.values()):  # one of them was not shown: its own card answers it
        return _Offer(lines=tuple(lines))
    return _Offer(
        lines=tuple(lines),
        shown={**digests, plan_name(call.id): " ".join(digests)},
        buttons=(yes_to_plan(call, plan),),
    )


def _snooze(ctx: CommandContext, args: _Snoozed) -> Answer:
    call = call_named(ctx, args.call)
    if first := look_first(ctx, call):
        return first
    if args.when is None and call.state is CallState.PARKED:
        return _when(ctx, call)
    said = snooze(
        call.id,
        args.when or Later.HOUR,
        by=ctx.by,
        card=ctx.shown.get(call.id, ""),
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return Answer(
        blocks=(Words(text=said.text, at=said.at),),
        outcome=CommandOutcome.DONE if said.accepted else CommandOutcome.STALE,
        waits=Waits(trace=call.trace, calls=(call.id,)) if said.accepted else None,
    )


def _when(ctx: CommandContext, call: Call) -> Answer:
    """Ask when; nothing is chosen for whoever does not say."""
    with ctx.read() as tx:
        approval = tx.approval(call.id)
    moments = _moments(ctx, approval)
    if not moments:
        until = say_moment(approval.expires, ctx.zone)
        return say(
            f"{call.handle} waits until {until}, too short a time for a reminder.",
            outcome=CommandOutcome.STALE,
        )
    lines = [] if ctx.channel in PRESSING else _typed(ctx, call, moments)
    return say(
        f"When shall I remind you of {call.handle}?", *lines, buttons=_later(ctx, call, moments)
    )


def _typed(ctx: CommandContext, call: Call, moments: Mapping[Later, datetime]) -> list[str]:
    return [
        f"{ctx.typed('snooze', call.handle, later)}  ({say_moment(at, ctx.zone)})"
        for later, at in moments.items()
    ]


def _moments(ctx: CommandContext, approval: Approval) -> Mapping[Later, datetime]:
    return reminders(ctx.now(), ctx.zone, until=approval.expires)


def _later(
    ctx: CommandContext, call: Call, moments: Mapping[Later, datetime]
) -> tuple[Button, ...]:
    return tuple(
        Button(
            label=later.value,
            command="snooze",
            args={"call": call.handle, "when": later},
            verb=Verb.SNOOZE,
            subject=call.id,
            choice="Remind me later",
            detail=say_moment(at, ctx.zone),
        )
        for later, at in moments.items()
    )


def _button(verb: Verb, label: str, command: str, call: Call) -> Button:
    args = {"call": call.handle}
    return Button(label=label, command=command, args=args, verb=verb, subject=call.id)


MORE = Body(args=OneCall, run=_more, choices={"call": calls_waiting})
SNOOZE = Body(args=_Snoozed, run=_snooze, choices={"call": calls_waiting})
