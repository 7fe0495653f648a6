"""Find when the owner is busy and when free: time slots only, no word of any event."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby, islice
from typing import NamedTuple
from zoneinfo import ZoneInfo

from assistant.domain.calendar.free.busy_times import EventTime, Moments, blocked, merged
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, WorkingHours
from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import clock, zone_of

MOST_SLOTS = 200
MOST_DAYS = 366
_YEARS = range(1900, 9000)
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)


class Slot(NamedTuple):
    """A time slot, the end excluded, in the owner's zone."""

    start: datetime
    end: datetime


class Slots(NamedTuple):
    slots: tuple[Slot, ...]
    until: datetime
    """Where the search ended: earlier than asked if it found too many, or too many days asked."""
    more: bool
    """True if the search ended early."""


def busy(
    events: Iterable[EventTime],
    start: datetime,
    end: datetime,
    *,
    zone: str,
    most: int = MOST_SLOTS,
) -> Slots:
    """Return when the owner is busy in a range, overlapping and adjoining events as one slot.

    Raises ``BadArguments`` for an unknown zone, or a range beyond the calendar.
    """
    there = zone_of(zone)
    begins, ends = _range(start, end)
    return _bounded(
        iter(blocked(events, begins, ends, there)), _Asked(begins, ends, end), most, there
    )


def free(
    events: Iterable[EventTime],
    start: datetime,
    end: datetime,
    *,
    zone: str,
    hours: WorkingHours = OFFICE_HOURS,
    least: timedelta = _MINUTE,
    padding: timedelta = timedelta(),
    most: int = MOST_SLOTS,
) -> Slots:
    """Return the free slots within working hours, in whole minutes.

    Args:
        events: in any order.
        start: an aware moment; the range may be ``MOST_DAYS`` long.
        end: an aware moment.
        zone: IANA name of the owner's zone; floating times and whole days are meant there.
        hours: when to look; a slot may go on into hours that adjoin.
        least: the least length of a slot.
        padding: what to keep free before and after each event.
        most: how many slots to return.

    Raises:
        BadArguments: the zone is unknown, or the range beyond the calendar.
    """
    there = zone_of(zone)
    begins, ends = _range(start, end)
    taken = blocked(events, begins, ends, there, padding)
    found = _free(working(hours, begins, ends, there), taken, max(least, _MINUTE))
    return _bounded(found, _Asked(begins, ends, end), most, there)


def next_free(
    minutes: int,
    events: Iterable[EventTime],
    *,
    after: datetime,
    within_days: int,
    zone: str,
    hours: WorkingHours = OFFICE_HOURS,
    padding: timedelta = timedelta(),
) -> Slot | None:
    """Return the first free slot of this length; None if there is none within these days.

    Raises ``BadArguments`` for an unknown zone, or a range beyond the calendar.
    """
    length = timedelta(minutes=min(max(minutes, 1), MOST_DAYS * 24 * 60))
    end = _range(after, after)[0] + min(max(within_days, 0), MOST_DAYS) * _DAY
    found = free(
        events, after, end, zone=zone, hours=hours, least=length, padding=padding, most=1
    ).slots
    if not found:
        return None
    start = found[0].start
    return Slot(start, (start.astimezone(UTC) + length).astimezone(start.tzinfo))


def say_slots(slots: Sequence[Slot]) -> tuple[str, ...]:
    """Write a line for each day: ``Tue 24 Nov: 09:00–10:30, 13:00–17:00``."""
    days = groupby(slots, key=lambda slot: slot.start.date())
    return tuple(f"{say_day(day)}: {', '.join(map(say_hours, those))}" for day, those in days)


def say_day(day: date) -> str:
    """Write ``Tue 24 Nov``."""
    return f"{day:%a} {day.day} {day:%b}"


def say_hours(slot: Slot) -> str:
    """Write ``09:00–10:30``; with the day of the end where that is another."""
    day, last = slot.start.date(), slot.end.date()
    midnight = slot.end.replace(tzinfo=None) == datetime.combine(last, datetime.min.time())
    if last == day:
        until = clock(slot.end)
    elif midnight and last - day == _DAY:
        until = "24:00"
    else:
        until = f"{clock(slot.end)} {say_day(last)}"
    return f"{clock(slot.start)}–{until}"


class _Asked(NamedTuple):
    begins: datetime
    ends: datetime
    wanted: datetime


def _range(start: datetime, end: datetime) -> Moments:
    """Return the range in UTC, without the days that are too many."""
    if start.tzinfo is None or end.tzinfo is None:
        raise BadArguments("the range has no time zone")
    if start.year not in _YEARS or end.year not in _YEARS:
        raise BadArguments("the range is beyond the calendar")
    begins = start.astimezone(UTC)
    return begins, max(begins, min(end.astimezone(UTC), begins + MOST_DAYS * _DAY))


def _bounded(found: Iterator[Moments], asked: _Asked, most: int, zone: ZoneInfo) -> Slots:
    kept = tuple(Slot(*(one.astimezone(zone) for one in slot)) for slot in islice(found, most))
    left = next(found, None)
    until = left[0] if left else asked.ends
    more = left is not None or asked.ends < asked.wanted.astimezone(UTC)
    return Slots(kept, until.astimezone(zone), more)


def working(
    hours: WorkingHours, start: datetime, end: datetime, zone: ZoneInfo
) -> Iterator[Moments]:
    """Yield the working hours of a range, in UTC, in order, without overlaps."""
    return merged(_shifts(hours, start, end, zone))


def _shifts(
    hours: WorkingHours, start: datetime, end: datetime, zone: ZoneInfo
) -> Iterator[Moments]:
    day, last = start.astimezone(zone).date() - _DAY, end.astimezone(zone).date()
    while day <= last:
        for begins, ends in sorted(hours.of_day(day, zone)):
            if begins < end and ends > start:
                yield max(begins, start), min(ends, end)
        day += _DAY


def _free(work: Iterable[Moments], taken: Sequence[Moments], least: timedelta) -> Iterator[Moments]:
    """Yield what of the working hours is not taken, in whole minutes."""
    for begins, ends in _without(work, taken):
        start, end = _up(begins), _down(ends)
        if end - start >= least:
            yield start, end


def _without(work: Iterable[Moments], taken: Sequence[Moments]) -> Iterator[Moments]:
    n = 0
    for begins, ends in work:
        free_from = begins
        while n < len(taken) and taken[n][1] <= begins:
            n += 1
        at = n
        while at < len(taken) and taken[at][0] < ends:
            if taken[at][0] > free_from:
                yield free_from, taken[at][0]
            free_from = max(free_from, taken[at][1])
            at += 1
        n = max(n, at - 1)  # the last may reach into the next hours
        if free_from < ends:
            yield free_from, ends


def _down(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def _up(moment: datetime) -> datetime:
    down = _down(moment)
    return down if down == moment else down + _MINUTE
