"""When events are, without a word of them, and whether these are all times there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.free.busy_times import EventTime
from assistant.domain.time.moments import begins, ends


@dataclass(frozen=True)
class EventTimes:
    """The times of the events of a range, in no order."""

    times: Sequence[EventTime]
    incomplete: int = 0
    """How many series have times that are not among them; see ``Event.defect``."""
    as_of: datetime | None = None
    """When the calendar answered last, if it does not answer now."""
    why: str = ""

    @classmethod
    def among(cls, events: Sequence[Event]) -> "EventTimes":
        return cls(
            [EventTime.of(event.when) for event in events if not event.unread],
            len(defective(events)),
        )


def defective(events: Iterable[Event]) -> list[Event]:
    """Return one event of each series of which not all times are known."""
    return list({event.uid: event for event in events if event.defect}.values())


def known_within(events: Iterable[Event], when: When, zone: str) -> list[Event]:
    """Return the events that are known to touch the range for which ``between`` was asked."""
    first, last = begins(when, zone), ends(when, zone)
    return [
        event
        for event in events
        if not event.defect
        or (not event.unread and begins(event.when, zone) < last and ends(event.when, zone) > first)
    ]


def say_incomplete(count: int) -> str:
    """Say that these may not be all times, to follow what was said; empty where they are."""
    return f" {count} series could not be read in full, so this may not be all." if count else ""
