"""What a model is told of now: the week, the zone, a change of the clocks."""

from datetime import UTC, datetime

import pytest

from assistant.domain.time.now_in_words import now_in_words


def test_the_week_comes_before_the_moment() -> None:
    told = now_in_words(datetime(2026, 11, 23, 8, 0, 5, tzinfo=UTC), "Europe/Berlin")
    assert told == (
        "Today and the days to come: Monday 2026-11-23, Tuesday 2026-11-24, Wednesday 2026-11-25,"
        " Thursday 2026-11-26, Friday 2026-11-27, Saturday 2026-11-28, Sunday 2026-11-29.\n"
        "It is Monday 2026-11-23T09:00:05+01:00, time zone Europe/Berlin."
    )


@pytest.mark.parametrize(
    ("now", "zone", "words"),
    [
        (
            datetime(2027, 3, 20, 8, tzinfo=UTC),
            "Europe/Berlin",
            "forward on Sunday 2027-03-28: 02:00 becomes 03:00, and the offset +02:00.",
        ),
        (
            datetime(2027, 10, 30, 8, 20, 30, tzinfo=UTC),
            "Europe/Berlin",
            "back on Sunday 2027-10-31: 03:00 becomes 02:00, and the offset +01:00.",
        ),
        (
            datetime(2026, 10, 1, 8, tzinfo=UTC),
            "Australia/Lord_Howe",
            "forward on Sunday 2026-10-04: 02:00 becomes 02:30, and the offset +11:00.",
        ),
    ],
)
def test_a_change_of_the_clocks_that_is_near_is_told(now: datetime, zone: str, words: str) -> None:
    assert words in now_in_words(now, zone)


def test_one_that_is_far_off_is_not_told() -> None:
    now = datetime(2027, 3, 13, 8, tzinfo=UTC)
    assert "clocks" not in now_in_words(now, "Europe/Berlin")
    assert "clocks" not in now_in_words(now, "Asia/Kolkata")
