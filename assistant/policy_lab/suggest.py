"""Suggest rules and grants that would have spared questions, from recorded calls."""

from datetime import datetime

from assistant.domain.approvals.ports import ApprovalTx
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import STATES, CallState, OwnerReply
from assistant.domain.errors import NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decisions import Verdict
from assistant.domain.store import Store
from assistant.flows.context import Context
from assistant.policy_lab.replay import history
from assistant.policy_lab.suggestions import AnsweredCall, Suggestion, suggestions

_EDITED = "edited"
"""Reason of an approval that is void because its owner changed the call."""


def suggest(since: datetime, *, cause: Cause, store: Store, ctx: Context) -> list[Suggestion]:
    """Suggest additions to the policy in force, from the answers since then. Writes nothing.

    Args:
        since: when to begin; aware.
        cause: whose calls.
        store: where they are recorded; only read.
        ctx: the tools as they are now.
    """
    with store.read(cause) as tx:
        policy = ctx.policies.ready(tx.policy())
        answered = [
            AnsweredCall(
                handle=past.call.handle,
                request=past.request,
                policy_context=past.policy_context,
                given=frozenset(past.call.asked),
                reply=reply,
            )
            for past in history(tx, since, policy=policy, ctx=ctx)
            if past.request is not None
            and (reply := _reply(tx, past.call, old=past.other_version)) is not OwnerReply.NEITHER
        ]
    return suggestions(answered, policy.policy)


def _reply(tx: ApprovalTx, call: Call, *, old: bool) -> OwnerReply:
    """Read what became of a call as an answer to calls like it; a yes only if it was asked."""
    if call.state is CallState.SUPERSEDED and _was_edited(tx, call):
        return OwnerReply.NO
    reply = STATES[call.state].reply
    asked = call.verdict == Verdict.ASK and not call.supersedes and not old
    return reply if asked or reply is OwnerReply.NO else OwnerReply.NEITHER


def _was_edited(tx: ApprovalTx, call: Call) -> bool:
    try:
        return tx.approval(call.id).reason == _EDITED
    except NotFound:
        return False
