"""A calendar in memory, held to the real one's tests."""

import re
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.icalendar_objects import (
    has_people,
    master,
    new_object,
    occurrences,
    parts_of,
    repeats,
    restorable,
    rewritten,
    title_of,
    when_of,
    written,
)
from assistant.domain.calendar.events import Event, When
from assistant.domain.errors import AlreadyThere, BadArguments, Denied, NotFound, Stale

_FOLLOWED = timedelta(days=2 * 366)
"""How long a series is followed that was stored as an object."""
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
        self._mails = mails
        self._stored: dict[str, tuple[Event, Sequence[When]]] = {}
        self._objects: dict[str, bytes] = {}
        self._versions = count(1)
        self._failures: list[tuple[Exception, bool]] = []
        self._unread: list[Exception] = []
        self._lock = threading.RLock()
        self.writes = 0

    def fail_next(self, error: Exception, *, happened: bool = False) -> None:
        """The next change raises ``error``, after it was made if ``happened``."""
        self._failures.append((error, happened))

    def fail_next_read(self, error: Exception) -> None:
        """The next look at a range raises ``error``."""
        self._unread.append(error)

    def put(self, event: Event, *, occurrences: Sequence[When] = ()) -> Event:
        """What the owner does by hand: store it, whatever was there; a series by occurrences."""
        with self._lock:
            stored = event.model_copy(
                update={"etag": f'"{next(self._versions)}"', "recurring": bool(occurrences)}
            )
            self._stored[event.uid] = (stored, occurrences or (event.when,))
            self._objects.pop(event.uid, None)
            return stored

    def put_object(self, uid: str, ics: bytes) -> Event:
        """What the owner's program does: store it with all it holds, whatever was there."""
        parts = parts_of(restorable(ics, uid))
        first = master(parts)
        event = Event(uid=uid, title=title_of(first), when=when_of(first, self._zone))
        with self._lock:
            stored = self.put(event, occurrences=self._followed(ics) if repeats(parts) else ())
            self._objects[uid] = ics
            return stored

    def remove(self, uid: str) -> None:
        """What the owner does by hand."""
        with self._lock:
            del self._stored[uid]
            self._objects.pop(uid, None)

    def address(self) -> str:
        return self._address

    def check(self) -> None:
        """It is always there."""

    def between(self, when: When) -> Sequence[Event]:
        if self._unread:
            raise self._unread.pop(0)
        start, end = self._span(when)
        with self._lock:
            found = [
                event.model_copy(update={"when": each})
                for event, occurrences in self._stored.values()
                for each in occurrences
                if self._span(each)[0] < end and self._span(each)[1] > start
            ]
        return sorted(found, key=lambda event: self._span(event.when))

    def get(self, uid: str) -> Event:
        with self._lock:
            if uid not in self._stored:
                raise NotFound("the event")
            return self._stored[uid][0]

    def create(self, event: Event) -> str:
        _must_be_speakable(event.title, event.uid)
        with self._lock:
            if event.uid in self._stored:
                raise AlreadyThere(event.uid)
            return self._change(lambda: self.put(event))

    def update(self, event: Event) -> str:
        _must_be_speakable(event.title, event.uid)
        with self._lock:
            if self._current(event.uid, event.etag).recurring:
                raise BadArguments("a series cannot be changed yet")
            if event.uid not in self._objects:
                return self._change(lambda: self.put(event))
            ics = rewritten(_parsed(self._objects[event.uid]), event, self._zone)
            return self._change(lambda: self.put_object(event.uid, ics.encode()))

    def delete(self, uid: str, *, etag: str) -> None:
        with self._lock:
            self._current(uid, etag)
            self._change(lambda: self.remove(uid))

    def raw(self, uid: str) -> bytes:
        with self._lock:
            self.get(uid)
            return self._objects.setdefault(uid, _written(*self._stored[uid]))

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        calendar = restorable(ics, uid)
        _must_be_speakable(ics.decode())
        if self._mails and has_people(calendar):
            raise Denied("it would write to the people in it")
        with self._lock:
            if etag:
                self._current(uid, etag)
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

    def _followed(self, ics: bytes) -> Sequence[When]:
        calendar = _parsed(ics)
        start, _ = self._span(when_of(master(parts_of(calendar)), self._zone))
        found = occurrences(calendar, start, start + _FOLLOWED)
        return sorted((when_of(part, self._zone) for part in found), key=self._span)

    def _span(self, when: When) -> tuple[datetime, datetime]:
        return self._instant(when.start), self._instant(when.end)

    def _instant(self, moment: date) -> datetime:
        if not isinstance(moment, datetime):
            moment = datetime.combine(moment, time.min, tzinfo=self._zone)
        return moment.astimezone(UTC)


def _written(event: Event, occurrences: Sequence[When]) -> bytes:
    """An object that holds what is known of an event."""
    calendar = _parsed(new_object(event).encode())
    if event.recurring:
        (part,) = parts_of(calendar)
        part.add("RDATE", [when.start for when in occurrences])
    return written(calendar).encode()


def _parsed(ics: bytes) -> icalendar.Calendar:
    return icalendar.Calendar.from_ical(ics)


def _must_be_speakable(*texts: str) -> None:
    if any(_UNSPEAKABLE.search(text) for text in texts):
        raise BadArguments("it has control characters")
