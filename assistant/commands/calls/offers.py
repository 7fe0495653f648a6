"""The rarer answers to a card: to calls like it, to all that waits with it, later."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.commands.answer import Answer, Button, CommandOutcome, Fields, Waits, Words
from assistant.commands.body import Body, OneCall
from assistant.commands.buttons import command_of, plan_name, scope_name
from assistant.commands.calls.lookups import call_named, calls_waiting, look_first
from assistant.commands.calls.together import yes_to_plan, yes_to_similar
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import Denied
from assistant.domain.policy.grants import say as say_grant
from assistant.flows.approvals.answers import snooze
from assistant.flows.approvals.plans import plan_of
from assistant.flows.approvals.similar import draft_similar, scope_digest
from assistant.flows.render.call_status import lookup_status, too_late
from assistant.flows.render.cards import card_id, in_short, second_step


@dataclass(frozen=True, kw_only=True)
class _Offer:
    """What one of the answers would mean, and its button."""

    lines: tuple[Line, ...] = ()
    shown: Mapping[str, str] = field(default_factory=dict)
    buttons: tuple[Button, ...] = ()


def _more(ctx: CommandContext, args: OneCall) -> Answer:
    """Each with what it would mean."""
    call = call_named(ctx, args.call)
    if call.state is not CallState.PARKED:
        with ctx.read() as tx:
            return Answer(
                blocks=(Words(text=too_late(lookup_status(tx, call))),),
                outcome=CommandOutcome.STALE,
            )
    similar, together = _similar(ctx, call), _together(ctx, call)
    later = _button(Verb.SNOOZE, "Remind me later", "snooze", call)
    no = _button(Verb.DENY_WHY, "Deny and say why", command_of(Verb.DENY_WHY), call)
    why = _button(Verb.WHY, "Why?", "why", call)
    return Answer(
        blocks=(Fields(title=f"{call.handle}: more", lines=(*similar.lines, *together.lines)),),
        shown={**similar.shown, **together.shown},
        buttons=(*similar.buttons, *together.buttons, no, later, why),
        outcome=CommandOutcome.WAITING,
    )


def _similar(ctx: CommandContext, call: Call) -> _Offer:
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


def _together(ctx: CommandContext, call: Call) -> _Offer:
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


def _snooze(ctx: CommandContext, args: OneCall) -> Answer:
    call = call_named(ctx, args.call)
    if first := look_first(ctx, call):
        return first
    said = snooze(
        call.id, by=ctx.by, card=ctx.shown.get(call.id, ""), cause=ctx.cause, ctx=ctx.flows
    )
    return Answer(
        blocks=(Words(text=said.text, at=said.at),),
        outcome=CommandOutcome.DONE if said.accepted else CommandOutcome.STALE,
        waits=Waits(trace=call.trace, calls=(call.id,)) if said.accepted else None,
    )


def _button(verb: Verb, label: str, command: str, call: Call) -> Button:
    args = {"call": call.handle}
    return Button(label=label, command=command, args=args, verb=verb, subject=call.id)


MORE = Body(args=OneCall, run=_more, choices={"call": calls_waiting})
SNOOZE = Body(args=OneCall, run=_snooze, choices={"call": calls_waiting})
