"""From the calls there were: which questions a rule or a grant would have spared."""

from datetime import datetime

from assistant.domain.call_states import STATES, CallState, OwnerReply
from assistant.domain.calls import Call
from assistant.domain.decisions import Verdict
from assistant.domain.errors import NotFound
from assistant.domain.jobs import Cause
from assistant.domain.suggestions import Answered, Suggestion, suggestions
from assistant.flows.context import Context
from assistant.flows.replaying import history
from assistant.ports import Store, Tx

_EDITED = "edited"
"""The reason that an approval ends for when its owner changed the call."""


def suggest(since: datetime, *, cause: Cause, store: Store, ctx: Context) -> list[Suggestion]:
    """What the answers since then suggest to the policy in force. Writes nothing.

    Args:
        since: when to begin; aware.
        cause: whose calls.
        store: where they are recorded. It is only read.
        ctx: the tools as they are now.
    """
    with store.read(cause) as tx:
        policy = ctx.policies.ready(tx.policy())
        answered = [
            Answered(
                handle=past.call.handle,
                request=past.request,
                standing=past.standing,
                given=frozenset(past.call.asked),
                reply=reply,
            )
            for past in history(tx, since, policy=policy, ctx=ctx)
            if past.request is not None
            and (reply := _reply(tx, past.call, old=past.other_version)) is not OwnerReply.NEITHER
        ]
    return suggestions(answered, policy.policy)


def _reply(tx: Tx, call: Call, *, old: bool) -> OwnerReply:
    """Read what became of a call as an answer to calls like it; a yes only where it was asked."""
    if call.state is CallState.SUPERSEDED and _was_edited(tx, call):
        return OwnerReply.NO
    reply = STATES[call.state].reply
    asked = call.verdict == Verdict.ASK and not call.supersedes and not old
    return reply if asked or reply is OwnerReply.NO else OwnerReply.NEITHER


def _was_edited(tx: Tx, call: Call) -> bool:
    try:
        return tx.approval(call.id).reason == _EDITED
    except NotFound:
        return False
