"""How often an event repeats: what is refused, and how it is said."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from assistant.domain.calendar.recurrence import BadRecurrence, check, from_rrule, made, to_rrule
from assistant.domain.calendar.recurrence_words import words

TUESDAY = datetime(2026, 11, 24, 9, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=DAILY;INTERVAL=3;COUNT=5", "every 3 days, 5 times"),
        ("FREQ=WEEKLY;UNTIL=20270331T070000Z", "every Tuesday until 31 March 2027"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,TU", "every 2 weeks on Tuesday and Thursday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE;COUNT=1", "every Monday, Tuesday and Wednesday, once"),
        ("FREQ=MONTHLY", "every month on the 24th"),
        (
            "FREQ=MONTHLY;BYMONTHDAY=-1,1,2,11",
            "every month on the 1st, 2nd, 11th and last day"),
        ("FREQ=MONTHLY;BYDAY=1MO,-1FR", "every month on the first Monday and last Friday"),
        ("FREQ=YEARLY", "every year on 24 November"),
        ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every year on 24 December"),
        ("FREQ=YEARLY;BYMONTH=1;BYDAY=1MO", "every year on the first Monday of January"),
        ("FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1", "every year on the 1st of March and September"),
    ],
)  # fmt: skip
def test_a_recurrence_is_said_in_words(rule: str, said: str) -> None:
    found = from_rrule(rule, TUESDAY)
    ended = found.count or found.until
    assert words(found, TUESDAY) == (said if ended else f"{said}, without an end")


def test_a_card_says_until_when_and_how_many_times() -> None:
    rule = made(frequency="weekly", weekdays=[{"day": "TU"}], until=date(2027, 3, 31))
    assert words(rule, TUESDAY, times=18) == "every Tuesday until 31 March 2027, 18 times"
    assert to_rrule(rule, TUESDAY) == "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270331T070000Z"
    assert to_rrule(rule, TUESDAY.date()) == "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270331"


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"frequency": "hourly"}, "frequency"),
        ({"frequency": "daily", "count": 1001}, "1000 times at the most"),
        ({"frequency": "daily", "count": 2, "until": date(2027, 1, 1)}, "not both"),
        ({"frequency": "daily", "interval": 0}, "interval"),
        ({"frequency": "daily", "weekdays": [{"day": "MO"}]}, "weekly"),
        ({"frequency": "weekly", "weekdays": [{"day": "MO", "nth": 1}]}, "first Monday"),
        ({"frequency": "monthly", "weekdays": [{"day": "MO"}]}, "which weekday"),
        ({"frequency": "monthly", "month_days": [0]}, "1 to 31"),
        ({"frequency": "monthly", "month_days": [3, 3]}, "twice"),
        ({"frequency": "monthly", "months": [3]}, "yearly"),
        ({"frequency": "yearly", "month_days": [3]}, "which month"),
        ({"frequency": "yearly", "months": [2], "month_days": [30]}, "no such day"),
    ],
)
def test_what_does_not_fit_together_is_refused(parts: dict[str, object], said: str) -> None:
    with pytest.raises(BadRecurrence, match=said):
        made(**parts)


def test_a_series_must_begin_on_one_of_its_days_and_before_it_ends() -> None:
    check(made(frequency="weekly", weekdays=[{"day": "TU"}], until=TUESDAY.date()), TUESDAY)
    with pytest.raises(BadRecurrence, match="before it begins"):
        check(made(frequency="daily", until=date(2026, 11, 23)), TUESDAY)
    with pytest.raises(BadRecurrence, match="Tuesday, 2026-11-24"):
        check(made(frequency="weekly", weekdays=[{"day": "WE"}]), TUESDAY)
    with pytest.raises(BadRecurrence, match="2199"):
        check(made(frequency="daily", until=date(2300, 1, 1)), TUESDAY)


@pytest.mark.parametrize(
    "rule",
    [
        *("", "FREQ=HOURLY", "FREQ=DAILY;FREQ=DAILY", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1"),
        *("FREQ=DAILY;COUNT=x", "FREQ=DAILY;COUNT=99999999999", "FREQ=DAILY;UNTIL=20271301"),
        *("FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "A" * 600),
        *("FREQ=DAILY;UNTIL=00010101T000000Z"),
        *("FREQ=DAILY;UNTIL=99991231T235959Z", "FREQ=DAILY;UNTIL=2027010"),
    ],
)  # fmt: skip
def test_a_rule_outside_the_subset_is_refused_with_the_documented_error(rule: str) -> None:
    try:
        found = from_rrule(rule, TUESDAY)
    except BadRecurrence:
        return
    with pytest.raises(BadRecurrence):
        check(found, TUESDAY)


def test_the_last_day_is_the_last_on_which_an_occurrence_may_begin() -> None:
    noon = datetime(2026, 11, 24, 12, tzinfo=UTC)
    assert from_rrule("FREQ=DAILY;UNTIL=20270101T115959Z", noon).until == date(2026, 12, 31)
    assert from_rrule("FREQ=DAILY;UNTIL=20270101T120000Z", noon).until == date(2027, 1, 1)
    assert from_rrule("FREQ=DAILY;UNTIL=20270101", noon).until == date(2027, 1, 1)
