"""Calls: the owner's own, and what became of any and why."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Annotated

from pydantic import AfterValidator, Field

from assistant.commands.answer import Answer, Block, CommandOutcome, Table, Waits, fields, say
from assistant.commands.body import Args, Body, OneCall, Option
from assistant.commands.calls.lookups import (
    as_card,
    call_facts,
    call_named,
    calls_lately,
    outcome_of,
)
from assistant.commands.context import CommandContext
from assistant.commands.typed import typed
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import HAPPENED, CallState, state_name, states_called
from assistant.domain.errors import NotFound
from assistant.domain.policy.decisions import one_line
from assistant.domain.text.fence import unfence
from assistant.flows.calls.owner_calls import call_tool
from assistant.flows.render.cards import why
from assistant.flows.render.reasons import reasons

_OUTCOME = 120
"""Characters of an outcome in the list; one call, and JSON, have all of it."""


def _state(word: str) -> str:
    """Refuse a word that is no state's."""
    if word:
        states_called(word)
    return word


class _Listed(Args):
    state: Annotated[
        str,
        AfterValidator(_state),
        Field(description="Only calls in this state, such as waiting."),
    ] = ""
    limit: int = Field(20, ge=1, le=1000, description="How many at the most.")


class _Wanted(Args):
    tool: str = Field(description="Its name, as `assistant tools list` has it.")
    args: Annotated[
        list[str],
        Field(description="One JSON object, or name=value pairs."),
        Option(positional=True),
    ] = Field(default_factory=list)


def _why(ctx: CommandContext, args: OneCall) -> Answer:
    head, *rest = why(call_named(ctx, args.call))
    return say(head, *(f"  {line}" for line in rest))


def _calls(ctx: CommandContext, args: _Listed) -> Answer:
    def found(states: Collection[CallState]) -> Sequence[Call]:
        with ctx.read() as tx:
            return tx.calls(states=states, limit=args.limit)

    calls = found(states_called(args.state)) if args.state else found(())
    stored = {one for one in CallState if one == args.state}  # what a program means by it
    rows = tuple(
        (
            call.handle,
            one_line(call.tool, 80),
            state_name(call.state),
            one_line(outcome_of(call), _OUTCOME),
        )
        for call in calls
    )
    table = Table(columns=("id", "tool", "state", "outcome"), rows=rows, empty="No calls yet.")
    return Answer(
        blocks=(table,),
        data=lambda: [call_facts(call) for call in (found(stored) if stored else calls)],
    )


def _one(ctx: CommandContext, args: OneCall) -> Answer:
    with ctx.read() as tx:
        call = tx.call_named(args.call)
        effects = [effect.model_dump(mode="json") for effect in tx.effects(call.id)]
    told = {
        call.handle: call.tool,
        "State": state_name(call.state),
        "Risk": call.risk,
        "Why": "\n".join(reasons(call)),
        "Arguments": "\n".join(f"{k}: {v}" for k, v in call.facts.args.items()),
        "Where": call.facts.destination,
        "Effects": "\n".join(f"{e['kind']} {e['key']}: {e['state']}" for e in effects),
        "Outcome": call.told or unfence(call.result),
        "Trace": call.trace,
    }
    return Answer(
        blocks=(fields(told),),
        data=lambda: {**call_facts(call), "result": call.result, "effects": effects},
    )


def _call(ctx: CommandContext, args: _Wanted) -> Answer:
    """Ask for a tool. What no such call can take is told before anything is asked for."""
    named = ctx.parts.toolbox.get(args.tool)
    if named is None:
        near = get_close_matches(args.tool, [one.name for one in ctx.parts.toolbox.list()], n=1)
        hint = f"did you mean {near[0]}?" if near else "`assistant tools list` names them"
        raise NotFound(f"tool {args.tool}; {hint}")
    given = typed(args.args, named.schema.parameters, zone=ctx.zone)
    named.parse(given)
    placed = call_tool(
        args.tool,
        given,
        by=ctx.by,
        channel=ctx.conversations,
        place=ctx.place,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    waits = Waits(trace=ctx.cause.trace, calls=tuple(one.id for one in placed))
    return replace(_told(ctx, placed), waits=waits)


def _came_of(ctx: CommandContext, _args: _Wanted, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    with ctx.read() as tx:
        told = _told(ctx, [tx.call(id) for id in answer.waits.calls])
    if answer.waits.rested:
        return told
    late = "it is still at work; `assistant calls show` tells what came of it"
    return replace(told, outcome=CommandOutcome.UNREACHABLE, notes=(late,))


def _told(ctx: CommandContext, calls: Sequence[Call]) -> Answer:
    return Answer(
        blocks=tuple(_block(ctx, one) for one in calls),
        outcome=_outcome(calls),
        data=lambda: [{**call_facts(one), "result": one.result} for one in calls],
    )


def _outcome(calls: Sequence[Call]) -> CommandOutcome:
    states = {one.state for one in calls}
    if CallState.PARKED in states:
        return CommandOutcome.WAITING
    if CallState.REFUSED in states:
        return CommandOutcome.DENIED
    return CommandOutcome.DONE if states <= HAPPENED else CommandOutcome.FAILED


def _block(ctx: CommandContext, one: Call) -> Block:
    if one.state is CallState.PARKED:
        return as_card(ctx, one)
    told = {
        one.handle: f"{one.tool}: {state_name(one.state)}",
        "Outcome": one.told or unfence(one.result),
    }
    if one.told and unfence(one.result) != one.told:
        told["Result"] = unfence(one.result)
    return fields(told)


WHY = Body(args=OneCall, run=_why, choices={"call": calls_lately})
CALLS = Body(args=_Listed, run=_calls)
ONE = Body(args=OneCall, run=_one, choices={"call": calls_lately})
CALL = Body(args=_Wanted, run=_call, then=_came_of)
