"""Free and busy slots are what a walk over every minute finds, also where the clocks change."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import groupby
from time import thread_time
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calendar.events import When
from assistant.domain.calendar.free.busy_times import EventTime
from assistant.domain.calendar.free.slots import Slot, busy, free, next_free, say_hours, say_slots
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, Shift, WorkingHours
from assistant.domain.errors import BadArguments
from assistant.domain.time.wall_clock import first_moment

BERLIN = "Europe/Berlin"
ZONES = (
    BERLIN,
    "America/New_York",
    "Australia/Lord_Howe",  # by half an hour
    "America/Santiago",  # the clocks skip midnight
    "Asia/Beirut",  # the same, on the other half of the Earth
)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
TITLE = "Operation at the clinic"


def at(text: str, zone: str = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


@cache
def changes(zone: str) -> list[datetime]:
    """The hours of 2026 in which the clocks change."""
    there, hour = ZoneInfo(zone), timedelta(hours=1)
    hours = [datetime(2026, 1, 1, tzinfo=UTC) + n * hour for n in range(365 * 24)]
    return [
        one
        for one in hours
        if one.astimezone(there).utcoffset() != (one + hour).astimezone(there).utcoffset()
    ]


class Example(NamedTuple):
    zone: str
    start: datetime
    end: datetime
    events: list[EventTime]
    hours: WorkingHours
    least: int
    padding: int


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """A few days around a change of the clocks, with events and hours of every kind."""
    zone = draw(st.sampled_from(ZONES))
    change = draw(st.sampled_from(changes(zone)))
    start = change + timedelta(minutes=draw(st.integers(-36 * 60, 60)))
    end = start + timedelta(minutes=draw(st.integers(1, 60 * 60)))
    minutes = st.integers(-40 * 60, 64 * 60).map(lambda n: change + n * MINUTE)
    local = minutes.map(lambda one: one.astimezone(ZoneInfo(zone)))
    lengths = st.integers(0, 600) | st.integers(0, 3000)
    near = st.integers(-90, 200).map(lambda n: change.astimezone(ZoneInfo(zone)) + n * MINUTE)

    def timed(begins: datetime, length: int, flags: tuple[bool, bool]) -> EventTime:
        return EventTime(begins, begins.astimezone(UTC) + length * MINUTE, *flags)

    def floating(begins: datetime, length: int, flags: tuple[bool, bool]) -> EventTime:
        plain = begins.replace(tzinfo=None, fold=0)
        return EventTime(plain, plain + length * MINUTE, *flags)

    def whole(begins: datetime, length: int, flags: tuple[bool, bool]) -> EventTime:
        return EventTime(begins.date(), begins.date() + (length % 3) * DAY, *flags)

    flags = st.sampled_from(((False, False),) * 4 + ((True, False), (False, True)))
    some = [st.builds(kind, local | near, lengths, flags) for kind in (timed, floating, whole)]
    quarter = st.integers(0, 95).map(lambda n: time(n // 4, n % 4 * 15))
    shifts = st.lists(st.builds(Shift, quarter, quarter), max_size=2).map(tuple)
    week = st.lists(shifts, min_size=7, max_size=7).map(lambda days: WorkingHours(tuple(days)))
    return Example(
        zone,
        start,
        end,
        draw(st.lists(st.one_of(some[0], some[0], *some), max_size=8)),
        draw(week | st.just(WorkingHours.always()) | st.just(OFFICE_HOURS)),
        draw(st.sampled_from((1, 15, 30, 60, 240))),
        draw(st.sampled_from((0, 0, 5, 45))),
    )


class Walk:
    """The same by walking over every minute, two days further than asked at both ends."""

    def __init__(self, asked: Example) -> None:
        self.asked = asked
        self.zone = ZoneInfo(asked.zone)
        count = int((asked.end - asked.start) / MINUTE) + 4 * 24 * 60
        first = asked.start - 2 * DAY  # a shift of the day before may still go on
        self.minutes = [first + n * MINUTE for n in range(count)]
        self.stamps = [one.timestamp() for one in self.minutes]
        self.shown = [one.astimezone(self.zone).replace(tzinfo=None) for one in self.minutes]

    def busy(self) -> list[bool]:
        taken = [False] * len(self.minutes)
        for event in self.asked.events:
            if not (event.transparent or event.cancelled):
                taken = [one or on for one, on in zip(taken, self._on(event), strict=True)]
        return taken

    def _on(self, event: EventTime) -> list[bool]:
        start, end = event.start, event.end
        if not isinstance(start, datetime) or not isinstance(end, datetime):
            return [start <= shown.date() < end for shown in self.shown]
        begins, ends = start.timestamp(), end.timestamp()
        if start.tzinfo is None:
            begins = min(start.replace(tzinfo=self.zone, fold=n).timestamp() for n in (0, 1))
            ends = max(end.replace(tzinfo=self.zone, fold=n).timestamp() for n in (0, 1))
        return [start != end and begins <= stamp < ends for stamp in self.stamps]

    def working(self) -> list[bool]:
        at_work = [False] * len(self.minutes)
        for day in sorted({one.date() for one in self.shown}):
            for shift in self.asked.hours.shifts[day.weekday()]:
                begins = datetime.combine(day, shift.begins)
                ends = datetime.combine(day if shift.ends > shift.begins else day + DAY, shift.ends)
                first = self._first(begins)
                for n in range(first, self._first(ends)):
                    at_work[n] = True
        return at_work

    def _first(self, local: datetime) -> int:
        return next((n for n, one in enumerate(self.shown) if one >= local), len(self.shown))

    def slots(self, wanted: Sequence[bool]) -> list[tuple[datetime, datetime]]:
        found = []
        for is_wanted, those in groupby(
            (n for n, one in enumerate(self.minutes) if self.asked.start <= one < self.asked.end),
            key=lambda n: wanted[n],
        ):
            run = list(those)
            if is_wanted:
                found.append((self.minutes[run[0]], self.minutes[run[-1]] + MINUTE))
        return found

    def free(self) -> list[tuple[datetime, datetime]]:
        taken, at_work, wide = self.busy(), self.working(), self.asked.padding
        padded = [any(taken[max(0, n - wide) : n + wide + 1]) for n in range(len(taken))]
        slots = self.slots(
            [works and not full for works, full in zip(at_work, padded, strict=True)]
        )
        return [one for one in slots if one[1] - one[0] >= self.asked.least * MINUTE]


def in_utc(slots: Sequence[Slot]) -> list[tuple[datetime, datetime]]:
    return [(one.start.astimezone(UTC), one.end.astimezone(UTC)) for one in slots]


def test_each_zone_has_both_changes() -> None:
    assert all(len(changes(zone)) == 2 for zone in ZONES)


@given(examples())
def test_busy_is_every_minute_of_an_event(asked: Example) -> None:
    found = busy(asked.events, asked.start, asked.end, zone=asked.zone)
    walk = Walk(asked)
    assert in_utc(found.slots) == walk.slots(walk.busy())
    assert not found.more


@given(examples())
def test_free_is_every_minute_of_work_that_no_event_takes(asked: Example) -> None:
    found = free(
        asked.events,
        asked.start,
        asked.end,
        zone=asked.zone,
        hours=asked.hours,
        least=asked.least * MINUTE,
        padding=asked.padding * MINUTE,
    )
    assert in_utc(found.slots) == Walk(asked).free()


@given(examples())
def test_next_free_is_the_beginning_of_the_first_free_slot(asked: Example) -> None:
    found = next_free(
        asked.least,
        asked.events,
        after=asked.start,
        within_days=2,
        zone=asked.zone,
        hours=asked.hours,
        padding=asked.padding * MINUTE,
    )
    expected = Walk(asked._replace(end=asked.start + 2 * DAY)).free()
    assert in_utc([found] if found else []) == [
        (start, start + asked.least * MINUTE) for start, _ in expected[:1]
    ]


@given(st.sampled_from(ZONES), st.integers(0, 365 * 24 * 60))
def test_a_time_is_first_shown_when_a_walk_first_sees_it(zone: str, minutes: int) -> None:
    there = ZoneInfo(zone)
    local = datetime(2026, 1, 1) + minutes * MINUTE  # noqa: DTZ001  # what has no zone is the point
    found = first_moment(local, there)
    before = (found - MINUTE * n for n in range(1, 181))
    assert found.astimezone(there).replace(tzinfo=None) >= local
    assert all(one.astimezone(there).replace(tzinfo=None) < local for one in before)


def test_a_day_that_a_zone_skipped_has_no_hours() -> None:
    apia = ZoneInfo("Pacific/Apia")
    assert list(WorkingHours.always().of_day(date(2011, 12, 30), apia)) == []


class TestBusy:
    def test_no_word_of_an_event_can_get_into_a_slot(self) -> None:
        event = EventTime.of(When(start=at("2026-11-24 09:00"), end=at("2026-11-24 10:00")))
        assert EventTime._fields == ("start", "end", "transparent", "cancelled")
        found = busy([event], at("2026-11-24 00:00"), at("2026-11-25 00:00"), zone=BERLIN)
        assert found.slots == (Slot(at("2026-11-24 09:00"), at("2026-11-24 10:00")),)

    def test_events_that_adjoin_are_one_slot(self) -> None:
        events = [
            EventTime(at("2026-11-24 10:00"), at("2026-11-24 11:00")),
            EventTime(at("2026-11-24 09:00"), at("2026-11-24 10:00")),
        ]
        found = busy(events, at("2026-11-24 00:00"), at("2026-11-25 00:00"), zone=BERLIN)
        assert say_slots(found.slots) == ("Tue 24 Nov: 09:00–11:00",)

    @pytest.mark.parametrize(
        "event",
        [
            EventTime(at("2026-11-24 10:00"), at("2026-11-24 10:00")),
            EventTime(at("2026-11-24 10:00"), at("2026-11-24 09:00")),
            EventTime(date(2026, 11, 24), date(2026, 11, 24)),
            EventTime(datetime(2026, 11, 24, 10), datetime(2026, 11, 24, 9)),  # noqa: DTZ001
            EventTime(datetime(2026, 3, 29, 2, 30), datetime(2026, 3, 29, 2, 30)),  # noqa: DTZ001
        ],
    )
    def test_an_event_without_length_takes_no_time(self, event: EventTime) -> None:
        assert (
            busy([event], at("2026-01-01 00:00"), at("2026-12-31 00:00"), zone=BERLIN).slots == ()
        )

    def test_events_at_the_ends_of_the_calendar_are_cut(self) -> None:
        ever = EventTime(date.min, date.max)
        always = EventTime(datetime.min, datetime.max)  # noqa: DTZ901
        far = EventTime(
            datetime.min.replace(tzinfo=ZoneInfo("Asia/Tokyo")),
            datetime.max.replace(tzinfo=ZoneInfo("America/New_York")),
        )
        for event in (ever, always, far):
            found = busy([event], at("2026-11-24 00:00"), at("2026-11-25 00:00"), zone=BERLIN)
            assert found.slots == (Slot(at("2026-11-24 00:00"), at("2026-11-25 00:00")),)

    def test_many_slots_are_told_to_be_more(self) -> None:
        begin = at("2026-11-24 00:00")
        events = [EventTime(begin + n * 2 * MINUTE, begin + (n * 2 + 1) * MINUTE) for n in range(9)]
        found = busy(events, begin, begin + DAY, zone=BERLIN, most=5)
        assert len(found.slots) == 5
        assert found.more
        assert found.until == begin + 10 * MINUTE

    def test_a_long_range_is_cut(self) -> None:
        found = busy([], at("2026-01-01 00:00"), at("2030-01-01 00:00"), zone="UTC")
        assert found.more
        assert found.until.date() == date(2027, 1, 1)

    def test_a_range_beyond_the_calendar_or_without_a_zone_is_refused(self) -> None:
        for end in (at("9999-01-01 00:00"), datetime(2026, 11, 24)):  # noqa: DTZ001
            with pytest.raises(BadArguments):
                busy([], at("2026-01-01 00:00"), end, zone=BERLIN)
        with pytest.raises(BadArguments):
            busy([], at("2026-01-01 00:00"), at("2026-01-02 00:00"), zone="Mars/Olympus")


class TestFree:
    def test_words(self) -> None:
        events = [EventTime(at("2026-11-24 10:30"), at("2026-11-24 13:00"))]
        found = free(events, at("2026-11-24 00:00"), at("2026-11-26 00:00"), zone=BERLIN)
        assert say_slots(found.slots) == (
            "Tue 24 Nov: 09:00–10:30, 13:00–17:00",
            "Wed 25 Nov: 09:00–17:00",
        )

    def test_slots_are_whole_minutes(self) -> None:
        events = [EventTime(at("2026-11-24 10:30:20"), at("2026-11-24 13:00:01"))]
        found = free(events, at("2026-11-24 09:00:30"), at("2026-11-25 00:00"), zone=BERLIN)
        assert say_slots(found.slots) == ("Tue 24 Nov: 09:01–10:30, 13:01–17:00",)

    def test_a_night_shift_is_one_slot_over_midnight(self) -> None:
        hours = WorkingHours.on(4, begins=time(22), ends=time(6))
        found = free([], at("2026-11-23 00:00"), at("2026-11-30 00:00"), zone=BERLIN, hours=hours)
        assert say_slots(found.slots) == ("Fri 27 Nov: 22:00–06:00 Sat 28 Nov",)

    def test_a_night_shift_of_the_day_before_goes_on(self) -> None:
        hours = WorkingHours.on(4, begins=time(22), ends=time(6))
        found = free([], at("2026-11-28 01:00"), at("2026-11-28 12:00"), zone=BERLIN, hours=hours)
        assert say_slots(found.slots) == ("Sat 28 Nov: 01:00–06:00",)

    def test_an_event_of_days_takes_the_hours_of_each(self) -> None:
        events = [EventTime(at("2026-11-23 16:00"), at("2026-11-25 10:00"))]
        found = free(events, at("2026-11-23 00:00"), at("2026-11-26 00:00"), zone=BERLIN)
        assert say_slots(found.slots) == ("Mon 23 Nov: 09:00–16:00", "Wed 25 Nov: 10:00–17:00")

    def test_no_hours_no_slots(self) -> None:
        none = WorkingHours(((),) * 7)
        start, end = at("2026-11-23 00:00"), at("2026-11-30 00:00")
        assert free([], start, end, zone=BERLIN, hours=none).slots == ()

    def test_ten_thousand_events_are_quick(self) -> None:
        begin = at("2026-01-01 00:00")
        events = [
            EventTime(begin + n * 50 * MINUTE, begin + n * 50 * MINUTE + (n % 90) * MINUTE)
            for n in range(10_000)
        ]
        before = thread_time()
        free(events, begin, begin + 366 * DAY, zone=BERLIN, least=15 * MINUTE)
        assert thread_time() - before < 2


class TestWords:
    def test_a_slot_that_ends_at_midnight_ends_at_24(self) -> None:
        assert say_hours(Slot(at("2026-11-24 22:00"), at("2026-11-25 00:00"))) == "22:00–24:00"

    def test_times_that_come_twice_have_their_offset(self) -> None:
        start = at("2026-10-25 02:30")
        assert say_hours(Slot(start, start.replace(fold=1))) == "02:30+02:00–02:30+01:00"
