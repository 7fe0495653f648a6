"""Tell a call's status: what became of it, who answered, when, and what replaced it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.approvals.approval import Approval, ApprovalState, is_person
from assistant.domain.approvals.ports import ApprovalTx
from assistant.domain.calls.call import Call
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import HAPPENED, STATES, CallState, state_name
from assistant.domain.conversation.deliveries import Line, moment
from assistant.domain.errors import NotFound
from assistant.domain.store import Tx
from assistant.domain.time.moments import say_moment
from assistant.flows.render.ledger import why_refused
from assistant.flows.render.reasons import reason_of_layer

UNCLEAR = "nobody knows whether it happened."
"""What the card says of a call that ended unclear."""
EDITED = "edited"
"""Reason of an approval that is void because its owner changed the call."""
_ANSWERED = {
    ApprovalState.APPROVED: "Approved",
    ApprovalState.DENIED: "Denied",
    ApprovalState.VOID: "Edited",
}


@dataclass(frozen=True, kw_only=True)
class CallStatus:
    """A call with its answer, its successor and its undo, as far as there are any."""

    call: Call
    approval: Approval | None = None
    successor: Call | None = None
    """The call that replaced it, or that asks about it again."""
    undo: Call | None = None
    """The call that undid it."""
    done: datetime | None = None
    """When it was done; only set if it was undone since."""

    @property
    def edited(self) -> bool:
        """Whether its owner replaced it by editing it."""
        approval = self.approval
        return (
            approval is not None
            and approval.state is ApprovalState.VOID
            and approval.reason == EDITED
            and is_person(approval.by)
        )

    @property
    def again(self) -> str:
        """Handle of the call that asks about it again; empty if there is none or it was refused."""
        next = self.successor
        return "" if next is None or next.state is CallState.REFUSED else next.handle


def status_of(
    tx: Tx, call: Call, *, approval: Approval | None = None, successor: Call | None = None
) -> CallStatus:
    """Return a call's status at the moment it changes.

    Reads ``approval`` unless it is given; ``lookup_status`` also finds the ``successor``.
    """
    undo, done = _undone(tx, call) if call.state is CallState.UNDONE else (None, None)
    approval = approval or approval_of(tx, call)
    return CallStatus(call=call, approval=approval, successor=successor, undo=undo, done=done)


def lookup_status(tx: Tx, call: Call, *, approval: Approval | None = None) -> CallStatus:
    """Look up a call's status, following the calls that replaced it."""
    return status_of(tx, call, approval=approval, successor=_successor(tx, call))


def _successor(tx: CallTx, call: Call) -> Call | None:
    turn = tx.calls(conversation=call.conversation, turn=call.turn)
    found = [other for other in turn if other.supersedes == call.id]
    # The successor that was not refused, if there is one; else the last refused one.
    return max(
        found, key=lambda one: (one.state is not CallState.REFUSED, one.number), default=None
    )


def _undone(tx: CallTx, call: Call) -> tuple[Call | None, datetime | None]:
    for effect in tx.effects(call.id):
        if effect.undone:
            return tx.call(effect.undone), effect.at
    return None, None


def approval_of(tx: ApprovalTx, call: Call) -> Approval | None:
    """Return the approval of a call; None if nobody was asked about it."""
    try:
        return tx.approval(call.id)
    except NotFound:
        return None


def ending(status: CallStatus) -> str:
    """Say what became of a call, in a sentence or two for its card."""
    call = status.call
    if call.state is CallState.SUPERSEDED:
        return _replaced(status)
    again = f"It was asked about again as {status.again}." if status.again else ""
    *before, last = filter(None, (_became(status), _reason(call), again))
    return " ".join((*map(_closed, before), last))


def _became(status: CallStatus) -> str:
    row = STATES[status.call.state]
    what = UNCLEAR if status.call.unclear else row.card_text
    said = (row.after_yes if status.approval else "") + what
    return said[0].upper() + said[1:]


def _reason(call: Call) -> str:
    return STATES[call.state].card_reason.format(told=call.told) if call.told else ""


def _closed(said: str) -> str:
    """End a sentence that another follows."""
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


def _replaced(status: CallStatus) -> str:
    if status.edited and status.again:
        return f"Edited; nothing was done. {status.again} is in its place."
    why = "" if status.edited else _reason(status.call)
    if status.again:
        return " ".join(filter(None, (f"Replaced by {status.again}; nothing was done.", why)))
    said = " ".join(filter(None, (_became(status), why)))
    if status.successor is None:
        return said
    return f"{_closed(said)} {_refused(status.successor)}"


def _refused(successor: Call) -> str:
    why = why_refused(successor).rstrip(".")
    return f"{successor.handle} in its place was refused: {why}."


def too_late(status: CallStatus) -> str:
    """Answer a press on a call that no longer waits: say what became of it."""
    call = status.call
    said = STATES[call.state].late.format(
        name=call.handle,
        state=state_name(call.state),
        why=f" ({call.told})" if call.told else "",
        replaced="edited" if status.edited else "replaced",
        hint=_see(status) if call.state is CallState.SUPERSEDED else _then(status),
    )
    return said.rstrip()


def _then(status: CallStatus) -> str:
    if status.again:
        return f"It was asked about again as {status.again}."
    return "Ask for it again if you still want it."


def _see(status: CallStatus) -> str:
    if status.again:
        return f"{status.again} is in its place: look at that one."
    return _refused(status.successor) if status.successor else ""


def history(status: CallStatus, zone: str) -> Iterator[Line]:
    """Say who answered and when, and when it ended."""
    call = status.call
    label = STATES[call.state].ended_label
    yield from _answer(status, zone)
    if call.state is CallState.UNDONE:
        yield from _moment(STATES[CallState.DONE].ended_label, status.done, zone)
        by = f"by {status.undo.handle}, " if status.undo else ""
        yield from _moment(label, call.ended, zone, by=by)
    elif label and not status.edited:  # the line that says who edited has the time of an edit
        yield from _moment(label, call.ended, zone)


def _answer(status: CallStatus, zone: str) -> Iterator[Line]:
    """Say what a person answered, or why nobody was asked; nothing if time or a change ended it."""
    call, approval = status.call, status.approval
    if approval is None:
        if call.started and call.layer:
            yield Line(label="Ran without asking", value=said_by_layer(call))
    elif approval.state in (ApprovalState.APPROVED, ApprovalState.DENIED) or status.edited:
        by = f"by you ({approval.by}), "
        yield from _moment(_ANSWERED[approval.state], approval.decided, zone, by=by)
    elif call.cleared and call.state is not CallState.VOID:
        why = f" ({approval.reason})" if approval.reason else ""
        by = f"yes, but that was cancelled{why} before it had ended: "
        yield from _moment("Approved", approval.decided, zone, by=by)


def _moment(label: str, at: datetime | None, zone: str, *, by: str = "") -> Iterator[Line]:
    if at is not None:
        yield moment(label, at, zone, by=by)


def said_by_layer(call: Call) -> str:
    """Say what the layer of the policy with the last word said."""
    return reason_of_layer(call) or f"It is {call.risk} risk."


def describe(status: CallStatus, zone: str) -> str:
    """Say a call's status in a few lines, whatever its state."""
    call, approval = status.call, status.approval
    if call.state is CallState.PARKED:
        open = approval is not None and approval.state is ApprovalState.OPEN
        until = f" until {say_moment(approval.expires, zone)}" if approval and open else ""
        return f"{state_name(call.state)} for your yes or no{until}"
    if call.state is CallState.REFUSED or call.state is CallState.PROPOSED:
        return state_name(call.state)
    told = call.told if call.state in HAPPENED else ""
    first = f"{state_name(call.state)}: {told}" if told else ending(status)
    return "\n".join((first, *(f"{line.label}: {line.value}" for line in history(status, zone))))
