"""Record a person's answer to a waiting call: yes, no, or later."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from assistant.domain.approvals.approval import (
    Approval,
    ApprovalAnswer,
    ApprovalState,
    ApprovedCall,
    Verb,
    is_person,
)
from assistant.domain.approvals.reminders import Later, reminders
from assistant.domain.approvals.tokens import Token
from assistant.domain.calls.batches import waits_for
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Origin
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Expire, Repropose, Run
from assistant.domain.policy.decide import WORD, Verdict, decide
from assistant.domain.policy.decisions import one_line
from assistant.domain.text.quotes import quoted
from assistant.domain.time.moments import say_moment
from assistant.flows.approvals.hold import Held, Refused, hold
from assistant.flows.calls.judge import after_destroying, request_of, uncounted
from assistant.flows.calls.record import advance
from assistant.flows.context import Context
from assistant.flows.render.call_status import approval_of
from assistant.flows.render.outcomes import tell_model

REASON = 500
"""Characters that are kept of an owner's reason."""
MOMENT = timedelta(seconds=0.5)
"""Delay before a card shows a yes, when its call runs at once. The call mostly ends within it, so
that the card becomes its receipt in one step, and no edit competes with the start of the call."""
_SAID = 120
"""Characters of it that the answer repeats."""


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
) -> ApprovalAnswer:
    """Record a person's yes or no to the card they were shown. Only compares rows, to be quick.

    Args:
        handle: the call, by id or as ``A17``.
        verb: the button that was pressed.
        by: who pressed, by their id in the channel.
        card: digest of the card they were shown; the answer is refused unless it is the approval's.
        reason: for a no, the reason that the model is told.
        word: the second step that was typed with a yes.
        token: the button's token; used up if the answer is accepted.
        seen: the call, if it was read a moment ago.
        cause: on whose behalf; only that owner's calls are found.
        ctx: the rows, the clock and the tools.
    """
    if verb is Verb.APPROVE and seen is not None and seen.state is CallState.PARKED:
        ctx.store.expect(Run(id=seen.id))  # a worker wakes while the yes is written
    try:
        with hold(handle, card=card, seen=seen, cause=cause, ctx=ctx) as held:
            if verb is Verb.APPROVE:
                said = approve(held, by=by, word=word)
            elif verb is Verb.DENY:
                said = deny(held, by=by, reason=reason)
            else:
                return ApprovalAnswer(accepted=False, text="That is neither a yes nor a no.")
            if said.accepted and token is not None:
                held.tx.use_token(token, by=by, at=held.now)
            return said
    except Refused as refused:
        return refused.answer


def approve(held: Held, *, by: str, word: str = "") -> ApprovalAnswer:
    """Say yes to a held call, unless what the card rests on has changed since."""
    no = _refuse_nonperson(held, by) or recheck(held, word=word)
    if no is not None:
        return no
    tx, call = held.tx, held.call
    approval = _with_typed_word(held.approval, word)
    approved = tx.settle(approval, ApprovalState.APPROVED, by=by, reason="", at=held.now)
    cleared = tx.move(call, CallState.CLEARED)
    tx.acted(call.conversation)
    calls = advance(tx, held.conversation, call.turn, now=held.policy_context, ctx=held.ctx)
    yes = _yes(call, calls)
    held.show(cleared, approved, due=None if yes.after else held.now + MOMENT)
    return ApprovalAnswer.yes([yes])


def _with_typed_word(approval: Approval, word: str) -> Approval:
    """Return the approval with the word that was typed, although its card did not ask for one.

    What makes a call take a second step may come up after its card was made.
    """
    typed = WORD if word.strip() == WORD else ""
    return approval if approval.word else approval.model_copy(update={"word": typed})


def _refuse_nonperson(held: Held, by: str) -> ApprovalAnswer | None:
    """Refuse an answer that does not come with a person's id; None if it does."""
    if is_person(by):
        return None
    return ApprovalAnswer(accepted=False, text=f"{held.call.handle} waits for a person's answer.")


def _yes(approved: Call, calls: Sequence[Call]) -> ApprovedCall:
    """Say when an approved call runs: at once, or after the calls it waits for."""
    [call] = [one for one in calls if one.id == approved.id]
    return ApprovedCall(
        handle=call.handle, after=tuple(other.handle for other in waits_for(call, calls))
    )


def recheck(held: Held, *, word: str) -> ApprovalAnswer | None:
    """Check word, objects and policy again before a yes; None if the yes may be recorded.

    Voids the call, or asks about it again, where they no longer allow it.
    """
    call, approval = held.call, held.approval
    if approval.unseen:
        text = f"{call.handle} has {approval.unseen} more under Details, which you have not opened"
        return ApprovalAnswer(accepted=False, text=f"{text}.", look=call.id)
    if approval.word and word.strip() != approval.word:
        no = wrong_word(word)
        text = f"{no}{call.handle} takes a second step: type {approval.word} with your yes."
        return ApprovalAnswer(accepted=False, text=text, word=approval.word)
    if call.facts.trouble:
        return _void(held, call.facts.trouble)
    if changed := _changed_object(held):
        held.tx.emit(Repropose(id=call.id))
        text = f"{changed} was changed since {call.handle} was shown; it is asked about again."
        return ApprovalAnswer(accepted=False, text=text)
    return _judge_again(held, word=word)


def _judge_again(held: Held, *, word: str) -> ApprovalAnswer | None:
    """Judge the call by the policy, the mode and the counts of now; None if a yes still does."""
    call, approval, policy_context = held.call, held.approval, held.policy_context
    counted = after_destroying(held.tx, policy_context, [call], held.ctx)
    same = (call.policy, call.mode) == (policy_context.policy.version, policy_context.mode)
    if same and not counted.destroyed:
        return None
    decision = decide(request_of(call, held.conversation, held.ctx), uncounted(counted, call))
    if decision.verdict is Verdict.DENY:
        return _void(held, decision.why)
    if decision.word and decision.word not in (approval.word, word.strip()):
        held.tx.emit(Repropose(id=call.id))
        text = f"{call.handle} needs a second step since it was shown; it is asked about again."
        return ApprovalAnswer(accepted=False, text=text)
    return None


def open_details(handle: str, *, cause: Cause, ctx: Context) -> None:
    """Record that the owner was shown all details of a call, where a yes waits for that."""
    with ctx.store.read(cause) as tx:
        call = tx.call_named(handle)
        approval = approval_of(tx, call)
    if approval is None or not approval.unseen:
        return
    with ctx.store.begin(cause.model_copy(update={"trace": call.trace})) as tx:
        tx.opened(approval)


def wrong_word(typed: str) -> str:
    """Begin an answer to somebody who typed the wrong word; empty if they typed none."""
    return "That is not the word; capitals count. " if typed.strip() else ""


def _void(held: Held, why: str) -> ApprovalAnswer:
    ended = held.tx.settle(held.approval, ApprovalState.VOID, by="policy", reason="", at=held.now)
    told = f"void: {why}; nothing was done"
    void = held.tx.move(held.call, CallState.VOID, result=told, told=why)
    held.show(void, ended)
    advance(
        held.tx, held.conversation, void.turn, now=held.policy_context, ctx=held.ctx, broken=void
    )
    tell_model(held.tx, void, told, origin=Origin.ASSISTANT, answer=True)
    return ApprovalAnswer(accepted=False, text=f"{void.handle} is no longer allowed: {why}.")


def _changed_object(held: Held) -> str:
    """Name an object of this call that another call changed since the card; empty if none did."""
    state: Mapping[str, str] = held.call.facts.state
    since = held.approval.created
    for effect in held.tx.effects_on(list(state), since=since):
        left = effect.after.get("state", {}).get(effect.key)
        if effect.call != held.call.id and left is not None and left != state[effect.key]:
            return _named(held.call, effect.key)
    return ""


def _named(call: Call, key: str) -> str:
    """Name an object as a person would: an event by its title, a file by its path."""
    found = (values.get("title") for values in (call.facts.before, call.facts.args))
    title = next((one for one in found if isinstance(one, str) and one), "")
    return quoted(one_line(title, 80)) if title else key


def deny(held: Held, *, by: str, reason: str = "") -> ApprovalAnswer:
    """Say no to a held call."""
    if no := _refuse_nonperson(held, by):
        return no
    tx, call = held.tx, held.call
    given = " ".join(reason.split())
    kept = given[:REASON]
    ended = tx.settle(held.approval, ApprovalState.DENIED, by=by, reason=kept, at=held.now)
    told = f"denied: {kept or 'the owner said no'}"
    denied = tx.move(call, CallState.DENIED, result=told, told=kept)
    tx.acted(call.conversation)
    held.show(denied, ended)
    advance(tx, held.conversation, call.turn, now=held.policy_context, ctx=held.ctx, broken=denied)
    # An outcome, so that no value in it counts as typed by the owner: none may be copied from it.
    tell_model(tx, denied, told, origin=Origin.ASSISTANT, answer=True)
    cut = f" Your reason was cut to {REASON} characters." if kept != given else ""
    text = f"{call.handle} is denied; nothing was done.{say_reason(kept)}{cut}"
    return ApprovalAnswer(accepted=True, text=text)


def say_reason(reason: str) -> str:
    """Say, behind what was denied, the reason that was taken; empty for none."""
    said = one_line(reason, _SAID)
    return f" Reason: “{said}”." if said else ""


def snooze(
    handle: str, when: Later, *, by: str, card: str, cause: Cause, ctx: Context
) -> ApprovalAnswer:
    """Schedule one more reminder of a call."""
    try:
        with hold(handle, card=card, cause=cause, ctx=ctx) as held:
            if no := _refuse_nonperson(held, by):
                return no
            until = held.approval.expires
            next = reminders(held.now, ctx.zone, until=until).get(when)
            if next is None:
                text = f"Not {when}: {held.call.handle} waits until {say_moment(until, ctx.zone)}."
                return ApprovalAnswer(accepted=False, text=text, at=until)
            held.tx.reminded(held.approval, next=next)
            held.tx.emit(Expire(id=held.call.id), due=next)
            text = f"I will remind you of {held.call.handle} at {say_moment(next, ctx.zone)}."
            return ApprovalAnswer(accepted=True, text=text, at=next)
    except Refused as refused:
        return refused.answer
