"""The part of a transaction that handles the copy of a calendar."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.calendar.copies.changes import CopiedObject
from assistant.domain.calendar.copies.copied import CalendarCopy, CopiedTime
from assistant.domain.calendar.events import Event
from assistant.domain.calendar.times import EventTimes


class CopyTx(Protocol):
    """The copies of calendars, seen from a transaction.

    A sync writes only after ``hold_sync`` in the same transaction.
    """

    def calendar_copy(self, *, source: str = "") -> CalendarCopy | None:
        """Return the copy that these settings lead to, or the newest; None if there is none."""
        ...

    def calendar_defects(self, address: str) -> int:
        """Return how many objects cannot be read."""
        ...

    def begin_sync(self, address: str, *, source: str, zone: str) -> CalendarCopy:
        """Make the copy if there is none, and take it over from any other sync.

        Drops the copies of other calendars: one is kept, of the calendar that is in use.
        """
        ...

    def hold_sync(self, copy: CalendarCopy) -> None:
        """Lock the copy for the rest of the transaction.

        Raises:
            Conflict: another sync has begun since.
        """
        ...

    def end_sync(
        self, copy: CalendarCopy, *, token: str, kind: str, synced: datetime, seen: int
    ) -> None:
        """Say that the copy is whole as of ``synced``."""
        ...

    def pause_sync(self, copy: CalendarCopy) -> None:
        """Say that the sync was stopped before its end, to be gone on with."""
        ...

    def fail_sync(self, source: str, trouble: str, *, fence: int | None = None) -> None:
        """Say why the calendar cannot be asked, unless another sync than ``fence`` has begun."""
        ...

    def move_window(
        self, copy: CalendarCopy, since: datetime, until: datetime, *, zone: str
    ) -> None:
        """Say in which window series are expanded now, and in which zone."""
        ...

    def copied_etags(self, address: str) -> Mapping[str, str]:
        """Return the etag of every object, by name."""
        ...

    def copied_named(self, address: str, names: Collection[str]) -> Mapping[str, str]:
        """Return the etags of those of these objects that there are, by name."""
        ...

    def copied_uids(self, address: str, uids: Collection[str]) -> Mapping[str, str]:
        """Return the etags of the objects of these UIDs that there are, by UID."""
        ...

    def copied_objects(
        self, address: str, *, after: str, limit: int, all_of_them: bool
    ) -> Sequence[CopiedObject]:
        """Return objects by name: those that repeat, or all of them."""
        ...

    def keep_copied(
        self, copy: CalendarCopy, one: CopiedObject, times: Sequence[CopiedTime]
    ) -> None:
        """Store an object and its times in place of what was kept under its name.

        An event of the assistant's own is then there again.
        """
        ...

    def drop_copied(self, copy: CalendarCopy, names: Collection[str]) -> None:
        """Delete objects and their times; note which events of the assistant's own are gone."""
        ...

    def copied_events(self, copy: CalendarCopy, begin: datetime, end: datetime) -> Sequence[Event]:
        """Return the events that overlap the range, by begin."""
        ...

    def copied_times(self, copy: CalendarCopy, begin: datetime, end: datetime) -> EventTimes:
        """Return when the events are that ``copied_events`` returns."""
        ...

    def calendar_written(self, source: str) -> None:
        """Say that the assistant changed the calendar, so that the copy is behind."""
        ...

    def own_event_gone(self, address: str, uid: str) -> datetime | None:
        """Return when an event of the assistant's own was found gone; None if it is there."""
        ...
