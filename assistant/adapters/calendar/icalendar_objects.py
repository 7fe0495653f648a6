"""Read and write iCalendar objects (RFC 5545), which CalDAV servers keep, through icalendar.

An object that icalendar cannot read raises one of ``UNREADABLE``.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.alerts import add_alerts
from assistant.adapters.calendar.series.zones import Zones
from assistant.domain.calendar.events import TITLE_LIMIT, Event, When
from assistant.domain.calendar.series import BadSeries
from assistant.domain.errors import BadArguments

# A server reads dates and floating times as UTC (RFC 4791, 9.9), and zones are within 14 hours of
# it: ask for one day more on either side, and cut here.
MARGIN = timedelta(days=1)
UNREADABLE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    OSError,  # a TZID that names a directory of the zones, such as Europe, or is too long
    RecursionError,
)
_OTHER_KINDS = frozenset({"VTODO", "VJOURNAL", "VFREEBUSY"})
_PRODID = "-//assistant//calendar//EN"
_MOMENT = timedelta(minutes=1)


def span_of(when: When, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return begin and end as moments in UTC; days are in the owner's zone."""
    return instant(when.start, zone), instant(when.end, zone)


def instant(moment: date, zone: ZoneInfo) -> datetime:
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time.min)
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def parsed(item: Any) -> icalendar.Calendar:
    """Parse the object as the server sent it, before caldav changes it."""
    raw = item.raw_data or b""
    # Of a text, icalendar takes one line for the name of a file, and reads that.
    return icalendar.Calendar.from_ical(raw if isinstance(raw, bytes) else raw.encode())


def parts_of(calendar: icalendar.Calendar) -> list[icalendar.Event]:
    return [part for part in calendar.walk("VEVENT") if isinstance(part, icalendar.Event)]


def master(parts: Sequence[icalendar.Event]) -> icalendar.Event:
    """Return the main part of an object: the series itself, not a changed occurrence."""
    return min(parts, key=lambda part: "RECURRENCE-ID" in part)


def repeats(parts: Sequence[icalendar.Event]) -> bool:
    return any({"RRULE", "RDATE", "RECURRENCE-ID"}.intersection(part) for part in parts)


def title_of(part: icalendar.Event) -> str:
    text = part.get("SUMMARY", "")
    title = str(text[0] if isinstance(text, list) else text)
    return title if len(title) <= TITLE_LIMIT else f"{title[: TITLE_LIMIT - 1]}…"


def when_of(part: icalendar.Event, zones: Zones, zone: ZoneInfo) -> When:
    """Return an event's time. Without an end, a date lasts its day and a time an instant.

    By RFC 5545, 3.6.1. An instant becomes one minute. A time without a zone, or in one that nobody
    defines, is in the owner's zone.
    """
    start = _moment(part["DTSTART"], zones, zone)
    if "DTEND" in part:
        end = _moment(part["DTEND"], zones, zone)
    else:
        duration: Any = part.get("DURATION")
        end = _after(start, duration.dt if duration is not None else timedelta())
    if not isinstance(start, datetime):
        return When(start=start, end=max(end, start + timedelta(days=1)))
    if not isinstance(end, datetime):
        raise TypeError("it begins at a time and ends on a day")
    if start.astimezone(UTC) == end.astimezone(UTC):
        end = start + _MOMENT
    if end <= start:
        # Within one zone Python compares clocks on the wall, which run twice through one hour.
        start, end = start.astimezone(UTC), end.astimezone(UTC)
    return When(start=start, end=end)


def _moment(prop: Any, zones: Zones, zone: ZoneInfo) -> date:
    """Return the day or moment of a property, whatever zone icalendar has given it."""
    value: date = prop.dt
    tzid = str(prop.params.get("TZID", ""))
    if not isinstance(value, datetime) or (value.tzinfo and not tzid):
        return value
    try:
        place = zones.named(tzid) if tzid else zone
    except BadSeries:
        place = zone
    local = value.replace(tzinfo=place)
    # A zone of the object's own is left behind, as nobody else knows it.
    return local if isinstance(place, ZoneInfo) else local.astimezone(UTC)


def _after(start: date, lasts: timedelta) -> date:
    """Return the end by a DURATION: days of the calendar, and then time that passes."""
    days = timedelta(days=lasts.days)
    if not isinstance(start, datetime):
        return start + days
    return ((start + days).astimezone(UTC) + (lasts - days)).astimezone(start.tzinfo)


def new_object(event: Event) -> str:
    calendar = icalendar.Calendar()
    calendar.add("PRODID", _PRODID)
    calendar.add("VERSION", "2.0")
    part = icalendar.Event()
    part.add("UID", event.uid)
    part.add("DTSTAMP", datetime.now(UTC))
    part.add("SUMMARY", event.title)
    set_time(part, event.when)
    add_alerts(part, event.alerts)
    calendar.add_component(part)
    define_zones(calendar, event.when)
    return written(calendar)


def rewritten(calendar: icalendar.Calendar, event: Event, zone: ZoneInfo) -> str:
    """Write the object with the title and time of ``event``, and everything else unchanged.

    Raises:
        BadArguments: the object is a series, or has parts that cannot be written again.
    """
    parts = parts_of(calendar)
    if repeats(parts) or len(parts) != 1:
        raise BadArguments("it is a series: say which of its occurrences")
    part = parts[0]
    if any(name is None for each in calendar.walk() for name, _ in each.errors):
        # icalendar does not write a line back that it cannot parse.
        raise BadArguments("it has parts that a change would lose")
    if event.title != title_of(part):
        replace(part, "SUMMARY", event.title)
    if not _same_time(event.when, when_of(part, Zones(calendar), zone), zone):
        set_time(part, event.when)
        define_zones(calendar, event.when)
    stamp(part)
    return written(calendar)


def _same_time(one: When, other: When, zone: ZoneInfo) -> bool:
    return one.all_day == other.all_day and span_of(one, zone) == span_of(other, zone)


def restorable(ics: bytes, uid: str) -> icalendar.Calendar:
    """Parse an object that a calendar may store under this UID (RFC 4791, 4.1).

    Raises:
        BadArguments: the bytes are no such object.
    """
    try:
        ics.decode()
        calendar = icalendar.Calendar.from_ical(ics)
        kinds = {str(part.name) for part in calendar.subcomponents}
    except UNREADABLE as problem:
        raise BadArguments("it is no iCalendar object") from problem
    if any("METHOD" in part for part in calendar.walk()):
        raise BadArguments("it is a message about an event (METHOD), and not the event")
    events = [part for part in calendar.subcomponents if part.name == "VEVENT"]
    if calendar.name != "VCALENDAR" or not events or _OTHER_KINDS & kinds:
        raise BadArguments("it is no event")
    if any(str(event.get("UID", "")) != uid for event in events):
        raise BadArguments(f"it is another event than {uid}")
    return calendar


def has_people(calendar: icalendar.Calendar) -> bool:
    """Return whether others take part, so that a server might mail them (RFC 6638, 3.1)."""
    return any("ORGANIZER" in part or "ATTENDEE" in part for part in parts_of(calendar))


def with_line_ends(data: bytes) -> bytes:
    """Restore CRLF line ends (RFC 5545, 3.1), which an XML parser turns into LF (XML 1.0, 2.11)."""
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def define_zones(calendar: icalendar.Calendar, when: When) -> None:
    """Write a VTIMEZONE for each zone of the times, correct for their years.

    Covers only a short span: Radicale keeps one RDATE of a list, and icalendar lists every change.
    Replaces an earlier definition, which may be as short and for other years.
    """
    named = {getattr(moment.tzinfo, "key", "") for moment in _times(when)}
    calendar.subcomponents = [
        part
        for part in calendar.subcomponents
        if not (part.name == "VTIMEZONE" and str(part.get("TZID")) in named)
    ]
    calendar.add_missing_timezones(date(when.start.year, 1, 1), date(when.end.year + 1, 1, 1))


def _times(when: When) -> list[datetime]:
    return [moment for moment in (when.start, when.end) if isinstance(moment, datetime)]


def written(calendar: icalendar.Calendar) -> str:
    return str(calendar.to_ical(), "utf-8")


def set_time(part: icalendar.Event, when: When) -> None:
    """Set begin and end, as iCloud refuses an event without an end."""
    part.pop("DURATION", None)
    in_zone = when.all_day or (_survives(when.start) and _survives(when.end))
    for name, moment in (("DTSTART", when.start), ("DTEND", when.end)):
        plain = moment.astimezone(UTC) if not in_zone and isinstance(moment, datetime) else moment
        replace(part, name, plain)


def _survives(moment: date) -> bool:
    """Return whether a local time with its IANA zone names this moment.

    A local time that comes twice always means the first (RFC 5545, 3.3.5). So the second must be
    written in UTC, and so must a time with only an offset.
    """
    if not isinstance(moment, datetime) or getattr(moment.tzinfo, "key", None) in (None, "UTC"):
        return False
    return moment.astimezone(UTC) == moment.replace(fold=0).astimezone(UTC)


def stamp(part: icalendar.Event) -> None:
    now = datetime.now(UTC)
    replace(part, "SEQUENCE", int(part.get("SEQUENCE", 0)) + 1)
    replace(part, "LAST-MODIFIED", now)
    replace(part, "DTSTAMP", now)


def replace(part: icalendar.Event, name: str, value: object) -> None:
    part.pop(name, None)
    part.add(name, value)
