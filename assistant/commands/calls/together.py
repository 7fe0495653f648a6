"""One yes to more than one call: to calls like it from now on, or to all that waits with it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, Button, Words, fields
from assistant.commands.body import Body, OneCall, Option
from assistant.commands.buttons import plan_name, scope_name
from assistant.commands.calls.answered import answered, came_of
from assistant.commands.calls.lookups import (
    as_card,
    asked_about,
    call_named,
    calls_waiting,
    card_of,
    look_first,
    usable_tools,
    waiting,
)
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.errors import BadArguments
from assistant.domain.policy.decide import WORD
from assistant.domain.policy.grants import Grant, rule
from assistant.domain.policy.grants import say as say_grant
from assistant.flows.approvals.plans import approve_plan, deny_plan, plan_of
from assistant.flows.approvals.similar import approve_similar, draft_similar, scope_digest
from assistant.flows.render.cards import in_short, second_step


class OneOfMany(OneCall):
    yes: Annotated[bool, Field(description="Yes, to what was shown."), Option(step=True)] = False
    word: Annotated[
        str, Field(description="The second step, where one is asked for."), Option(step=True)
    ] = ""


class OnePlan(OneOfMany):
    call: str = Field(default="", description="Such as A17; not needed where one plan waits.")


def _similar_preview(ctx: CommandContext, args: OneOfMany) -> Answer:
    """What would be granted. Raises ``Denied`` where nothing can be."""
    call, _ = asked_about(ctx, args.call)
    scope = _scope_of(ctx, call)
    return replace(scope, blocks=(as_card(ctx, call), *scope.blocks))


def _scope_of(ctx: CommandContext, call: Call) -> Answer:
    grant = draft_similar(call.id, by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
    told = "\n".join((rule_of(ctx, grant), *say_grant(grant, ctx.zone)))
    return Answer(
        blocks=(Words(text=told),),
        shown={scope_name(call.id): scope_digest(grant)},
        question="Grant this?",
        step=f"type {call.word} with your yes" if call.word else "",
        next=yes_to_similar(call),
        word=call.word,
    )


def rule_of(ctx: CommandContext, grant: Grant, *, zone: str = "") -> str:
    """What a drafted grant would let run, in a sentence; with its end in ``zone``, if given."""
    tool = usable_tools(ctx).get(grant.tool)
    return rule(grant, tool.display_name if tool else grant.tool, zone)


def _similar(ctx: CommandContext, args: OneOfMany) -> Answer:
    """First the scope, then the yes to that scope."""
    call = call_named(ctx, args.call)
    if first := look_first(ctx, call):
        return first
    scope = ctx.shown.get(scope_name(call.id), "")
    if not (args.yes and scope):
        return _scope_of(ctx, call)
    pressed = approve_similar(
        call.id,
        by=ctx.by,
        card=ctx.shown.get(call.id, ""),
        scope=scope,
        word=args.word,
        token=ctx.token,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return answered(ctx, pressed, [call], again=yes_to_similar(call))


def _plan_preview(ctx: CommandContext, args: OneOfMany) -> Answer:
    """All that waits together, in its order."""
    call, _ = asked_about(ctx, args.call)
    return _cards_of(ctx, call, plan_of(call.id, cause=ctx.cause, ctx=ctx.flows))


def _cards_of(ctx: CommandContext, call: Call, plan: Sequence[Call]) -> Answer:
    if not plan:
        return Answer()
    step = second_step(plan)
    return Answer(
        blocks=tuple(as_card(ctx, one) for one in plan),
        shown={plan_name(call.id): " ".join(one.id for one in plan)},
        question=f"Approve all {len(plan)}, in this order?",
        step=step,
        next=yes_to_plan(call, plan),
        word=WORD if step else "",
    )


def _plan(ctx: CommandContext, args: OneOfMany) -> Answer:
    """First all that waits together, then the yes to all of that.

    A yes names the plan: of one that is not named only the steps are shown.
    """
    if not args.call:
        args = OneOfMany(call=_the_plan(ctx))
    call = call_named(ctx, args.call)
    plan = plan_of(call.id, cause=ctx.cause, ctx=ctx.flows)
    if plan and not args.yes:
        shown = _cards_of(ctx, call, plan)
        more = f"All of it takes a second step: {shown.step}."
        told = (*shown.blocks, Words(text=more)) if shown.step else shown.blocks
        return replace(shown, blocks=told)
    seen = {*ctx.shown.get(plan_name(call.id), "").split(), *(one.id for one in plan)}
    pressed = approve_plan(
        call.id,
        by=ctx.by,
        cards={id: ctx.shown[id] for id in seen if id in ctx.shown},
        word=args.word,
        only_shown=bool(ctx.token and ctx.token.delivery),
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return answered(ctx, pressed, plan or [call], again=yes_to_plan(call, plan))


def _the_plan(ctx: CommandContext) -> str:
    """The handle of the one plan that waits. Raises ``BadArguments`` where that is none or many."""
    with ctx.read() as tx:
        calls = [call for call, _ in waiting(tx)]
    turns: dict[tuple[str, int], list[str]] = {}
    for call in calls:
        turns.setdefault((call.conversation, call.turn), []).append(call.handle)
    plans = [handles[0] for handles in turns.values() if len(handles) > 1]
    if len(plans) == 1:
        return plans[0]
    if not plans:
        raise BadArguments("No plan waits for you: /pending shows what does.")
    raise BadArguments(f"which one? {', '.join(plans)}. Type: {ctx.typed('plan', plans[0])}")


def deny_all(ctx: CommandContext, handle: str, *, reason: str) -> Answer:
    """A no to all that waits together: a button's to what its message showed, a typed one to all.

    What was not shown here is told with the answer.
    """
    call = call_named(ctx, handle)
    plan = plan_of(call.id, cause=ctx.cause, ctx=ctx.flows)
    shown = ctx.shown.get(plan_name(call.id), "").split()
    with ctx.read() as tx:
        cards = {one.handle: in_short(card_of(tx, one)) for one in plan if one.id not in ctx.shown}
    pressed = deny_plan(
        call.id,
        by=ctx.by,
        cards={id: ctx.shown[id] for id in shown} if ctx.button else None,
        reason=reason,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    answer = answered(ctx, pressed, plan or [call])
    if ctx.button or not (cards and pressed.accepted):
        return answer
    return replace(answer, blocks=(*answer.blocks, fields(cards)))


def yes_to_similar(call: Call) -> Button:
    return _yes(Verb.SIMILAR, "Approve such calls", call)


def yes_to_plan(call: Call, plan: Sequence[Call]) -> Button:
    return _yes(Verb.PLAN, f"Approve all {len(plan)}", call)


def _yes(verb: Verb, label: str, call: Call) -> Button:
    args = {"call": call.handle, "yes": True}
    return Button(label=label, command=verb.value, args=args, verb=verb, subject=call.id)


SIMILAR = Body(
    args=OneOfMany,
    run=_similar,
    preview=_similar_preview,
    then=came_of,
    choices={"call": calls_waiting},
)
PLAN = Body(
    args=OnePlan,
    run=_plan,
    preview=_plan_preview,
    then=came_of,
    choices={"call": calls_waiting},
)
