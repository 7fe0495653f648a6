"""How a range of time is told: whole days as days, anything else with its hours."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from assistant.domain.calendar.events import When
from assistant.tools.calendar.range import say_range

BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        ("2026-11-30T00:00", "2026-12-01T00:00", "Mon 30 Nov 2026"),
        ("2026-10-25T00:00", "2026-10-26T00:00", "Sun 25 Oct 2026"),
        ("2026-11-30T00:00", "2026-12-07T00:00", "Mon 30 Nov 2026 to Sun 6 Dec 2026"),
        ("2026-11-30T00:00", "2026-11-30T12:00", "Mon 30 Nov 2026, 00:00 to 12:00 (Europe/Berlin)"),
    ],
)
def test_a_range_of_whole_days_is_told_as_days(start: str, end: str, told: str) -> None:
    there = ZoneInfo(BERLIN)
    first, last = (datetime.fromisoformat(one).replace(tzinfo=there) for one in (start, end))
    assert say_range(When(start=first, end=last), BERLIN) == told


def test_midnight_elsewhere_is_an_hour_of_a_day() -> None:
    utc = ZoneInfo("UTC")
    when = When(start=datetime(2026, 11, 30, tzinfo=utc), end=datetime(2026, 12, 1, tzinfo=utc))
    assert say_range(when, BERLIN).startswith("Mon 30 Nov 2026, 01:00 to Tue 1 Dec 2026, 01:00")
