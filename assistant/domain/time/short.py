"""Write times short, for a card: no year that is plain, no zone that is the owner's own."""

from datetime import date, datetime, timedelta

from assistant.domain.calendar.events import When
from assistant.domain.time.moments import clock, say_moment, say_when, zone_of

_CLOSE = timedelta(days=180)
"""Within it, a day needs no year."""
_WEEK = timedelta(days=6)
"""Within it, the day of the week is enough."""


def short_when(when: When, zone: str, *, now: datetime) -> str:
    """Write ``Mon 30 Nov, 10:00–10:30``; for whole days, ``Mon 30 Nov, all day``."""
    if isinstance(when.start, datetime) and isinstance(when.end, datetime):
        try:
            start, end = (moment.astimezone(zone_of(zone)) for moment in (when.start, when.end))
        except OverflowError:  # either end of the calendar
            return say_when(when, zone)
        if start.date() == end.date():
            return f"{short_day(start, now)}, {clock(start)}–{clock(end)}"
        return f"{short_day(start, now)}, {clock(start)} – {short_day(end, now)}, {clock(end)}"
    last = when.end - timedelta(days=1)
    if last <= when.start:
        return f"{short_day(when.start, now)}, all day"
    return f"{short_day(when.start, now)} – {short_day(last, now)}, all day"


def short_start(when: When, zone: str, *, now: datetime) -> str:
    """Write ``Mon 30 Nov 10:00``, for an event whose length is plain."""
    if not isinstance(when.start, datetime):
        return short_when(when, zone, now=now)
    return short_moment(when.start, zone, now=now)


def short_moment(moment: datetime, zone: str, *, now: datetime) -> str:
    """Write ``Mon 30 Nov 10:00``."""
    try:
        local = moment.astimezone(zone_of(zone))
    except OverflowError:
        return say_moment(moment, zone)
    return f"{short_day(local, now)} {clock(local)}"


def soon(moment: datetime, zone: str, *, now: datetime) -> str:
    """Write ``14:02`` of this day, ``Thu 09:00`` of the days around it, else ``Mon 30 Nov 10:00``.

    Takes a moment that is known to be near, such as until when a card waits.
    """
    there = zone_of(zone)
    try:
        local, today = moment.astimezone(there), now.astimezone(there)
    except OverflowError:
        return say_moment(moment, zone)
    if local.date() == today.date():
        return clock(local)
    if abs(local.date() - today.date()) <= _WEEK:
        return f"{local:%a} {clock(local)}"
    return short_moment(moment, zone, now=now)


def short_day(day: date, now: datetime) -> str:
    """Write ``Mon 30 Nov``, with the year where that is another one and not close."""
    said = f"{day:%a} {day.day} {day:%b}"
    plain = date(day.year, day.month, day.day)
    near = abs(plain - now.date()) <= _CLOSE
    return said if near else f"{said} {day.year:04}"
