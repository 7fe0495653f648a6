"""Turn wants into judged calls: look at the world, then decide. Nothing takes effect yet.

The two steps are apart because a look takes time, and a decision must not be older than the
transaction that records it.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from assistant.domain.calls.call import Call, Facts, Reach, Risk
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import CallState
from assistant.domain.canonical import canonical
from assistant.domain.conversation.conversation import Conversation, Want
from assistant.domain.errors import AssistantError, BadArguments, Transient
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.always_ask import destroys
from assistant.domain.policy.decide import PolicyContext, Verdict, decide
from assistant.domain.policy.decisions import MODEL, Decision, Request
from assistant.domain.policy.traits import ToolTraits
from assistant.flows.context import Context
from assistant.flows.policies import HOUR
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.tool import Tool

log = logging.getLogger(__name__)

AGAIN = "again"
"""The layer of a decision that asks although the policy would let the call run."""

_STATE = {
    Verdict.ALLOW: CallState.CLEARED,
    Verdict.REPORT: CallState.CLEARED,
    Verdict.ASK: CallState.PARKED,
    Verdict.DENY: CallState.REFUSED,
}


Knows = Callable[[Tool[Any], str], bool]
"""Whether who asks knows of a thing that a tool finds by this name: see ``ToolContext.knows``."""


def knows_all(_tool: Tool[Any], _name: str) -> bool:
    return True


def inspect_all(
    wants: Sequence[Want],
    *,
    conversation: Conversation,
    tainted: bool,
    cause: Cause,
    ctx: Context,
    now: datetime,
    knows: Knows = knows_all,
) -> list[Call]:
    """Propose the calls that these wants need, and look at the world for each.

    Call it outside any transaction. An error in a look becomes a trouble of the call, which
    refuses it.
    """
    calls: list[Call] = []
    for want in wants:
        draft = draft_for(want, conversation=conversation.id, tainted=tainted, cause=cause)
        calls.extend(inspect(draft, cause=cause, ctx=ctx, now=now, knows=knows))
    return [call.model_copy(update={"ordinal": n}) for n, call in enumerate(calls)]


def draft_for(
    want: Want,
    *,
    cause: Cause,
    tainted: bool,
    actor: str = MODEL,
    conversation: str = "",
    undoes: str = "",
) -> Call:
    """Make a call of a want; nothing is looked at or decided yet."""
    return Call(
        id=new_id(),
        owner=cause.owner,
        conversation=conversation,
        turn=0,
        ordinal=0,
        tool=want.tool,
        version="",
        facts=Facts(args={}, trouble=want.trouble),
        asked=want.args,
        tainted=tainted,
        actor=actor,
        undoes=undoes,
        trace=cause.trace,
    )


def inspect(
    draft: Call,
    *,
    cause: Cause,
    ctx: Context,
    now: datetime,
    patient: bool = False,
    knows: Knows = knows_all,
) -> list[Call]:
    """Look at the world for a draft; return the calls it needs, with ids and facts of their own.

    ``patient``: raise ``Transient`` for a passing trouble, so that the caller can try again,
    instead of making it a trouble of the call.
    """
    tool = ctx.offered_tool(draft)
    if tool is None or draft.facts.trouble:
        return [draft]
    draft = draft.model_copy(update={"version": tool.version})
    try:
        canonical(draft.asked)
        context = ToolContext(
            cause=cause,
            call=draft.id,
            now=now,
            zone=ctx.zone,
            conversation=draft.conversation,
            knows=partial(knows, tool),
        )
        parts = tool.examine(draft.asked, context)
        for facts in parts:
            _try_to_show(tool, facts, ctx.zone, now)
    except AssistantError as error:
        if patient and isinstance(error, Transient):
            raise
        told = error.told if isinstance(error, BadArguments) else ""
        return [_troubled(draft, str(error), told)]
    except Exception:  # a defect in a look must not allow the call, nor end the conversation
        log.exception("%s failed to look at the world", draft.tool)
        return [_troubled(draft, "it could not be checked")]
    return [
        draft.model_copy(update={"id": new_id() if n else draft.id, "facts": facts})
        for n, facts in enumerate(parts)
    ]


def _troubled(draft: Call, why: str, told: str = "") -> Call:
    return draft.model_copy(update={"facts": Facts(args={}, trouble=why), "told": told})


def _try_to_show(tool: Tool[Any], facts: Facts, zone: str, now: datetime) -> None:
    """Render the card, so that a call that has none is refused, such as one beyond the calendar."""
    if not facts.trouble:
        tool.expires_at(facts)
        tool.card(facts, zone)
        tool.glance(facts, zone, now)


def request_of(call: Call, conversation: Conversation | None, ctx: Context) -> Request:
    """Return the call as the policy sees it."""
    tool = ctx.offered_tool(call)
    known = tool is not None and not call.facts.trouble
    risk: Risk | None = tool.risk(call.facts) if tool and known else None
    reach: Reach | None = tool.reach_of(call.facts) if tool and known else None
    return Request(
        tool=tool.traits if tool else ToolTraits.unknown(call.tool),
        facts=call.facts,
        risk=risk,
        reach=reach,
        owner=call.owner,
        actor=call.actor,
        tainted=call.tainted,
        channel=conversation.channel if conversation else "",
        # The senders of mails are not checked yet, so any outside text is from an unknown sender.
        sender_grade="unknown" if call.tainted else "",
    )


def judge(
    call: Call,
    conversation: Conversation | None,
    now: PolicyContext,
    ctx: Context,
    *,
    ask: str = "",
) -> Call:
    """Decide about a call; return it with its decision.

    Args:
        call: proposed and looked at.
        conversation: where it was asked for.
        now: the state read in the transaction that records the decision.
        ctx: the tools.
        ask: the reason to ask a person although the policy would let it run; empty for none.
    """
    request = request_of(call, conversation, ctx)
    if conversation is None or conversation.channel not in ctx.channels:
        now = replace(now, free=False)
    decision = decide(request, now)
    runs = decision.verdict in (Verdict.ALLOW, Verdict.REPORT)
    if ask and runs and request.reach is not Reach.READS:
        decision = decision.model_copy(
            update={
                "verdict": Verdict.ASK,
                "reasons": (*decision.reasons, f"{AGAIN}: {ask}"),
                "layer": AGAIN,
                "grant": "",
            }
        )
    tool = ctx.offered_tool(call)
    return decided(call, decision, reach=request.reach or (tool.reach if tool else Reach.GOVERNS))


def judge_turn(
    calls: Sequence[Call],
    conversation: Conversation,
    now: PolicyContext,
    ctx: Context,
    *,
    ask: str = "",
) -> list[Call]:
    """Decide about the calls of one turn, in order; each use counts for the calls after it.

    Asks about a change that follows a refused one: it was wanted in the belief that the refused
    one would happen. ``ask``: see ``judge``, for all of them.
    """
    judged: list[Call] = []
    for call in calls:
        judged.append(judge(call, conversation, now, ctx, ask=ask))
        now = counted(now, judged[-1])
        if judged[-1].state is CallState.REFUSED and judged[-1].reach is not Reach.READS:
            ask = "what was to happen before it was refused"
    return judged


def decided(call: Call, decision: Decision, *, reach: Reach) -> Call:
    """Return the call in the state that a decision leads to, with the decision's fields."""
    refused = decision.verdict is Verdict.DENY
    return call.step(
        _STATE[decision.verdict],
        risk=decision.risk,
        reach=reach,
        reasons=decision.reasons,
        verdict=decision.verdict.value,
        layer=decision.layer,
        rule=decision.rule,
        policy=decision.policy,
        mode=decision.mode,
        grant=decision.grant,
        word=decision.word,
        report=decision.verdict is Verdict.REPORT,
        result=decision.why if refused else "",
    )


def after_destroying(
    tx: CallTx, now: PolicyContext, calls: Sequence[Call], ctx: Context
) -> PolicyContext:
    """Return the state with what was overwritten or deleted before these calls.

    They are of one conversation, and what it did in the last hour counts: by its rows, of calls
    that run later too. A call that is recorded is judged by the calls before it, but for the one
    whose place it took.

    Args:
        tx: the transaction that judges.
        now: the state that decisions depend on.
        calls: in order.
        ctx: the tools.
    """
    if not any(_destroyed_by(call, ctx) for call in calls):
        return now
    [first, *_] = calls
    so_far = tx.destroyed(
        first.conversation,
        since=now.now - HOUR,
        before=first.number,
        without=first.supersedes,
    )
    return replace(now, destroyed=so_far)


def _destroyed_by(call: Call, ctx: Context) -> int:
    """Count what a model's call overwrites or deletes."""
    tool = ctx.offered_tool(call)
    if tool is None or call.actor != MODEL or call.facts.trouble:
        return 0
    return destroys(tool.reach_of(call.facts), call.facts)


def draft_of(old: Call, args: dict[str, Any] | None = None) -> Call:
    """Draft a new, undecided call that supersedes ``old``, with its arguments or with ``args``."""
    return Call(
        id=new_id(),
        owner=old.owner,
        conversation=old.conversation,
        turn=old.turn,
        ordinal=old.ordinal,
        tool=old.tool,
        version="",
        facts=old.facts.model_copy(update={"trouble": ""}),
        asked=old.asked if args is None else args,
        tainted=old.tainted,
        actor=old.actor,
        supersedes=old.id,
        undoes=old.undoes,
        copied=old.copied,
        led=old.led,
        typed=old.typed,
        trace=old.trace,
    )


def counted(now: PolicyContext, call: Call) -> PolicyContext:
    """Return the state after this call was judged: with its own use and its grant's counted."""
    if call.state is CallState.REFUSED:
        return now
    used = {**now.used, call.tool: now.used.get(call.tool, 0) + 1}
    more = destroys(call.reach, call.facts) if call.actor == MODEL else 0
    now = replace(now, used=used, destroyed=now.destroyed + more)
    return _with_grant_uses(now, call, 1)


def uncounted(now: PolicyContext, call: Call) -> PolicyContext:
    """Return the state before this call was judged: without its own use and its grant's."""
    return _with_grant_uses(vacated(now, call), call, -1)


def vacated(now: PolicyContext, call: Call) -> PolicyContext:
    """Return the state for this call's replacement: its use is not counted, its grant's is."""
    old = call.created is not None and call.created < now.now - HOUR
    more = 0 if old else -1
    return replace(now, used={**now.used, call.tool: max(0, now.used.get(call.tool, 0) + more)})


def _with_grant_uses(now: PolicyContext, call: Call, more: int) -> PolicyContext:
    """Add to the uses of the call's grant; the sum is never below 0."""
    grants = tuple(
        grant.model_copy(update={"used": max(0, grant.used + more)})
        if grant.id == call.grant
        else grant
        for grant in now.grants
    )
    return replace(now, grants=grants)
