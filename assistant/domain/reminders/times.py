"""Find the moments of a reminder: a series keeps its time of day whatever the clocks do."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from assistant.domain.calendar.recurrence import (
    LATEST_YEAR,
    WEEK,
    DayOfWeek,
    Frequency,
    Recurrence,
    holds,
)
from assistant.domain.reminders.reminder import Reminder
from assistant.domain.time.moments import zone_of
from assistant.domain.time.wall_clock import first_moment

_DAY = timedelta(days=1)


class Passed(NamedTuple):
    """What has come due of a reminder."""

    latest: datetime
    """The newest moment that has come, in UTC."""
    missed: int
    """How many came before it and were not told."""
    next: datetime | None
    """The first moment that is still to come; None if there is none."""


def moments(wall: datetime, zone: str, repeats: Recurrence | None) -> Iterator[datetime]:
    """Yield the moments of a series in UTC, each later than the one before.

    A time of day that the clocks skip is told when they have skipped it; one that comes twice is
    told the first time.
    """
    there, last = zone_of(zone), None
    days = series_days(wall.date(), repeats) if repeats else iter([wall.date()])
    for day in days:
        moment = first_moment(datetime.combine(day, wall.time()), there)
        if last is None or moment > last:  # a zone may skip a whole day
            yield moment
            last = moment


def passed(reminder: Reminder, now: datetime) -> Passed:
    """Return what of a reminder that is due has come by ``now``, from ``reminder.at`` on."""
    if reminder.repeats is None:
        return Passed(reminder.at, 0, None)
    latest, missed = reminder.at, 0
    for moment in moments(reminder.wall, reminder.zone, reminder.repeats):
        if moment <= reminder.at:
            continue
        if moment > now:
            return Passed(latest, missed, moment)
        latest, missed = moment, missed + 1
    return Passed(latest, missed, None)


def series_days(start: date, repeats: Recurrence) -> Iterator[date]:
    """Yield the days on which a series begins that starts on ``start``, in order."""
    left = repeats.count
    for day in _days(start, repeats):
        if day < start:
            continue
        if (repeats.until and day > repeats.until) or day.year > LATEST_YEAR or left == 0:
            return
        yield day
        left = left - 1 if left else left


def _days(start: date, repeats: Recurrence) -> Iterator[date]:
    """Yield the days of every period of the series, also those before its start."""
    rule = _complete(start, repeats)
    for first, days in _periods(start, rule):
        if first.year > LATEST_YEAR:
            return
        yield from (day for each in range(days) if holds(rule, day := first + each * _DAY))


def _complete(start: date, rule: Recurrence) -> Recurrence:
    """Say what a rule leaves to its start: which weekday, which day of the month, which month."""
    if rule.weekdays or rule.month_days:
        return rule
    if rule.frequency is Frequency.WEEKLY:
        named = (DayOfWeek(day=WEEK[start.weekday()]),)
        return rule.model_copy(update={"weekdays": named})
    if rule.frequency in (Frequency.MONTHLY, Frequency.YEARLY):
        months = (start.month,) if rule.frequency is Frequency.YEARLY else ()
        return rule.model_copy(update={"month_days": (start.day,), "months": months})
    return rule


def _periods(start: date, rule: Recurrence) -> Iterator[tuple[date, int]]:
    """Yield the first day of each period that counts, and how many days it has."""
    if rule.frequency is Frequency.DAILY:
        yield from ((start + n * _DAY, 1) for n in _steps(rule.interval))
    elif rule.frequency is Frequency.WEEKLY:
        monday = start - start.weekday() * _DAY
        yield from ((monday + 7 * n * _DAY, 7) for n in _steps(rule.interval))
    else:
        yearly = rule.frequency is Frequency.YEARLY
        begin = start.replace(month=1, day=1) if yearly else start.replace(day=1)
        long = 12 if yearly else 1
        for n in _steps(rule.interval * long):
            first = _month(begin, n)
            yield first, (_month(first, long) - first).days


def _month(first: date, months: int) -> date:
    """Return the first day of the month so many months later."""
    years, month = divmod(first.month - 1 + months, 12)
    return date(first.year + years, month + 1, 1)


def _steps(interval: int) -> Iterator[int]:
    """Count up by the interval; whoever asks stops at the latest year."""
    n = 0
    while True:
        yield n
        n += interval
