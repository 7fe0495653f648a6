"""Explain a decision layer by layer. Nothing is done, and nothing is recorded."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.domain.calls.call import Call, Facts
from assistant.domain.canonical import canonical
from assistant.domain.errors import AssistantError, NotFound, Transient
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decide import PolicyContext, decide, explain
from assistant.domain.policy.decisions import Decision, LayerStep, Request
from assistant.flows.calls.judge import after_destroying, request_of
from assistant.flows.context import Context
from assistant.policy_lab.replay import Judged
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.tool import Tool

log = logging.getLogger(__name__)

Otherwise = Callable[[PolicyContext], PolicyContext]
"""Changes the state that a decision depends on: to another mode, or another policy."""


@dataclass(frozen=True, kw_only=True)
class Explained:
    """A decision with a line for every layer, also for one that added nothing."""

    request: Request
    decision: Decision
    steps: Sequence[LayerStep]
    note: str = ""
    """What could not be looked at, or has changed since; empty for nothing."""
    then: Judged | None = None
    """For a recorded call, the decision when it was asked for."""


def as_it_is(policy_context: PolicyContext) -> PolicyContext:
    """Change nothing."""
    return policy_context


def explain_want(
    tool: str,
    args: Mapping[str, Any],
    *,
    actor: str,
    tainted: bool,
    channel: str,
    cause: Cause,
    ctx: Context,
    otherwise: Otherwise = as_it_is,
) -> list[Explained]:
    """Explain how a want would be decided: one decision for each call that it needs.

    Args:
        tool: its name.
        args: as a model would give them.
        actor: ``model``, or ``owner:<channel id>``.
        tainted: whether words of others are in view.
        channel: where it is asked for.
        cause: on whose behalf.
        ctx: the rows, the tools and the clock.
        otherwise: changes mode or policy before the decision.

    Raises:
        NotFound: the actor is offered no such tool.
    """
    draft = Call(
        id=new_id(),
        owner=cause.owner,
        conversation="",
        turn=0,
        ordinal=0,
        tool=tool,
        facts=Facts(args={}),
        asked=dict(args),
        tainted=tainted,
        actor=actor,
        trace=cause.trace,
    )
    known = ctx.offered_tool(draft)
    if known is None:
        raise NotFound(f"tool {tool}; `assistant tools list` names them")
    parts, note = _inspect(known, draft, cause, ctx)
    policy_context = _read_state(cause, ctx, otherwise)
    explained = []
    for facts in parts:
        request = _request(draft.model_copy(update={"facts": facts}), ctx)
        request = replace(request, channel=channel)
        explained.append(_explained(request, policy_context, ctx, note=note))
    return explained


def explain_call(
    handle: str, *, cause: Cause, ctx: Context, otherwise: Otherwise = as_it_is
) -> Explained:
    """Explain why a recorded call was decided as it was, and how it would be decided today.

    Uses the recorded facts, without a new look at the world. Raises ``NotFound``.
    """
    with ctx.store.read(cause) as tx:
        call = tx.call_named(handle)
        channel = tx.conversation(call.conversation).channel
    tool = ctx.offered_tool(call)
    note = ""
    if tool is not None and call.version and tool.version != call.version:
        note = f"it used version {call.version} of {call.tool}; today's is {tool.version}"
    request = replace(_request(call, ctx), channel=channel)
    with ctx.store.read(cause) as tx:
        now = after_destroying(tx, otherwise(ctx.policy_context(tx)), [call], ctx)
    found = _explained(request, now, ctx, note=note)
    return replace(found, then=Judged.recorded(call))


def _read_state(cause: Cause, ctx: Context, otherwise: Otherwise) -> PolicyContext:
    with ctx.store.read(cause) as tx:
        return otherwise(ctx.policy_context(tx))


def _explained(
    request: Request, policy_context: PolicyContext, ctx: Context, *, note: str
) -> Explained:
    if request.channel not in ctx.channels:
        policy_context = replace(policy_context, free=False)
    return Explained(
        request=request,
        decision=decide(request, policy_context),
        steps=explain(request, policy_context),
        note=note,
    )


def _inspect(
    tool: Tool[Any], draft: Call, cause: Cause, ctx: Context
) -> tuple[Sequence[Facts], str]:
    """Look at the world. If that is not possible now, return the arguments alone, and why."""
    context = ToolContext(cause=cause, call=draft.id, now=ctx.clock.now(), zone=ctx.zone)
    try:
        canonical(draft.asked)
        return tool.examine(draft.asked, context), ""
    except Transient as error:
        args = tool.parse(draft.asked).model_dump(mode="json")
        note = f"by the arguments alone, as the world could not be looked at: {error}"
        return [Facts(args=args)], note
    except AssistantError as error:
        return [Facts(args={}, trouble=str(error))], ""
    except Exception:
        log.exception("%s failed to look at the world", tool.name)
        return [Facts(args={}, trouble="it could not be checked")], ""


def _request(call: Call, ctx: Context) -> Request:
    """Return the call as the policy sees it; of unknown risk if its tool cannot use these facts."""
    try:
        return request_of(call, None, ctx)
    except Exception as error:  # noqa: BLE001 (facts without a look may lack what the tool expects)
        log.info("%s cannot tell its risk from these facts: %r", call.tool, error)
        troubled = call.model_copy(update={"facts": Facts(args={}, trouble="unknown")})
        blank = request_of(troubled, None, ctx)
        return replace(blank, facts=call.facts)
