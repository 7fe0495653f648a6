"""How an event repeats, as a model and the owner ask for it."""

from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assistant.domain.calendar.recurrence import (
    COUNT_LIMIT,
    INTERVAL_LIMIT,
    WEEK,
    BadRecurrence,
    DayOfWeek,
    Frequency,
    Recurrence,
    check,
    holds,
    made,
)
from assistant.domain.time.moments import zone_of

_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORTEST = 2


def _in_full(value: Any) -> Any:
    """Write a weekday in full: ``TU`` and ``Tue`` are ``tuesday``."""
    short = value.strip().lower() if isinstance(value, str) else ""
    full = [name for name in _NAMES if len(short) >= _SHORTEST and name.startswith(short)]
    return full[0] if len(full) == 1 else value


WeekdayName = Annotated[
    Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    BeforeValidator(_in_full),
]


class EventRepeats(BaseModel):
    """How an event repeats. Without until and count it has no end."""

    model_config = ConfigDict(extra="forbid")
    frequency: Frequency
    interval: int = Field(
        1, ge=1, le=INTERVAL_LIMIT, description="2 with weekly is every other week"
    )
    weekdays: tuple[WeekdayName, ...] = Field(
        (), max_length=7, description="with weekly, its days; with monthly, which `nth` is for"
    )
    nth: Literal[1, 2, 3, 4, 5, -1] | None = Field(
        None, description="with monthly or yearly: which such weekday of the month, -1 the last"
    )
    month_days: tuple[int, ...] = Field(
        (), max_length=31, description="with monthly or yearly: days of the month, -1 the last"
    )
    until: date | None = Field(None, description="the last day on which it may be, included")
    count: int | None = Field(None, ge=1, le=COUNT_LIMIT, description="how many times in all")


def recurrence_of(
    repeats: EventRepeats, start: date, zone: str, *, first: bool = True
) -> Recurrence:
    """Make the recurrence of an event that takes place at ``start``.

    Args:
        repeats: what was asked for.
        start: when it begins, or another time of it.
        zone: the owner's IANA zone.
        first: whether it begins then, which is checked.

    Raises:
        BadRecurrence: its parts do not fit together, or its first day is none of its days.
    """
    local = start.astimezone(zone_of(zone)) if isinstance(start, datetime) else start
    days = tuple(
        DayOfWeek(day=WEEK[_NAMES.index(day)], nth=repeats.nth)
        for day in dict.fromkeys(repeats.weekdays)
    )
    if repeats.nth is not None and not days:
        raise BadRecurrence("say with weekdays which weekday of the month it is")
    of_a_month = repeats.frequency is Frequency.YEARLY and (days or repeats.month_days)
    recurrence = made(
        frequency=repeats.frequency,
        interval=repeats.interval,
        weekdays=days,
        month_days=repeats.month_days,
        months=(local.month,) if of_a_month else (),
        until=repeats.until,
        count=repeats.count,
    )
    if first:
        check(recurrence, local)
    return recurrence


def count_of(recurrence: Recurrence, start: date) -> int | None:
    """Count how many times it takes place in all; None if it has no last day.

    ``start``: the first day, or moment, where the event takes place.
    """
    if recurrence.until is None:
        return recurrence.count
    first = start.date() if isinstance(start, datetime) else start
    days = (recurrence.until - first).days + 1
    every = (first + timedelta(days=number) for number in range(days))
    return sum(_takes_place(recurrence, first, day) for day in every)


def _takes_place(rule: Recurrence, first: date, day: date) -> bool:
    if not holds(rule, day) or _periods(rule.frequency, first, day) % rule.interval:
        return False
    if rule.weekdays or rule.month_days or rule.frequency is Frequency.DAILY:
        return True
    if rule.frequency is Frequency.WEEKLY:
        return day.weekday() == first.weekday()
    of_month = rule.frequency is Frequency.MONTHLY or day.month == first.month
    return of_month and day.day == first.day


def _periods(frequency: Frequency, first: date, day: date) -> int:
    """Count the days, weeks, months or years from one day to another."""
    match frequency:
        case Frequency.DAILY:
            return (day - first).days
        case Frequency.WEEKLY:
            return ((day - first).days + first.weekday()) // 7
        case Frequency.MONTHLY:
            return (day.year - first.year) * 12 + day.month - first.month
        case Frequency.YEARLY:
            return day.year - first.year
