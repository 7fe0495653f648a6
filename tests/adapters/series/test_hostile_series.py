"""Series that a stranger wrote: refused with a reason, or read in bounded time."""

from contextlib import suppress
from datetime import UTC, datetime
from time import thread_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.calendar.copying.times import times_of
from assistant.adapters.calendar.event_objects import StoredObject, events_in
from assistant.adapters.calendar.expansion import expand_here
from assistant.adapters.calendar.series.expanding import count_until, expand
from assistant.adapters.calendar.series.single import cancel_occurrence, change_occurrence
from assistant.adapters.calendar.series.splitting import delete_following
from assistant.adapters.calendar.series.whole import change_all
from assistant.domain.calendar.series import BadSeries, Expanded, FloatingTime, TooFrequent
from tests.adapters.series.test_expanding import lines

BERLIN = ZoneInfo("Europe/Berlin")
BEGIN, END = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)
START = "DTSTART;TZID=Europe/Berlin:20260106T090000"


def read(*some: str, zone: str = "") -> Expanded:
    return expand(lines(*some, zone=zone), BEGIN, END, zone=BERLIN)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY;COUNT=3",
        "FREQ=HOURLY",
        "FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5",
    ],
)
def test_what_repeats_more_often_than_daily_is_refused(rule: str) -> None:
    with pytest.raises(TooFrequent):
        read(START, f"RRULE:{rule}")


@pytest.mark.parametrize("zone", ["Europe", "America", "A" * 300, "A/" * 3_000])
def test_a_zone_that_is_a_directory_or_too_long_spoils_no_other_event(zone: str) -> None:
    """Python's zones are files: such a name is an error of the file system."""
    bad = lines(f"DTSTART;TZID={zone}:20261106T090000", "RRULE:FREQ=DAILY")
    good = lines("DTSTART;TZID=Europe/Berlin:20261106T090000")
    refused, read = times_of([bad, good], BEGIN, END, zone=BERLIN, expand=expand_here)
    assert refused.unread
    assert len(read.events) == 1
    events = events_in(
        [StoredObject(bad, "1"), StoredObject(good, "2")],
        BEGIN,
        END,
        zone=BERLIN,
        expand=expand_here,
    )
    assert "2" in [event.etag for event in events]


@pytest.mark.parametrize(
    "some",
    [
        ["RRULE:FREQ=DAILY"],
        [START, "RRULE:FREQ=SOMETIMES"],
        [START, "RRULE:INTERVAL=2"],
        [START, "RRULE:FREQ=DAILY;INTERVAL=0"],
        [START, "RRULE:FREQ=DAILY;COUNT=0"],
        [START, "RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z"],
        [START, "RRULE:FREQ=YEARLY;RSCALE=CHINESE"],
        [START, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"],
        [START, "RRULE:FREQ=YEARLY;BYMONTHDAY=" + ",".join(["1"] * 400)],
        [START, "RRULE:FREQ=DAILY;BYEASTER=0"],
        [START, "RRULE:FREQ=DAILY", "EXDATE:nonsense"],
        [START, "RRULE:FREQ=DAILY", "EXRULE:FREQ=WEEKLY"],
        [START, "DTSTART:20260107T090000Z", "RRULE:FREQ=DAILY"],
        [START, "DTEND:20250101T090000Z"],
        [START, "DTEND:20360101T090000Z"],
        [START, "DTEND;VALUE=DATE:20260107"],
        ["DTSTART;TZID=Nowhere/Bad:20260106T090000", "RRULE:FREQ=DAILY"],
        ["DTSTART:00010101T090000Z", "RRULE:FREQ=DAILY"],
        [START, "RECURRENCE-ID;RANGE=THISANDFUTURE:20260106T080000Z"],
        [START, "RRULE:FREQ=DAILY", "END:VEVENT", "BEGIN:VEVENT", "UID:other", START],
        [START, "RRULE:FREQ=DAILY", "END:VEVENT", "BEGIN:VEVENT", "UID:u", START],
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(some: list[str]) -> None:
    with pytest.raises(BadSeries) as refusal:
        read(*some)
    assert str(refusal.value)


def test_a_time_zone_that_changes_every_second_is_refused() -> None:
    zone = (
        "BEGIN:VTIMEZONE\r\nTZID:Bomb\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
        "RRULE:FREQ=SECONDLY\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n"
        "END:VTIMEZONE"
    )
    with pytest.raises(BadSeries, match="changes more often"):
        read("DTSTART;TZID=Bomb:20260106T090000", "RRULE:FREQ=DAILY", zone=zone)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("some", "count"),
    [
        (["RRULE:FREQ=DAILY;COUNT=1000000000"], 30),
        (["RRULE:FREQ=DAILY;INTERVAL=1000000000"], 0),
        (["RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"], 1),
        (["RRULE:FREQ=WEEKLY;BYDAY=TU", "RRULE:FREQ=WEEKLY;BYDAY=TU,WE;COUNT=1000"], 8),
        (["RRULE:FREQ=DAILY", *[f"EXDATE:20{26 + n // 336:02}{1 + n // 28 % 12:02}"
          f"{1 + n % 28:02}T080000Z" for n in range(10_000)]], 2),
        (["RDATE;VALUE=PERIOD:20261105T080000Z/PT30M,20261106T080000Z/20261106T120000Z"], 2),
        (["RRULE:FREQ=DAILY;BYMONTH=2;BYSETPOS=366"], 0),
        (["RRULE:FREQ=DAILY;BYSETPOS=2"], 0),
        (["RRULE:FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=20"], 0),
        (["RRULE:FREQ=WEEKLY;BYMONTH=2;BYSETPOS=300;COUNT=9"], 0),
        ([f"RDATE:20261105T{n // 3600 % 24:02}{n // 60 % 60:02}{n % 60:02}Z" for n in range(5000)],
         1000),
    ],
)  # fmt: skip
def test_what_is_heavy_is_read_in_bounded_time(some: list[str], count: int) -> None:
    before = thread_time()
    assert len(read(START, *some).events) == count
    assert thread_time() - before < 5


def test_a_day_in_1604_without_an_end_is_read_at_once() -> None:
    before = thread_time()
    found = read("DTSTART;VALUE=DATE:16041120", "RRULE:FREQ=YEARLY")
    assert [f"{each.when.start}" for each in found.events] == ["2026-11-20"]
    assert thread_time() - before < 1


def test_changed_occurrences_without_their_series_are_read_and_can_be_changed() -> None:
    ics = lines("DTSTART:20261105T080000Z", "RECURRENCE-ID:20261103T080000Z")
    found = expand(ics, BEGIN, END, zone=BERLIN)
    assert found.defects == ("only some occurrences of the series are here",)
    name = found.events[0].recurrence_id
    assert name == datetime(2026, 11, 3, 8, tzinfo=UTC)
    assert change_occurrence(ics, name, stamp=BEGIN, zone=BERLIN, title="New").ics
    assert cancel_occurrence(ics, name, stamp=BEGIN, zone=BERLIN).ics is None
    with pytest.raises(BadSeries):
        change_all(ics, stamp=BEGIN, zone=BERLIN, title="New")


def test_a_line_that_would_be_lost_keeps_the_object_from_being_changed() -> None:
    ics = lines(START, "RRULE:FREQ=DAILY", "this is no line")
    assert expand(ics, BEGIN, END, zone=BERLIN).events
    with pytest.raises(BadSeries, match="would lose"):
        change_all(ics, stamp=BEGIN, zone=BERLIN, title="New")


PIECES = st.sampled_from(
    [
        *("FREQ=", "DAILY", "WEEKLY", "MONTHLY", "YEARLY", ";", ";", ";", ",", "=", "-"),
        *("INTERVAL=", "COUNT=", "UNTIL=", "BYDAY=", "BYMONTHDAY=", "BYSETPOS=", "BYWEEKNO="),
        *("BYYEARDAY=", "BYMONTH=", "BYHOUR=", "WKST=", "MO", "-1SU", "5FR", "0", "1", "2", "31"),
        *("-1", "53", "-366", "999999999", "20270101", "20270101T000000Z", "20271301", "X-A=1"),
    ]
)
NAMES = st.sampled_from(
    [
        *("RRULE:FREQ=YEARLY;", "RRULE:FREQ=MONTHLY;", "RRULE:FREQ=WEEKLY;", "RRULE:", "EXDATE:"),
        *("RDATE:", "RDATE;VALUE=PERIOD:", "DURATION:", "DTEND:", "RECURRENCE-ID:"),
    ]
)
LINES = st.lists(st.tuples(NAMES, st.lists(PIECES, max_size=6).map("".join)).map("".join))
BEGINS = st.sampled_from(
    [START, "DTSTART:20260106T090000", "DTSTART;VALUE=DATE:20200131", "DTSTART:20240229T000000Z"]
)


@pytest.mark.slow
@given(BEGINS, LINES)
def test_nothing_but_the_documented_errors_leaves_and_all_ends_soon(
    start: str, some: list[str]
) -> None:
    ics = lines(start, *some)
    before = thread_time()
    with suppress(BadSeries, FloatingTime):
        found = expand(ics, BEGIN, END, zone=BERLIN, most=50)
        assert len(found.events) <= 50
        count_until(ics, END, zone=BERLIN)
        for each in found.events[-1:]:
            if each.recurrence_id is None:
                continue
            change_occurrence(ics, each.recurrence_id, stamp=BEGIN, zone=BERLIN, title="x")
            cancel_occurrence(ics, each.recurrence_id, stamp=BEGIN, zone=BERLIN)
            delete_following(ics, each.recurrence_id, stamp=BEGIN, zone=BERLIN)
        change_all(ics, stamp=BEGIN, zone=BERLIN, title="x")
    assert thread_time() - before < 20
