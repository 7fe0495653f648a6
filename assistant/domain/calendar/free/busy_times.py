"""Tell when events keep the owner busy, from their times alone."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from assistant.domain.calendar.events import When
from assistant.domain.time.wall_clock import day_begins, readings

Moments = tuple[datetime, datetime]
"""A span between two moments, both in UTC, the end excluded."""

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
_MIDDLE = 2000
"""A year far from both ends of the calendar."""


class EventTime(NamedTuple):
    """When an event is, the end excluded, and whether it keeps the owner busy.

    A time without a zone is a floating one (RFC 5545, 3.3.5); a date means whole days.
    """

    start: datetime | date
    end: datetime | date
    transparent: bool = False
    """Shown as free (TRANSP)."""
    cancelled: bool = False

    @classmethod
    def of(cls, when: When) -> "EventTime":
        return cls(when.start, when.end)


def moments_of(event: EventTime, zone: ZoneInfo) -> Moments | None:
    """Return when an event keeps the owner busy, in UTC; None if it does not.

    Where a floating time comes twice or never, all that it may mean is busy.
    """
    if event.transparent or event.cancelled:
        return None
    if _no_length(event):
        return None
    start, end = _earliest(event.start, zone), _latest(event.end, zone)
    return (start, end) if start < end else None


def blocked(
    events: Iterable[EventTime],
    start: datetime,
    end: datetime,
    zone: ZoneInfo,
    padding: timedelta = timedelta(),
) -> list[Moments]:
    """Return when the owner is busy, in UTC, in order, without overlaps, cut to the range."""
    found = []
    for event in events:
        moments = moments_of(event, zone)
        if moments and moments[0] < end + padding and moments[1] > start - padding:
            begins, ends = max(moments[0], start - padding), min(moments[1], end + padding)
            found.append((max(start, begins - padding), min(end, ends + padding)))
    return list(merged(sorted(one for one in found if one[0] < one[1])))


def merged(spans: Iterable[Moments]) -> Iterator[Moments]:
    """Join spans, sorted by their begin, that overlap or adjoin."""
    last: Moments | None = None
    for span in spans:
        if last and span[0] <= last[1]:
            last = last[0], max(last[1], span[1])
            continue
        if last:
            yield last
        last = span
    if last:
        yield last


def _no_length(event: EventTime) -> bool:
    """Return whether a floating event ends as it begins, whatever the zone makes of it."""
    start, end = event.start, event.end
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return False
    return start.tzinfo is None and end.tzinfo is None and end <= start


def _earliest(value: datetime | date, zone: ZoneInfo) -> datetime:
    try:
        return min(_meant(value, zone))
    except OverflowError:
        return _edge(value)


def _latest(value: datetime | date, zone: ZoneInfo) -> datetime:
    try:
        return max(_meant(value, zone))
    except OverflowError:
        return _edge(value)


def _meant(value: datetime | date, zone: ZoneInfo) -> tuple[datetime, ...]:
    if not isinstance(value, datetime):
        return (day_begins(value, zone),)
    if value.tzinfo is None:
        return readings(value, zone)
    return (value.astimezone(UTC),)


def _edge(value: date) -> datetime:
    """Return the end of the calendar that a time is beyond."""
    return _FIRST if value.year < _MIDDLE else _LAST
