"""Turn the bytes of iCalendar objects into events, and new events into such bytes."""

import logging
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.alerts import alerts_of
from assistant.adapters.calendar.expansion import Expand
from assistant.adapters.calendar.first_time import outline
from assistant.adapters.calendar.icalendar_objects import (
    UNREADABLE,
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
from assistant.adapters.calendar.series.expanding import found
from assistant.adapters.calendar.series.reading import read
from assistant.adapters.calendar.series.zones import Zones
from assistant.domain.calendar.events import MORE_FOLLOW, Event
from assistant.domain.calendar.series import BadSeries, Expanded, NoSuchOccurrence, Occurrence

_log = logging.getLogger(__name__)

_ZONES = re.compile(rb"^BEGIN:VTIMEZONE.*?^END:VTIMEZONE", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_REPEATS = re.compile(rb"^(RRULE|RDATE|RECURRENCE-ID)[:;]", re.MULTILINE | re.IGNORECASE)


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


class StoredObject(NamedTuple):
    """An iCalendar object, its version, and the name by which a log knows it."""

    ics: bytes
    etag: str
    name: str = ""


def events_in(
    objects: Iterable[StoredObject],
    start: datetime,
    end: datetime,
    *,
    zone: ZoneInfo,
    expand: Expand,
) -> list[Event]:
    """Return the events in the range. An object of which nothing can be read is logged.

    ``expand`` is given all series at once. One that it cannot expand becomes an event with a
    ``defect``, at its first time.
    """
    found: list[Event] = []
    series: list[StoredObject] = []
    for one in objects:
        try:
            if _REPEATS.search(_ZONES.sub(b"", one.ics)):
                series.append(one)
                continue
            calendar = icalendar.Calendar.from_ical(one.ics)
            if repeats(parts_of(calendar)):
                series.append(one)
                continue
            found += _single(calendar, one.etag, zone)
        except UNREADABLE as problem:
            _skipped(one, problem)
    if series:
        expanded = expand([one.ics for one in series], start, end, zone=zone)
        for one, each in zip(series, expanded, strict=True):
            found += _expanded(one, each, zone)
    spans = [(event, *span_of(event.when, zone)) for event in found]
    return [
        event for event, begins, ends in spans if begins < end and (ends > start or event.defect)
    ]


def _single(calendar: icalendar.Calendar, etag: str, zone: ZoneInfo) -> list[Event]:
    zones = Zones(calendar)
    return [
        _event(part, etag, zones, zone)
        for part in parts_of(calendar)
        if str(part.get("STATUS", "")).upper() != "CANCELLED"
    ]


def _expanded(one: StoredObject, expanded: Expanded, zone: ZoneInfo) -> list[Event]:
    found = [_occurring(each, one.etag) for each in expanded.events]
    if expanded.truncated and found:
        found[-1] = found[-1].model_copy(update={"defect": MORE_FOLLOW})
    if not expanded.unread:
        return found
    _log.warning("could not expand a series: %s: %s", one.name, expanded.unread)
    try:
        first = first_of(one.ics, zone)
    except UNREADABLE as problem:
        _skipped(one, problem)
        return []
    return [first.model_copy(update={"etag": one.etag, "defect": expanded.unread})]


def first_of(ics: bytes, zone: ZoneInfo) -> Event:
    part: Any = icalendar.Event.from_ical(outline(ics))
    whole = _event(part, "", Zones(icalendar.Calendar()), zone)
    return whole.model_copy(update={"recurring": True})


def _skipped(one: StoredObject, problem: Exception) -> None:
    _log.warning("skipped a calendar object that cannot be read: %s: %s", one.name, problem)


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
        recurring=one.recurrence_id is not None,
        recurrence_id=one.recurrence_id,
        alerts=one.alerts,
    )
