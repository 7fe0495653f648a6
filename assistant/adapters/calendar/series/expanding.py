"""List or count the occurrences of a series."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.alerts import alerts_of
from assistant.adapters.calendar.icalendar_objects import UNREADABLE, span_of, title_of
from assistant.adapters.calendar.series.reading import FIRST, LAST, STEPS, Series, read
from assistant.adapters.calendar.series.times import length, times
from assistant.domain.calendar.series import (
    BadSeries,
    Counted,
    Expanded,
    NoSuchOccurrence,
    Occurrence,
)

_DAY = timedelta(days=1)


def expand(
    ics: bytes, start: datetime, end: datetime, *, zone: ZoneInfo | None, most: int = 1000
) -> Expanded:
    """Return the occurrences that overlap the range, at most ``most``, by start.

    Args:
        ics: one iCalendar object.
        start: an aware moment.
        end: an aware moment; the end is excluded.
        zone: where whole days and times without a zone take place. None takes days as in UTC and
            refuses times without a zone.
        most: how many occurrences to return.

    Raises:
        TooFrequent, FloatingTime, BadSeries: it cannot be read.
    """
    series = read(ics, zone)
    place = zone or ZoneInfo("UTC")
    begin, stop = start.astimezone(UTC), end.astimezone(UTC)
    try:
        walls = list(islice(_near(series, begin, stop), STEPS))
        found = []
        for wall in walls:
            each = None if wall in series.overrides else occurrence(series, wall)
            if each and _overlaps(each, begin, stop, place):
                found.append(each)
            if len(found) > most:
                break
        for wall in series.overrides:
            each = None if series.excluded(wall) else occurrence(series, wall)
            if each and _overlaps(each, begin, stop, place):
                found.append(each)
    except UNREADABLE as problem:
        raise BadSeries("it is no event that can be read") from problem
    found.sort(key=lambda each: span_of(each.when, place))
    truncated = len(found) > most or len(walls) >= STEPS
    return Expanded(events=tuple(found[:most]), defects=series.defects, truncated=truncated)


def count_until(
    ics: bytes, until: datetime | None, *, zone: ZoneInfo | None, most: int = 1000
) -> Counted:
    """Count the occurrences planned to begin up to ``until`` (None: all), at most ``most``.

    Raises:
        TooFrequent, FloatingTime, BadSeries: it cannot be read.
    """
    series = read(ics, zone)
    return counted(series, None, series.form.wall(until) if until else LAST, most)


def counted(series: Series, after: datetime | None, before: datetime, most: int) -> Counted:
    """Count the occurrences whose original times are from ``after`` to ``before``."""
    try:
        walls = (each for each in series.walls(after, before) if not cancelled(series, each))
        found = list(islice(walls, most + 1))
        more = len(found) > most or (series.endless and before >= LAST)
        shown = found[:most]
        first = times(series, shown[0]).start if shown else None
        last = times(series, shown[-1]).start if shown and not more else None
    except UNREADABLE as problem:
        raise BadSeries("it is no event that can be read") from problem
    return Counted(count=len(shown), more=more, first=first, last=last)


def cancelled(series: Series, wall: datetime) -> bool:
    return str(series.part(wall).get("STATUS", "")).upper() == "CANCELLED"


def occurrence(series: Series, wall: datetime) -> Occurrence | None:
    """Return an occurrence; None if it is cancelled."""
    if cancelled(series, wall):
        return None
    part = series.part(wall)
    return Occurrence(
        uid=series.uid,
        title=title_of(part),
        when=times(series, wall),
        recurrence_id=series.form.moment(wall) if series.repeats else None,
        changed=wall in series.overrides,
        alerts=alerts_of(part),
    )


def found(series: Series, recurrence_id: date) -> Occurrence:
    """Return an occurrence. Raises ``NoSuchOccurrence``, also if it is cancelled."""
    one = occurrence(series, series.find(recurrence_id))
    if one is None:
        raise NoSuchOccurrence(str(recurrence_id))
    return one


def _near(series: Series, begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yield the original times of occurrences that may overlap the range."""
    longest = timedelta(days=1)
    if series.master is not None:
        longest = length(series, series.master).most
    longest = max([longest, *(each for each in series.added.values() if each)])
    after = _bounded(begin, -longest - 2 * _DAY)
    return series.walls(after, _bounded(end, 2 * _DAY))


def _bounded(moment: datetime, by: timedelta) -> datetime:
    """Return a wall time near the moment, within the years that are read."""
    wall = min(max(moment.replace(tzinfo=None), FIRST), LAST)
    return min(max(wall, FIRST + abs(by)), LAST - abs(by)) + by


def _overlaps(each: Occurrence, begin: datetime, end: datetime, zone: ZoneInfo) -> bool:
    starts, ends = span_of(each.when, zone)
    return starts < end and ends > begin
