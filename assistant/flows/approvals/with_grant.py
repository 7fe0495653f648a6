"""Approve a call and save a grant for calls to come: both or neither."""

from collections.abc import Callable

from assistant.domain.approvals.approval import ApprovalAnswer
from assistant.domain.approvals.tokens import Token
from assistant.domain.errors import Denied
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.grants import Grant
from assistant.flows.approvals.answers import approve
from assistant.flows.approvals.hold import Held, Refused, hold
from assistant.flows.context import Context


def approve_with_grant(
    handle: str,
    *,
    draft: Callable[[Held], Grant | str],
    save: Callable[[Held, Grant], Grant],
    told: Callable[[Grant], str],
    by: str,
    card: str,
    word: str,
    token: Token | None,
    cause: Cause,
    ctx: Context,
) -> ApprovalAnswer:
    """Approve the call and save the grant.

    Args:
        handle: the call, by id or as ``A17``.
        draft: makes the grant, or says why there can be none; ``Denied`` says so too.
        save: stores it.
        told: says what was saved.
        by: who pressed, by their id in the channel.
        card: digest of the card they were shown.
        word: the second step that was typed.
        token: the button's token; used up if the answer is accepted.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    try:
        with hold(handle, card=card, cause=cause, ctx=ctx) as held:
            grant = draft(held)
            if isinstance(grant, str):
                return ApprovalAnswer(accepted=False, text=grant)
            said = approve(held, by=by, word=word)
            if not said.accepted:
                return said
            saved = save(held, grant)
            if token is not None:
                held.tx.use_token(token, by=by, at=held.now)
    except Refused as refused:
        return refused.answer
    except Denied as error:
        return ApprovalAnswer(accepted=False, text=str(error))
    return ApprovalAnswer.yes(said.approved, also=told(saved))
