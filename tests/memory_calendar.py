"""A calendar in memory, held to the real one's tests."""

import re
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from itertools import count
from typing import Self
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.event_objects import StoredObject, created, event_of, events_in
from assistant.adapters.calendar.expansion import expand_here
from assistant.adapters.calendar.icalendar_objects import has_people, restorable, rewritten
from assistant.adapters.calendar.series.editing import edited, is_made, is_same, is_stamped
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import checked
from assistant.domain.calendar.series import Affected, SeriesEdit, SplitSeries
from assistant.domain.calendar.times import EventTimes
from assistant.domain.errors import AlreadyThere, BadArguments, Denied, NotFound, Stale

_UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class MemoryCalendar:
    """``writes`` counts the changes made through the port, refused and failed ones excluded.

    Args:
        zone: the owner's.
        address: what it says it is.
        mails: True where it writes to the people in an object that is put.
    """

    def __init__(
        self,
        *,
        zone: str = "UTC",
        address: str = "memory://calendar/ as owner",
        mails: bool = False,
    ) -> None:
        self._zone = ZoneInfo(zone)
        self._address = address
        self.mails = mails
        self._stored: dict[str, Event] = {}
        self._objects: dict[str, bytes] = {}
        """Of every series; of other events, where it holds more than the event does."""
        self._versions = count(1)
        self._failures: list[tuple[Exception, bool]] = []
        self._halves: list[Exception] = []
        self._unread: list[Exception] = []
        self._lock = threading.RLock()
        self.writes = 0

    def fail_next(self, error: Exception, *, happened: bool = False) -> None:
        """The next change raises ``error``, after it was made if ``happened``."""
        self._failures.append((error, happened))

    def fail_halfway(self, error: Exception) -> None:
        """The next cut of a series raises ``error`` when the rest is stored and nothing is cut."""
        self._halves.append(error)

    def fail_next_read(self, error: Exception) -> None:
        """The next look at a range raises ``error``."""
        self._unread.append(error)

    def put(self, event: Event) -> Event:
        """What the owner does by hand: store an event or a series, whatever was there."""
        with self._lock:
            if event.recurrence:
                return self.put_object(event.uid, created(event, zone=self._zone))
            return self._kept(event)

    def put_object(self, uid: str, ics: bytes) -> Event:
        """What the owner's program does: store it with all it holds, whatever was there."""
        restorable(ics, uid)
        with self._lock:
            stored = self._kept(event_of(ics, "", None, zone=self._zone))
            self._objects[uid] = ics
            return stored

    def remove(self, uid: str) -> None:
        """What the owner does by hand."""
        with self._lock:
            del self._stored[uid]
            self._objects.pop(uid, None)

    def address(self) -> str:
        return self._address

    def at(self, address: str) -> Self:
        return checked(self, address)

    def check(self) -> None:
        """It is always there."""

    def between(self, when: When) -> Sequence[Event]:
        if self._unread:
            raise self._unread.pop(0)
        start, end = self._span(when)
        with self._lock:
            found = [
                event for one in self._stored.values() for event in self._within(one, start, end)
            ]
        return sorted(found, key=lambda event: self._span(event.when))

    def times(self, when: When) -> EventTimes:
        return EventTimes.among(self.between(when))

    def get(self, uid: str, *, occurrence: date | None = None) -> Event:
        with self._lock:
            if uid not in self._stored:
                raise NotFound("the event")
            event = self._stored[uid]
            if occurrence is None:
                return event
            return event_of(self.raw(uid), event.etag, occurrence, zone=self._zone)

    def create(self, event: Event) -> str:
        _must_be_speakable(event.title, event.uid)
        with self._lock:
            if event.uid in self._stored:
                raise AlreadyThere(event.uid)
            return self._change(lambda: self.put(event))

    def update(self, event: Event) -> str:
        _must_be_speakable(event.title, event.uid)
        with self._lock:
            was = self._current(event.uid, event.etag)
            if was.recurring:
                raise BadArguments("it is a series: say which of its occurrences")
            self._refuse_to_mail(event.uid)
            event = event.model_copy(update={"alerts": was.alerts})
            if event.uid not in self._objects:
                return self._change(lambda: self.put(event))
            ics = rewritten(_parsed(self._objects[event.uid]), event, self._zone)
            return self._change(lambda: self.put_object(event.uid, ics.encode()))

    def delete(self, uid: str, *, etag: str) -> None:
        with self._lock:
            self._current(uid, etag)
            self._refuse_to_mail(uid)
            self._change(lambda: self.remove(uid))

    def refuse_to_mail(self, uid: str) -> None:
        with self._lock:
            self.get(uid)
            self._refuse_to_mail(uid)

    def affected(self, edit: SeriesEdit) -> Affected:
        with self._lock:
            return self._edited(edit).affected

    def change_series(self, edit: SeriesEdit) -> str:
        with self._lock:
            try:
                split = self._edited(edit)
            except (Stale, NotFound):
                self._take_back(edit)
                raise
            new = split.new
            if new is not None:
                self._must_be_free(edit, new)
                if self._halves:
                    self._change(lambda: self.put_object(edit.new_uid, new))
                    raise self._halves.pop(0)
            return self._change(lambda: self._store(edit, split))

    def holds(self, edit: SeriesEdit) -> bool:
        with self._lock:
            now, rest = (
                self.raw(uid) if uid in self._stored else None for uid in (edit.uid, edit.new_uid)
            )
            return is_made(edit, now, rest, zone=self._zone)

    def raw(self, uid: str) -> bytes:
        with self._lock:
            self.get(uid)
            if uid not in self._objects:
                self._objects[uid] = created(self._stored[uid], zone=self._zone)
            return self._objects[uid]

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        calendar = restorable(ics, uid)
        _must_be_speakable(ics.decode())
        if self.mails and has_people(calendar):
            raise _denied("put it back")
        with self._lock:
            if etag:
                self._current(uid, etag)
                self._refuse_to_mail(uid, "put it back")
            elif uid in self._stored:
                raise AlreadyThere(uid)
            return self._change(lambda: self.put_object(uid, ics))

    def _current(self, uid: str, etag: str) -> Event:
        event = self.get(uid)
        if event.etag != etag:
            raise Stale
        return event

    def _change(self, make: Callable[[], Event | None]) -> str:
        error, happened = self._failures.pop(0) if self._failures else (None, True)
        made = None
        if happened:
            self.writes += 1
            made = make()
        if error is not None:
            raise error
        return made.etag if made else ""

    def _kept(self, event: Event) -> Event:
        self._stored[event.uid] = event.model_copy(update={"etag": f'"{next(self._versions)}"'})
        self._objects.pop(event.uid, None)
        return self._stored[event.uid]

    def _within(self, event: Event, start: datetime, end: datetime) -> Sequence[Event]:
        if event.uid in self._objects:
            stored = StoredObject(self._objects[event.uid], event.etag, event.uid)
            return events_in([stored], start, end, zone=self._zone, expand=expand_here)
        begins, ends = self._span(event.when)
        return [event] if begins < end and ends > start else []

    def _edited(self, edit: SeriesEdit) -> SplitSeries:
        _must_be_speakable(edit.title or "", edit.new_uid)
        self._current(edit.uid, edit.etag)
        ics = self.raw(edit.uid)
        split = edited(ics, edit, zone=self._zone)
        self._refuse_to_mail(edit.uid)
        return split

    def _store(self, edit: SeriesEdit, split: SplitSeries) -> Event | None:
        if split.new is not None:
            self.put_object(edit.new_uid, split.new)
        if split.old is not None:
            return self.put_object(edit.uid, split.old)
        self.remove(edit.uid)
        return None

    def _must_be_free(self, edit: SeriesEdit, rest: bytes) -> None:
        there = edit.new_uid in self._stored
        if there and not is_same(self.raw(edit.new_uid), rest, zone=self._zone):
            raise Stale("the rest of the series was stored before, and changed since")

    def _take_back(self, edit: SeriesEdit) -> None:
        if edit.new_uid not in self._stored or self.holds(edit):
            return
        if is_stamped(self.raw(edit.new_uid), edit.stamp, zone=self._zone):
            self._refuse_to_mail(edit.new_uid)
            self.remove(edit.new_uid)

    def _refuse_to_mail(self, uid: str, instead: str = "change it") -> None:
        if self.mails and has_people(_parsed(self.raw(uid))):
            raise _denied(instead)

    def _span(self, when: When) -> tuple[datetime, datetime]:
        return self._instant(when.start), self._instant(when.end)

    def _instant(self, moment: date) -> datetime:
        if not isinstance(moment, datetime):
            moment = datetime.combine(moment, time.min, tzinfo=self._zone)
        return moment.astimezone(UTC)


def _parsed(ics: bytes) -> icalendar.Calendar:
    return icalendar.Calendar.from_ical(ics)


def _denied(instead: str) -> Denied:
    return Denied(
        "others take part in this event, and the calendar server might write to them; "
        f"{instead} in your own calendar program"
    )


def _must_be_speakable(*texts: str) -> None:
    if any(_UNSPEAKABLE.search(text) for text in texts):
        raise BadArguments("it has control characters")


def unreadable_series(uid: str, title: str, start: datetime) -> bytes:
    """Return an object of an hour that repeats hourly, which nobody expands."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//test//EN",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        "DTSTAMP:20261101T000000Z",
        f"DTSTART:{start.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        "DURATION:PT1H",
        "RRULE:FREQ=HOURLY;COUNT=9",
        f"SUMMARY:{title}",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    return "\r\n".join(lines).encode()
