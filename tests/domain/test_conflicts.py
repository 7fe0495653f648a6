"""A time that is taken is told as such, with free times near to it."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calendar.events import When
from assistant.domain.calendar.free.busy_times import EventTime
from assistant.domain.calendar.free.conflicts import MOST_EVENTS, Conflicts, conflicts
from assistant.domain.calendar.free.slots import busy
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, WorkingHours
from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import say_when

BERLIN = "Europe/Berlin"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(BERLIN))


NOW = at("2026-11-23 08:00")


def when(text: str, hours: float = 1) -> When:
    return When(start=at(text), end=at(text) + hours * HOUR)


def taken(text: str, hours: float = 1) -> EventTime:
    return EventTime.of(when(text, hours))


def found(
    asked: When, *events: EventTime, now: datetime = NOW, padding: timedelta = timedelta()
) -> Conflicts:
    return conflicts(asked, events, now=now, zone=BERLIN, padding=padding)


def said(result: Conflicts) -> list[str]:
    return [say_when(one, BERLIN).removesuffix(" (Europe/Berlin)") for one in result.alternatives]


def test_a_free_time_has_no_conflict_and_no_alternatives() -> None:
    asked = when("2026-11-24 10:00")
    assert found(asked, taken("2026-11-24 09:00"), taken("2026-11-24 11:00")) == ((), (), 0, ())


def test_alternatives_are_of_the_same_day_first_nearest_first() -> None:
    result = found(when("2026-11-24 10:00"), taken("2026-11-24 10:30"), taken("2026-11-24 14:00"))
    assert said(result) == [
        "Tue 24 Nov 2026, 09:30 to 10:30",
        "Tue 24 Nov 2026, 11:30 to 12:30",
        "Tue 24 Nov 2026, 15:00 to 16:00",
    ]


def test_then_of_the_next_working_days_at_the_same_time() -> None:
    result = found(when("2026-11-27 10:00"), taken("2026-11-27 09:00", 8))
    assert said(result) == [
        "Mon 30 Nov 2026, 10:00 to 11:00",
        "Tue 1 Dec 2026, 10:00 to 11:00",
        "Wed 2 Dec 2026, 10:00 to 11:00",
    ]


def test_no_alternative_has_begun() -> None:
    asked, event = when("2026-11-24 10:00"), taken("2026-11-24 10:00")
    result = found(asked, event, now=at("2026-11-24 14:20"))
    assert said(result)[:2] == [
        "Tue 24 Nov 2026, 14:20 to 15:20",
        "Wed 25 Nov 2026, 10:00 to 11:00",
    ]


def test_an_evening_has_alternatives_in_the_evening() -> None:
    result = found(when("2026-11-27 19:00", 2), taken("2026-11-27 18:00", 2))
    assert said(result) == [
        "Fri 27 Nov 2026, 20:00 to 22:00",
        "Sat 28 Nov 2026, 19:00 to 21:00",
        "Sun 29 Nov 2026, 19:00 to 21:00",
    ]


def test_a_whole_day_has_the_next_working_days_on_which_nothing_is() -> None:
    asked = When(start=date(2026, 11, 26), end=date(2026, 11, 27))
    result = found(asked, taken("2026-11-26 10:00"), taken("2026-11-30 10:00"))
    assert said(result) == [
        "Fri 27 Nov 2026, all day",
        "Tue 1 Dec 2026, all day",
        "Wed 2 Dec 2026, all day",
    ]


def test_the_events_are_told_by_position_and_number() -> None:
    events = [taken("2026-11-25 10:00")] + [taken("2026-11-24 10:00")] * 100
    result = found(when("2026-11-24 10:30"), *events)
    assert result.events == tuple(range(1, MOST_EVENTS + 1))
    assert result.total == 100
    assert [(one.start, one.end) for one in result.busy] == [
        (at("2026-11-24 10:30"), at("2026-11-24 11:00"))
    ]


def test_padding_holds_for_alternatives() -> None:
    asked = when("2026-11-24 10:00")
    result = found(asked, taken("2026-11-24 10:00"), padding=15 * MINUTE)
    assert said(result)[0] == "Tue 24 Nov 2026, 11:15 to 12:15"


def test_a_time_that_never_fits_has_no_alternatives() -> None:
    asked = When(start=at("2026-11-24 10:00"), end=at("2026-11-24 10:00") + 40 * DAY)
    assert found(asked, taken("2026-11-25 10:00")).alternatives == ()


def test_a_time_beyond_the_calendar_is_refused() -> None:
    with pytest.raises(BadArguments):
        found(When(start=date(9999, 12, 30), end=date(9999, 12, 31)))


minutes = st.integers(0, 20 * 24 * 60)
days = st.sampled_from(("2026-03-23", "2026-10-19", "2026-11-23"))


@given(
    days,
    st.tuples(minutes, st.integers(1, 600) | st.integers(1, 3000)),
    st.lists(st.tuples(minutes, st.integers(1, 1000)), max_size=60),
    minutes,
    st.sampled_from((OFFICE_HOURS, WorkingHours.on(1, 5, begins=time(20), ends=time(4)))),
)
def test_alternatives_are_free_near_and_as_long(
    monday: str,
    place: tuple[int, int],
    spans: list[tuple[int, int]],
    now: int,
    hours: WorkingHours,
) -> None:
    start, length = place
    begin = at(f"{monday} 00:00").astimezone(UTC)
    events = [EventTime(begin + n * MINUTE, begin + (n + long) * MINUTE) for n, long in spans]
    asked = When(start=begin + start * MINUTE, end=begin + (start + length) * MINUTE)
    present = begin + now * MINUTE
    result = conflicts(asked, events, now=present, zone=BERLIN, hours=hours)
    overlapping = [
        n for n, one in enumerate(events) if one.start < asked.end and one.end > asked.start
    ]
    assert result.events == tuple(overlapping[:MOST_EVENTS])
    assert bool(result.busy) == bool(overlapping)
    assert len(result.alternatives) <= (3 if overlapping else 0)
    assert len({one.start for one in result.alternatives}) == len(result.alternatives)
    dates = []
    for one in result.alternatives:
        assert isinstance(one.start, datetime)
        assert isinstance(one.end, datetime)
        assert one.end.astimezone(UTC) - one.start.astimezone(UTC) == length * MINUTE
        assert one.start >= present
        assert busy(events, one.start, one.end, zone=BERLIN).slots == ()
        dates.append(one.start.date())
    assert dates == sorted(dates)
