"""A call waits for its owner: a button is pressed, or its time comes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.domain.approvals import Answer, Approval, ApprovalState, Verb, Yes, is_person
from assistant.domain.batches import waits_for
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import moment
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.jobs import Cause, Job
from assistant.domain.messages import AskAnew, Expire, Run
from assistant.domain.moments import say_moment
from assistant.domain.policy import Standing, Verdict, decide
from assistant.domain.talk import Conversation, Origin
from assistant.domain.tokens import Token
from assistant.flows import cards
from assistant.flows.call_status import lookup_status, too_late
from assistant.flows.context import Context
from assistant.flows.judging import request_of, uncounted
from assistant.flows.outcomes import show_card, tell_model
from assistant.flows.placing import advance
from assistant.ports import Tx

REASON = 500
"""Characters of an owner's reason, at the most."""
MOMENT = timedelta(seconds=0.5)
"""How long a card that lies far away is left as it was when its call runs at once: mostly it can be
made the receipt then, with one edit and not two, and nobody edits while the call begins."""


@dataclass(frozen=True, kw_only=True)
class Held:
    """A call that somebody answers, its rows locked in the order of ``assistant.ports.Tx``."""

    tx: Tx
    ctx: Context
    talk: Conversation
    call: Call
    approval: Approval
    now: datetime
    standing: Standing

    def show(self, call: Call, approval: Approval, *, due: datetime | None = None) -> None:
        toolbox, zone = self.ctx.toolbox, self.ctx.zone
        show_card(self.tx, call, toolbox=toolbox, zone=zone, approval=approval, due=due)


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
    """A person pressed a button. Compares rows only, so that it answers at once.

    Args:
        handle: the call, by id or as ``A17``.
        verb: what was pressed.
        by: who pressed, by the channel's own id of them.
        card: digest of the card they were shown; another than the approval's means no.
        reason: for a no, what the model may be told.
        word: what was typed with a yes.
        token: the button's; used up with this answer, if it counts.
        seen: the call, if it was read a moment ago with its button; it is locked and read anew all
            the same, and a worker wakes while the yes is written.
        cause: on whose behalf; only that owner's calls exist for it.
        ctx: the rows, the clock and the tools.
    """

    def answer(held: Held) -> Answer:
        if verb is Verb.DENY:
            return deny(held, by=by, reason=reason)
        if verb is Verb.APPROVE:
            return approve(held, by=by, word=word)
        return Answer(accepted=False, text="That is neither a yes nor a no.")

    if verb is Verb.APPROVE and seen is not None and seen.state is CallState.PARKED:
        ctx.store.expect(Run(id=seen.id))
    return answered(
        handle,
        card=card,
        seen=seen,
        cause=cause,
        ctx=ctx,
        answer=spending(token, by=by, answer=answer),
    )


def spending(
    token: Token | None, *, by: str, answer: Callable[[Held], Answer]
) -> Callable[[Held], Answer]:
    """The same answer, which uses up its button if it counts. The loser gets a ``Conflict``."""

    def spent(held: Held) -> Answer:
        said = answer(held)
        if said.accepted and token is not None:
            held.tx.use_token(token, by=by, at=held.now)
        return said

    return spent


def answered(  # noqa: D417 (the rest as above)
    handle: str,
    *,
    card: str,
    seen: Call | None = None,
    cause: Cause,
    ctx: Context,
    answer: Callable[[Held], Answer],
) -> Answer:
    """Lock what a press is about, refuse one that counts for nothing, else do as it says.

    Args:
        answer: what the press means; called once, in the transaction.
    """
    if seen is None:
        try:
            with ctx.store.read(cause) as tx:
                seen = tx.call_named(handle)
        except NotFound:
            return Answer(accepted=False, text=f"There is no call {handle}.")
    # The press belongs to what was asked: one trace leads from the words to the effect.
    cause = cause.model_copy(update={"trace": seen.trace})
    try:
        with ctx.store.begin(cause) as tx:
            held = hold(tx, seen, ctx)
            if held is None:
                return Answer(accepted=False, text=f"{seen.handle} never waited for an answer.")
            no = refusal(held, card=card)
            return Answer(accepted=False, text=no) if no else answer(held)
    except Conflict:
        return Answer(accepted=False, text=f"{seen.handle} was answered at the same moment.")


def hold(tx: Tx, seen: Call, ctx: Context) -> Held | None:
    """Lock mode, conversation and call; None for a call that nobody was ever asked about."""
    standing = ctx.standing(tx)
    talk = tx.conversation(seen.conversation, lock=True)
    call = tx.call(seen.id, lock=True)
    try:
        approval = tx.approval(call.id)
    except NotFound:
        return None
    return Held(
        tx=tx, ctx=ctx, talk=talk, call=call, approval=approval, now=standing.now, standing=standing
    )


def refusal(held: Held, *, card: str) -> str:
    """Why a press counts for nothing; empty if it counts."""
    call, approval = held.call, held.approval
    if approval.state is not ApprovalState.OPEN or call.state is not CallState.PARKED:
        return late(held.tx, call, approval=approval)
    if held.now >= approval.expires:
        return (
            f"{call.handle} has expired; nothing was done. Ask for it again if you still want it."
        )
    if call.binding != approval.binding:
        return f"{call.handle} is not what was shown; nothing was done."
    if card != approval.card:
        return f"{call.handle} is shown differently now; look at it again before you answer."
    return ""


def late(tx: Tx, call: Call, *, approval: Approval | None = None) -> str:
    """What whoever presses a button of a call that waits no more is told: how it stands."""
    return too_late(lookup_status(tx, call, approval=approval))


def approve(held: Held, *, by: str, word: str = "") -> Answer:
    """Say yes to a held call, unless the ground it was shown on has gone."""
    no = _nobodys(held, by) or unfit(held, word=word)
    if no is not None:
        return no
    tx, call = held.tx, held.call
    approved = tx.settle(held.approval, ApprovalState.APPROVED, by=by, reason="", at=held.now)
    cleared = tx.move(call, CallState.CLEARED)
    calls = advance(tx, held.talk, call.turn, now=held.standing, ctx=held.ctx)
    yes = _yes(call, calls)
    soon = not yes.after and held.talk.channel in held.ctx.far
    held.show(cleared, approved, due=held.now + MOMENT if soon else None)
    return Answer.yes([yes])


def _nobodys(held: Held, by: str) -> Answer | None:
    """An answer must be a person's, by the id that their channel knows them by."""
    if is_person(by):
        return None
    return Answer(accepted=False, text=f"{held.call.handle} waits for a person's answer.")


def _yes(approved: Call, calls: Sequence[Call]) -> Yes:
    """When an approved call of these runs: at once, or after what was asked for before it."""
    [call] = [one for one in calls if one.id == approved.id]
    return Yes(handle=call.handle, after=tuple(other.handle for other in waits_for(call, calls)))


def unfit(held: Held, *, word: str) -> Answer | None:
    """Why a yes cannot be taken although the button is the right one; None if it can."""
    call, approval, standing = held.call, held.approval, held.standing
    if approval.word and word.strip() != approval.word:
        no = not_the_word(word)
        text = f"{no}{call.handle} takes a second step: type {approval.word} with your yes."
        return Answer(accepted=False, text=text, word=approval.word)
    if moved := _moved(held):
        held.tx.emit(AskAnew(id=call.id))
        text = f"{moved} was changed since {call.handle} was shown; it is asked about again."
        return Answer(accepted=False, text=text)
    if (call.policy, call.mode) == (standing.policy.version, standing.mode):
        return None
    decision = decide(request_of(call, held.talk, held.ctx), uncounted(standing, call))
    if decision.verdict is Verdict.DENY:
        return _void(held, decision.why)
    if decision.word != approval.word and decision.word:
        held.tx.emit(AskAnew(id=call.id))
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
    advance(held.tx, held.talk, void.turn, now=held.standing, ctx=held.ctx, broken=void)
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
    advance(tx, held.talk, call.turn, now=held.standing, ctx=held.ctx, broken=denied)
    tell_model(tx, denied, told, origin=Origin.OWNER, answer=True)
    cut = f" Of your reason, {REASON} characters are kept." if words != given else ""
    return Answer(accepted=True, text=f"{call.handle} is denied; nothing was done.{cut}")


def snooze(handle: str, *, by: str, card: str, cause: Cause, ctx: Context) -> Answer:
    """Remind of a held call once more, half-way between now and its end."""

    def answer(held: Held) -> Answer:
        if no := _nobodys(held, by):
            return no
        next = held.now + (held.approval.expires - held.now) / 2
        held.tx.reminded(held.approval, next=next)
        held.tx.emit(Expire(id=held.call.id), due=next)
        text = f"You are reminded of {held.call.handle} at {say_moment(next, ctx.zone)}."
        return Answer(accepted=True, text=text, at=next)

    return answered(handle, card=card, cause=cause, ctx=ctx, answer=answer)


def expire(message: Expire, job: Job, *, ctx: Context) -> None:
    """Remind of a call that waits, once; end its waiting when its time has come."""
    with ctx.store.read(job) as tx:
        seen = tx.call(message.id)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        held = hold(tx, seen, ctx)
        if held is None or held.approval.state is not ApprovalState.OPEN:
            return
        if held.call.state is not CallState.PARKED:
            return
        if held.now < held.approval.expires:
            _remind(held)
        else:
            _expire(held)


def _remind(held: Held) -> None:
    approval, call = held.approval, held.call
    if approval.remind is None or held.now < approval.remind:
        held.tx.emit(Expire(id=call.id), due=approval.remind or approval.expires)
        return
    held.tx.reminded(approval)
    until = moment("Until", approval.expires, held.ctx.zone)
    shown = cards.notice(f"{call.handle} still waits for your yes or no.", fields=[until])
    id = f"reminder-{call.id}-{int(approval.remind.timestamp())}"
    held.tx.want(cards.to(held.talk, id, shown))
    held.tx.emit(Expire(id=call.id), due=approval.expires)


def _expire(held: Held) -> None:
    tx, call = held.tx, held.call
    ended = tx.settle(held.approval, ApprovalState.EXPIRED, by="time", reason="", at=held.now)
    told = "it expired before the owner answered; nothing was done"
    expired = tx.move(call, CallState.EXPIRED, result=told)
    held.show(expired, ended)
    tx.want(cards.to(held.talk, f"expired-{call.id}", cards.expired(expired)))
    advance(tx, held.talk, call.turn, now=held.standing, ctx=held.ctx, broken=expired)
    tell_model(tx, expired, told, origin=Origin.ASSISTANT, answer=False)
