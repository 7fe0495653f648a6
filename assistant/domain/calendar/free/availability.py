"""Tell when the owner is busy and free within a range: times only, no word of any event."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from assistant.domain.calendar.free.busy_times import EventTime, blocked, merged
from assistant.domain.calendar.free.slots import MOST_SLOTS, Slot, Slots, free, say_day, say_hours
from assistant.domain.calendar.free.working_hours import WorkingHours, say_working_hours
from assistant.domain.time.moments import clock, zone_of
from assistant.domain.time.wall_clock import day_begins

NEXT = 3
"""How many of the next free times are told."""
NEXT_DAYS = 14
"""How many days are searched for them."""
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)


class Availability(NamedTuple):
    """When the owner is busy and free within a range, in whole minutes and the owner's zone."""

    start: datetime
    end: datetime
    busy: Slots
    free: Slots
    hours: WorkingHours
    """Within which free slots were looked for."""
    least: timedelta
    """The least length of a free slot."""


def availability(
    events: Sequence[EventTime],
    start: datetime,
    end: datetime,
    *,
    zone: str,
    hours: WorkingHours,
    least: timedelta = _MINUTE,
    most_free: int = MOST_SLOTS,
) -> Availability:
    """Return the busy slots of a range, and its free slots within ``hours``.

    Part of a minute is busy for the whole of it. ``Slots.until`` says how far each of the two
    reaches, where there are too many.

    Raises ``BadArguments`` for an unknown zone, or a range beyond the calendar.
    """
    there = zone_of(zone)
    begins, ends = _down(start.astimezone(UTC)), _up(end.astimezone(UTC))
    spans = _in_minutes(events, begins, ends, zone)
    whole = [EventTime(*span) for span in spans]
    found = free(
        whole, begins, ends, zone=zone, hours=hours, least=max(least, _MINUTE), most=most_free
    )
    slots = tuple(Slot(*(one.astimezone(there) for one in span)) for span in spans)
    until = slots[MOST_SLOTS].start if len(slots) > MOST_SLOTS else ends.astimezone(there)
    return Availability(
        start=begins.astimezone(there),
        end=ends.astimezone(there),
        busy=Slots(slots[:MOST_SLOTS], until, len(slots) > MOST_SLOTS),
        free=found,
        hours=hours,
        least=max(least, _MINUTE),
    )


def say_availability(found: Availability, *, span: str) -> str:
    """Write the busy and the free slots, a line for each day. ``span`` says what was asked."""
    lines = [f"Busy within {span}:", *_listed(found.busy)]
    if not found.busy.slots:
        lines = [f"Free: nothing is on {span}."]
        if _is_all_free(found):
            return lines[0]
    return "\n".join([*lines, *_say_free(found)])


def say_next_free(found: Availability) -> str:
    """Write the first free slots that were found."""
    if not found.free.slots:
        return _say_none(found, f"between {_say_moment(found.start)} and {_say_moment(found.end)}")
    head = f"Next free for {say_length(found.least)}{_within(found.hours)}:"
    return "\n".join([head, *_lines(found.free.slots)])


def say_length(length: timedelta) -> str:
    """Write ``45 minutes``, ``1 hour`` or ``1 h 30 min``."""
    hours, minutes = divmod(length // _MINUTE, 60)
    if hours and minutes:
        return f"{hours} h {minutes} min"
    count, unit = (hours, "hour") if hours else (minutes, "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _in_minutes(
    events: Iterable[EventTime], start: datetime, end: datetime, zone: str
) -> list[tuple[datetime, datetime]]:
    taken = blocked(events, start, end, zone_of(zone))
    return list(merged((_down(begins), _up(ends)) for begins, ends in taken))


def _is_all_free(found: Availability) -> bool:
    return found.free.slots == (Slot(found.start, found.end),)


def _say_free(found: Availability) -> Iterator[str]:
    if not found.free.slots:
        outside = not found.busy.slots and found.least == _MINUTE
        yield f"It is not{_within(found.hours)}." if outside else _say_none(found)
        return
    least = f" for {say_length(found.least)} or more" if found.least > _MINUTE else ""
    yield f"Free{least}{_within(found.hours)}:"
    yield from _listed(found.free)


def _say_none(found: Availability, between: str = "") -> str:
    least = f"for {say_length(found.least)}" if found.least > _MINUTE else ""
    said = " ".join(filter(None, ("Nothing is free", least, between)))
    return f"{said}{_within(found.hours)}."


def _within(hours: WorkingHours) -> str:
    if hours == WorkingHours.always():
        return ""
    return f" within working hours ({say_working_hours(hours)})"


def _listed(slots: Slots) -> Iterator[str]:
    yield from _lines(slots.slots)
    if slots.more:
        yield f"There is more from {_say_moment(slots.until)} on: ask for what begins there."


def _lines(slots: Sequence[Slot]) -> Iterator[str]:
    """Yield a line for each day: ``- Tue 24 Nov: 09:00–10:30, 13:00–17:00``."""
    for day, those in groupby(slots, key=lambda slot: slot.start.date()):
        hours = [_say_whole_days(slot) or say_hours(slot) for slot in those]
        yield f"- {say_day(day)}: {', '.join(hours)}"


def _say_whole_days(slot: Slot) -> str:
    """Write ``all day``, with the last day where there are several; empty for other slots."""
    first, after = slot.start.date(), slot.end.date()
    if first == after or any(_is_in_a_day(moment) for moment in slot):
        return ""
    last = after - _DAY
    return "all day" if last == first else f"all day, until {say_day(last)}"


def _is_in_a_day(moment: datetime) -> bool:
    zone = zone_of(str(moment.tzinfo))
    return moment.astimezone(UTC) != day_begins(moment.date(), zone)


def _say_moment(moment: datetime) -> str:
    return f"{say_day(moment.date())}, {clock(moment)}"


def _down(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def _up(moment: datetime) -> datetime:
    down = _down(moment)
    return down if down == moment else down + _MINUTE
