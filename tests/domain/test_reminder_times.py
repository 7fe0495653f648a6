"""When reminders are due, compared with a walk through the minutes and another expansion."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import assume, given
from hypothesis import strategies as some

from assistant.domain.calendar.recurrence import (
    BadRecurrence,
    DayOfWeek,
    Frequency,
    Recurrence,
    Weekday,
    holds,
    made,
    to_rrule,
)
from assistant.domain.reminders.reminder import Reminder
from assistant.domain.reminders.times import moments, passed, series_days

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Santiago",
    "Pacific/Chatham",
)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
DAILY = Recurrence(frequency=Frequency.DAILY)
ONE_YEAR = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))


def changes(zone: str) -> list[datetime]:
    """The hours of the year, in UTC, at which the clocks of a zone change."""
    there, (at, end) = ZoneInfo(zone), ONE_YEAR
    found = []
    while at < end:
        after = at + timedelta(hours=1)
        if at.astimezone(there).utcoffset() != after.astimezone(there).utcoffset():
            found.append(at)
        at = after
    return found


@cache
def minutes(zone: str, begin: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    """Each minute, in UTC and as clocks there show it."""
    there, found, at = ZoneInfo(zone), [], begin
    while at < end:
        found.append((at, at.astimezone(there).replace(tzinfo=None)))
        at += MINUTE
    return found


def walked(wall: time, zone: str, begin: datetime, end: datetime) -> dict[date, datetime]:
    """By day the first minute at which clocks show this time of the day or a later one."""
    found: dict[date, datetime] = {}
    for at, local in minutes(zone, begin, end):
        if local.time() >= wall:
            found.setdefault(local.date(), at)
    return found


@pytest.mark.parametrize("zone", ZONES)
@given(minute=some.integers(0, 24 * 60 - 1))
def test_a_daily_one_stays_at_its_time_over_both_changes(zone: str, minute: int) -> None:
    wall = time(*divmod(minute, 60))
    both = changes(zone)
    assert len(both) == 2
    for change in both:
        begin, end = change - 2 * DAY, change + 2 * DAY
        expected = walked(wall, zone, begin, end)
        whole = sorted(expected)[1:-1]
        first = datetime.combine(whole[0], wall)
        told = list(islice(moments(first, zone, DAILY), len(whole)))
        # A day of which the clocks skip all that is left is told as the next day begins.
        assert told == [expected[day] for day in whole]


@some.composite
def rules(draw: some.DrawFn) -> Recurrence:
    frequency = draw(some.sampled_from(Frequency))
    parts: dict[str, object] = {"frequency": frequency, "interval": draw(some.integers(1, 5))}
    if frequency is Frequency.WEEKLY:
        days = draw(some.lists(some.sampled_from(Weekday), unique=True, max_size=3))
        parts["weekdays"] = tuple(DayOfWeek(day=day) for day in days)
    elif frequency is not Frequency.DAILY and draw(some.booleans()):
        if draw(some.booleans()):
            nth = draw(some.sampled_from((-1, 1, 2, 3, 4, 5)))
            parts["weekdays"] = (DayOfWeek(day=draw(some.sampled_from(Weekday)), nth=nth),)
        else:
            days_of_month = some.sampled_from((-1, 1, 15, 28, 29, 30, 31))
            parts["month_days"] = tuple(
                draw(some.lists(days_of_month, unique=True, min_size=1, max_size=2))
            )
        if frequency is Frequency.YEARLY:
            months = some.lists(some.integers(1, 12), unique=True, min_size=1, max_size=2)
            parts["months"] = tuple(draw(months))
    if draw(some.booleans()):
        parts["count"] = draw(some.integers(1, 40))
    try:
        return made(**parts)
    except BadRecurrence:
        assume(False)  # Hypothesis takes it so
        raise


@given(rule=rules(), start=some.dates(date(2026, 1, 1), date(2028, 12, 31)))
def test_the_days_of_a_series_are_those_of_another_expansion(rule: Recurrence, start: date) -> None:
    first = next((start + n * DAY for n in range(1500) if holds(rule, start + n * DAY)), None)
    assume(first)
    assert first
    other = rrulestr(to_rrule(rule, first), dtstart=datetime.combine(first, time()))
    expected = [each.date() for each in islice(other, 30)]
    assert list(islice(series_days(first, rule), 30)) == expected


def test_a_series_ends_with_its_last_day() -> None:
    rule = Recurrence(frequency=Frequency.DAILY, until=date(2026, 11, 25))
    assert [day.day for day in series_days(date(2026, 11, 23), rule)] == [23, 24, 25]


@pytest.mark.parametrize("zone", ZONES)
@given(
    minute=some.integers(0, 24 * 60 - 1),
    looks=some.lists(some.integers(1, 9 * 24 * 60), min_size=1, max_size=8),
)
def test_looked_at_whenever_none_is_early_lost_or_told_twice(
    zone: str, minute: int, looks: list[int]
) -> None:
    """Each moment is told or counted as missed exactly once, and none before its time."""
    change = changes(zone)[0]
    local = (change - 2 * DAY).astimezone(ZoneInfo(zone)).date()
    wall = datetime.combine(local, time(*divmod(minute, 60)))
    first = next(moments(wall, zone, DAILY))
    reminder = Reminder(
        id="a",
        owner="owner",
        text="Tea",
        at=first,
        wall=wall,
        zone=zone,
        repeats=DAILY,
        made=first,
    )
    accounted, now = 0, first - MINUTE
    for minutes in looks:
        now += minutes * MINUTE
        if reminder.at > now:
            continue
        due = passed(reminder, now)
        assert reminder.at <= due.latest <= now
        assert due.next
        assert due.next > now
        accounted += due.missed + 1
        reminder = reminder.model_copy(update={"at": due.next})
    expected = 0
    for each in moments(wall, zone, DAILY):
        if each > now:
            break
        expected += 1
    assert accounted == expected


def test_a_moment_comes_once() -> None:
    at = datetime(2026, 11, 23, 8, tzinfo=UTC)
    one = Reminder(
        id="a",
        owner="owner",
        text="Tea",
        at=at,
        wall=datetime(2026, 11, 23, 9),  # noqa: DTZ001  # what clocks show
        zone="Europe/Berlin",
        made=at,
    )
    assert passed(one, at + 3 * DAY) == (at, 0, None)
