"""When one can be reminded later: on the owner's clocks, and before what waits has ended."""

from datetime import UTC, datetime, timedelta

import pytest

from assistant.domain.approvals.reminders import Later, reminders

ZONE = "Europe/Berlin"
NOON = datetime(2026, 11, 23, 11, tzinfo=UTC)
LONG = timedelta(days=3)


def offered(now: datetime, *, lasts: timedelta = LONG, zone: str = ZONE) -> dict[Later, str]:
    found = reminders(now, zone, until=now + lasts)
    return {later: f"{at:%d %H:%M}" for later, at in found.items()}


def test_in_an_hour_this_evening_and_tomorrow_at_nine() -> None:
    assert offered(NOON) == {
        Later.HOUR: "23 12:00",
        Later.EVENING: "23 17:00",
        Later.TOMORROW: "24 08:00",
    }


def test_they_are_of_the_zone_of_the_owner() -> None:
    assert offered(NOON, zone="America/New_York")[Later.EVENING] == "23 23:00"


def test_an_evening_that_has_begun_is_not_offered() -> None:
    assert list(offered(NOON + timedelta(hours=7))) == [Later.HOUR, Later.TOMORROW]


@pytest.mark.parametrize(
    ("lasts", "left"),
    [
        (timedelta(minutes=15), []),
        (timedelta(hours=2), [Later.HOUR]),
        (timedelta(hours=8), [Later.HOUR, Later.EVENING]),
    ],
)
def test_nothing_is_offered_that_is_too_late(lasts: timedelta, left: list[Later]) -> None:
    assert list(offered(NOON, lasts=lasts)) == left


def test_the_clocks_that_change_overnight_change_nine_o_clock() -> None:
    saturday = datetime(2026, 10, 24, 10, tzinfo=UTC)
    assert offered(saturday)[Later.TOMORROW] == "25 08:00"
    assert offered(saturday)[Later.EVENING] == "24 16:00"
