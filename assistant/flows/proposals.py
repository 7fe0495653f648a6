"""From what a model wants to judged calls: look, decide, and no effect yet."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from assistant.domain.calls import Call, CallState, Facts, Reach, Risk
from assistant.domain.canonical import canonical
from assistant.domain.errors import AssistantError
from assistant.domain.ids import new_id
from assistant.domain.jobs import Cause
from assistant.domain.policy import Request, Standing, Verdict, decide
from assistant.domain.talk import Conversation, Want
from assistant.domain.terms import ToolTerms
from assistant.tools.toolbox import Errand, Tool, Toolbox

log = logging.getLogger(__name__)

_STATE = {
    Verdict.ALLOW: CallState.CLEARED,
    Verdict.REPORT: CallState.CLEARED,
    Verdict.ASK: CallState.PARKED,
    Verdict.DENY: CallState.REFUSED,
}


def judge_all(
    wants: Sequence[Want],
    *,
    talk: Conversation,
    tainted: bool,
    cause: Cause,
    toolbox: Toolbox,
    now: datetime,
    zone: str,
) -> list[Call]:
    """Every call that comes of these wants, each with its decision; nothing is stored.

    A look at the world happens here, outside any transaction; whatever goes wrong in it is a no.
    """
    calls: list[Call] = []
    for want in wants:
        for facts, id in _look(want, toolbox.get(want.tool), cause=cause, now=now, zone=zone):
            calls.append(
                _judge(
                    facts,
                    tool=toolbox.get(want.tool),
                    terms=toolbox.terms(want.tool),
                    now=now,
                    draft=Call(
                        id=id,
                        owner=cause.owner,
                        conversation=talk.id,
                        turn=0,
                        ordinal=len(calls),
                        tool=want.tool,
                        facts=facts,
                        asked=want.args,
                        tainted=tainted,
                    ),
                )
            )
    return calls


def _look(
    want: Want, tool: Tool[Any] | None, *, cause: Cause, now: datetime, zone: str
) -> list[tuple[Facts, str]]:
    first = new_id()
    if tool is None:
        return [(Facts(args={}), first)]
    if want.trouble:
        return [(Facts(args={}, trouble=want.trouble), first)]
    try:
        canonical(want.args)
        args = tool.parse(want.args)
        parts = tool.look(args, Errand(cause=cause, call=first, now=now, zone=zone))
        for facts in parts:
            _try_to_show(tool, facts, zone)
    except AssistantError as error:
        return [(Facts(args={}, trouble=str(error)), first)]
    except Exception:  # a defect in a look must not allow, nor end the conversation
        log.exception("the look of %s failed", want.tool)
        return [(Facts(args={}, trouble="it could not be checked"), first)]
    return [(facts, new_id() if n else first) for n, facts in enumerate(parts)]


def _try_to_show(tool: Tool[Any], facts: Facts, zone: str) -> None:
    """What has no card, such as a time beyond the calendar, nobody could say yes to."""
    tool.moot(facts)
    if tool.card is not None:
        tool.card(facts, zone)


def _judge(
    facts: Facts, *, tool: Tool[Any] | None, terms: ToolTerms, now: datetime, draft: Call
) -> Call:
    risk: Risk | None = None
    reach: Reach | None = None
    if tool is not None and not facts.trouble:
        risk, reach = tool.risk(facts), tool.reach_of(facts)
    request = Request(
        tool=terms,
        facts=facts,
        risk=risk,
        reach=reach,
        owner=draft.owner,
        tainted=draft.tainted,
    )
    decision = decide(request, Standing(now=now))
    refused = decision.verdict is Verdict.DENY
    return draft.step(
        _STATE[decision.verdict],
        version=tool.version if tool else "",
        risk=decision.risk,
        reasons=decision.reasons,
        report=decision.verdict is Verdict.REPORT,
        result=decision.why if refused else "",
    )
