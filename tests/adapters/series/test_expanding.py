"""What a series expands to, against a walk over every day that knows nothing of libraries."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events  # type: ignore[import-untyped]  # it ships no types
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.calendar.series.creating import new_series
from assistant.adapters.calendar.series.expanding import count_until, expand
from assistant.adapters.calendar.series.reading import LAST, read
from assistant.adapters.calendar.series.rules import checked
from assistant.domain.calendar.events import When
from assistant.domain.calendar.recurrence import (
    WEEK,
    BadRecurrence,
    DayOfWeek,
    Frequency,
    Recurrence,
    from_rrule,
    holds,
    made,
    to_rrule,
)
from assistant.domain.calendar.series import FloatingTime

ZONES = [
    ZoneInfo(name)
    for name in (
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",  # half an hour
        "America/Santiago",  # at midnight
        "Africa/Casablanca",  # follows no yearly rule
    )
]
STAMP = datetime(2026, 1, 1, tzinfo=UTC)
YEAR = 2026


def moment(value: date) -> datetime:
    assert isinstance(value, datetime)
    return value


def walked(rule: Recurrence, first: date, last: date) -> Iterator[date]:
    """Yield the days of the rule, looking at each day in turn."""
    found, day = 0, first
    while day <= min(last, rule.until or last) and found < (rule.count or 10**9):
        if _in_turn(rule, first, day) and _is_its_day(rule, first, day):
            found += 1
            yield day
        day += timedelta(days=1)


def _in_turn(rule: Recurrence, first: date, day: date) -> bool:
    apart: dict[Frequency, Callable[[], int]] = {
        Frequency.DAILY: lambda: (day - first).days,
        Frequency.WEEKLY: lambda: (_monday(day) - _monday(first)).days // 7,
        Frequency.MONTHLY: lambda: (day.year - first.year) * 12 + day.month - first.month,
        Frequency.YEARLY: lambda: day.year - first.year,
    }
    return apart[rule.frequency]() % rule.interval == 0


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _is_its_day(rule: Recurrence, first: date, day: date) -> bool:
    if rule.weekdays or rule.month_days:
        return holds(rule, day)
    return {
        Frequency.DAILY: True,
        Frequency.WEEKLY: day.weekday() == first.weekday(),
        Frequency.MONTHLY: day.day == first.day,
        Frequency.YEARLY: (day.month, day.day) == (first.month, first.day),
    }[rule.frequency]


def valid(**parts: object) -> Recurrence | None:
    try:
        return made(**parts)
    except BadRecurrence:
        return None


NTH = st.builds(DayOfWeek, day=st.sampled_from(WEEK), nth=st.sampled_from([1, 2, 3, 4, 5, -1]))
PLAIN = st.builds(DayOfWeek, day=st.sampled_from(WEEK))
RULES: st.SearchStrategy[Recurrence] = (
    st.fixed_dictionaries(  # type: ignore[assignment]  # the filter takes out None
        {"frequency": st.sampled_from(Frequency), "interval": st.integers(1, 5)},
        optional={
            "weekdays": st.lists(PLAIN, max_size=4) | st.lists(NTH, max_size=2),
            "month_days": st.lists(st.integers(1, 31) | st.just(-1), max_size=3),
            "months": st.lists(st.integers(1, 12), max_size=3),
            "count": st.integers(1, 60),
            "until": st.dates(date(YEAR, 1, 1), date(YEAR + 1, 12, 31)),
        },
    )
    .map(lambda parts: valid(**parts))
    .filter(lambda rule: rule is not None)
)
STARTS = st.datetimes(datetime(YEAR, 1, 1), datetime(YEAR, 12, 31))  # noqa: DTZ001 (wall times)


def fitted(rule: Recurrence, start: datetime) -> datetime | None:
    """Return the first time at this hour on one of the rule's days."""
    for days in range(800):
        later = start + timedelta(days=days)
        if rule.until and later.date() > rule.until:
            return None
        if holds(rule, later.date()):
            return later.replace(second=0, microsecond=0, fold=0)
    return None


def series_of(rule: Recurrence, start: datetime, zone: ZoneInfo, hours: int = 1) -> bytes:
    begin = start.replace(tzinfo=zone)
    end = (begin.astimezone(UTC) + timedelta(hours=hours)).astimezone(zone)
    when = When.model_construct(start=begin, end=end)
    ics = new_series("u", "Plan", when, rule, stamp=STAMP, zone=zone).ics
    assert ics
    return ics


@pytest.mark.slow
@given(RULES, STARTS, st.sampled_from(ZONES))
def test_a_series_has_the_occurrences_that_a_walk_over_the_days_finds(
    rule: Recurrence, start: datetime, zone: ZoneInfo
) -> None:
    first = fitted(rule, start)
    if first is None:
        return
    ics = series_of(rule, first, zone)
    begin = datetime(YEAR, 1, 1, tzinfo=zone)
    end = datetime(YEAR + 1, 12, 31, tzinfo=zone)
    found = expand(ics, begin, end, zone=zone)
    wanted = [
        datetime.combine(day, first.time(), zone).astimezone(UTC)
        for day in walked(rule, first.date(), date(YEAR + 1, 12, 31))
    ]
    got = [moment(each.when.start).astimezone(UTC) for each in found.events]
    assert got == [each for each in wanted if each < end.astimezone(UTC)]
    assert all(
        moment(each.when.end).astimezone(UTC) - moment(each.when.start).astimezone(UTC)
        == timedelta(hours=1)
        for each in found.events
    )
    assert not found.defects
    assert not found.truncated


@given(RULES, STARTS)
def test_whole_days_expand_to_the_same_days(rule: Recurrence, start: datetime) -> None:
    first = fitted(rule, start)
    if first is None:
        return
    when = When(start=first.date(), end=first.date() + timedelta(days=1))
    made_ = new_series("u", "Plan", when, rule, stamp=STAMP, zone=ZONES[0])
    assert made_.ics
    end = datetime(YEAR + 1, 12, 31, tzinfo=ZONES[0])
    found = expand(made_.ics, datetime(YEAR, 1, 1, tzinfo=ZONES[0]), end, zone=ZONES[0])
    wanted = list(walked(rule, first.date(), date(YEAR + 1, 12, 30)))
    assert [each.when.start for each in found.events] == wanted


@pytest.mark.slow
@given(RULES, STARTS, st.sampled_from(ZONES))
def test_another_library_reads_the_same_occurrences(
    rule: Recurrence, start: datetime, zone: ZoneInfo
) -> None:
    first = fitted(rule, start)
    if first is None:
        return
    ics = series_of(rule, first, zone)
    begin, end = datetime(YEAR, 1, 1, tzinfo=UTC), datetime(YEAR + 1, 7, 1, tzinfo=UTC)
    theirs = recurring_ical_events.of(icalendar.Calendar.from_ical(ics)).between(begin, end)
    wanted = sorted(part.start.astimezone(UTC) for part in theirs)
    found = expand(ics, begin, end, zone=zone)
    got = sorted(moment(each.when.start).astimezone(UTC) for each in found.events)
    # That library ends at midnight by the wall, we by the moment.
    assert [each for each in got if each < end - timedelta(days=1)] == [
        each for each in wanted if each < end - timedelta(days=1)
    ]


@given(RULES, STARTS, st.sampled_from(ZONES))
def test_a_rule_says_the_same_after_it_was_written_and_read(
    rule: Recurrence, start: datetime, zone: ZoneInfo
) -> None:
    begin = start.replace(tzinfo=zone, second=0, microsecond=0)
    assert from_rrule(to_rrule(rule, begin), begin) == rule
    assert from_rrule(to_rrule(rule, start.date()), start.date()) == rule


@given(RULES, STARTS, st.integers(0, 3000))
def test_skipping_ahead_finds_what_walking_finds(
    rule: Recurrence, start: datetime, days: int
) -> None:
    written = icalendar.vRecur.from_ical(to_rrule(rule, start))
    until = None if rule.until is None else datetime.combine(rule.until, start.time())
    ours = checked(written, until)
    after = start + timedelta(days=days)
    before = after + timedelta(days=400)
    plain = [wall for wall in ours.walls(start, before=before) if wall >= after]
    assert list(ours.walls(start, after=after, before=before)) == plain


def lines(*some: str, zone: str = "") -> bytes:
    text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//", *([zone] if zone else [])]
    text += ["BEGIN:VEVENT", "UID:u", "DTSTAMP:20260101T000000Z", "SUMMARY:Plan", *some]
    return "\r\n".join([*text, "END:VEVENT", "END:VCALENDAR", ""]).encode()


BERLIN = ZONES[0]


def between(ics: bytes, first: str, last: str, zone: ZoneInfo | None = BERLIN) -> list[str]:
    begin = datetime.fromisoformat(first).replace(tzinfo=BERLIN)
    end = datetime.fromisoformat(last).replace(tzinfo=BERLIN)
    found = expand(ics, begin, end, zone=zone).events
    return [f"{each.when.start:%m-%d %H:%M%z}" for each in found]


def test_a_time_in_the_gap_of_spring_is_an_hour_later_and_comes_once_in_autumn() -> None:
    ics = lines("DTSTART;TZID=Europe/Berlin:20260101T023000", "DURATION:PT1H", "RRULE:FREQ=DAILY")
    starts = expand(
        *(ics, datetime(2026, 3, 29, tzinfo=BERLIN), datetime(2026, 3, 30, tzinfo=BERLIN)),
        zone=BERLIN,
    ).events
    assert [moment(each.when.start).astimezone(UTC).hour for each in starts] == [1]
    assert len(between(ics, "2026-10-25", "2026-10-26")) == 1


def test_moved_cancelled_removed_and_added_occurrences_are_where_they_belong() -> None:
    ics = lines(
        "DTSTART;TZID=Europe/Berlin:20260106T090000",
        "DTEND;TZID=Europe/Berlin:20260106T100000",
        "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Berlin:20260113T090000",
        "EXDATE:20260120T080000Z",
        "RDATE;TZID=America/New_York:20260122T090000",
        "RDATE;VALUE=PERIOD:20260123T080000Z/PT3H",
        *("END:VEVENT", "BEGIN:VEVENT", "UID:u"),
        "RECURRENCE-ID:20260127T080000Z",
        *("DTSTART:20260301T100000Z", "DTEND:20260301T110000Z", "SUMMARY:Moved"),
        *("END:VEVENT", "BEGIN:VEVENT", "UID:u", "STATUS:CANCELLED"),
        "RECURRENCE-ID;TZID=Europe/Berlin:20260203T090000",
        "DTSTART;TZID=Europe/Berlin:20260203T090000",
    )
    assert between(ics, "2026-01-01", "2026-02-11") == [
        "01-06 09:00+0100",
        "01-22 15:00+0100",
        "01-23 09:00+0100",
        "02-10 09:00+0100",
    ]
    moved = expand(
        ics, datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC), zone=BERLIN
    ).events
    assert [(each.title, each.changed) for each in moved] == [("Moved", True)]
    assert moved[0].recurrence_id == datetime(2026, 1, 27, 8, tzinfo=UTC)


def test_an_occurrence_that_began_before_the_range_is_in_it() -> None:
    ics = lines("DTSTART;VALUE=DATE:20260101", "DTEND;VALUE=DATE:20260111", "RRULE:FREQ=MONTHLY")
    assert between(ics, "2026-03-10", "2026-03-12") == ["03-01 00:00"]
    assert between(ics, "2026-03-11", "2026-03-12") == []


def test_times_without_a_zone_are_refused_or_resolved_aloud() -> None:
    ics = lines("DTSTART:20260106T090000", "DTEND:20260106T100000", "RRULE:FREQ=WEEKLY;COUNT=3")
    begin, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    with pytest.raises(FloatingTime):
        expand(ics, begin, end, zone=None)
    found = expand(ics, begin, end, zone=ZoneInfo("America/New_York"))
    assert found.events[0].when.start == datetime(2026, 1, 6, 14, tzinfo=UTC)
    assert found.defects == ("its times have no time zone, and are read as America/New_York",)


def test_a_zone_that_only_the_object_defines_is_used_for_this_object_alone() -> None:
    def of(hours: str) -> bytes:
        return lines(
            *("DTSTART;TZID=Office:20260106T090000", "RRULE:FREQ=DAILY;COUNT=2"),
            zone="BEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
            f"TZOFFSETFROM:{hours}\r\nTZOFFSETTO:{hours}\r\nEND:STANDARD\r\nEND:VTIMEZONE",
        )

    assert between(of("+0300"), "2026-01-06", "2026-01-07")[0] == "01-06 06:00+0000"
    assert between(of("-0300"), "2026-01-06", "2026-01-07")[0] == "01-06 12:00+0000"


def test_the_zone_that_is_written_holds_for_later_years() -> None:
    for zone in ZONES:
        rule = made(frequency="weekly")
        ics = series_of(rule, datetime(2026, 1, 6, 9), zone)  # noqa: DTZ001 (a wall time)
        # Under a name that nobody knows, icalendar must take the definition.
        hidden = ics.replace(f"TZID:{zone.key}".encode(), b"TZID:Hidden").replace(
            f"TZID={zone.key}".encode(), b"TZID=Hidden"
        )
        begin, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2036, 1, 1, tzinfo=UTC)
        ours = [each.when.start for each in expand(ics, begin, end, zone=zone).events]
        theirs = [each.when.start for each in expand(hidden, begin, end, zone=zone).events]
        assert [moment(each).astimezone(UTC) for each in ours] == theirs


def test_only_as_many_as_were_asked_for_are_returned_and_said_to_be_not_all() -> None:
    ics = lines("DTSTART:20260106T090000Z", "RRULE:FREQ=DAILY")
    begin, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2036, 2, 1, tzinfo=UTC)
    found = expand(ics, begin, end, zone=BERLIN, most=10)
    assert len(found.events) == 10
    assert found.truncated
    assert found.events[-1].when.start == datetime(2026, 1, 15, 9, tzinfo=UTC)


def test_occurrences_are_counted_up_to_a_moment_or_an_end() -> None:
    ics = lines("DTSTART:20260106T090000Z", "RRULE:FREQ=DAILY;COUNT=30", "EXDATE:20260107T090000Z")
    all_of = count_until(ics, None, zone=BERLIN)
    assert (all_of.count, all_of.more) == (29, False)
    assert all_of.last == datetime(2026, 2, 4, 9, tzinfo=UTC)
    some = count_until(ics, datetime(2026, 1, 10, tzinfo=UTC), zone=BERLIN)
    assert some.count == 3
    endless = count_until(lines("DTSTART:20260106T090000Z", "RRULE:FREQ=DAILY"), None, zone=BERLIN)
    assert (endless.count, endless.more, endless.last) == (1000, True, None)


def test_a_series_without_an_end_is_known_as_such() -> None:
    assert read(lines("DTSTART:20260106T090000Z", "RRULE:FREQ=DAILY"), None).endless
    assert LAST.year == 2199
