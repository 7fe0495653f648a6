"""What waits for a yes, and the yes or no."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from assistant.commands.answer import (
    Answer,
    Button,
    Card,
    CommandOutcome,
    Fields,
    Form,
    Table,
    fields,
)
from assistant.commands.body import Args, Body, Nothing, OneCall, Option
from assistant.commands.buttons import command_of
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
    waiting,
    whole_details,
)
from assistant.commands.calls.together import PLAN, SIMILAR, OnePlan, deny_all
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.typed import calls_in_words
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState, state_name
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import say_moment
from assistant.flows.approvals.answers import REASON, decide_call, open_details
from assistant.flows.render.cards import card_id, in_short
from assistant.flows.render.details import for_people

_NOWHERE = frozenset({CommandChannel.COMMAND_LINE})
"""Channels that show nothing by themselves: what a yes is about is printed with it."""


class _Looked(OneCall):
    whole: Annotated[
        bool,
        Field(description="Also all that the card has no room for, uncut."),
        Option(name="--details", chat=False),
    ] = False
    all: Annotated[
        bool,
        Field(description="Also its ids, versions, hashes and levels."),
        Option(shell=False),
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
    def of_many(self) -> OnePlan:
        return OnePlan(call=self.call, yes=self.yes, word=self.word)


class _Denied(Args):
    all: Annotated[
        bool, Field(description="All that waits together with it."), Option(shell=False)
    ] = False
    call: str = Field(description="Such as A17.")
    why: Annotated[
        str, Field(description="Why; the assistant is told."), Option(name="--why", old="--reason")
    ] = ""
    more: Annotated[
        list[str],
        Field(description="Other calls, such as A18 A19, or why."),
        Option(positional=True, chat=False),
    ] = Field(default_factory=list)

    @property
    def others(self) -> list[str]:
        """The calls that stand behind the first; none where what stands there is a reason."""
        return calls_in_words(" ".join(self.more) or self.why)

    @property
    def reason(self) -> str:
        """What was said: ``/deny A17 --why not today`` is ``/deny A17 not today``."""
        why = self.why.strip().removeprefix("--why").strip()
        if not self.others:
            return " ".join(filter(None, (*self.more, why)))
        return why if self.more else ""


def _pending(ctx: CommandContext, _args: Nothing) -> Answer:
    with ctx.read() as tx:
        found = [
            (call, approval, card_of(tx, call), tx.delivery(card_id(call)))
            for call, approval in waiting(tx)
        ]
    rows, lines, cards, buttons = [], [], [], []
    for call, approval, card, delivery in found:
        until = say_moment(approval.expires, ctx.zone)
        rows.append((call.handle, in_short(card), until))
        where = (
            ""
            if delivery.channel == ctx.conversations
            else f" (its card is in the {delivery.channel})"
        )
        told = f"{in_short(card)}; waits until {until}{where}"
        lines.append(Line(label=call.handle, value=told, at=approval.expires))
        cards.append(Card(call=call.id, handle=call.handle, shown=card, state="waits for you"))
        show = Button(
            label=f"{call.handle}: {in_short(card)}",
            command="show",
            args={"delivery": delivery.id},
            verb=Verb.REVEAL,
            subject=delivery.id,
            choice="Show a card",
            detail=f"waits until {until}",
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


def _details(ctx: CommandContext, args: _Looked) -> Answer:
    """The card, or all of it; in a chat, which has shown the card, all of it."""
    in_shell = ctx.channel in _NOWHERE
    call = asked_about(ctx, args.call)[0] if in_shell else call_named(ctx, args.call)
    whole = whole_details(ctx, call)
    if args.whole or not in_shell:
        open_details(call.id, cause=ctx.cause, ctx=ctx.flows)
    title = "Details" if in_shell else f"{call.handle}: {state_name(call.state)}"
    short = ctx.channel is CommandChannel.TERMINAL and not args.all  # what scrolls away
    lines = for_people(whole) if short else whole
    wanted = (Fields(lines=lines, title=title),) if args.whole or not in_shell else ()
    more = f"{ctx.typed('details', call.handle, 'all')} adds its ids, versions and hashes."

    def data() -> object:
        facts = asked_facts(ctx, *asked_about(ctx, call.id))
        return {**facts, "details": [one.model_dump(include={"label", "value"}) for one in whole]}

    return Answer(
        blocks=(*([as_card(ctx, call)] if in_shell else []), *wanted),
        notes=(more,) if short else (),
        data=data,
    )


def _look(ctx: CommandContext, args: OneCall) -> Answer:
    """The card alone, with what answers it."""
    call, _ = asked_about(ctx, args.call)
    return Answer(blocks=(as_card(ctx, call),))


def _card_first(ctx: CommandContext, args: _Approved | _Denied) -> Answer:
    others = args.others if isinstance(args, _Denied) else []
    calls = [asked_about(ctx, handle)[0] for handle in (args.call, *others)]
    waiting = {call.id: call for call in calls if call.state is CallState.PARKED}
    return Answer(blocks=tuple(as_card(ctx, call) for call in waiting.values()))


def _approve_preview(ctx: CommandContext, args: _Approved) -> Answer:
    if args.similar and args.plan:
        raise BadArguments("--similar and --plan do not go together")
    many = SIMILAR if args.similar else PLAN if args.plan else None
    if many and many.preview:
        return many.preview(ctx, args.of_many)
    return _card_first(ctx, args)


def _approve(ctx: CommandContext, args: _Approved) -> Answer:
    if args.similar:
        return SIMILAR.run(ctx, args.of_many)
    if args.plan:
        return PLAN.run(ctx, args.of_many)
    return _decide(ctx, args.call, Verb.APPROVE, word=args.word)


def _deny(ctx: CommandContext, args: _Denied) -> Answer:
    if ctx.button is not None:
        why = args.why.strip()
        one = _decide(ctx, args.call, Verb.DENY, reason=why) if not args.all else None
        return one or deny_all(ctx, args.call, reason=why)
    if args.all and args.others:
        typed = ctx.typed("deny", "all", args.call)
        raise BadArguments(f"With all, name one call. Type: {typed}")
    if args.all:
        return deny_all(ctx, args.call, reason=args.reason)
    if args.others:
        return _deny_each(ctx, [args.call, *args.others], reason=args.reason)
    return _deny_named(ctx, args.call, reason=args.reason)


def _deny_each(ctx: CommandContext, handles: Sequence[str], *, reason: str) -> Answer:
    """Say no to each call that is named, and what became of each. All of them are looked up first.

    A no is always safe: one that was answered already keeps none of the others from it.
    """
    calls = {(call := call_named(ctx, handle)).id: call for handle in handles}
    answers = [_deny_named(ctx, call.handle, reason=reason) for call in calls.values()]
    done = [one for one in answers if one.outcome is CommandOutcome.DONE]
    waits = [one.waits for one in done if one.waits is not None]
    return Answer(
        blocks=tuple(block for one in answers for block in one.blocks),
        outcome=next((one.outcome for one in answers if one not in done), CommandOutcome.DONE),
        waits=replace(waits[0], calls=tuple(calls)) if waits else None,
        follow=next((one.follow for one in done if one.follow), ""),
        data=lambda: {"calls": [one.data() for one in answers]},
    )


def _deny_named(ctx: CommandContext, handle: str, *, reason: str) -> Answer:
    """A typed no counts wherever the card was shown: it names the call, and does nothing.

    A call in its place has a handle of its own, and waits on.
    """
    call = call_named(ctx, handle)
    if call.state is not CallState.PARKED:
        return _decide(ctx, handle, Verb.DENY, reason=reason)
    with ctx.read() as tx:
        card, now = card_of(tx, call), tx.approval(call.id).card
    unseen = ctx.shown.get(call.id) != now
    answer = _decide(ctx.having_shown({call.id: now}), handle, Verb.DENY, reason=reason)
    if not unseen or answer.outcome is not CommandOutcome.DONE:
        return answer
    return replace(answer, blocks=(*answer.blocks, fields({call.handle: in_short(card)})))


def _deny_form(ctx: CommandContext, args: _Denied) -> Form | None:
    call = call_named(ctx, args.call)
    if call.state is not CallState.PARKED:
        return None
    return Form(
        argument="why",
        title=f"Deny {call.handle}",
        label="Why? The assistant is told.",
        placeholder="such as: not at 12, ask for 13",
        most=REASON,
        next=_button(Verb.DENY_WHY, call),
    )


def _decide(
    ctx: CommandContext, handle: str, verb: Verb, *, word: str = "", reason: str = ""
) -> Answer:
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
        command=command_of(verb),
        args={"call": call.handle},
        verb=verb,
        subject=call.id,
    )


LOOK = Body(args=OneCall, run=_look, choices={"call": calls_waiting})
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
)
DENY_WHY = replace(DENY, form=_deny_form)
"""The same, once its reason was asked for."""
