"""Read one VEVENT of a calendar object as an invitation."""

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from icalendar import vDDDTypes, vText

from assistant.domain.calendar.events import TITLE_LIMIT, When
from assistant.domain.calendar.invitations.invitation import (
    DATES_LIMIT,
    UID_LIMIT,
    CalendarMethod,
    Invitation,
)
from ingest.invitations.lines import CalendarLine, Component
from ingest.invitations.recurrence import ReadRule, read_rule
from ingest.invitations.zones import NamedZones, zone_called
from ingest.text import line

LOCATION = 200
DEFECTS = 10
_ADDRESS = re.compile(r"[^\s@<>\"',;:()\[\]]{1,64}@[^\s@<>\"',;:()\[\]]{1,255}")
_YEARS = range(1970, 2200)
_MOMENT = timedelta(minutes=1)
_DAY = timedelta(days=1)
_MOST = timedelta(days=366)
_MOST_SEQUENCE = 2**31 - 1
_ALL_DAY = ("X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT")
_DATES: Any = vDDDTypes  # icalendar gives it no types
_NO_RULE = ReadRule("", "")
_NAMING = 20
"""The most attendees that are looked at whose lines hold an address of the owner."""
_NUMBER = re.compile(r"[0-9]{1,12}")


class ReadFor(NamedTuple):
    """For whom invitations are read, and the message that they stood in."""

    zone: ZoneInfo
    """The owner's zone, for times without one."""
    addresses: frozenset[str] = frozenset()
    """The owner's addresses in small letters; empty where they are not known."""
    sender: str = ""
    forwarded: bool = False


def invitations_of(calendar: Component, declared: str, reader: ReadFor) -> Iterator[Invitation]:
    """Yield the invitations of a VCALENDAR.

    Args:
        calendar: the object.
        declared: the method that the Content-Type of its part names; may be empty.
        reader: for whom it is read.
    """
    method, said = _method(calendar.value("METHOD"), declared)
    zones = NamedZones(calendar)
    outer = zone_called(calendar.value("X-WR-TIMEZONE"))
    for event in calendar.children:
        if event.name == "VEVENT":
            yield _Event(event, zones, outer, reader, list(said)).read(method)


def _method(written: str, declared: str) -> tuple[CalendarMethod, tuple[str, ...]]:
    inside, outside = (line(each, 20).strip().lower() for each in (written, declared))
    said = inside or outside or CalendarMethod.PUBLISH.value
    try:
        method = CalendarMethod(said)
    except ValueError:
        return CalendarMethod.OTHER, (f"its method is not known: {said}",)
    if inside and outside and inside != outside:
        defect = f"its method is {inside.upper()}, and the mail says {outside.upper()}"
        return method, (defect,)
    return method, ()


class _Event:
    def __init__(
        self,
        event: Component,
        zones: NamedZones,
        outer: ZoneInfo | None,
        reader: ReadFor,
        defects: list[str],
    ) -> None:
        self._event = event
        self._zones = zones
        self._outer = outer
        self._reader = reader
        self._defects = defects
        self._zone = ""
        self._has_table = False
        self._has_whole_days = False

    def read(self, method: CalendarMethod) -> Invitation:
        when = self._when()
        title = self._words("SUMMARY", TITLE_LIMIT)
        organizer = self._organizer()
        attendees = self._event.all("ATTENDEE")
        recurrence_id, following = self._recurrence_id()
        if method is CalendarMethod.ADD and recurrence_id is None and when:
            recurrence_id = _in_utc(when.start)
        rule = self._rule()
        if rule.rrule and self._has_table:
            self._defects.append("its zone is not known, so it may drift when clocks change")
        return Invitation(
            method=method,
            uid=self._uid(title, when, organizer),
            recurrence_id=recurrence_id,
            and_following=following,
            sequence=self._sequence(),
            dtstamp=self._dtstamp(),
            title=title,
            when=when,
            zone=self._zone if when and not when.all_day else "",
            rrule=rule.rrule,
            recurrence=rule.words,
            refused_rule=bool(rule.words) and not rule.rrule,
            left_out=self._dates("EXDATE"),
            added=self._dates("RDATE"),
            location=self._words("LOCATION", LOCATION),
            organizer=organizer,
            attendees=len(attendees),
            mine=self._mine(attendees),
            status=self._words("STATUS", 20).upper(),
            sender=self._reader.sender,
            forwarded=self._reader.forwarded,
            defects=tuple(dict.fromkeys(self._defects))[:DEFECTS],
        )

    # Words and numbers

    def _words(self, name: str, limit: int) -> str:
        return line(str(vText.from_ical(self._event.value(name))), limit)

    def _uid(self, title: str, when: When | None, organizer: str) -> str:
        uid = "".join(self._event.value("UID").split())
        if uid and len(uid) <= UID_LIMIT and uid.isprintable():
            return uid
        self._defects.append("it has no identifier" if not uid else "its identifier is odd")
        said = uid or f"{title}\0{when.start if when else ''}\0{organizer}"
        return "sha256-" + hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()

    def _sequence(self) -> int:
        written = self._event.value("SEQUENCE")
        if not _NUMBER.fullmatch(written):
            if written:
                self._defects.append("its SEQUENCE is no number")
            return 0
        return min(int(written), _MOST_SEQUENCE)

    def _organizer(self) -> str:
        found = self._event.first("ORGANIZER")
        return _address(found) if found else ""

    def _mine(self, attendees: list[CalendarLine]) -> bool | None:
        own = self._reader.addresses
        if not own or not attendees:
            return None
        naming = (line for line in attendees if any(each in line.text.lower() for each in own))
        return any(_address(line) in own for line in islice(naming, _NAMING))

    # Times

    def _when(self) -> When | None:
        start = self._moment("DTSTART", keep=True)
        if start is None:
            return None
        end = self._moment("DTEND") or self._after(start)
        if isinstance(end, datetime) != isinstance(start, datetime):
            self._defects.append("it begins at a time and ends on a day")
            end = self._after(start)
        if isinstance(start, datetime) and isinstance(end, datetime):
            start, end = self._whole_days(start, end)
        least = _MOMENT if isinstance(start, datetime) else _DAY
        if _in_utc(end) < _in_utc(start):
            self._defects.append("it ends before it begins")
        if _in_utc(end) <= _in_utc(start):
            end = start + least
        elif end <= start:  # within one zone Python compares clocks on the wall
            start, end = _in_utc(start), _in_utc(end)
        if end - start > _MOST:
            self._defects.append("it lasts more than a year")
            return None
        return When(start=start, end=end)

    def _after(self, start: date) -> date:
        """Return the end that follows from DURATION, or from neither being there."""
        try:
            length = _DATES.from_ical(self._event.value("DURATION"))
            if isinstance(length, timedelta) and timedelta() <= length <= 2 * _MOST:
                if isinstance(start, datetime):
                    return (start.astimezone(UTC) + length).astimezone(start.tzinfo)
                return start + max(_DAY, length)
        except Exception:  # noqa: BLE001 - it does not document what it raises
            if self._event.first("DURATION"):
                self._defects.append("its DURATION cannot be read")
        if isinstance(start, datetime):
            self._defects.append("it does not say when it ends")
            return start
        return start + _DAY

    def _whole_days(self, start: datetime, end: datetime) -> tuple[date, date]:
        """Return the days of an event that Outlook wrote as lasting from midnight to midnight."""
        marked = any(self._event.value(name).upper() == "TRUE" for name in _ALL_DAY)
        if marked and not any((start.hour, start.minute, end.hour, end.minute)):
            self._has_whole_days = True
            return start.date(), max(end.date(), start.date() + _DAY)
        return start, end

    def _moment(self, name: str, *, keep: bool = False) -> date | None:
        found = self._event.first(name)
        if found is None:
            if keep:
                self._defects.append("it does not say when it begins")
            return None
        moment = self._read(found, *found.read(), keep=keep)
        if moment is None:
            self._defects.append(f"its {name} cannot be read")
        return moment

    def _read(
        self, found: CalendarLine, parameters: dict[str, str], value: str, *, keep: bool = False
    ) -> date | None:
        """Return a moment with its zone, or a day; note the zone if it is to be kept."""
        try:
            moment = _DATES.from_ical(value.strip())
        except Exception:  # noqa: BLE001 - it does not document what it raises
            return None
        if not isinstance(moment, date) or moment.year not in _YEARS:
            return None
        if not isinstance(moment, datetime):
            return moment
        if moment.tzinfo:
            return self._from_utc(moment.astimezone(UTC), keep=keep)
        return self._in_zone(moment, parameters.get("TZID", ""), found.name, keep=keep)

    def _from_utc(self, moment: datetime, *, keep: bool) -> datetime:
        """Return a time in UTC; that of a series in the zone of its calendar, if that names one."""
        in_outer = self._outer and self._outer.key != "UTC" and self._event.first("RRULE")
        if self._outer and in_outer:
            said = f"its times are in UTC, and it was read as repeating in {self._outer.key}"
            self._defects.append(said)
            moment = moment.astimezone(self._outer)
        if keep:
            self._zone = self._outer.key if self._outer and in_outer else "UTC"
        return moment

    def _in_zone(self, local: datetime, tzid: str, name: str, *, keep: bool) -> datetime:
        named = self._zones.find(tzid) if tzid else None
        aware = named.at(local) if named else None
        if named and aware:
            zone = named.zone
            self._has_table |= zone is None
        else:
            zone = self._outer or self._reader.zone
            aware = local.replace(tzinfo=zone)
            if tzid:
                said = f"zone {line(tzid, 60)} is not known; its times were read in {zone.key}"
            else:
                said = f"its times name no zone; they were read in {zone.key}"
            self._defects.append(said)
        passed = aware.astimezone(UTC).astimezone(zone) if zone else aware
        if zone and passed.replace(tzinfo=None) != local:
            said = f"{name} {local:%H:%M} does not exist in {zone.key}, as clocks are put forward"
            self._defects.append(f"{said}; {passed:%H:%M} was taken")
            aware = passed
        elif zone and aware.utcoffset() != aware.replace(fold=1).utcoffset():
            self._defects.append(f"{name} comes twice in {zone.key}; the first was taken")
        if keep:
            self._zone = zone.key if zone else ""
        return aware

    def _dtstamp(self) -> datetime | None:
        found = self._event.first("DTSTAMP")
        if found is None:
            self._defects.append("it does not say when it was sent (DTSTAMP)")
            return None
        before = len(self._defects)
        moment = self._read(found, *found.read())
        del self._defects[before:]
        if isinstance(moment, datetime):
            return moment.astimezone(UTC)
        self._defects.append("its DTSTAMP cannot be read")
        return None

    # Series

    def _occurrence(self, moment: date) -> date:
        """Return the start of an occurrence: a day where the event was read as whole days."""
        if self._has_whole_days and isinstance(moment, datetime) and not moment.hour:
            return moment.date()
        return _in_utc(moment)

    def _recurrence_id(self) -> tuple[date | None, bool]:
        found = self._event.first("RECURRENCE-ID")
        if found is None:
            return None, False
        parameters, value = found.read()
        moment = self._read(found, parameters, value)
        if moment is None:
            self._defects.append("it does not say which occurrence it is about")
            return None, False
        return self._occurrence(moment), parameters.get("RANGE", "").upper() == "THISANDFUTURE"

    def _rule(self) -> ReadRule:
        rules = self._event.all("RRULE")
        if not rules:
            return _NO_RULE
        rule = read_rule(rules[0].read()[1].strip())
        if len(rules) > 1 or self._event.first("EXRULE"):
            rule = ReadRule("", rule.words, "it has more than one rule of recurrence")
        if rule.defect:
            self._defects.append(rule.defect)
        return rule

    def _dates(self, name: str) -> tuple[date, ...]:
        written = (
            (each, parameters, value)
            for each in self._event.all(name)[:DATES_LIMIT]
            for parameters, values in (each.read(),)
            for value in values.split(",")
        )
        found: list[date] = []
        for each, parameters, value in islice(written, DATES_LIMIT):
            moment = self._read(each, parameters, value.partition("/")[0])
            if moment is None:
                self._defects.append(f"a date in its {name} cannot be read")
            else:
                found.append(self._occurrence(moment))
        if next(written, None):
            self._defects.append(f"only {DATES_LIMIT} dates of its {name} were read")
        return tuple(found)


def _in_utc(moment: date) -> date:
    return moment.astimezone(UTC) if isinstance(moment, datetime) else moment


def _address(found: CalendarLine) -> str:
    """Return the address in small letters; empty where it is none."""
    parameters, value = found.read()
    for written in (value, parameters.get("EMAIL", "")):
        plain = written.strip().strip("<>").lower().removeprefix("mailto:").strip().strip("<>")
        if _ADDRESS.fullmatch(plain):
            return plain
    return ""
