"""A calendar in memory, held to the real one's tests."""

import re
import threading
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from itertools import count
from zoneinfo import ZoneInfo

from assistant.domain.errors import AlreadyThere, BadArguments, NotFound, Stale
from assistant.domain.events import Event, When

_UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class MemoryCalendar:
    """``writes`` counts the changes made through the port, refused and failed ones excluded."""

    def __init__(self, *, zone: str = "UTC", address: str = "memory://calendar/ as owner") -> None:
        self._zone = ZoneInfo(zone)
        self._address = address
        self._stored: dict[str, tuple[Event, Sequence[When]]] = {}
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
            return stored

    def remove(self, uid: str) -> None:
        """What the owner does by hand."""
        with self._lock:
            del self._stored[uid]

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
                raise NotFound(uid)
            return self._stored[uid][0]

    def create(self, event: Event) -> str:
        _must_be_speakable(event)
        with self._lock:
            if event.uid in self._stored:
                raise AlreadyThere(event.uid)
            return self._change(event)

    def update(self, event: Event) -> str:
        _must_be_speakable(event)
        with self._lock:
            if self._current(event.uid, event.etag).recurring:
                raise BadArguments("a series cannot be changed yet")
            return self._change(event)

    def delete(self, uid: str, *, etag: str) -> None:
        with self._lock:
            self._current(uid, etag)
            self._change(None, uid=uid)

    def _current(self, uid: str, etag: str) -> Event:
        event = self.get(uid)
        if event.etag != etag:
            raise Stale(uid)
        return event

    def _change(self, event: Event | None, *, uid: str = "") -> str:
        error, happened = self._failures.pop(0) if self._failures else (None, True)
        etag = ""
        if happened:
            self.writes += 1
            if event is None:
                self.remove(uid)
            else:
                etag = self.put(event).etag
        if error is not None:
            raise error
        return etag

    def _span(self, when: When) -> tuple[datetime, datetime]:
        return self._instant(when.start), self._instant(when.end)

    def _instant(self, moment: date) -> datetime:
        if not isinstance(moment, datetime):
            moment = datetime.combine(moment, time.min, tzinfo=self._zone)
        return moment.astimezone(UTC)


def _must_be_speakable(event: Event) -> None:
    if _UNSPEAKABLE.search(event.title + event.uid):
        raise BadArguments("there are control characters in the title")
