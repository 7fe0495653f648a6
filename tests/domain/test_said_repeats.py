"""How something repeats, as a person says it."""

import time
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calendar.recurrence import Frequency
from assistant.domain.time.said.almanac import LANGUAGES, Almanac
from assistant.domain.time.said.repeats import read_repeats, say_repeats
from assistant.domain.time.said.values import Repeats, Unclear

NOW = datetime(2026, 11, 21, 10, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Saturday."""
ALMANAC = Almanac(now=NOW, zone=ZoneInfo("Europe/Berlin"))
MARCH = date(2027, 2, 28)
TUESDAY = (1,)
WORKDAYS = (0, 1, 2, 3, 4)
DAILY, WEEKLY, MONTHLY = Frequency.DAILY, Frequency.WEEKLY, Frequency.MONTHLY


@pytest.mark.parametrize(
    ("text", "repeats", "first"),
    [
        ("every Tuesday until March", Repeats(WEEKLY, weekdays=TUESDAY, until=MARCH), "11-24"),
        ("jeden Dienstag bis März", Repeats(WEEKLY, weekdays=TUESDAY, until=MARCH), "11-24"),
        ("every other week", Repeats(WEEKLY, 2), "11-21"),
        ("every other tuesday at 3pm", Repeats(WEEKLY, 2, TUESDAY), "11-24 15:00"),
        ("alle zwei Wochen am Dienstag", Repeats(WEEKLY, 2, TUESDAY), "11-24"),
        ("every weekday at 9:00", Repeats(WEEKLY, weekdays=WORKDAYS), "11-23 09:00"),
        ("monthly on the 3rd", Repeats(MONTHLY, month_day=3), "12-03"),
        ("monatlich am 3.", Repeats(MONTHLY, month_day=3), "12-03"),
        ("every first Monday", Repeats(MONTHLY, weekdays=(0,), ordinal=1), "12-07"),
        ("on the last friday of every month", Repeats(MONTHLY, 1, (4,), -1), "11-27"),
        ("jeden ersten Montag im Monat", Repeats(MONTHLY, weekdays=(0,), ordinal=1), "12-07"),
        ("daily for 10 days", Repeats(DAILY, count=10), "11-21"),
        ("daily for 10 days at 9:00", Repeats(DAILY, count=10), "11-22 09:00"),
        ("every weekday for 2 weeks", Repeats(WEEKLY, weekdays=WORKDAYS, count=10), "11-23"),
        ("every day for 2 weeks", Repeats(DAILY, until=date(2026, 12, 4)), "11-21"),
        ("every saturday at 9:00", Repeats(WEEKLY, weekdays=(5,)), "11-28 09:00"),
        ("every saturday at 11:00", Repeats(WEEKLY, weekdays=(5,)), "11-21 11:00"),
        ("every morning at 8", Repeats(DAILY), "11-22 08:00"),
        ("täglich um halb neun", Repeats(DAILY), "11-22 08:30"),
        ("every monday, wednesday and friday", Repeats(WEEKLY, weekdays=(0, 2, 4)), "11-23"),
        (
            "every tuesday from 14:00 to 15:00 until 31 december",
            Repeats(WEEKLY, weekdays=TUESDAY, until=date(2026, 12, 31)),
            "11-24 14:00",
        ),
        (
            "every tuesday through march",
            Repeats(WEEKLY, weekdays=TUESDAY, until=date(2027, 3, 31)),
            "11-24",
        ),
    ],
)
def test_a_repeat_is_read_with_its_first_time(text: str, repeats: Repeats, first: str) -> None:
    found = read_repeats(text, ALMANAC)
    assert found
    assert found.repeats == repeats
    start = found.first.start
    timed = isinstance(start, datetime)
    assert (f"{start:%m-%d %H:%M}" if timed else f"{start:%m-%d}") == first


def test_until_a_month_says_its_last_day() -> None:
    found = read_repeats("every Tuesday until March", ALMANAC)
    assert found
    assert found.note == "Until March is taken as until 28 Feb 2027."


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("every second tuesday", 2),
        ("jeden zweiten Dienstag", 2),
        ("every weekday at 7", 2),
        ("every tuesday until november", 0),
        ("every 5 minutes", 0),
        ("every morning", 0),
        ("every tuesday until yesterday", 0),
        ("monthly on the 32nd", 0),
    ],
)
def test_a_repeat_that_is_unclear_is_asked_back(text: str, readings: int) -> None:
    with pytest.raises(Unclear) as unclear:
        read_repeats(text, ALMANAC)
    assert len(unclear.value.readings) == readings


@pytest.mark.parametrize(
    "text", ["tomorrow at 9:00", "every", "every tuesday in march", "dinner", ""]
)
def test_what_does_not_repeat_is_none(text: str) -> None:
    assert read_repeats(text, ALMANAC) is None


WEEKDAYS = st.sets(st.integers(0, 6), max_size=7).map(sorted).map(tuple)
SHAPES = st.one_of(
    st.builds(Repeats, st.sampled_from(Frequency), st.integers(1, 99)),
    st.builds(Repeats, st.just(WEEKLY), st.integers(1, 99), WEEKDAYS),
    st.builds(
        Repeats,
        st.just(MONTHLY),
        st.integers(1, 99),
        st.integers(0, 6).map(lambda day: (day,)),
        st.sampled_from([1, 2, 3, 4, -1]),
    ),
    st.builds(Repeats, st.just(MONTHLY), st.integers(1, 99), month_day=st.integers(1, 31)),
)
LIMITS = st.one_of(
    st.just((None, None)),
    st.tuples(st.dates(date(2028, 1, 1), date(2090, 1, 1)), st.none()),
    st.tuples(st.none(), st.integers(1, 999)),
)


@given(SHAPES, LIMITS)
def test_what_is_said_back_reads_as_the_same_repeat(
    shape: Repeats, limit: tuple[date | None, int | None]
) -> None:
    until, count = limit
    repeats = Repeats(
        shape.frequency,
        shape.interval,
        shape.weekdays,
        shape.ordinal,
        shape.month_day,
        until,
        count,
    )
    found = read_repeats(say_repeats(repeats), ALMANAC)
    assert found
    assert found.repeats == repeats


VOCABULARY = [*sorted({word for table in LANGUAGES for word in table}), "1", "31", "9:00", ","]


@given(st.lists(st.sampled_from(VOCABULARY), max_size=8))
def test_no_words_break_it(words: list[str]) -> None:
    for begin in ("every", "monthly", "jeden ersten"):
        try:
            found = read_repeats(" ".join([begin, *words]), ALMANAC)
        except Unclear:
            continue
        assert found is None or found.repeats.interval > 0


def test_a_hostile_text_does_not_repeat() -> None:
    begun = time.thread_time()
    assert read_repeats("every " * 20_000, ALMANAC) is None
    assert time.thread_time() - begun < 0.1
