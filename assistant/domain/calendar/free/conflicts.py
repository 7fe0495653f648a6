"""Find what a new event would overlap, and when else it could be."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from assistant.domain.calendar.events import When
from assistant.domain.calendar.free.busy_times import EventTime, blocked, moments_of
from assistant.domain.calendar.free.slots import Slot, free, working
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, Shift, WorkingHours
from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import zone_of
from assistant.domain.time.wall_clock import day_begins, first_moment

MOST_ALTERNATIVES = 3
MOST_EVENTS = 20
_DAYS = 14
"""How many days after the one that was asked for are looked at."""
_DAY = timedelta(days=1)
_NEAR = timedelta(hours=2)
"""How far from a time outside working hours another is looked for."""


class Conflicts(NamedTuple):
    """What stands where an event is to be; no word of any event."""

    busy: tuple[Slot, ...]
    """When, within that time, the owner is busy."""
    events: tuple[int, ...]
    """Which of the events that were given overlap it, by position; ``MOST_EVENTS`` at most."""
    total: int
    """How many overlap it."""
    alternatives: tuple[When, ...]
    """Times of the same length that are free: of the same day first, then of the next ones."""


def conflicts(
    when: When,
    events: Sequence[EventTime],
    *,
    now: datetime,
    zone: str,
    hours: WorkingHours = OFFICE_HOURS,
    padding: timedelta = timedelta(),
) -> Conflicts:
    """Return what overlaps a time, and the nearest other times if anything does.

    Other times are within working hours; around the same time of day if that itself is outside
    them. For whole days, they are working days on which the owner is not busy.

    Args:
        when: the time that was asked for.
        events: without the one that is to be moved; up to 15 days after ``when``, or what is busy
            there is not known.
        now: no other time begins before it.
        zone: IANA name of the owner's zone.
        hours: the working hours.
        padding: what to keep free before and after each event.

    Raises:
        BadArguments: the zone is unknown, or the time beyond the calendar.
    """
    there = zone_of(zone)
    asked = moments_of(EventTime.of(when), there)
    if asked is None or not 1900 < when.start.year < 9000:  # noqa: PLR2004
        raise BadArguments("the time is beyond the calendar")
    taken = blocked(events, *asked, there)
    if not taken:
        return Conflicts((), (), 0, ())
    overlapping = [n for n, event in enumerate(events) if _overlaps(event, asked, there)]
    search = _Search(events, there, hours, padding, now.astimezone(UTC))
    return Conflicts(
        busy=tuple(Slot(*(one.astimezone(there) for one in slot)) for slot in taken),
        events=tuple(overlapping[:MOST_EVENTS]),
        total=len(overlapping),
        alternatives=tuple(_first(search.alternatives(when, asked))),
    )


def _overlaps(event: EventTime, asked: tuple[datetime, datetime], zone: ZoneInfo) -> bool:
    moments = moments_of(event, zone)
    return moments is not None and moments[0] < asked[1] and moments[1] > asked[0]


def _first(found: Iterator[When]) -> Iterator[When]:
    for _, one in zip(range(MOST_ALTERNATIVES), found, strict=False):
        yield one


class _Search(NamedTuple):
    events: Sequence[EventTime]
    zone: ZoneInfo
    hours: WorkingHours
    padding: timedelta
    now: datetime

    def alternatives(self, when: When, asked: tuple[datetime, datetime]) -> Iterator[When]:
        if isinstance(when.start, datetime):
            return self._times(*asked)
        return self._days(when.start, (when.end - when.start).days)

    def _times(self, start: datetime, end: datetime) -> Iterator[When]:
        length, local = end - start, start.astimezone(self.zone)
        slots = self._slots(local, start, end)
        for n in range(_DAYS + 1):
            wall = local.replace(tzinfo=None, fold=0, microsecond=0) + n * _DAY
            target = first_moment(wall, self.zone) if n else start
            day = (local + n * _DAY).date()
            near = [_nearest(slot, length, target) for slot in slots]
            of_day = {one for one in near if one.astimezone(self.zone).date() == day}
            best = sorted(of_day, key=lambda one: (abs(one - target), one))
            for one in best if n == 0 else best[:1]:
                yield _when(one, length, self.zone)

    def _slots(self, local: datetime, start: datetime, end: datetime) -> Sequence[Slot]:
        """Return the free slots, long enough, of the day and of those after it."""
        begins = max(day_begins(local.date(), self.zone), self.now)
        until = day_begins(local.date() + (_DAYS + 2) * _DAY, self.zone)
        if begins >= until:
            return ()
        at_work = list(working(self.hours, start, end, self.zone)) == [(start, end)]
        hours = self.hours if at_work else _around(local, end - start)
        return free(
            self.events,
            begins,
            until,
            zone=self.zone.key,
            hours=hours,
            least=end - start,
            padding=self.padding,
            most=2_000,
        ).slots

    def _days(self, first: date, length: int) -> Iterator[When]:
        today = self.now.astimezone(self.zone).date()
        begin = day_begins(first, self.zone)
        end = day_begins(first + (_DAYS + length + 1) * _DAY, self.zone)
        taken = blocked(self.events, begin, end, self.zone)
        for n in range(1, _DAYS + 1):
            day = first + n * _DAY
            starts, ends = (day_begins(one, self.zone) for one in (day, day + length * _DAY))
            works = bool(self.hours.shifts[day.weekday()])
            if day >= today and works and not any(a < ends and b > starts for a, b in taken):
                yield When(start=day, end=day + length * _DAY)


def _around(local: datetime, length: timedelta) -> WorkingHours:
    """Return hours around a time, each day, that have room for this length and more."""
    plain = local.replace(tzinfo=None, second=0, microsecond=0)
    if length + 2 * _NEAR >= _DAY:
        return WorkingHours.always()
    shift = Shift((plain - _NEAR).time(), (plain + length + _NEAR).time())
    return WorkingHours(((shift,),) * 7)


def _nearest(slot: Slot, length: timedelta, target: datetime) -> datetime:
    """Return the begin, within a slot, that is nearest to the one that was asked for."""
    start, end = slot.start.astimezone(UTC), slot.end.astimezone(UTC)
    return max(start, min(target, end - length))


def _when(start: datetime, length: timedelta, zone: ZoneInfo) -> When:
    return When(start=start.astimezone(zone), end=(start + length).astimezone(zone))
