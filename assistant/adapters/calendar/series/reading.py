"""Read an iCalendar object as one series: its master, its rules, its changed occurrences."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from heapq import merge
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.icalendar_objects import UNREADABLE, parts_of
from assistant.adapters.calendar.series.rules import DayRule, checked
from assistant.adapters.calendar.series.zones import Zones
from assistant.domain.calendar.series import BadSeries, FloatingTime, NoSuchOccurrence

LARGEST = 1_000_000
STEPS = 100_000
"""How many occurrences one question may walk over, most of them in a few microseconds."""
FIRST, LAST = datetime(1600, 1, 1), datetime(2199, 12, 31)  # noqa: DTZ001 (wall times)
_MATTER = frozenset(
    ("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "UID")
)


Part = Any
"""A VEVENT. By icalendar's own types each property may be of any kind."""


@dataclass(frozen=True, slots=True)
class TimeForm:
    """How the times of a series are written: as days, in UTC, in a zone or in none (floating)."""

    all_day: bool
    zone: tzinfo
    tzid: str = ""
    floating: bool = False

    def moment(self, wall: datetime) -> datetime | date:
        """Return the day or moment. A time in a gap of the clock counts as in RFC 5545, 3.3.5.

        It is returned as the clock shows it then: 02:30 is 03:30 where there is no 02:30.
        """
        if self.all_day:
            return wall.date()
        moment = wall.replace(tzinfo=self.zone).astimezone(UTC)
        # A zone of the object's own is left behind, as nobody else knows it.
        return moment.astimezone(self.zone) if isinstance(self.zone, ZoneInfo) else moment

    def instant(self, wall: datetime) -> datetime:
        return wall.replace(tzinfo=self.zone).astimezone(UTC)

    def local(self, wall: datetime) -> date:
        """Return a day, a time without a zone, or a time in the series' own zone."""
        if self.all_day:
            return wall.date()
        return wall if self.floating else wall.replace(tzinfo=self.zone)

    def wall(self, moment: date) -> datetime:
        """Return the wall time of a day, or of a moment with its zone."""
        if not isinstance(moment, datetime):
            return datetime.combine(moment, time.min)
        if self.all_day:
            return datetime.combine(moment.date(), time.min)
        local = moment.astimezone(self.zone) if moment.tzinfo else moment
        return local.replace(tzinfo=None)

    def written(self, wall: datetime) -> icalendar.vDDDTypes:
        """Return the value of a property such as DTSTART."""
        if self.all_day:
            return icalendar.vDDDTypes(wall.date())
        if not self.tzid and not self.floating:
            return icalendar.vDDDTypes(wall.replace(tzinfo=UTC))
        value = icalendar.vDDDTypes(wall.replace(fold=0))
        if self.tzid:
            value.params["TZID"] = self.tzid
        return value


@dataclass(frozen=True, slots=True)
class Series:
    """One object. ``master`` is None where it has only some occurrences of a series."""

    calendar: icalendar.Calendar
    zones: Zones
    uid: str
    form: TimeForm
    master: Part | None
    start: datetime
    rules: tuple[DayRule, ...]
    added: dict[datetime, timedelta | None]
    """RDATEs, with a duration of their own or without."""
    removed: frozenset[datetime]
    removed_days: frozenset[date]
    overrides: dict[datetime, Part]
    defects: tuple[str, ...]

    @property
    def repeats(self) -> bool:
        return bool(self.rules or self.added or self.overrides)

    @property
    def endless(self) -> bool:
        return any(rule.count is None and rule.until is None for rule in self.rules)

    def excluded(self, wall: datetime) -> bool:
        return wall in self.removed or wall.date() in self.removed_days

    def walls(self, after: datetime | None = None, before: datetime = LAST) -> Iterator[datetime]:
        """Yield when occurrences begin that nobody removed, in order, at most ``STEPS`` looked at.

        A moved or cancelled occurrence is yielded with its original time.
        """
        if self.master is None:
            yield from sorted(wall for wall in self.overrides if self._within(wall, after, before))
            return
        alone = sorted(wall for wall in {self.start, *self.added} if wall <= before)
        streams = [rule.walls(self.start, after=after, before=before) for rule in self.rules]
        last = None
        for wall in islice(merge(alone, *streams), STEPS):
            if wall != last and self._within(wall, after, before) and not self.excluded(wall):
                yield wall
            last = wall

    @staticmethod
    def _within(wall: datetime, after: datetime | None, before: datetime) -> bool:
        return (after is None or wall >= after) and wall <= before

    def walls_removed(self) -> frozenset[datetime]:
        """Return the original times that are left out."""
        days = (datetime.combine(day, self.start.time()) for day in self.removed_days)
        return self.removed.union(days)

    def wall_of(self, value: Any, prop: Any) -> datetime:
        """Return one value of a property as a wall time of the series."""
        begin = value[0] if isinstance(value, tuple) else value
        return _Reader(self.zones, self.form).wall(begin, prop)

    def find(self, recurrence_id: date) -> datetime:
        """Return the wall time of an occurrence. Raises ``NoSuchOccurrence``."""
        if self.form.all_day == isinstance(recurrence_id, datetime):
            raise NoSuchOccurrence(str(recurrence_id))
        if isinstance(recurrence_id, datetime) and recurrence_id.tzinfo is None:
            raise FloatingTime("an occurrence is named by a time with its zone")
        wall = self.form.wall(recurrence_id)
        # A time in a gap of the clock is another wall time after its way through UTC.
        instant = self.form.instant(wall)
        for each in self.overrides:
            if self.form.instant(each) == instant and not self.excluded(each):
                return each
        near = timedelta(hours=3)
        for each in self.walls(wall - near, wall + near):
            if self.form.instant(each) == instant:
                return each
        raise NoSuchOccurrence(str(recurrence_id))

    def part(self, wall: datetime) -> Part:
        """Return the part that describes an occurrence."""
        found = self.overrides.get(wall, self.master)
        assert found is not None  # noqa: S101 (no master: all walls are of overrides)
        return found


def read(ics: bytes, zone: ZoneInfo | None) -> Series:
    """Read an object.

    Args:
        ics: the object, in UTF-8.
        zone: where times without a zone take place; None refuses them.

    Raises:
        TooFrequent: it repeats more often than daily.
        FloatingTime: its times have no zone, and no ``zone`` is given.
        BadSeries: it cannot be read.
    """
    if len(ics) > LARGEST:
        raise BadSeries("it is too large")
    try:
        calendar = icalendar.Calendar.from_ical(ics)
        return _series(calendar, zone)
    except UNREADABLE as problem:
        raise BadSeries("it is no event that can be read") from problem


def _series(calendar: icalendar.Calendar, zone: ZoneInfo | None) -> Series:
    parts: list[Part] = list(parts_of(calendar))
    if not parts:
        raise BadSeries("it is no event")
    for part in parts:
        _must_be_whole(part)
    masters = [part for part in parts if "RECURRENCE-ID" not in part]
    if len(masters) > 1 or len({str(part.get("UID", "")) for part in parts}) > 1:
        raise BadSeries("it holds several events")
    master = masters[0] if masters else None
    defects: list[str] = []
    first: Any = master["DTSTART"] if master else parts[0]["RECURRENCE-ID"]
    zones = Zones(calendar)
    form = _form(first, zones, zone, defects)
    place = _Reader(zones, form)
    overrides = place.overrides(parts)
    if master is None:
        defects.append("only some occurrences of the series are here")
        start = min(overrides)
        rules: tuple[DayRule, ...] = ()
        added, removed, days = {}, frozenset[datetime](), frozenset[date]()
    else:
        start = place.wall(first.dt, first)
        rules = place.rules(master, defects)
        added = place.added(master)
        removed, days = place.removed(master)
    uid = str(parts[0].get("UID", ""))
    return Series(
        *(calendar, zones, uid, form, master, start, rules, added, removed, days, overrides),
        tuple(defects),
    )


def _must_be_whole(part: Part) -> None:
    broken = _MATTER.intersection(str(name).upper() for name, _ in part.errors)
    if broken:
        raise BadSeries(f"its {min(broken)} cannot be read")
    if "DTSTART" not in part:
        raise BadSeries("it has no DTSTART")
    if "EXRULE" in part:
        raise BadSeries("it has an EXRULE, which is no longer part of iCalendar")
    for name in ("DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "UID"):
        if isinstance(part.get(name), list):
            raise BadSeries(f"it has {name} twice")
    if "RANGE" in getattr(part.get("RECURRENCE-ID"), "params", ()):
        raise BadSeries("one occurrence changes all that follow (RANGE)")


def _form(first: Any, zones: Zones, zone: ZoneInfo | None, defects: list[str]) -> TimeForm:
    if not isinstance(first.dt, datetime):
        return TimeForm(all_day=True, zone=zone or UTC)
    tzid = str(first.params.get("TZID", ""))
    if tzid:
        return TimeForm(all_day=False, zone=zones.named(tzid), tzid=tzid)
    if first.dt.tzinfo is not None:
        return TimeForm(all_day=False, zone=ZoneInfo("UTC"))
    if zone is None:
        raise FloatingTime("say in which zone they are to be read")
    defects.append(f"its times have no time zone, and are read as {zone.key}")
    return TimeForm(all_day=False, zone=zone, floating=True)


@dataclass(frozen=True, slots=True)
class _Reader:
    zones: Zones
    form: TimeForm

    def wall(self, value: date, prop: Any) -> datetime:
        """Return a property's value as a wall time of the series."""
        if not FIRST.year <= value.year <= LAST.year:
            raise BadSeries(f"it names the year {value.year}")
        if not isinstance(value, datetime) or self.form.all_day:
            return datetime.combine(value, time.min)
        tzid = str(prop.params.get("TZID", ""))
        if value.tzinfo is None or tzid:
            value = value.replace(tzinfo=None)
            if not tzid or tzid == self.form.tzid:
                return value
            value = value.replace(tzinfo=self.zones.named(tzid))
        return self.form.wall(value)

    def overrides(self, parts: list[Part]) -> dict[datetime, Part]:
        found: dict[datetime, Part] = {}
        for part in parts:
            if "RECURRENCE-ID" not in part:
                continue
            prop = part["RECURRENCE-ID"]
            wall = self.wall(prop.dt, prop)
            if wall not in found or sequence(part) >= sequence(found[wall]):
                found[wall] = part
        return found

    def rules(self, master: Part, defects: list[str]) -> tuple[DayRule, ...]:
        found = []
        for rule in listed(master.get("RRULE")):
            if "COUNT" in rule and "UNTIL" in rule:
                raise BadSeries("its rule has COUNT and UNTIL")
            found.append(checked(rule, self._until(rule, defects)))
        return tuple(found)

    def _until(self, rule: Any, defects: list[str]) -> datetime | None:
        values = listed(rule.get("UNTIL"))
        if not values:
            return None
        value = values[0]
        if not isinstance(value, date):
            raise BadSeries("its rule has an UNTIL that is no date")
        if value.year > LAST.year:
            return None
        if self.form.all_day or isinstance(value, datetime):
            if value.year < FIRST.year:
                raise BadSeries(f"it names the year {value.year}")
            return self.form.wall(value)
        defects.append("its last day is read as that whole day")
        return datetime.combine(value, time.max)

    def added(self, master: Part) -> dict[datetime, timedelta | None]:
        found: dict[datetime, timedelta | None] = {}
        for prop in listed(master.get("RDATE")):
            for each in prop.dts:
                if not isinstance(each.dt, tuple):
                    found[self.wall(each.dt, prop)] = None
                    continue
                begin, end = each.dt
                length = end if isinstance(end, timedelta) else end - begin
                found[self.wall(begin, prop)] = length
        return found

    def removed(self, master: Part) -> tuple[frozenset[datetime], frozenset[date]]:
        walls, days = set(), set()
        for prop in listed(master.get("EXDATE")):
            for each in prop.dts:
                if isinstance(each.dt, tuple):
                    raise BadSeries("its EXDATE is a period")
                if isinstance(each.dt, datetime) or self.form.all_day:
                    walls.add(self.wall(each.dt, prop))
                else:
                    days.add(each.dt)
        return frozenset(walls), frozenset(days)


def sequence(part: Part) -> int:
    try:
        return max(int(part.get("SEQUENCE", 0)), 0)
    except (ValueError, TypeError):
        return 0


def listed(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]
