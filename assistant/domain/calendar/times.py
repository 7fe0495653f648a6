"""When events are, without a word of them, and whether these are all times there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.calendar.events import Event
from assistant.domain.calendar.free.busy_times import EventTime


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
            [EventTime.of(event.when) for event in events if not event.unread], incomplete(events)
        )


def incomplete(events: Iterable[Event]) -> int:
    """Return of how many series not all times are known."""
    return len({event.uid for event in events if event.defect})


def say_incomplete(count: int) -> str:
    """Say that these may not be all times, to follow what was said; empty where they are."""
    return f" {count} series could not be read in full, so this may not be all." if count else ""
