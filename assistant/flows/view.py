"""What the model sees: the one place where a view is made and origins are joined."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from assistant.domain.call_states import ENDED
from assistant.domain.calls import Call
from assistant.domain.moments import zone_of
from assistant.domain.talk import Conversation, Entry, Origin, Role, View, ViewCall, ViewEntry


def build_view(
    talk: Conversation,
    entries: Sequence[Entry],
    calls: Sequence[Call],
    *,
    instructions: str,
    now: datetime,
    zone: str,
) -> View:
    """The conversation as a model is shown it.

    Args:
        talk: whose taint, once there, stays.
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
        entries=tuple(_entry(entry, by_id, by_turn) for entry in _whole(entries)),
        tainted=talk.tainted or any(entry.origin is Origin.OUTSIDE for entry in entries),
    )


def _whole(entries: Sequence[Entry]) -> Sequence[Entry]:
    """From something the owner said or pointed at on: no outcome without what it belongs to."""
    said = (n for n, entry in enumerate(entries) if entry.role is Role.OWNER or _quoted(entry))
    return entries[next(said, 0) :]


def _quoted(entry: Entry) -> bool:
    return entry.role is Role.OUTCOME and not entry.call


def _entry(entry: Entry, by_id: dict[str, Call], by_turn: dict[int, list[Call]]) -> ViewEntry:
    if entry.role is Role.ASSISTANT:
        asked = tuple(_view_call(call, "") for call in by_turn.get(entry.seq, ()))
        return ViewEntry(role=entry.role, text=entry.text, calls=asked)
    if entry.role is Role.OUTCOME and entry.call in by_id:
        call = by_id[entry.call]
        return ViewEntry(role=entry.role, calls=(_view_call(call, entry.text),))
    return ViewEntry(role=entry.role, text=entry.text)


def _view_call(call: Call, outcome: str) -> ViewCall:
    return ViewCall(
        id=call.id,
        handle=call.handle,
        tool=call.tool,
        args=call.asked,
        outcome=outcome,
        end=call.state in ENDED,
        state=call.state,
    )
