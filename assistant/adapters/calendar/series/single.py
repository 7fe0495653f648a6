"""Change or cancel one occurrence of a series."""

import copy
from datetime import date, datetime
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.series import affected, writing
from assistant.adapters.calendar.series.moving import drop_overrides
from assistant.adapters.calendar.series.reading import Part, Series, read
from assistant.domain.calendar.events import When
from assistant.domain.calendar.series import BadSeries, Changed

_OF_THE_SERIES = ("RRULE", "RDATE", "EXDATE", "RECURRENCE-ID")


def change_occurrence(
    ics: bytes,
    recurrence_id: date,
    *,
    stamp: datetime,
    zone: ZoneInfo | None,
    when: When | None = None,
    title: str | None = None,
) -> Changed:
    """Give one occurrence another time or title, and leave all others as they are.

    Args:
        ics: the object.
        recurrence_id: when the occurrence begins by the series: a day, or an aware moment.
        stamp: now.
        zone: where times without a zone take place; None refuses them.
        when: its new time.
        title: its new title.

    Raises:
        NoSuchOccurrence: the series has none that begins then.
        TooFrequent, FloatingTime, BadSeries: the object cannot be read or written.
    """
    series = read(ics, zone)
    writing.must_be_writable(series)
    if not series.repeats:
        raise BadSeries("it is no series")
    wall = series.find(recurrence_id)
    touched = affected.one(series, wall)
    writing.add_ends(series)
    part = series.overrides.get(wall) or _override(series, wall)
    if when is not None:
        writing.put_own_time(part, when, series.form)
    if title is not None:
        writing.put_title(part, title)
    writing.put_stamp(part, stamp)
    return Changed(writing.written(series.calendar, series.start), touched)


def cancel_occurrence(
    ics: bytes, recurrence_id: date, *, stamp: datetime, zone: ZoneInfo | None
) -> Changed:
    """Remove one occurrence; with the last one goes the object. See ``change_occurrence``."""
    series = read(ics, zone)
    writing.must_be_writable(series)
    if not series.repeats:
        raise BadSeries("it is no series")
    wall = series.find(recurrence_id)
    touched = affected.one(series, wall)
    if not any(each != wall for each in series.walls()):
        return Changed(None, touched)
    if wall in series.overrides:
        drop_overrides(series, [wall])
    writing.add_ends(series)
    if series.master is not None:
        writing.add_to_list(series.master, "EXDATE", wall, series.form)
        writing.put_stamp(series.master, stamp)
    return Changed(writing.written(series.calendar, series.start), touched)


def _override(series: Series, wall: datetime) -> Part:
    assert series.master is not None  # noqa: S101 (without a master, ``find`` finds overrides only)
    lasting = writing.lasting(series, wall)
    part = copy.deepcopy(series.master)
    for name in _OF_THE_SERIES:
        part.pop(name, None)
    writing.put_span(part, wall, lasting, series.form)
    writing.put(part, "RECURRENCE-ID", wall, series.form)
    series.calendar.add_component(part)
    return part
