"""A call waits for its owner: the approval is opened, answered, or it expires."""

from datetime import datetime, timedelta
from typing import Any

from assistant.domain.approvals import Answer, Approval, ApprovalState, Verb
from assistant.domain.calls import OWED, Call, CallState
from assistant.domain.deliveries import Shown
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.ids import new_id
from assistant.domain.jobs import Cause, Job
from assistant.domain.limits import CallLimits
from assistant.domain.messages import Expire, Run, Think
from assistant.domain.talk import Entry, Origin, Role
from assistant.flows import cards
from assistant.ports import Clock, Store, Tx
from assistant.tools.toolbox import Tool, Toolbox


def open_approval(
    call: Call, tool: Tool[Any], *, now: datetime, limits: CallLimits, zone: str
) -> tuple[Approval, Shown]:
    """The approval a parked call waits for, and the card it is bound to."""
    expires = now + timedelta(seconds=limits.wait)
    moot = tool.moot(call.facts)
    if moot is not None and moot > now:
        expires = min(expires, moot)
    shown = cards.card(call, tool, expires=expires, zone=zone)
    approval = Approval(
        id=new_id(),
        call=call.id,
        owner=call.owner,
        binding=call.binding,
        card=shown.digest,
        expires=expires,
        created=now,
    )
    return approval, shown


def decide_call(
    handle: str,
    verb: Verb,
    *,
    by: str,
    card: str,
    reason: str = "",
    cause: Cause,
    store: Store,
    clock: Clock,
    toolbox: Toolbox,
    zone: str,
) -> Answer:
    """A person pressed a button. Compares rows only, so that it answers at once.

    Args:
        handle: the call, by id or as ``A17``.
        verb: what was pressed.
        by: who pressed, by the channel's own id of them.
        card: digest of the card they were shown; another than the approval's means no.
        reason: for a no, what the model may be told.
        cause: on whose behalf; only that owner's calls exist for it.
        store: where the rows are.
        clock: for the expiry.
        toolbox: to render the card's end.
        zone: the owner's.
    """
    try:
        with store.read(cause) as tx:
            seen = tx.call_named(handle)
    except NotFound:
        return Answer(accepted=False, text=f"There is no call {handle}.")
    # The press belongs to what was asked: one trace leads from the words to the effect.
    cause = cause.model_copy(update={"trace": seen.trace})
    try:
        with store.begin(cause) as tx:
            tx.conversation(seen.conversation, lock=True)
            call = tx.call(seen.id, lock=True)
            try:
                approval = tx.approval(call.id)
            except NotFound:
                return Answer(accepted=False, text=f"{call.handle} never waited for an answer.")
            now = tx.high_water(clock.now())
            no = _refusal(call, approval, card=card, now=now)
            if no:
                return Answer(accepted=False, text=no)
            if verb is Verb.APPROVE:
                return _approve(tx, call, approval, by=by, now=now, toolbox=toolbox, zone=zone)
            return _deny(
                tx, call, approval, by=by, reason=reason, now=now, toolbox=toolbox, zone=zone
            )
    except Conflict:
        return Answer(accepted=False, text=f"{seen.handle} was answered at the same moment.")


def _refusal(call: Call, approval: Approval, *, card: str, now: datetime) -> str:
    """Why this press counts for nothing; empty if it counts."""
    if approval.state is not ApprovalState.OPEN or call.state is not CallState.PARKED:
        return f"{call.handle} was answered already: it is {call.state}."
    if now >= approval.expires:
        return f"{call.handle} has expired; nothing was done. Ask for it again."
    if call.binding != approval.binding:
        return f"{call.handle} is not what was shown; nothing was done."
    if card != approval.card:
        return f"{call.handle} is shown differently now; look at it again before you answer."
    return ""


def _approve(
    tx: Tx, call: Call, approval: Approval, *, by: str, now: datetime, toolbox: Toolbox, zone: str
) -> Answer:
    tx.settle(approval, ApprovalState.APPROVED, by=by, reason="", at=now)
    cleared = tx.move(call, CallState.CLEARED)
    show_card(tx, cleared, toolbox=toolbox, zone=zone)
    tx.emit(Run(id=call.id))
    return Answer(accepted=True, text=f"{call.handle} is approved and runs now.")


def _deny(
    tx: Tx,
    call: Call,
    approval: Approval,
    *,
    by: str,
    reason: str,
    now: datetime,
    toolbox: Toolbox,
    zone: str,
) -> Answer:
    words = " ".join(reason.split())[:500]
    tx.settle(approval, ApprovalState.DENIED, by=by, reason=words, at=now)
    told = "the owner said no" + (f": {words}" if words else "")
    denied = tx.move(call, CallState.DENIED, result=told, told=words)
    show_card(tx, denied, toolbox=toolbox, zone=zone)
    tell_model(tx, denied, told, origin=Origin.OWNER, answer=True)
    return Answer(accepted=True, text=f"{call.handle} is denied; nothing was done.")


def expire(
    message: Expire, job: Job, *, store: Store, clock: Clock, toolbox: Toolbox, zone: str
) -> None:
    """End the waiting of a call whose time has come."""
    with store.read(job) as tx:
        seen = tx.call(message.id)
    with store.begin(job) as tx:
        tx.done(job)
        talk = tx.conversation(seen.conversation, lock=True)
        call = tx.call(seen.id, lock=True)
        approval = tx.approval(call.id)
        if approval.state is not ApprovalState.OPEN or call.state is not CallState.PARKED:
            return
        now = tx.high_water(clock.now())
        if now < approval.expires:
            tx.emit(Expire(id=call.id), due=approval.expires)
            return
        tx.settle(approval, ApprovalState.EXPIRED, by="time", reason="", at=now)
        told = "it expired before the owner answered; nothing was done"
        expired = tx.move(call, CallState.EXPIRED, result=told)
        show_card(tx, expired, toolbox=toolbox, zone=zone)
        text = f"{call.handle} expired; nothing was done. Ask for it again if you still want it."
        tx.want(cards.to(talk, f"expired-{call.id}", cards.notice(text)))
        tell_model(tx, expired, told, origin=Origin.ASSISTANT, answer=False)


def show_card(tx: Tx, call: Call, *, toolbox: Toolbox, zone: str) -> None:
    """Let the card of a call, if it has one, show what became of it."""
    try:
        card = tx.delivery(cards.card_id(call))
    except NotFound:
        return
    shown = cards.ended_card(call, toolbox.get(call.tool), zone=zone)
    tx.want(card.model_copy(update={"wanted": shown}))


def tell_model(tx: Tx, call: Call, text: str, *, origin: Origin, answer: bool) -> None:
    """Append an outcome to the locked conversation; an answer waits for the rest of its turn."""
    owed = [
        other
        for other in tx.calls(conversation=call.conversation, turn=call.turn)
        if other.id != call.id and other.state in OWED
    ]
    entry = Entry(role=Role.OUTCOME, origin=origin, text=text, call=call.id)
    tx.append(call.conversation, entry, answer=answer and not owed)
    if answer and not owed:
        tx.emit(Think(id=call.conversation))
