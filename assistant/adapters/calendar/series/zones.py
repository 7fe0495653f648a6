"""Find the time zone that a TZID names, and define the zones that an object names.

Does not trust icalendar's own answer: it keeps the zones that one object defines for all later
objects of the process, so a stranger's definition would move other people's events.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from assistant.domain.calendar.series import BadSeries

_MOST_CHANGES = 300
_LONGEST_NAME = 8
_YEARS_CHECKED = 30
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class Zones:
    """The zones that one object names. Remembers what it found, for this object alone."""

    def __init__(self, calendar: Any) -> None:
        self._calendar = calendar
        self._found: dict[str, tzinfo] = {}

    def named(self, tzid: str) -> tzinfo:
        """Return the zone: by its IANA name, its Windows name, or the object's own definition.

        Raises:
            BadSeries: nobody defines it, or its definition cannot be read.
        """
        if tzid not in self._found:
            self._found[tzid] = _known(tzid) or self._own(tzid)
        return self._found[tzid]

    def _own(self, tzid: str) -> tzinfo:
        for definition in self._calendar.walk("VTIMEZONE"):
            if str(definition.get("TZID")) == tzid:
                return _defined(definition)
        raise BadSeries(f"its time zone {tzid[:60]!r} is not known")


def _known(tzid: str) -> ZoneInfo | None:
    name = tzid.strip("/")
    parts = WINDOWS_TO_OLSON.get(name, name).split("/")
    # "/vendor/Europe/Berlin" is how some programs write it.
    for place in range(min(len(parts), _LONGEST_NAME) if tzid.startswith("/") else 1):
        found = _iana("/".join(parts[place:]))
        if found:
            return found
    return None


def _iana(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def define_zones(calendar: Any, first: date) -> None:
    """Add a VTIMEZONE for each IANA zone that is named and not defined.

    Defines it from the year of ``first`` on, without an end where its rule has none.
    """
    known = {str(each.get("TZID")) for each in calendar.walk("VTIMEZONE")}
    for tzid in sorted(_named(calendar) - known):
        if _iana(tzid):
            calendar.subcomponents.insert(0, _definition(tzid, first.year))


def _named(calendar: Any) -> set[str]:
    found = set()
    for part in calendar.walk("VEVENT"):
        for value in part.values():
            for each in value if isinstance(value, list) else [value]:
                found.add(str(getattr(each, "params", {}).get("TZID", "")))
    return found


def _defined(definition: Any) -> tzinfo:
    changes = [part for part in definition.subcomponents if part.name in ("STANDARD", "DAYLIGHT")]
    if not changes or len(changes) > _MOST_CHANGES:
        raise BadSeries("the definition of its time zone cannot be read")
    for part in changes:
        rules = part.get("RRULE", [])
        for rule in rules if isinstance(rules, list) else [rules]:
            yearly = [str(each).upper() for each in rule.get("FREQ", [])] == ["YEARLY"]
            often = {"BYHOUR", "BYMINUTE", "BYSECOND", "BYYEARDAY", "BYWEEKNO"} & set(rule)
            if not yearly or often or rule.get("INTERVAL", [1]) != [1]:
                raise BadSeries("its time zone changes more often than a zone does")
    try:
        zone: tzinfo = definition.to_tz(lookup_tzid=False)
        datetime(2026, 1, 1, tzinfo=zone).utcoffset()
    except Exception as problem:  # whatever a stranger's definition makes dateutil raise
        raise BadSeries("the definition of its time zone cannot be read") from problem
    return zone


class _Change(NamedTuple):
    wall: datetime  # on the clock that ends here
    before: timedelta
    after: timedelta
    name: str
    daylight: bool


def _definition(tzid: str, year: int) -> Any:
    """Write the rules of the year before, if they hold for years; else every change."""
    zone = ZoneInfo(tzid)
    # From the year before, so that the first event of the year has an offset too.
    years = [_changes(zone, each) for each in range(year - 1, year + _YEARS_CHECKED)]
    rules = [_rule(each) for each in zip(*years, strict=False)]
    part = icalendar.Timezone()
    part.add("TZID", tzid)
    if not any(years):
        start = datetime(year - 1, 1, 1, tzinfo=zone)
        offset = start.utcoffset() or timedelta()
        name = start.tzname() or tzid
        part.add_component(
            _component(_Change(start.replace(tzinfo=None), offset, offset, name, daylight=False))
        )
    elif len({len(each) for each in years}) == 1 and all(rules):
        for change, rule in zip(years[0], rules, strict=True):
            part.add_component(_component(change, rule))
    else:
        for change in (each for changes in years for each in changes):
            part.add_component(_component(change))
    return part


def _changes(zone: ZoneInfo, year: int) -> list[_Change]:
    moment, found = datetime(year, 1, 1, tzinfo=UTC), []
    while moment.year == year:
        later = moment + timedelta(days=1)
        if _offset(moment, zone) != _offset(later, zone):
            found.append(_change(zone, moment, later))
        moment = later
    return found


def _change(zone: ZoneInfo, low: datetime, high: datetime) -> _Change:
    before = _offset(low, zone)
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low).total_seconds() // 2)
        low, high = (middle, high) if _offset(middle, zone) == before else (low, middle)
    local = high.astimezone(zone)
    wall = (high + before).replace(tzinfo=None)
    return _Change(wall, before, _offset(high, zone), local.tzname() or "", bool(local.dst()))


def _offset(moment: datetime, zone: ZoneInfo) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()


def _rule(changes: Sequence[_Change]) -> dict[str, object]:
    """Return the rule that these changes of successive years follow; empty if none."""
    walls = [each.wall for each in changes]
    same = {(each.month, each.weekday(), each.time()) for each in walls}
    if len(same) > 1 or len({change[1:] for change in changes}) > 1:
        return {}
    month, weekday = walls[0].month, _DAYS[walls[0].weekday()]
    nth = {(each.day + 6) // 7 for each in walls}
    if len(nth) == 1:
        return {"FREQ": "YEARLY", "BYMONTH": month, "BYDAY": f"{nth.pop()}{weekday}"}
    if all((each + timedelta(days=7)).month != month for each in walls):
        return {"FREQ": "YEARLY", "BYMONTH": month, "BYDAY": f"-1{weekday}"}
    return {}


def _component(change: _Change, rule: dict[str, object] | None = None) -> Any:
    part = icalendar.TimezoneDaylight() if change.daylight else icalendar.TimezoneStandard()
    part.add("DTSTART", change.wall)
    if rule:
        part.add("RRULE", rule)
    part.add("TZOFFSETFROM", change.before)
    part.add("TZOFFSETTO", change.after)
    part.add("TZNAME", change.name)
    return part
