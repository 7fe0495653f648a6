"""From what is wanted to judged calls: look at the world, then decide; no effect yet.

The two halves are apart because a look takes time and a decision must not be older than the
transaction that records it.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from assistant.domain.call_states import CallState
from assistant.domain.calls import Call, Facts, Reach, Risk
from assistant.domain.canonical import canonical
from assistant.domain.decisions import MODEL, Decision, Request
from assistant.domain.errors import AssistantError, Transient
from assistant.domain.ids import new_id
from assistant.domain.jobs import Cause
from assistant.domain.policy import Standing, Verdict, decide
from assistant.domain.talk import Conversation, Want
from assistant.domain.traits import ToolTraits
from assistant.flows.context import Context
from assistant.flows.standing import HOUR
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.tool import Tool

log = logging.getLogger(__name__)

AGAIN = "again"
"""The layer that speaks when a call is shown once more although the policy would let it run."""

_STATE = {
    Verdict.ALLOW: CallState.CLEARED,
    Verdict.REPORT: CallState.CLEARED,
    Verdict.ASK: CallState.PARKED,
    Verdict.DENY: CallState.REFUSED,
}


def look_all(
    wants: Sequence[Want],
    *,
    talk: Conversation,
    tainted: bool,
    cause: Cause,
    ctx: Context,
    now: datetime,
) -> list[Call]:
    """Every call that comes of these wants, proposed and looked at. Outside any transaction.

    Whatever goes wrong in a look is a trouble of the call, and so a no.
    """
    calls: list[Call] = []
    for want in wants:
        draft = draft_for(want, conversation=talk.id, tainted=tainted, cause=cause)
        calls.extend(look(draft, cause=cause, ctx=ctx, now=now))
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
    """What somebody asks for, as a call; nothing is looked at or decided."""
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


def look(
    draft: Call, *, cause: Cause, ctx: Context, now: datetime, patient: bool = False
) -> list[Call]:
    """The calls that come of what one asks for; they differ in their ids and facts.

    ``patient``: where something else waits on this, that the world is unwell for a moment is no
    trouble of the call; ``Transient`` is raised, to try again.
    """
    tool = ctx.offered_tool(draft)
    if tool is None or draft.facts.trouble:
        return [draft]
    draft = draft.model_copy(update={"version": tool.version})
    try:
        canonical(draft.asked)
        context = ToolContext(cause=cause, call=draft.id, now=now, zone=ctx.zone)
        parts = tool.examine(draft.asked, context)
        for facts in parts:
            _try_to_show(tool, facts, ctx.zone)
    except AssistantError as error:
        if patient and isinstance(error, Transient):
            raise
        return [_troubled(draft, str(error))]
    except Exception:  # a defect in a look must not allow, nor end the conversation
        log.exception("the look of %s failed", draft.tool)
        return [_troubled(draft, "it could not be checked")]
    return [
        draft.model_copy(update={"id": new_id() if n else draft.id, "facts": facts})
        for n, facts in enumerate(parts)
    ]


def _troubled(draft: Call, why: str) -> Call:
    return draft.model_copy(update={"facts": Facts(args={}, trouble=why)})


def _try_to_show(tool: Tool[Any], facts: Facts, zone: str) -> None:
    """What has no card, such as a time beyond the calendar, nobody could say yes to."""
    if not facts.trouble:
        tool.expires_at(facts)
        tool.card(facts, zone)


def request_of(call: Call, talk: Conversation | None, ctx: Context) -> Request:
    """The call as the policy sees it."""
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
        channel=talk.channel if talk else "",
        # Who sent a mail is not checked yet, so nobody whose words are in view is known.
        sender_grade="unknown" if call.tainted else "",
    )


def judge(
    call: Call, talk: Conversation | None, now: Standing, ctx: Context, *, ask: str = ""
) -> Call:
    """The call with its decision.

    Args:
        call: proposed and looked at.
        talk: where it was asked for.
        now: how things stand in the transaction that records this.
        ctx: the tools.
        ask: why a person is asked even where the policy would let it run; empty for no such reason.
    """
    request = request_of(call, talk, ctx)
    if talk is None or talk.channel not in ctx.channels:
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
    calls: Sequence[Call], talk: Conversation, now: Standing, ctx: Context
) -> list[Call]:
    """The calls of one turn with their decisions, in order, the ones before each counted.

    A change that was to follow one that is refused is asked about: it was wanted in the belief
    that the other would have happened.
    """
    judged: list[Call] = []
    ask = ""
    for call in calls:
        judged.append(judge(call, talk, now, ctx, ask=ask))
        now = counted(now, judged[-1])
        if judged[-1].state is CallState.REFUSED and judged[-1].reach is not Reach.READS:
            ask = "what was to happen before it was refused"
    return judged


def decided(call: Call, decision: Decision, *, reach: Reach) -> Call:
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


def draft_of(old: Call, args: dict[str, Any] | None = None) -> Call:
    """The same request as a new call that nothing is decided of; other arguments if given."""
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
        trace=old.trace,
    )


def counted(now: Standing, call: Call) -> Standing:
    """How things stand after this call was judged: its use and its grant's are counted."""
    if call.state is CallState.REFUSED:
        return now
    used = {**now.used, call.tool: now.used.get(call.tool, 0) + 1}
    return replace(_with_grant_uses(now, call, 1), used=used)


def uncounted(now: Standing, call: Call) -> Standing:
    """How things stood for this call: neither its own use nor that of its grant is counted."""
    return _with_grant_uses(vacated(now, call), call, -1)


def vacated(now: Standing, call: Call) -> Standing:
    """How things stand for what takes this call's place; what its grant was used for stays used."""
    old = call.created is not None and call.created < now.now - HOUR
    more = 0 if old else -1
    return replace(now, used={**now.used, call.tool: max(0, now.used.get(call.tool, 0) + more)})


def _with_grant_uses(now: Standing, call: Call, more: int) -> Standing:
    """So many more uses of the call's grant; never less than none."""
    grants = tuple(
        grant.model_copy(update={"used": max(0, grant.used + more)})
        if grant.id == call.grant
        else grant
        for grant in now.grants
    )
    return replace(now, grants=grants)
