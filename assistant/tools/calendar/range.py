"""Check ranges of time, and that the calendar is the one a call was meant for."""

from datetime import date, datetime, time, timedelta

from pydantic import ValidationError

from assistant.domain.calendar.events import When
from assistant.domain.calendar.ports import Calendar, checked
from assistant.domain.calls.call import Facts
from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import begins, ends, say_moment, say_when, zone_of

RANGE_DAYS = 100
"""The longest range a read may ask for."""


def same_place(calendar: Calendar, facts: Facts) -> None:
    """Check before a read that the calendar is the one that was approved.

    Raises ``Stale`` if it is not. A change asks ``Calendar.at``, which also holds until its end.
    """
    checked(calendar, facts.destination)


def say_range(asked: When, zone: str) -> str:
    """Write a range of time; one of whole days as its days: ``Mon 30 Nov 2026``."""
    there = zone_of(zone)
    local = [moment.astimezone(there) for moment in (begins(asked, zone), ends(asked, zone))]
    if any(one.time() != time() for one in local):
        return say_when(asked, zone)
    start, end = (one.date() for one in local)
    return say_when(When(start=start, end=end), zone).removesuffix(", all day")


def say_start(when: When, zone: str) -> str:
    """Write when something begins: ``Mon 30 Nov 2026, 10:00 (Europe/Berlin)``."""
    return say_moment(begins(when, zone), zone)


def time_range(start: datetime, end: datetime) -> When:
    if end - start > timedelta(days=RANGE_DAYS):
        raise BadArguments(f"ask for {RANGE_DAYS} days at the most")
    return span(start, end)


def span(start: date, end: date) -> When:
    try:
        return When(start=start, end=end)
    except ValidationError as error:
        reasons = "; ".join(problem["msg"] for problem in error.errors(include_url=False))
        raise BadArguments(reasons.removeprefix("Value error, ")) from error
