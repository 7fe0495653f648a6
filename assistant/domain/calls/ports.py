"""What calls needs of a transaction."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.states import CallState


class CallTx(Protocol):
    def add_call(self, call: Call) -> Call:
        """Store a call; it comes back with its number."""
        ...

    def call(self, id: str, *, lock: bool = False) -> Call: ...
    def call_named(self, handle: str) -> Call:
        """The call people call ``A17`` (in any case), or by its id. Raises ``NotFound``."""
        ...

    def calls(
        self,
        *,
        conversation: str = "",
        turn: int | None = None,
        states: Collection[CallState] = (),
        limit: int = 200,
    ) -> Sequence[Call]:
        """Newest first by number. Without ``states``, in any state."""
        ...

    def calls_since(self, since: datetime, *, after: int = 0, limit: int = 200) -> Sequence[Call]:
        """What was asked for since then, by number: those with a greater one than ``after``."""
        ...

    def tool_uses(self, since: datetime) -> Mapping[str, int]:
        """How many calls of each tool were asked for since then, not refused and not replaced."""
        ...

    def move(self, call: Call, to: CallState, **changes: Any) -> Call:
        """One step on, by compare-and-set on state and fence.

        Raises:
            IllegalStep: ``NEXT`` has no such step.
            Conflict: the row is no longer as ``call`` says.
        """
        ...

    def beat_call(self, id: str, *, progress: str) -> bool:
        """Say that a running call goes on, and how far it is; whether it is to stop."""
        ...

    def ask_stop(self, call: Call) -> None:
        """Have a call that runs hear that it is to stop."""
        ...

    def intend(self, effect: Effect) -> None:
        """Write an intent; the same call's later attempt takes it over."""
        ...

    def record(self, effect: Effect) -> None:
        """Write what became of an intent of the same fence; ``Conflict`` when it moved on."""
        ...

    def effects(self, call: str) -> Sequence[Effect]: ...
    def effects_on(self, keys: Collection[str], *, since: datetime) -> Sequence[Effect]:
        """What was done to these objects after a time, the oldest first."""
        ...

    def undone(self, call: str, *, by: str) -> None:
        """Mark the effects of a call as taken back by another call."""
        ...

    def own_uid(self, uid: str, *, calendar: str, call: str) -> None:
        """Remember that the assistant made the event of this UID. Twice is once."""
        ...

    def own_uids(self, calendar: str, uids: Iterable[str]) -> frozenset[str]:
        """Those of ``uids`` that the assistant made."""
        ...
