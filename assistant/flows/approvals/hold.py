"""Lock the call that somebody answers, and refuse an answer that does not count."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.approvals.approval import Approval, ApprovalAnswer, ApprovalState
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Conversation
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decide import PolicyContext
from assistant.domain.store import Tx
from assistant.flows.context import Context
from assistant.flows.render.call_status import lookup_status, too_late
from assistant.flows.render.outcomes import show_card


class Refused(Exception):
    """An answer that does not count: ``answer`` says why."""

    def __init__(self, call: Call | None, why: str, *, word: str = "", look: str = "") -> None:
        super().__init__(why)
        self.call = call
        self.answer = ApprovalAnswer(accepted=False, text=why, word=word, look=look)


@dataclass(frozen=True, kw_only=True)
class Held:
    """A call that somebody answers, its rows locked in the order of ``assistant.domain.store``."""

    tx: Tx
    ctx: Context
    conversation: Conversation
    call: Call
    approval: Approval
    now: datetime
    policy_context: PolicyContext

    def show(self, call: Call, approval: Approval, *, due: datetime | None = None) -> None:
        """Update the card of the call; see ``show_card``."""
        toolbox, zone = self.ctx.toolbox, self.ctx.zone
        show_card(self.tx, call, toolbox=toolbox, zone=zone, approval=approval, due=due)


@contextmanager
def hold(
    handle: str, *, card: str, seen: Call | None = None, cause: Cause, ctx: Context
) -> Generator[Held]:
    """Lock a call for an answer, in a transaction that commits on leaving.

    Args:
        handle: the call, by id or as ``A17``.
        card: digest of the card they were shown; the answer is refused unless it is the approval's.
        seen: the call, if it was read a moment ago; it is locked and read again.
        cause: on whose behalf; only that owner's calls are found.
        ctx: the rows, the clock and the tools.

    Raises:
        Refused: the call does not wait, its card has changed, or somebody else answered first.
    """
    seen = seen or find(handle, cause=cause, ctx=ctx)
    # The answer takes over the call's trace, so that one trace leads from the words to the effect.
    cause = cause.model_copy(update={"trace": seen.trace})
    try:
        with ctx.store.begin(cause) as tx:
            held = lock(tx, seen, ctx)
            if why := why_not(held, card=card):
                raise Refused(seen, why)
            yield held
    except Conflict as error:
        raise Refused(seen, f"{seen.handle} was answered at the same moment.") from error


def find(handle: str, *, cause: Cause, ctx: Context) -> Call:
    """Read the call of an id or handle, without a lock. Raises ``Refused`` if there is none."""
    try:
        with ctx.store.read(cause) as tx:
            return tx.call_named(handle)
    except NotFound as error:
        raise Refused(None, f"There is no call {handle}.") from error


def lock(tx: Tx, seen: Call, ctx: Context) -> Held:
    """Lock mode, conversation and call. Raises ``Refused`` if the call never waited."""
    policy_context = ctx.policy_context(tx)
    conversation = tx.conversation(seen.conversation, lock=True)
    call = tx.call(seen.id, lock=True)
    try:
        approval = tx.approval(call.id)
    except NotFound as error:
        raise Refused(seen, f"{seen.handle} never waited for an answer.") from error
    return Held(
        tx=tx,
        ctx=ctx,
        conversation=conversation,
        call=call,
        approval=approval,
        now=policy_context.now,
        policy_context=policy_context,
    )


def why_not(held: Held, *, card: str) -> str:
    """Say why an answer does not count; empty if it counts."""
    call, approval = held.call, held.approval
    if approval.state is not ApprovalState.OPEN or call.state is not CallState.PARKED:
        return too_late(lookup_status(held.tx, call, approval=approval))
    if held.now >= approval.expires:
        begun = approval.expires == call.facts.lapses
        why = ", as what it is about has begun" if begun else ""
        return (
            f"{call.handle} has expired{why}; nothing was done. "
            "Ask for it again if you still want it."
        )
    unreadable = bool(call.facts.trouble)  # it can be denied, and a yes to it is void
    if not unreadable and not call.is_bound_by(approval.binding):
        return f"{call.handle} is not what was shown; nothing was done."
    if card != approval.card:
        return f"{call.handle} is shown differently now; look at it again before you answer."
    return ""
