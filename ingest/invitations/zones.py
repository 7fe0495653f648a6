"""Find the zone that a calendar object means: by name, as Windows calls it, or by its own table."""

import re
from datetime import date, datetime, timedelta, timezone
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from ingest.invitations.lines import Component
from ingest.text import line

_NAME = re.compile(r"[A-Za-z0-9_+-]{1,30}(?:/[A-Za-z0-9_+-]{1,30}){0,2}")
_OFFSET = re.compile(r"\(?(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})\)?")
_UTC = frozenset({"UTC", "Z", "GMT", "ETC/UTC", "ETC/GMT", "(UTC) COORDINATED UNIVERSAL TIME"})
_CITIES = {zone.rpartition("/")[2].replace("_", " "): zone for zone in WINDOWS_TO_OLSON.values()}
_DISPLAY = re.compile(r"\((?:UTC|GMT)[+-]?[\d:]{0,6}\) (.{1,100})")
_RULES = 50
_MOST_WEEKS = 5
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_NTH = re.compile(r"([+-]?\d)?(MO|TU|WE|TH|FR|SA|SU)")
_DAY = timedelta(days=1)


class FoundZone(NamedTuple):
    zone: ZoneInfo | None
    """The zone in the data base of zones."""
    table: tuple["_Observance", ...] = ()
    """What the object says of a zone that is in no data base."""

    def at(self, local: datetime) -> datetime | None:
        """Return a local time with its zone, or with the offset that it has at that time."""
        if self.zone:
            return local.replace(tzinfo=self.zone)
        offset = _offset(self.table, local)
        return None if offset is None else local.replace(tzinfo=timezone(offset))


class _Observance(NamedTuple):
    start: datetime
    offset: timedelta
    month: int
    """The month of each year in which it begins; 0 where it begins once."""
    nth: int
    weekday: int


class NamedZones:
    """The zones of one calendar object."""

    def __init__(self, calendar: Component) -> None:
        self._defined = {
            each.value("TZID"): each for each in calendar.children if each.name == "VTIMEZONE"
        }
        self._found: dict[str, FoundZone | None] = {}

    def find(self, name: str) -> FoundZone | None:
        """Return the zone of a TZID; None where nobody can tell."""
        if name not in self._found:
            if len(self._found) > _RULES:
                return None
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> FoundZone | None:
        zone = zone_called(name)
        if zone:
            return FoundZone(zone)
        defined = self._defined.get(name)
        if defined is None and len(self._defined) == 1:
            (only,) = self._defined.values()
            defined = only if not name else None
        if defined is None:
            return None
        zone = zone_called(defined.value("X-LIC-LOCATION"))
        if zone:
            return FoundZone(zone)
        table = tuple(
            found for each in defined.children[:_RULES] if (found := _observance(each)) is not None
        )
        return FoundZone(None, table) if table else None


def zone_called(name: str) -> ZoneInfo | None:
    """Return the zone of an IANA name, one of Windows, or one with a prefix; else None."""
    name = line(name.strip().strip('"'), 200)
    if name.upper() in _UTC:
        return ZoneInfo("UTC")
    found = _in_database(WINDOWS_TO_OLSON.get(name, name))
    if found:
        return found
    if name.startswith(("/", "tzone://")):  # /mozilla.org/20050126_1/Europe/Berlin
        parts = [part for part in name.split("/") if part]
        for count in (3, 2):
            if len(parts) > count and (found := _in_database("/".join(parts[-count:]))):
                return found
    if shown := _DISPLAY.fullmatch(name):  # (UTC+01:00) Amsterdam, Berlin, Bern, Rome
        for city in shown[1].split(","):
            if zone := _CITIES.get(city.strip()):
                return _in_database(zone)
    return None


def _in_database(name: str) -> ZoneInfo | None:
    if not _NAME.fullmatch(name) or "/" not in name:
        return None  # EST and CET are names of fixed rules, and mean something else to people
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _observance(component: Component) -> _Observance | None:
    """Read when one part of a zone's own table begins, and its offset."""
    offset = _OFFSET.match(component.value("TZOFFSETTO"))
    try:
        start = datetime.strptime(component.value("DTSTART")[:15], "%Y%m%dT%H%M%S")  # noqa: DTZ007
    except ValueError:
        return None
    if not offset:
        return None
    size = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
    if size >= _DAY:
        return None
    rule = dict(
        part.split("=", 1) for part in component.value("RRULE").upper().split(";") if "=" in part
    )
    day = _NTH.fullmatch(rule.get("BYDAY", ""))
    month = rule.get("BYMONTH", "")
    is_yearly = rule.get("FREQ") == "YEARLY" and day and month in map(str, range(1, 13))
    return _Observance(
        start=start,
        offset=size if offset[1] == "+" else -size,
        month=int(month) if is_yearly else 0,
        nth=int(day[1] or 1) if day else 1,
        weekday=_DAYS.index(day[2]) if day else 0,
    )


def _offset(table: tuple[_Observance, ...], local: datetime) -> timedelta | None:
    begun = [
        (begin, each.offset)
        for each in table
        for begin in _begins(each, local.year)
        if begin <= local
    ]
    if begun:
        return max(begun)[1]
    return min(table)[1] if table else None


def _begins(each: _Observance, year: int) -> list[datetime]:
    """Return when it began last, and in this year."""
    if not each.month:
        return [each.start]
    days = (_nth_day(each, number) for number in (year - 1, year) if number >= each.start.year)
    return [datetime.combine(day, each.start.time()) for day in days if day]


def _nth_day(each: _Observance, year: int) -> date | None:
    if not 1 <= year <= 9998 or not 1 <= abs(each.nth) <= _MOST_WEEKS:  # noqa: PLR2004
        return None
    if each.nth > 0:
        first = date(year, each.month, 1)
        ahead = (each.weekday - first.weekday()) % 7 + 7 * (each.nth - 1)
        found = first + timedelta(days=ahead)
    else:
        following = date(year + each.month // 12, each.month % 12 + 1, 1) - _DAY
        back = (following.weekday() - each.weekday) % 7 + 7 * (-each.nth - 1)
        found = following - timedelta(days=back)
    return found if found.month == each.month else None
