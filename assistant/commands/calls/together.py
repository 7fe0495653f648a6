"""One yes to more than one call: to calls like it from now on, or to all that waits with it."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from assistant.commands.answer import Answer, Button, Words
from assistant.commands.body import Body, OneCall
from assistant.commands.calls.answered import answered, came_of
from assistant.commands.calls.lookups import as_card, asked_about, call_named, calls_waiting
from assistant.commands.context import Context
from assistant.domain.calls import Call
from assistant.domain.grants import say as say_grant
from assistant.domain.policy import WORD
from assistant.flows.cards import second_step
from assistant.flows.granting import approve_similar, draft_similar, scope_digest
from assistant.flows.plans import approve_plan, plan_of


class OneOfMany(OneCall):
    yes: bool = Field(default=False, description="Yes, to what was shown.")
    word: str = Field("", description="The second step, where one is asked for.")


def _scope(call: Call) -> str:
    """The name under which a channel remembers the scope that it showed."""
    return f"scope {call.id}"


def _together(call: Call) -> str:
    """The name under which a channel remembers which calls it showed as a plan."""
    return f"plan {call.id}"


def _similar_preview(ctx: Context, args: OneOfMany) -> Answer:
    """What would be granted. Raises ``Denied`` where nothing can be."""
    call, _ = asked_about(ctx, args.call)
    scope = _scope_of(ctx, call)
    return replace(scope, blocks=(as_card(ctx, call), *scope.blocks))


def _scope_of(ctx: Context, call: Call) -> Answer:
    grant = draft_similar(call.id, by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
    return Answer(
        blocks=(Words(text="\n".join(say_grant(grant, ctx.zone))),),
        shown={_scope(call): scope_digest(grant)},
        question="Grant this?",
        step=f"type {call.word} with your yes" if call.word else "",
        next=_yes_to("similar", call),
        word=call.word,
    )


def _similar(ctx: Context, args: OneOfMany) -> Answer:
    """First the scope, then the yes to that scope."""
    call = call_named(ctx, args.call)
    scope = ctx.shown.get(_scope(call), "")
    if not (args.yes and scope):
        return _scope_of(ctx, call)
    pressed = approve_similar(
        call.id,
        by=ctx.by,
        card=ctx.shown.get(call.id, ""),
        scope=scope,
        word=args.word,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return answered(ctx, pressed, [call], again=_yes_to("similar", call))


def _plan_preview(ctx: Context, args: OneOfMany) -> Answer:
    """All that waits together, in its order."""
    call, _ = asked_about(ctx, args.call)
    return _cards_of(ctx, call, plan_of(call.id, cause=ctx.cause, ctx=ctx.flows))


def _cards_of(ctx: Context, call: Call, plan: Sequence[Call]) -> Answer:
    if not plan:
        return Answer()
    step = second_step(plan)
    return Answer(
        blocks=tuple(as_card(ctx, one) for one in plan),
        shown={_together(call): " ".join(one.id for one in plan)},
        question=f"Approve all {len(plan)}, in this order?",
        step=step,
        next=_yes_to("plan", call),
        word=WORD if step else "",
    )


def _plan(ctx: Context, args: OneOfMany) -> Answer:
    """First all that waits together, then the yes to all of that."""
    call = call_named(ctx, args.call)
    plan = plan_of(call.id, cause=ctx.cause, ctx=ctx.flows)
    if plan and not args.yes:
        shown = _cards_of(ctx, call, plan)
        more = f"All of it takes a second step: {shown.step}."
        told = (*shown.blocks, Words(text=more)) if shown.step else shown.blocks
        return replace(shown, blocks=told)
    seen = {*ctx.shown.get(_together(call), "").split(), *(one.id for one in plan)}
    pressed = approve_plan(
        call.id,
        by=ctx.by,
        cards={id: ctx.shown[id] for id in seen if id in ctx.shown},
        word=args.word,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return answered(ctx, pressed, plan or [call], again=_yes_to("plan", call))


def _yes_to(command: str, call: Call) -> Button:
    return Button(label="Yes", command=command, args={"call": call.handle, "yes": True})


SIMILAR = Body(
    args=OneOfMany,
    run=_similar,
    preview=_similar_preview,
    then=came_of,
    choices={"call": calls_waiting},
)
PLAN = Body(
    args=OneOfMany,
    run=_plan,
    preview=_plan_preview,
    then=came_of,
    choices={"call": calls_waiting},
)
