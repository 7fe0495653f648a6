"""What to be reminded of and when, read from words."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from assistant.domain.calendar.recurrence import Recurrence
from assistant.domain.reminders.said import read_parts, read_reminder
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.values import Unclear

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 23, 9, 1, tzinfo=BERLIN)
ALMANAC = Almanac(now=NOW, zone=BERLIN)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("words", "text", "when"),
    [
        ("call Bob tomorrow at 9", "call Bob", at(24, 9)),
        ("call Bob tomorrow at 9:30", "call Bob", at(24, 9, 30)),
        ("call Bob tomorrow at 12", "call Bob", at(24, 12)),
        ("call Bob tomorrow at 17", "call Bob", at(24, 17)),
        ("tomorrow at 9 to call Bob", "call Bob", at(24, 9)),
        ("in 10 minutes to turn the oven off", "turn the oven off", at(23, 9, 11)),
        ("in 2 hours about the wash", "the wash", at(23, 11, 1)),
        ("pay the rent on friday", "pay the rent", date(2026, 11, 27)),
        ("water the plants tomorrow morning", "water the plants", at(24, 9)),
        ("take the cake out at noon", "take the cake out", at(23, 12)),
        ("buy milk and eggs tomorrow at 18:00", "buy milk and eggs", at(24, 18)),
        ("read chapter 5 tomorrow at 20:00", "read chapter 5", at(24, 20)),
        ('"call Bob at 5" tomorrow at 9:00', "call Bob at 5", at(24, 9)),
        ('tomorrow at 9:00 to "call Bob"', "call Bob", at(24, 9)),
        ("morgen um 9 an den Zahnarzt", "den Zahnarzt", at(24, 9)),
        ("den Zahnarzt morgen um 9", "den Zahnarzt", at(24, 9)),
        ("in 2 Stunden an die Wäsche", "die Wäsche", at(23, 11, 1)),
        ("morgen um halb neun an Bob", "Bob", at(24, 8, 30)),
    ],
)
def test_a_text_and_a_time(words: str, text: str, when: date) -> None:
    read = read_reminder(words, ALMANAC)
    assert (read.text, read.at, read.repeats) == (text, when, None)


@pytest.mark.parametrize(
    ("words", "text", "first", "rule"),
    [
        ("take a pill every day at 9", "take a pill", at(24, 9), {"frequency": "daily"}),
        (
            "put the bins out every tuesday at 20:00",
            "put the bins out",
            at(24, 20),
            {"frequency": "weekly", "weekdays": [{"day": "TU"}]},
        ),
        (
            "pay the rent monthly on the 3rd",
            "pay the rent",
            date(2026, 12, 3),
            {"frequency": "monthly", "month_days": (3,)},
        ),
        (
            "jeden Dienstag um 20 Uhr an die Mülltonne",
            "die Mülltonne",
            at(24, 20),
            {"frequency": "weekly", "weekdays": [{"day": "TU"}]},
        ),
    ],
)
def test_what_repeats(words: str, text: str, first: date, rule: dict[str, object]) -> None:
    read = read_reminder(words, ALMANAC)
    assert (read.text, read.at) == (text, first)
    assert read.repeats
    assert read.repeats == Recurrence.model_validate(rule)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("call Bob", "did not understand when"),
        ("call Bob tomorrow at 5", "5 could be night or afternoon: write 5:00 or 5pm"),
        ("call Bob every day at 7", "7 could be morning or evening"),
        ("call Bob tomorrow from 9:00 to 10:00", "one time"),
        ("call Bob yesterday at 9:00", "over"),
        ("call Bob every hour", "once a day at the most"),
        ("call Bob next week", "at what time"),
        ("tomorrow at 9:00", "did not understand of what"),
        ("tomorrow at 9:00 to call Bob on friday", "two times"),
    ],
)
def test_what_is_not_clear_is_asked(words: str, told: str) -> None:
    with pytest.raises(Unclear, match=told):
        read_reminder(words, ALMANAC)


def test_a_text_that_is_given_apart_may_hold_a_time() -> None:
    read = read_parts("call Bob at 5", "tomorrow at 9", ALMANAC)
    assert (read.text, read.at) == ("call Bob at 5", at(24, 9))


def test_a_time_that_the_clocks_skip_is_refused_with_the_nearest() -> None:
    almanac = Almanac(now=datetime(2027, 3, 27, 9, tzinfo=UTC), zone=BERLIN)
    with pytest.raises(Unclear, match="skip it"):
        read_reminder("call Bob tomorrow at 2:30", almanac)
