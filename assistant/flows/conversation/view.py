"""Build the model's view. No other code builds one or joins the origins of its texts."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import ENDED, EXECUTED, HAPPENED
from assistant.domain.conversation.conversation import (
    Conversation,
    Entry,
    Origin,
    Role,
    View,
    ViewCall,
    ViewEntry,
)
from assistant.domain.policy.decisions import MODEL, Verdict
from assistant.domain.time.moments import zone_of

_STOPPED = "(the owner said: stop)"
"""Said in the owner's role by earlier versions, for a stop."""


def build_view(
    conversation: Conversation,
    entries: Sequence[Entry],
    calls: Sequence[Call],
    *,
    instructions: str,
    now: datetime,
    zone: str,
) -> View:
    """Build the view of a conversation that a model is shown.

    Args:
        conversation: its taint stays once it is there.
        entries: the newest entries, oldest first.
        calls: the calls that these entries asked for or are about.
        instructions: the system prompt.
        now: aware.
        zone: the owner's IANA zone.
    """
    by_id = {call.id: call for call in calls}
    by_turn: dict[int, list[Call]] = defaultdict(list)
    for call in sorted(calls, key=lambda call: call.ordinal):
        by_turn[call.turn].append(call)
    return View(
        instructions=instructions,
        now=now.astimezone(zone_of(zone)),
        zone=zone,
        entries=tuple(
            _entry(entry, by_id, by_turn, answered=conversation.thought)
            for entry in _from_owner(_with_notes(entries, by_turn))
        ),
        tainted=conversation.tainted or any(entry.origin is Origin.OUTSIDE for entry in entries),
    )


def _with_notes(entries: Sequence[Entry], by_turn: Mapping[int, Sequence[Call]]) -> list[Entry]:
    """Give the notes of earlier versions their role: these had the owner's, who typed none."""
    return [
        entry.model_copy(update={"role": Role.NOTE})
        if entry.role is Role.OWNER and _is_old_note(entry, by_turn)
        else entry
        for entry in entries
    ]


def _is_old_note(entry: Entry, by_turn: Mapping[int, Sequence[Call]]) -> bool:
    return entry.text == _STOPPED or any(call.actor != MODEL for call in by_turn.get(entry.seq, ()))


def _from_owner(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Begin at what the owner said, quoted or did: no outcome lacks what it belongs to."""
    begins = (Role.OWNER, Role.NOTE)
    said = (n for n, entry in enumerate(entries) if entry.role in begins or _quoted(entry))
    return entries[next(said, 0) :]


def _quoted(entry: Entry) -> bool:
    return entry.role is Role.OUTCOME and not entry.call


def _entry(
    entry: Entry, by_id: dict[str, Call], by_turn: dict[int, list[Call]], *, answered: int
) -> ViewEntry:
    if entry.role is Role.ASSISTANT:
        asked = tuple(_view_call(call, "") for call in by_turn.get(entry.seq, ()))
        return ViewEntry(role=entry.role, text=entry.text, calls=asked)
    if entry.role is Role.OUTCOME and entry.call in by_id:
        call = by_id[entry.call]
        return ViewEntry(role=entry.role, calls=(_view_call(call, entry.text),))
    unanswered = entry.role is Role.OWNER and entry.seq > answered
    return ViewEntry(role=entry.role, text=entry.text, unanswered=unanswered)


def _view_call(call: Call, outcome: str) -> ViewCall:
    return ViewCall(
        id=call.id,
        handle=call.handle,
        tool=call.tool,
        args=call.asked,
        outcome=outcome,
        end=call.state in ENDED,
        state=call.state,
        shown=_is_shown(call),
    )


def _is_shown(call: Call) -> bool:
    """Whether a card or a receipt tells what became of a call. The result of a read is words."""
    reads = call.reach is Reach.READS
    if reads and call.state in EXECUTED:
        return False
    return call.verdict == Verdict.ASK or (call.state in HAPPENED and not reads)
