"""What would become of a call, layer by layer. Nothing is done, and nothing is recorded."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.domain.calls import Call, Facts
from assistant.domain.canonical import canonical
from assistant.domain.decisions import Decision, Request, Step
from assistant.domain.errors import AssistantError, NotFound, Transient
from assistant.domain.ids import new_id
from assistant.domain.jobs import Cause
from assistant.domain.policy import Standing, decide, explain
from assistant.flows.context import Context
from assistant.flows.judging import request_of
from assistant.flows.replaying import Judged
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.tool import Tool

log = logging.getLogger(__name__)

Otherwise = Callable[[Standing], Standing]
"""How things are to stand, other than they do: in another mode, under another policy."""


@dataclass(frozen=True, kw_only=True)
class Explained:
    """A decision with every layer's line, those that added nothing included."""

    request: Request
    decision: Decision
    steps: Sequence[Step]
    note: str = ""
    """What could not be looked at, or is otherwise than it was; empty where nothing is."""
    then: Judged | None = None
    """Of a recorded call: what was decided when it was asked for."""


def as_it_is(standing: Standing) -> Standing:
    """Change nothing."""
    return standing


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
    """What would become of this: one decision for each call that would come of it.

    Args:
        tool: its name.
        args: as a model would give them.
        actor: ``model``, or ``owner:<channel id>``.
        tainted: whether words of others are in view.
        channel: where it is asked for.
        cause: for whom.
        ctx: the rows, the tools and the clock.
        otherwise: how things are to stand, if other than they do.

    Raises:
        NotFound: whoever asks is offered no such tool.
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
    parts, note = _looked(known, draft, cause, ctx)
    standing = _standing(cause, ctx, otherwise)
    explained = []
    for facts in parts:
        request = _request(draft.model_copy(update={"facts": facts}), ctx)
        request = replace(request, channel=channel)
        explained.append(_explained(request, standing, ctx, note=note))
    return explained


def explain_call(
    handle: str, *, cause: Cause, ctx: Context, otherwise: Otherwise = as_it_is
) -> Explained:
    """Why a recorded call was decided as it was, and what would become of it today.

    Its facts are those that were recorded; the world is not asked. Raises ``NotFound``.
    """
    with ctx.store.read(cause) as tx:
        call = tx.call_named(handle)
        channel = tx.conversation(call.conversation).channel
    tool = ctx.offered_tool(call)
    note = ""
    if tool is not None and call.version and tool.version != call.version:
        note = f"it was of version {call.version} of {call.tool}; today's is {tool.version}"
    request = replace(_request(call, ctx), channel=channel)
    found = _explained(request, _standing(cause, ctx, otherwise), ctx, note=note)
    return replace(found, then=Judged.recorded(call))


def _standing(cause: Cause, ctx: Context, otherwise: Otherwise) -> Standing:
    with ctx.store.read(cause) as tx:
        return otherwise(ctx.standing(tx))


def _explained(request: Request, standing: Standing, ctx: Context, *, note: str) -> Explained:
    if request.channel not in ctx.channels:
        standing = replace(standing, free=False)
    return Explained(
        request=request,
        decision=decide(request, standing),
        steps=explain(request, standing),
        note=note,
    )


def _looked(
    tool: Tool[Any], draft: Call, cause: Cause, ctx: Context
) -> tuple[Sequence[Facts], str]:
    """What the world says to it. Where it cannot be asked, the arguments alone, and why."""
    context = ToolContext(cause=cause, call=draft.id, now=ctx.clock.now(), zone=ctx.zone)
    try:
        canonical(draft.asked)
        return tool.examine(draft.asked, context), ""
    except Transient as error:
        args = tool.parse(draft.asked).model_dump(mode="json")
        note = f"by the arguments alone, as it could not be looked at: {error}"
        return [Facts(args=args)], note
    except AssistantError as error:
        return [Facts(args={}, trouble=str(error))], ""
    except Exception:
        log.exception("the look of %s failed", tool.name)
        return [Facts(args={}, trouble="it could not be checked")], ""


def _request(call: Call, ctx: Context) -> Request:
    """The call as the policy sees it; of unknown risk where its tool cannot tell by these facts."""
    try:
        return request_of(call, None, ctx)
    except Exception as error:  # noqa: BLE001 (facts without a look may lack what the tool expects)
        log.info("%s cannot tell its risk: %r", call.tool, error)
        troubled = call.model_copy(update={"facts": Facts(args={}, trouble="unknown")})
        blank = request_of(troubled, None, ctx)
        return replace(blank, facts=call.facts)
