from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.domain.calendar.events import When
from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import begins, ends, say_moment, say_when, zone_of

BERLIN = "Europe/Berlin"
moments = st.integers(0, 130 * 365 * 86400).map(lambda at: datetime.fromtimestamp(at, UTC))


def test_a_time_is_said_with_its_zone() -> None:
    start = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    when = When(start=start, end=start + timedelta(minutes=30))
    assert say_when(when, BERLIN) == "Mon 30 Nov 2026, 10:00 to 10:30 (Europe/Berlin)"
    assert say_moment(datetime.max.replace(tzinfo=UTC), BERLIN) == "Fri 31 Dec 9999, 23:59 (UTC)"
    assert say_moment(datetime.min.replace(tzinfo=UTC), "America/New_York").endswith("00:00 (UTC)")
    assert say_moment(start, BERLIN) == "Mon 30 Nov 2026, 10:00 (Europe/Berlin)"


def test_a_time_that_ends_on_another_day_says_which() -> None:
    start = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
    when = When(start=start, end=start + timedelta(hours=2))
    said = "Mon 30 Nov 2026, 23:00 to Tue 1 Dec 2026, 01:00 (Europe/Berlin)"
    assert say_when(when, BERLIN) == said


def test_a_time_that_comes_twice_is_said_with_its_offset() -> None:
    first = datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    second = first + timedelta(hours=1)
    assert say_moment(first, BERLIN) == "Sun 31 Oct 2027, 02:30+02:00 (Europe/Berlin)"
    assert say_moment(second, BERLIN) == "Sun 31 Oct 2027, 02:30+01:00 (Europe/Berlin)"
    said = say_when(When(start=first, end=second), BERLIN)
    assert said == "Sun 31 Oct 2027, 02:30+02:00 to 02:30+01:00 (Europe/Berlin)"


@given(moments, st.timedeltas(timedelta(hours=-2), timedelta(hours=2)))
@example(datetime(2027, 10, 31, 0, 30, tzinfo=UTC), timedelta(hours=1))
def test_what_is_said_alike_is_the_same_minute(one: datetime, apart: timedelta) -> None:
    other = one + apart
    same = one.replace(second=0, microsecond=0) == other.replace(second=0, microsecond=0)
    assert (say_moment(one, BERLIN) == say_moment(other, BERLIN)) == same


def test_a_day_is_said_without_times() -> None:
    day = When(start=date(2026, 12, 1), end=date(2026, 12, 2))
    assert say_when(day, BERLIN) == "Tue 1 Dec 2026, all day"
    days = When(start=date(2026, 12, 1), end=date(2026, 12, 4))
    assert say_when(days, BERLIN) == "Tue 1 Dec 2026 to Thu 3 Dec 2026, all day"


def test_a_day_begins_and_ends_at_midnight_where_the_owner_is() -> None:
    day = When(start=date(2026, 3, 29), end=date(2026, 3, 30))  # clocks go forward at night
    assert begins(day, BERLIN) == datetime(2026, 3, 28, 23, 0, tzinfo=UTC)
    assert ends(day, BERLIN) - begins(day, BERLIN) == timedelta(hours=23)


@given(moments, st.integers(1, 60 * 24))
def test_a_time_begins_and_ends_when_it_says(start: datetime, minutes: int) -> None:
    when = When(start=start, end=start + timedelta(minutes=minutes))
    assert begins(when, BERLIN) == start
    assert ends(when, "Asia/Tokyo") - start == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    "name", ["", "Berlin", "../etc/passwd", "Europe/Berlin\x00", "/etc/passwd"]
)
def test_what_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(BadArguments, match="no time zone"):
        zone_of(name)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (datetime(2026, 1, 1, 10, tzinfo=UTC), datetime(2026, 1, 1, 10, tzinfo=UTC)),
        (datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)),
        (date(2026, 1, 1), date(2026, 1, 1)),
        (date(2026, 1, 1), datetime(2026, 1, 2, tzinfo=UTC)),
        (datetime(2026, 1, 1, tzinfo=UTC), date(2026, 1, 2)),
        (date(2026, 1, 1), date(2028, 1, 1)),
    ],
)
def test_what_is_no_span_of_time_is_refused(start: date, end: date) -> None:
    with pytest.raises(ValueError, match=r"after the start|both times|366 days"):
        When(start=start, end=end)


def test_a_naive_time_is_refused() -> None:
    naive = datetime(2026, 1, 1, 10, 0)  # noqa: DTZ001 (that is the point)
    with pytest.raises(ValueError, match="timezone"):
        When(start=naive, end=naive + timedelta(hours=1))
