"""What waits for a yes, and the yes or no."""

from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, Button, Card, Fields, Form, Table
from assistant.commands.body import Body, Nothing, OneCall, Option
from assistant.commands.calls.answered import answered, came_of
from assistant.commands.calls.lookups import (
    as_card,
    asked_about,
    asked_facts,
    call_named,
    calls_lately,
    calls_waiting,
    card_of,
    look_first,
    usable_tools,
    waiting,
)
from assistant.commands.calls.together import PLAN, SIMILAR, OneOfMany
from assistant.commands.channel import Channel
from assistant.commands.context import Context
from assistant.domain.approvals import Verb
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import Line
from assistant.domain.errors import BadArguments
from assistant.domain.moments import say_moment
from assistant.flows.call_status import lookup_status
from assistant.flows.cards import card_id, in_short
from assistant.flows.details import details
from assistant.flows.waiting import REASON, decide_call

_NOWHERE = frozenset({Channel.COMMAND_LINE})
"""Channels that show nothing by themselves: what a yes is about is printed with it."""


class _Looked(OneCall):
    whole: Annotated[
        bool,
        Field(description="Also all that the card has no room for, uncut."),
        Option(name="--details", chat=False),
    ] = False


class _Approved(OneCall):
    word: Annotated[
        str, Field(description="The second step, where the card names one."), Option(step=True)
    ] = ""
    similar: Annotated[
        bool,
        Field(description="Calls like it as well: the scope is shown first."),
        Option(chat=False),
    ] = False
    plan: Annotated[
        bool,
        Field(description="All that waits together with it, in order, or nothing."),
        Option(chat=False),
    ] = False
    yes: Annotated[bool, Field(description="Ask nothing more."), Option(chat=False)] = False

    @property
    def of_many(self) -> OneOfMany:
        return OneOfMany(call=self.call, yes=self.yes, word=self.word)


class _Denied(OneCall):
    reason: str = Field("", description="What the model is told of why.")


def _pending(ctx: Context, _args: Nothing) -> Answer:
    with ctx.read() as tx:
        found = [
            (call, approval, card_of(tx, call), tx.delivery(card_id(call)))
            for call, approval in waiting(tx)
        ]
    rows, lines, cards, buttons = [], [], [], []
    for call, approval, card, delivery in found:
        until = say_moment(approval.expires, ctx.zone)
        rows.append((call.handle, in_short(card), until))
        where = "" if delivery.channel == ctx.talks else f" (its card is in the {delivery.channel})"
        told = f"{in_short(card)}; waits until {until}{where}"
        lines.append(Line(label=call.handle, value=told, at=approval.expires))
        cards.append(Card(call=call.id, handle=call.handle, shown=card, state="waits for you"))
        show = Button(
            label=f"Show {call.handle}",
            command="show",
            args={"delivery": delivery.id},
            verb=Verb.REVEAL,
            subject=delivery.id,
        )
        buttons.append(show)
    table = Table(
        columns=("id", "asks", "until"),
        rows=tuple(rows),
        empty="Nothing waits for you.",
        cards=tuple(cards),
        lines=tuple(lines),
        title="What waits for you",
    )
    return Answer(
        blocks=(table,),
        buttons=tuple(buttons),
        data=lambda: [asked_facts(ctx, call, approval) for call, approval, _, _ in found],
    )


def _details(ctx: Context, args: _Looked) -> Answer:
    """The card, or all of it; in a chat, which has shown the card, all of it."""
    in_shell = ctx.channel in _NOWHERE
    call = asked_about(ctx, args.call)[0] if in_shell else call_named(ctx, args.call)
    with ctx.read() as tx:
        status = lookup_status(tx, call)
    whole = details(status, usable_tools(ctx).get(call.tool), zone=ctx.zone)
    title = "Details" if in_shell else f"{call.handle}: {call.state}"
    wanted = (Fields(lines=tuple(whole), title=title),) if args.whole or not in_shell else ()

    def data() -> object:
        facts = asked_facts(ctx, *asked_about(ctx, call.id))
        return {**facts, "details": [one.model_dump(include={"label", "value"}) for one in whole]}

    return Answer(blocks=(*([as_card(ctx, call)] if in_shell else []), *wanted), data=data)


def _card_first(ctx: Context, args: OneCall) -> Answer:
    call, _ = asked_about(ctx, args.call)
    waits = call.state is CallState.PARKED
    return Answer(blocks=(as_card(ctx, call),) if waits else ())


def _approve_preview(ctx: Context, args: _Approved) -> Answer:
    if args.similar and args.plan:
        raise BadArguments("--similar and --plan do not go together")
    many = SIMILAR if args.similar else PLAN if args.plan else None
    if many and many.preview:
        return many.preview(ctx, args.of_many)
    return _card_first(ctx, args)


def _approve(ctx: Context, args: _Approved) -> Answer:
    if args.similar:
        return SIMILAR.run(ctx, args.of_many)
    if args.plan:
        return PLAN.run(ctx, args.of_many)
    return _decide(ctx, args.call, Verb.APPROVE, word=args.word)


def _deny(ctx: Context, args: _Denied) -> Answer:
    return _decide(ctx, args.call, Verb.DENY, reason=args.reason)


def _deny_form(ctx: Context, args: _Denied) -> Form | None:
    call = call_named(ctx, args.call)
    if call.state is not CallState.PARKED:
        return None
    return Form(
        argument="reason",
        title=f"Deny {call.handle}",
        label="Why? The model is told.",
        placeholder="optional",
        required=False,
        most=REASON,
        next=_button(Verb.DENY, call),
    )


def _decide(ctx: Context, handle: str, verb: Verb, *, word: str = "", reason: str = "") -> Answer:
    call = call_named(ctx, handle)
    if first := look_first(ctx, call):
        return first
    pressed = decide_call(
        call.id,
        verb,
        by=ctx.by,
        card=ctx.shown.get(call.id, ""),
        reason=reason,
        word=word,
        token=ctx.token,
        seen=ctx.button.call if ctx.button else None,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return answered(ctx, pressed, [call], again=_button(verb, call))


def _button(verb: Verb, call: Call) -> Button:
    return Button(
        label=verb.value.capitalize(),
        command=verb.value,
        args={"call": call.handle},
        verb=verb,
        subject=call.id,
    )


PENDING = Body(args=Nothing, run=_pending)
DETAILS = Body(args=_Looked, run=_details, choices={"call": calls_lately})
APPROVE = Body(
    args=_Approved,
    run=_approve,
    preview=_approve_preview,
    then=came_of,
    choices={"call": calls_waiting},
)
DENY = Body(
    args=_Denied,
    run=_deny,
    preview=_card_first,
    then=came_of,
    choices={"call": calls_waiting},
    form=_deny_form,
)
