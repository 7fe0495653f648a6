"""The parts of a transaction that handle reminders, and what is due to be told."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from assistant.domain.reminders.due_notices import DueKind, DueNotice
from assistant.domain.reminders.reminder import Reminder, ReminderState


class ReminderTx(Protocol):
    def add_reminder(self, reminder: Reminder) -> Reminder:
        """Store a reminder and return it with its number; return the stored one of this id."""
        ...

    def reminder(self, id: str) -> Reminder:
        """Return a reminder by its handle (``R3``, in any case) or its id. Raises ``NotFound``."""
        ...

    def reminders(
        self, *, state: ReminderState | None = ReminderState.WAITING, limit: int = 200
    ) -> Sequence[Reminder]:
        """Return those that wait, the next first; with another state or None, newest first."""
        ...

    def due_reminders(self, now: datetime, *, limit: int = 50) -> Sequence[Reminder]:
        """Return those that wait and are due, the oldest first."""
        ...

    def waiting_reminders(self) -> int:
        """Return how many wait."""
        ...

    def move_reminder(self, reminder: Reminder, to: Reminder) -> bool:
        """Replace ``at``, ``state`` and ``told``; return False, and do nothing, if it has changed.

        Of two that do it at once, one is told True.
        """
        ...


class DueNoticeTx(Protocol):
    def expect_notice(self, notice: DueNotice) -> bool:
        """Store that it is to be told; return False, and do nothing, if its id is there."""
        ...

    def notice_shown(self, id: str) -> None:
        """Store that a channel shows it now, unless it did before. Ignores other ids."""
        ...

    def notices_missing(self, *, due_before: datetime) -> Sequence[DueNotice]:
        """Return what was due before then and was not shown, the oldest first."""
        ...

    def notices_late(self) -> Sequence[DueNotice]:
        """Return what was shown late of which the owner was not told, the oldest first."""
        ...

    def note_lateness(self, ids: Collection[str]) -> bool:
        """Store that the owner is told of these; return False if another told of one of them."""
        ...

    def last_notice(self, kind: DueKind, *, skip: int = 0) -> DueNotice | None:
        """Return the one that was made last, or so many before it; None if there is none."""
        ...

    def take_turn(self, name: str, *, every: timedelta) -> bool:
        """Return True once in this time to one of all processes, and store that it was now."""
        ...
