"""Write parts of a series: times, days that are left out, the stamp of a change."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

import icalendar

from assistant.adapters.calendar.icalendar_objects import parts_of, set_time
from assistant.adapters.calendar.series.reading import Part, Series, TimeForm, listed, sequence
from assistant.adapters.calendar.series.times import times
from assistant.adapters.calendar.series.zones import define_zones
from assistant.domain.calendar.events import TITLE_LIMIT, When
from assistant.domain.calendar.series import BadSeries


def must_be_writable(series: Series) -> None:
    """Refuse an object with lines that icalendar cannot parse, as it would not write them back."""
    if any(name is None for each in series.calendar.walk() for name, _ in each.errors):
        raise BadSeries("it has parts that a change would lose")
    if len([part for part in parts_of(series.calendar) if "RECURRENCE-ID" in part]) > len(
        series.overrides
    ):
        raise BadSeries("one of its occurrences is changed twice")


def put_stamp(part: Part, now: datetime) -> None:
    replace(part, "SEQUENCE", sequence(part) + 1)
    replace(part, "LAST-MODIFIED", now.astimezone(UTC))
    replace(part, "DTSTAMP", now.astimezone(UTC))


def replace(part: Part, name: str, value: object) -> None:
    """Write a property where it stood."""
    made = icalendar.Event()
    made.add(name, value)
    part[name] = made[name]


def put(part: Part, name: str, wall: datetime, form: TimeForm) -> None:
    """Write a time in the form of the series."""
    part[name] = form.written(wall)


def add_to_list(part: Part, name: str, wall: datetime, form: TimeForm) -> None:
    """Add one time to those of a property such as EXDATE, and leave the others as they are."""
    before = listed(part.get(name))
    put_list(part, name, [wall], form)
    if before:
        part[name] = [*before, part[name]]


def put_list(part: Part, name: str, walls: Iterable[datetime], form: TimeForm) -> None:
    """Write one property with all of the times, such as EXDATE."""
    values = [form.written(wall) for wall in sorted(walls)]
    if not values:
        part.pop(name, None)
        return
    listed = icalendar.vDDDLists([value.dt for value in values])
    if form.tzid:
        listed.params["TZID"] = form.tzid
    if form.all_day:
        listed.params["VALUE"] = "DATE"
    part[name] = listed


def lasting(series: Series, wall: datetime) -> timedelta:
    """Return how long an occurrence lasts: time that passes, or days."""
    when = times(series, wall)
    return when.end - when.start if series.form.all_day else exact(when)


def exact(when: When) -> timedelta:
    """Return how much time passes, whatever the clocks do."""
    if not isinstance(when.start, datetime) or not isinstance(when.end, datetime):
        return when.end - when.start
    return when.end.astimezone(UTC) - when.start.astimezone(UTC)


def put_own_time(part: Part, when: When, form: TimeForm) -> None:
    """Write the time of one occurrence. A time with only an offset is put into the series' zone."""
    zone = form.zone
    if isinstance(when.start, datetime) and isinstance(when.end, datetime) and not form.all_day:
        when = When.model_construct(
            start=when.start.astimezone(zone), end=when.end.astimezone(zone)
        )
    set_time(part, when)


def put_span(part: Part, wall: datetime, lasts: timedelta, form: TimeForm) -> None:
    """Write begin and end in the form of the series; ``lasts`` is time that passes, or days."""
    part.pop("DURATION", None)
    put(part, "DTSTART", wall, form)
    if form.all_day:
        put(part, "DTEND", wall + lasts, form)
        return
    end = form.instant(wall) + lasts
    local = form.wall(end)
    if form.instant(local.replace(fold=0)) == end:
        put(part, "DTEND", local, form)
    else:
        # The second pass of an hour that comes twice has no name but UTC (RFC 5545, 3.3.5).
        replace(part, "DTEND", end)


def add_ends(series: Series) -> None:
    """Give every part an end, as iCloud refuses events without one."""
    parts = [(series.start, series.master)] if series.master is not None else []
    for wall, part in (*parts, *series.overrides.items()):
        if "DTEND" in part or "DURATION" in part:
            continue
        own = times(series, wall)
        part.add("DTEND", own.end.astimezone(UTC) if isinstance(own.end, datetime) else own.end)


def put_title(part: Part, title: str) -> None:
    if len(title) > TITLE_LIMIT:
        raise BadSeries(f"a title has {TITLE_LIMIT} characters at the most")
    replace(part, "SUMMARY", title)


def written(calendar: icalendar.Calendar, first: date) -> bytes:
    """Write the object, in the order in which it came."""
    define_zones(calendar, first)
    ics: bytes = calendar.to_ical(sorted=False)
    return ics


def until_of(wall: datetime, form: TimeForm) -> datetime | date:
    """Return the value of an UNTIL: in UTC, but for days and times without a zone."""
    if form.all_day:
        return wall.date()
    return wall if form.floating else form.instant(wall)
