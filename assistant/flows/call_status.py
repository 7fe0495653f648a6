"""How a call stands once nobody can answer it any more, in words that are the same everywhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.approvals import Approval, ApprovalState, is_person
from assistant.domain.calls import Call, CallState
from assistant.domain.deliveries import Line, moment
from assistant.domain.errors import NotFound
from assistant.domain.moments import say_moment
from assistant.ports import Tx

_S = CallState
EDITED = "edited"
"""Reason of an approval that is void because its owner changed the call."""
_ANSWERED = {
    ApprovalState.APPROVED: "Approved",
    ApprovalState.DENIED: "Denied",
    ApprovalState.VOID: "Edited",
}
_WHEN = {
    _S.DONE: "Done",
    _S.FAILED: "Failed",
    _S.VOID: "Void",
    _S.EXPIRED: "Expired",
    _S.CANCELLED: "Cancelled",
    _S.SUPERSEDED: "Replaced",
    _S.UNDONE: "Undone",
}
_ENDINGS = {
    _S.CLEARED: "Approved; it runs now or when its turn comes.",
    _S.RUNNING: "Approved; it runs now or when its turn comes.",
    _S.UNKNOWN: "Approved; finding out whether it happened.",
    _S.DONE: "Approved and done.",
    _S.FAILED: "Approved, but it failed.",
    _S.DENIED: "Denied; nothing was done.",
    _S.EXPIRED: "Expired; nothing was done.",
    _S.VOID: "Void; nothing was done.",
    _S.CANCELLED: "Cancelled, as you stopped it; nothing was done.",
    _S.UNDONE: "Approved, done, and undone again.",
}


@dataclass(frozen=True, kw_only=True)
class CallStatus:
    """A call, and what else says how it came to stand as it does."""

    call: Call
    approval: Approval | None = None
    successor: Call | None = None
    """The call that took its place, or by which it was asked about again."""
    undo: Call | None = None
    """The call that took it back."""
    done: datetime | None = None
    """When it was done, where it was undone since."""

    @property
    def edited(self) -> bool:
        """True where its owner put another call in its place."""
        approval = self.approval
        return (
            approval is not None
            and approval.state is ApprovalState.VOID
            and approval.reason == EDITED
            and is_person(approval.by)
        )

    @property
    def again(self) -> str:
        """Handle of the call by which it is asked about again; one that was refused asks nobody."""
        next = self.successor
        return "" if next is None or next.state is _S.REFUSED else next.handle


def status_of(
    tx: Tx, call: Call, *, approval: Approval | None = None, successor: Call | None = None
) -> CallStatus:
    """How this call stands, for what is shown when that changes.

    ``approval`` is read where it is not at hand; ``successor`` is not: see ``lookup_status``.
    """
    undo, done = _undone(tx, call) if call.state is _S.UNDONE else (None, None)
    approval = approval or approval_of(tx, call)
    return CallStatus(call=call, approval=approval, successor=successor, undo=undo, done=done)


def lookup_status(tx: Tx, call: Call, *, approval: Approval | None = None) -> CallStatus:
    """The same for whoever asks later, with the call that has taken its place by now."""
    return status_of(tx, call, approval=approval, successor=_successor(tx, call))


def _successor(tx: Tx, call: Call) -> Call | None:
    turn = tx.calls(conversation=call.conversation, turn=call.turn)
    found = [other for other in turn if other.supersedes == call.id]
    # The one that asks, if any does; else the last that was tried.
    return max(found, key=lambda one: (one.state is not _S.REFUSED, one.number), default=None)


def _undone(tx: Tx, call: Call) -> tuple[Call | None, datetime | None]:
    for effect in tx.effects(call.id):
        if effect.undone:
            return tx.call(effect.undone), effect.at
    return None, None


def approval_of(tx: Tx, call: Call) -> Approval | None:
    """What a call waits for, or waited; None where nobody was ever asked about it."""
    try:
        return tx.approval(call.id)
    except NotFound:
        return None


def ending(status: CallStatus) -> str:
    """What became of it, in a sentence or two for its card."""
    call = status.call
    if call.state is _S.SUPERSEDED:
        return _replaced(status)
    parts = [_ENDINGS[call.state]]
    if call.state is _S.FAILED:
        parts.append(call.told)
    elif call.state in (_S.DENIED, _S.VOID) and call.told:
        parts.append(f"Reason: {call.told}")
    if status.again:
        parts.append(f"It was asked about again as {status.again}.")
    *before, last = filter(None, parts)
    return " ".join((*map(_closed, before), last))


def _closed(said: str) -> str:
    """A sentence that another follows."""
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


def _replaced(status: CallStatus) -> str:
    why = "" if status.edited or not status.call.told else f" Reason: {status.call.told}"
    if status.edited and status.again:
        return f"Edited; nothing was done. {status.again} is in its place."
    if status.again:
        return f"Replaced by {status.again}; nothing was done.{why}"
    said = f"Replaced; nothing was done.{why}"
    if status.successor is None:
        return said
    return f"{_closed(said)} {status.successor.handle} in its place was refused."


def too_late(status: CallStatus) -> str:
    """The answer to whoever presses what can be answered no more: how it stands."""
    call, name = status.call, status.call.handle
    if call.state is _S.EXPIRED:
        return f"{name} has expired; nothing was done. {_then(status)}"
    if call.state is _S.VOID:
        why = f" ({call.told})" if call.told else ""
        return f"{name} is void{why}; nothing was done. {_then(status)}"
    if call.state is _S.CANCELLED:
        return f"{name} was cancelled, as you stopped it; nothing was done."
    if call.state is _S.SUPERSEDED:
        how = "edited" if status.edited else "replaced"
        return f"{name} was {how}; nothing was done. {_see(status)}"
    return f"{name} was answered already: it is {call.state}."


def _then(status: CallStatus) -> str:
    if status.again:
        return f"It was asked about again as {status.again}."
    return "Ask for it again if you still want it."


def _see(status: CallStatus) -> str:
    if status.again:
        return f"{status.again} is in its place: look at that one."
    return f"{status.successor.handle} in its place was refused." if status.successor else ""


def history(status: CallStatus, zone: str) -> Iterator[Line]:
    """Who answered and when, and when it ended."""
    call = status.call
    yield from _answer(status, zone)
    if call.state is _S.UNDONE:
        yield from _moment("Done", status.done, zone)
        by = f"by {status.undo.handle}, " if status.undo else ""
        yield from _moment("Undone", call.ended, zone, by=by)
    elif call.state in _WHEN and not (call.state is _S.SUPERSEDED and status.edited):
        yield from _moment(_WHEN[call.state], call.ended, zone)


def _answer(status: CallStatus, zone: str) -> Iterator[Line]:
    """A person's answer, or why none was needed; nothing where it was time or a change."""
    call, approval = status.call, status.approval
    if approval is None:
        if call.started and call.layer:
            yield Line(label="Ran without asking", value=said_by_layer(call))
    elif approval.state in (ApprovalState.APPROVED, ApprovalState.DENIED) or status.edited:
        by = f"by you ({approval.by}), "
        yield from _moment(_ANSWERED[approval.state], approval.decided, zone, by=by)
    elif call.cleared and call.state is not _S.VOID:
        why = f" ({approval.reason})" if approval.reason else ""
        by = f"yes, but that was void{why} before it had ended: "
        yield from _moment("Approved", approval.decided, zone, by=by)


def _moment(label: str, at: datetime | None, zone: str, *, by: str = "") -> Iterator[Line]:
    if at is not None:
        yield moment(label, at, zone, by=by)


def said_by_layer(call: Call) -> str:
    """What the layer with the last word said."""
    why = [reason for reason in call.reasons if reason.startswith(f"{call.layer}: ")]
    return "; ".join(why) or f"it is {call.risk} risk"


def describe(status: CallStatus, zone: str) -> str:
    """All of that in a few lines, whatever its state."""
    call, approval = status.call, status.approval
    if call.state is _S.PARKED:
        open = approval is not None and approval.state is ApprovalState.OPEN
        until = f" until {say_moment(approval.expires, zone)}" if approval and open else ""
        return f"{call.state}: it waits for your yes or no{until}"
    if call.state is _S.REFUSED or call.state is _S.PROPOSED:
        return call.state.value
    told = call.told if call.state in (_S.DONE, _S.UNDONE) else ""
    first = f"{call.state}: {told or ending(status)}"
    return "\n".join((first, *(f"{line.label}: {line.value}" for line in history(status, zone))))
