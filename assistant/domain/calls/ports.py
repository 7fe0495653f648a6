"""The part of a transaction that handles calls and their effects."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.states import CallState


class CallTx(Protocol):
    def add_call(self, call: Call) -> Call:
        """Store a call; return it with its number."""
        ...

    def call(self, id: str, *, lock: bool = False) -> Call: ...
    def call_named(self, handle: str) -> Call:
        """Return a call by handle, such as ``A17`` (in any case), or by id. Raises ``NotFound``."""
        ...

    def calls(
        self,
        *,
        conversation: str = "",
        turn: int | None = None,
        states: Collection[CallState] = (),
        limit: int = 200,
    ) -> Sequence[Call]:
        """Return calls, newest first by number; without ``states``, in any state."""
        ...

    def calls_since(self, since: datetime, *, after: int = 0, limit: int = 200) -> Sequence[Call]:
        """Return the calls since then whose number is greater than ``after``, by number."""
        ...

    def unclear(self, since: datetime) -> Sequence[Call]:
        """Return the calls that ended unclear since then, newest first (see ``Call.unclear``)."""
        ...

    def tool_uses(self, since: datetime) -> Mapping[str, int]:
        """Count each tool's calls since then, without those refused or replaced."""
        ...

    def destroyed(
        self, conversation: str, *, since: datetime, before: int = 0, without: str = ""
    ) -> int:
        """Count what a model's calls of a conversation overwrote or deleted since then.

        Counts calls that ran, run or may run, also if they were undone; a long count is cut off.

        Args:
            conversation: its id.
            since: the earliest time at which they were asked for.
            before: number of the call that must come after them; 0 for a new call.
            without: id of a call that does not count.
        """
        ...

    def move(self, call: Call, to: CallState, **changes: Any) -> Call:
        """Move a call to its next state, by compare-and-set on state and fence.

        Raises:
            IllegalStep: ``NEXT`` has no such step.
            Conflict: the row has another state or fence by now.
        """
        ...

    def beat_call(self, id: str, *, progress: str) -> bool:
        """Record a heartbeat of a running call and its progress; return whether it must stop."""
        ...

    def ask_stop(self, call: Call) -> None:
        """Ask a running call to stop."""
        ...

    def intend(self, effect: Effect) -> None:
        """Write an intent, or take over that of an earlier attempt of its call."""
        ...

    def record(self, effect: Effect) -> None:
        """Write what became of an intent. Raises ``Conflict`` when the intent has another fence."""
        ...

    def effects(self, call: str) -> Sequence[Effect]: ...
    def effects_on(self, keys: Collection[str], *, since: datetime) -> Sequence[Effect]:
        """Return the effects on these objects after a time, oldest first."""
        ...

    def undone(self, call: str, *, by: str) -> None:
        """Mark the effects of a call as undone by another call."""
        ...

    def own_uid(self, uid: str, *, calendar: str, call: str) -> None:
        """Record that the assistant made the event of this UID. A second time changes nothing."""
        ...

    def own_uids(self, calendar: str, uids: Iterable[str]) -> frozenset[str]:
        """Return those of ``uids`` that the assistant made."""
        ...
