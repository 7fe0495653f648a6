"""Calls: the owner's own, and what became of any and why."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, Block, Outcome, Table, Waits, fields, say
from assistant.commands.body import Args, Body, OneCall, Option
from assistant.commands.calls.lookups import (
    as_card,
    call_facts,
    call_named,
    calls_lately,
    outcome_of,
)
from assistant.commands.context import Context
from assistant.commands.typed import typed
from assistant.domain.call_states import HAPPENED, CallState
from assistant.domain.calls import Call
from assistant.domain.decisions import one_line
from assistant.domain.errors import NotFound
from assistant.domain.fence import unfence
from assistant.flows.asking import call_tool
from assistant.flows.cards import why

_OUTCOME = 120
"""Characters of an outcome in the list; one call, and JSON, have all of it."""


class _Listed(Args):
    state: CallState | None = Field(None, description="Only calls in this state.")
    limit: int = Field(20, ge=1, le=1000, description="How many at the most.")


class _Wanted(Args):
    tool: str = Field(description="Its name, as `assistant tools list` has it.")
    args: Annotated[
        list[str],
        Field(description="One JSON object, or name=value pairs."),
        Option(positional=True),
    ] = Field(default_factory=list)


def _why(ctx: Context, args: OneCall) -> Answer:
    head, *rest = why(call_named(ctx, args.call))
    return say(head, *(f"  {line}" for line in rest))


def _calls(ctx: Context, args: _Listed) -> Answer:
    states = {args.state} if args.state else frozenset[CallState]()
    with ctx.read() as tx:
        calls = tx.calls(states=states, limit=args.limit)
    rows = tuple(
        (call.handle, one_line(call.tool, 80), call.state, one_line(outcome_of(call), _OUTCOME))
        for call in calls
    )
    table = Table(columns=("id", "tool", "state", "outcome"), rows=rows, empty="No calls yet.")
    return Answer(blocks=(table,), data=lambda: [call_facts(call) for call in calls])


def _one(ctx: Context, args: OneCall) -> Answer:
    with ctx.read() as tx:
        call = tx.call_named(args.call)
        effects = [effect.model_dump(mode="json") for effect in tx.effects(call.id)]
    told = {
        call.handle: call.tool,
        "State": call.state,
        "Risk": call.risk,
        "Why": "\n".join(call.reasons),
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


def _call(ctx: Context, args: _Wanted) -> Answer:
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
        channel=ctx.talks,
        place=ctx.place,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    waits = Waits(trace=ctx.cause.trace, calls=tuple(one.id for one in placed))
    return replace(_told(ctx, placed), waits=waits)


def _came_of(ctx: Context, _args: _Wanted, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    with ctx.read() as tx:
        told = _told(ctx, [tx.call(id) for id in answer.waits.calls])
    if answer.waits.rested:
        return told
    late = "it is still at work; `assistant calls show` tells what came of it"
    return replace(told, outcome=Outcome.UNREACHABLE, notes=(late,))


def _told(ctx: Context, calls: Sequence[Call]) -> Answer:
    return Answer(
        blocks=tuple(_block(ctx, one) for one in calls),
        outcome=_outcome(calls),
        data=lambda: [{**call_facts(one), "result": one.result} for one in calls],
    )


def _outcome(calls: Sequence[Call]) -> Outcome:
    states = {one.state for one in calls}
    if CallState.PARKED in states:
        return Outcome.WAITING
    if CallState.REFUSED in states:
        return Outcome.DENIED
    return Outcome.DONE if states <= HAPPENED else Outcome.FAILED


def _block(ctx: Context, one: Call) -> Block:
    if one.state is CallState.PARKED:
        return as_card(ctx, one)
    told = {one.handle: f"{one.tool}: {one.state}", "Outcome": one.told or unfence(one.result)}
    if one.told and unfence(one.result) != one.told:
        told["Result"] = unfence(one.result)
    return fields(told)


WHY = Body(args=OneCall, run=_why, choices={"call": calls_lately})
CALLS = Body(args=_Listed, run=_calls)
ONE = Body(args=OneCall, run=_one, choices={"call": calls_lately})
CALL = Body(args=_Wanted, run=_call, then=_came_of)
