"""A person answers a call that waits: yes, no, or later."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from assistant.domain.approvals.approval import Answer, ApprovalState, ApprovedCall, Verb, is_person
from assistant.domain.approvals.tokens import Token
from assistant.domain.calls.batches import waits_for
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Origin
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Expire, Repropose
from assistant.domain.policy.decide import Verdict, decide
from assistant.domain.time.moments import say_moment
from assistant.flows.approvals.hold import Held, Refused, hold
from assistant.flows.calls.judge import request_of, uncounted
from assistant.flows.calls.place import advance
from assistant.flows.context import Context
from assistant.flows.render.outcomes import tell_model

REASON = 500
"""Characters of an owner's reason, at the most."""
MOMENT = timedelta(seconds=0.5)
"""How long a card that lies far away is left as it was when its call runs at once: mostly it can be
made the receipt then, with one edit and not two, and nobody edits while the call begins."""


def decide_call(
    handle: str,
    verb: Verb,
    *,
    by: str,
    card: str,
    reason: str = "",
    word: str = "",
    token: Token | None = None,
    seen: Call | None = None,
    cause: Cause,
    ctx: Context,
) -> Answer:
    """Write a person's yes or no to the card they were shown. Compares rows only, so it is quick.

    Args:
        handle: the call, by id or as ``A17``.
        verb: what was pressed.
        by: who pressed, by the channel's own id of them.
        card: digest of the card they were shown; another than the approval's means no.
        reason: for a no, what the model may be told.
        word: what was typed with a yes.
        token: the button's; used up with this answer, if it counts.
        seen: the call, if it was read a moment ago.
        cause: on whose behalf; only that owner's calls exist for it.
        ctx: what the flows work with.
    """
    try:
        with hold(handle, card=card, seen=seen, cause=cause, ctx=ctx) as held:
            if verb is Verb.APPROVE:
                said = approve(held, by=by, word=word)
            elif verb is Verb.DENY:
                said = deny(held, by=by, reason=reason)
            else:
                return Answer(accepted=False, text="That is neither a yes nor a no.")
            if said.accepted and token is not None:
                held.tx.use_token(token, by=by, at=held.now)
            return said
    except Refused as refused:
        return refused.answer


def approve(held: Held, *, by: str, word: str = "") -> Answer:
    """Say yes to a held call, unless the ground it was shown on has gone."""
    no = _nobodys(held, by) or unfit(held, word=word)
    if no is not None:
        return no
    tx, call = held.tx, held.call
    approved = tx.settle(held.approval, ApprovalState.APPROVED, by=by, reason="", at=held.now)
    cleared = tx.move(call, CallState.CLEARED)
    calls = advance(tx, held.conversation, call.turn, now=held.policy_context, ctx=held.ctx)
    yes = _yes(call, calls)
    soon = not yes.after and held.conversation.channel in held.ctx.far
    held.show(cleared, approved, due=held.now + MOMENT if soon else None)
    return Answer.yes([yes])


def _nobodys(held: Held, by: str) -> Answer | None:
    """An answer must be a person's, by the id that their channel knows them by."""
    if is_person(by):
        return None
    return Answer(accepted=False, text=f"{held.call.handle} waits for a person's answer.")


def _yes(approved: Call, calls: Sequence[Call]) -> ApprovedCall:
    """When an approved call of these runs: at once, or after what was asked for before it."""
    [call] = [one for one in calls if one.id == approved.id]
    return ApprovedCall(
        handle=call.handle, after=tuple(other.handle for other in waits_for(call, calls))
    )


def unfit(held: Held, *, word: str) -> Answer | None:
    """Why a yes cannot be taken although the button is the right one; None if it can."""
    call, approval, policy_context = held.call, held.approval, held.policy_context
    if approval.word and word.strip() != approval.word:
        no = not_the_word(word)
        text = f"{no}{call.handle} takes a second step: type {approval.word} with your yes."
        return Answer(accepted=False, text=text, word=approval.word)
    if moved := _moved(held):
        held.tx.emit(Repropose(id=call.id))
        text = f"{moved} was changed since {call.handle} was shown; it is asked about again."
        return Answer(accepted=False, text=text)
    if (call.policy, call.mode) == (policy_context.policy.version, policy_context.mode):
        return None
    decision = decide(
        request_of(call, held.conversation, held.ctx), uncounted(policy_context, call)
    )
    if decision.verdict is Verdict.DENY:
        return _void(held, decision.why)
    if decision.word != approval.word and decision.word:
        held.tx.emit(Repropose(id=call.id))
        text = f"{call.handle} asks for more since it was shown; it is asked about again."
        return Answer(accepted=False, text=text)
    return None


def not_the_word(typed: str) -> str:
    """What is said first to whoever typed another word; empty where none was typed."""
    return "That is not the word; capitals count. " if typed.strip() else ""


def _void(held: Held, why: str) -> Answer:
    ended = held.tx.settle(held.approval, ApprovalState.VOID, by="policy", reason="", at=held.now)
    told = f"void: {why}; nothing was done"
    void = held.tx.move(held.call, CallState.VOID, result=told, told=why)
    held.show(void, ended)
    advance(
        held.tx, held.conversation, void.turn, now=held.policy_context, ctx=held.ctx, broken=void
    )
    tell_model(held.tx, void, told, origin=Origin.ASSISTANT, answer=True)
    return Answer(accepted=False, text=f"{void.handle} may not be done any more: {why}.")


def _moved(held: Held) -> str:
    """An object of this call that another of our calls changed since the card was made."""
    state: Mapping[str, str] = held.call.facts.state
    since = held.approval.created
    for effect in held.tx.effects_on(list(state), since=since):
        left = effect.after.get("state", {}).get(effect.key)
        if effect.call != held.call.id and left is not None and left != state[effect.key]:
            return effect.key
    return ""


def deny(held: Held, *, by: str, reason: str = "") -> Answer:
    """Say no to a held call."""
    if no := _nobodys(held, by):
        return no
    tx, call = held.tx, held.call
    given = " ".join(reason.split())
    words = given[:REASON]
    ended = tx.settle(held.approval, ApprovalState.DENIED, by=by, reason=words, at=held.now)
    told = "the owner said no" + (f": {words}" if words else "")
    denied = tx.move(call, CallState.DENIED, result=told, told=words)
    held.show(denied, ended)
    advance(tx, held.conversation, call.turn, now=held.policy_context, ctx=held.ctx, broken=denied)
    tell_model(tx, denied, told, origin=Origin.OWNER, answer=True)
    cut = f" Of your reason, {REASON} characters are kept." if words != given else ""
    return Answer(accepted=True, text=f"{call.handle} is denied; nothing was done.{cut}")


def snooze(handle: str, *, by: str, card: str, cause: Cause, ctx: Context) -> Answer:
    """Remind of a held call once more, half-way between now and its end."""
    try:
        with hold(handle, card=card, cause=cause, ctx=ctx) as held:
            if no := _nobodys(held, by):
                return no
            next = held.now + (held.approval.expires - held.now) / 2
            held.tx.reminded(held.approval, next=next)
            held.tx.emit(Expire(id=held.call.id), due=next)
            text = f"You are reminded of {held.call.handle} at {say_moment(next, ctx.zone)}."
            return Answer(accepted=True, text=text, at=next)
    except Refused as refused:
        return refused.answer
