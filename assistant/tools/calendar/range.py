"""Check ranges of time, and that the calendar is the one a call was meant for."""

from datetime import date, datetime, timedelta

from pydantic import ValidationError

from assistant.domain.calls import Facts
from assistant.domain.errors import BadArguments, Stale
from assistant.domain.events import When
from assistant.ports import Calendar

RANGE_DAYS = 100
"""The longest range a read may ask for."""


def same_place(calendar: Calendar, facts: Facts) -> None:
    """Check that the calendar is the one that was approved. Raises ``Stale`` if it is not."""
    if calendar.address() != facts.destination:
        raise Stale(f"it was meant for {facts.destination}; the calendar is another one now")


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
