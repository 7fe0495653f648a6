"""The rarer answers to a card: to calls like it, to all that waits with it, later."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.commands.answer import Answer, Button, Fields, Outcome, Waits, Words
from assistant.commands.body import Body, OneCall
from assistant.commands.buttons import plan_name, scope_name
from assistant.commands.calls.lookups import call_named, calls_waiting, look_first
from assistant.commands.calls.together import yes_to_plan, yes_to_similar
from assistant.commands.context import Context
from assistant.domain.approvals import Verb
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import Line
from assistant.domain.errors import Denied
from assistant.domain.grants import say as say_grant
from assistant.flows.cards import card_id, in_short, second_step
from assistant.flows.granting import draft_similar, scope_digest
from assistant.flows.plans import plan_of
from assistant.flows.waiting import late, snooze


@dataclass(frozen=True, kw_only=True)
class _Offer:
    """What one of the answers would mean, and its button."""

    lines: tuple[Line, ...] = ()
    shown: Mapping[str, str] = field(default_factory=dict)
    buttons: tuple[Button, ...] = ()


def _more(ctx: Context, args: OneCall) -> Answer:
    """Each with what it would mean."""
    call = call_named(ctx, args.call)
    if call.state is not CallState.PARKED:
        with ctx.read() as tx:
            return Answer(blocks=(Words(text=late(tx, call)),), outcome=Outcome.STALE)
    similar, together = _similar(ctx, call), _together(ctx, call)
    later = _button(Verb.SNOOZE, "Remind me later", "snooze", call)
    why = _button(Verb.WHY, "Why?", "why", call)
    return Answer(
        blocks=(Fields(title=f"{call.handle}: more", lines=(*similar.lines, *together.lines)),),
        shown={**similar.shown, **together.shown},
        buttons=(*similar.buttons, *together.buttons, later, why),
        outcome=Outcome.WAITING,
    )


def _similar(ctx: Context, call: Call) -> _Offer:
    try:
        grant = draft_similar(call.id, by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
    except Denied as error:
        return _Offer(lines=(Line(label="Calls like it", value=str(error)),))
    scope = "\n".join(say_grant(grant, ctx.zone))
    meant = Line(label="Approving calls like it would mean", value=scope, at=grant.expires)
    return _Offer(
        lines=(meant,),
        shown={scope_name(call.id): scope_digest(grant)},
        buttons=(yes_to_similar(call),),
    )


def _together(ctx: Context, call: Call) -> _Offer:
    """Of the others each in a line: their cards are shown where this one is, or none counts."""
    plan = plan_of(call.id, cause=ctx.cause, ctx=ctx.flows)
    if len(plan) < 2:  # noqa: PLR2004 (one alone is no plan)
        return _Offer()
    with ctx.read() as tx:
        cards = {one.id: tx.delivery(card_id(one)) for one in plan}
    told = "\n".join(f"{one.handle}: {in_short(cards[one.id].wanted)}" for one in plan)
    lines = [Line(label="All that waits together", value=told)]
    if step := second_step(plan):
        lines.append(Line(label="Approving all takes a second step", value=step))
    digests = {id: card.shown for id, card in cards.items()}
    return _Offer(
        lines=tuple(lines),
        shown={**digests, plan_name(call.id): " ".join(digests)},
        buttons=(yes_to_plan(call, plan),),
    )


def _snooze(ctx: Context, args: OneCall) -> Answer:
    call = call_named(ctx, args.call)
    if first := look_first(ctx, call):
        return first
    said = snooze(
        call.id, by=ctx.by, card=ctx.shown.get(call.id, ""), cause=ctx.cause, ctx=ctx.flows
    )
    return Answer(
        blocks=(Words(text=said.text, at=said.at),),
        outcome=Outcome.DONE if said.accepted else Outcome.STALE,
        waits=Waits(trace=call.trace, calls=(call.id,)) if said.accepted else None,
    )


def _button(verb: Verb, label: str, command: str, call: Call) -> Button:
    args = {"call": call.handle}
    return Button(label=label, command=command, args=args, verb=verb, subject=call.id)


MORE = Body(args=OneCall, run=_more, choices={"call": calls_waiting})
SNOOZE = Body(args=OneCall, run=_snooze, choices={"call": calls_waiting})
