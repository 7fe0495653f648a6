"""Turn the bytes of iCalendar objects into events, and new events into such bytes."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.alerts import alerts_of
from assistant.adapters.calendar.icalendar_objects import (
    master,
    new_object,
    parts_of,
    repeats,
    span_of,
    title_of,
    when_of,
)
from assistant.adapters.calendar.series.affected import recurrence_of
from assistant.adapters.calendar.series.creating import new_series
from assistant.adapters.calendar.series.expanding import expand, found
from assistant.adapters.calendar.series.reading import read
from assistant.adapters.calendar.series.zones import Zones
from assistant.domain.calendar.events import Event
from assistant.domain.calendar.series import BadSeries, NoSuchOccurrence, Occurrence


def event_of(ics: bytes, etag: str, occurrence: date | None, *, zone: ZoneInfo) -> Event:
    """Return the event of an object, or one of its occurrences.

    Args:
        ics: the object.
        etag: its version.
        occurrence: the ``recurrence_id``; None: the event as a whole.
        zone: the owner's, for whole days and times without a zone.

    Raises:
        NoSuchOccurrence: there is no such occurrence.
        BadSeries: its occurrences cannot be read.
        UNREADABLE: it cannot be read at all.
    """
    calendar = icalendar.Calendar.from_ical(ics)
    parts = parts_of(calendar)
    if occurrence is None:
        whole = _event(master(parts), etag, Zones(calendar), zone)
        return _as_series(whole, ics, zone) if repeats(parts) else whole
    if not repeats(parts):
        raise NoSuchOccurrence(str(occurrence))
    return _occurring(found(read(ics, zone), occurrence), etag)


def events_in(
    ics: bytes, etag: str, start: datetime, end: datetime, *, zone: ZoneInfo
) -> list[Event]:
    """Return an object's events in the range.

    Raises:
        BadSeries, UNREADABLE: it cannot be read.
    """
    calendar = icalendar.Calendar.from_ical(ics)
    parts = parts_of(calendar)
    if repeats(parts):
        return [_occurring(each, etag) for each in expand(ics, start, end, zone=zone).events]
    zones = Zones(calendar)
    events = [
        _event(part, etag, zones, zone)
        for part in parts
        if str(part.get("STATUS", "")).upper() != "CANCELLED"
    ]
    spans = [(event, *span_of(event.when, zone)) for event in events]
    return [event for event, begins, ends in spans if begins < end and ends > start]


def created(event: Event, *, zone: ZoneInfo) -> bytes:
    """Write a new event, or a new series.

    Args:
        event: the event.
        zone: whose clock a series follows if its times name no zone.

    Raises:
        BadRecurrence: the repetition does not fit the first day.
    """
    if event.recurrence is None:
        return new_object(event).encode()
    own = getattr(event.when.start, "tzinfo", None)
    ics = new_series(
        event.uid,
        event.title,
        event.when,
        event.recurrence,
        stamp=datetime.now(UTC),
        zone=own if isinstance(own, ZoneInfo) else zone,
        alerts=event.alerts,
    ).ics
    if ics is None:
        raise AssertionError
    return ics


def _event(part: icalendar.Event, etag: str, zones: Zones, zone: ZoneInfo) -> Event:
    return Event(
        uid=str(part["UID"]),
        title=title_of(part),
        when=when_of(part, zones, zone),
        etag=etag,
        alerts=alerts_of(part),
    )


def _as_series(event: Event, ics: bytes, zone: ZoneInfo) -> Event:
    try:
        recurrence = recurrence_of(read(ics, zone))
    except BadSeries:
        recurrence = None
    return event.model_copy(update={"recurring": True, "recurrence": recurrence})


def _occurring(one: Occurrence, etag: str) -> Event:
    return Event(
        uid=one.uid,
        title=one.title,
        when=one.when,
        etag=etag,
        recurring=True,
        recurrence_id=one.recurrence_id,
        alerts=one.alerts,
    )
