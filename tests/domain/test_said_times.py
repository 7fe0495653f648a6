"""Times that a person says, in English and German: what they mean, and what is not guessed."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.time.local_times import moments_at, nearest_moments
from assistant.domain.time.said.almanac import LANGUAGES, Almanac
from assistant.domain.time.said.language import Phrases, WordKind, numbered, phrases
from assistant.domain.time.said.say import say_span
from assistant.domain.time.said.values import Span, Unclear

ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
]
BERLIN = ZoneInfo("Europe/Berlin")
SATURDAY = datetime.fromisoformat("2026-11-21T10:00")


def almanac(zone: ZoneInfo = BERLIN, now: datetime = SATURDAY) -> Almanac:
    return Almanac(now=now.replace(tzinfo=zone), zone=zone)


def read(text: str, zone: ZoneInfo = BERLIN, now: datetime = SATURDAY) -> Span | None:
    return almanac(zone, now).span(text)


def local(at: date) -> str:
    """Write a local time, or a day."""
    return f"{at:%Y-%m-%d %H:%M}" if isinstance(at, datetime) else f"{at:%Y-%m-%d}"


def asked(text: str, zone: ZoneInfo = BERLIN, now: datetime = SATURDAY) -> Unclear:
    with pytest.raises(Unclear) as unclear:
        read(text, zone, now)
    return unclear.value


RIGHT = [
    ("tomorrow at 7pm", "2026-11-22 19:00"),
    ("tomorrow 19:00", "2026-11-22 19:00"),
    ("next friday at 19:00", "2026-11-27 19:00"),
    ("on friday at 7pm", "2026-11-27 19:00"),
    ("in 2 hours", "2026-11-21 12:00"),
    ("in two weeks", "2026-12-05"),
    ("the day after tomorrow", "2026-11-23"),
    ("dec 3 at noon", "2026-12-03 12:00"),
    ("3rd of december 15:30", "2026-12-03 15:30"),
    ("2026-12-01T08:00", "2026-12-01 08:00"),
    ("end of the month", "2026-11-30"),
    ("half past five tomorrow", "2026-11-22 17:30"),
    ("quarter to nine on monday", "2026-11-23 08:45"),
    ("tuesday 2pm to 3pm", "2026-11-24 14:00"),
    ("christmas eve at 6pm", "2026-12-24 18:00"),
    ("5 minutes ago", "2026-11-21 09:55"),
    ("last tuesday", "2026-11-17"),
    ("morgen um 19 Uhr", "2026-11-22 19:00"),
    ("nächsten Freitag um 19 Uhr", "2026-11-27 19:00"),
    ("am Montag um halb neun", "2026-11-23 08:30"),
    ("übermorgen", "2026-11-23"),
    ("in drei Tagen", "2026-11-24"),
    ("am 3. Dezember 15:30", "2026-12-03 15:30"),
    # Beyond the list that was given.
    ("a week from tuesday", "2026-12-01"),
    ("first monday in january", "2027-01-04"),
    ("last friday of the month", "2026-11-27"),
    ("erster Montag im Januar", "2027-01-04"),
    ("Ende des Monats", "2026-11-30"),
    ("in half an hour", "2026-11-21 10:30"),
    ("in einer halben Stunde", "2026-11-21 10:30"),
    ("in an hour and a half", "2026-11-21 11:30"),
    ("vor 5 Minuten", "2026-11-21 09:55"),
    ("midnight", "2026-11-22 00:00"),
    ("tonight at 8", "2026-11-21 20:00"),
    ("heute Abend um 8", "2026-11-21 20:00"),
    ("tomorrow morning at 9", "2026-11-22 09:00"),
    ("tuesday next week at 10:00", "2026-11-24 10:00"),
    ("half past five in the morning tomorrow", "2026-11-22 05:30"),
    ("quarter past 7pm", "2026-11-21 19:15"),
    ("24/12/2026", "2026-12-24"),
    ("first monday in january at 10", "2027-01-04 10:00"),
    ("tomorrow at 8", "2026-11-22 08:00"),
    ("nine o'clock tomorrow", "2026-11-22 09:00"),
    ("morgen um 11", "2026-11-22 11:00"),
    ("tomorrow at 12", "2026-11-22 12:00"),
    ("tomorrow at 15", "2026-11-22 15:00"),
    ("tomorrow from 8 to 10pm", "2026-11-22 20:00"),
    ("tomorrow from 8 to 10", "2026-11-22 08:00"),
    ("tomorrow evening at 8", "2026-11-22 20:00"),
]
ROUGH = [
    ("this weekend", "2026-11-21", "2026-11-23", None),
    ("next week", "2026-11-23", "2026-11-30", None),
    ("next month", "2026-12-01", "2027-01-01", None),
    ("monday morning", "2026-11-23 06:00", "2026-11-23 12:00", "2026-11-23 09:00"),
    ("Montag Morgen", "2026-11-23 06:00", "2026-11-23 12:00", "2026-11-23 09:00"),
    ("tonight", "2026-11-21 18:00", "2026-11-21 23:00", "2026-11-21 20:00"),
    ("heute Abend", "2026-11-21 18:00", "2026-11-21 23:00", "2026-11-21 20:00"),
]
ASKED = [
    ("12/01/2026 8:00", ["2026-01-12", "2026-12-01"]),
    ("tomorrow at 1", ["2026-11-22 01:00", "2026-11-22 13:00"]),
    ("tomorrow from 11 to 1", ["2026-11-22 11:00", "2026-11-22 23:00"]),
    ("tomorrow at 7", ["2026-11-22 07:00", "2026-11-22 19:00"]),
    ("um 7 am Montag", ["2026-11-23 07:00", "2026-11-23 19:00"]),
    ("seven o'clock tomorrow", ["2026-11-22 07:00", "2026-11-22 19:00"]),
    ("tomorrow from 2 to 3", ["2026-11-22 02:00", "2026-11-22 14:00"]),
    ("friday midnight", ["2026-11-27 00:00", "2026-11-28 00:00"]),
    ("next saturday", ["2026-11-28", "2026-12-05"]),
    ("this saturday", ["2026-11-21", "2026-11-28"]),
    ("next sunday", ["2026-11-22", "2026-11-29"]),
]
NO_TIME = [
    "meeting about the budget",
    "may I come",
    "demain à 19h",
    "mañana a las 7",
    "",
    "at",
    "to",
]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("text", "meant"), RIGHT)
def test_what_is_said_is_read(text: str, meant: str, zone: str) -> None:
    span = read(text, ZoneInfo(zone))
    assert span
    assert local(span.start) == meant
    assert not span.rough


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("text", "start", "end", "usual"), ROUGH)
def test_a_part_is_rough_and_offers_its_usual_time(
    text: str, start: str, end: str, usual: str | None, zone: str
) -> None:
    span = read(text, ZoneInfo(zone))
    assert span
    assert span.end
    assert span.rough
    assert (local(span.start), local(span.end)) == (start, end)
    assert (span.usual and local(span.usual)) == usual


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("text", "readings"), ASKED)
def test_what_is_ambiguous_is_asked_with_both_readings(
    text: str, readings: list[str], zone: str
) -> None:
    unclear = asked(text, ZoneInfo(zone))
    starts = [local(one.start) for one in unclear.readings if isinstance(one, Span)]
    assert starts == readings


@pytest.mark.parametrize("text", NO_TIME)
def test_what_is_no_time_is_none(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("tuesday 2pm to 3pm", "24 14:00", "24 15:00"),
        ("von 14 bis 15 Uhr", "21 14:00", "21 15:00"),
        ("am Montag von 9 bis 17 Uhr", "23 09:00", "23 17:00"),
        ("tomorrow from 2 to 3pm", "22 14:00", "22 15:00"),
        ("tomorrow from 11 to 1pm", "22 11:00", "22 13:00"),
        ("tomorrow 2pm to 3", "22 14:00", "22 15:00"),
        ("22:00 to midnight", "21 22:00", "22 00:00"),
        ("tomorrow 15:00 for 45 minutes", "22 15:00", "22 15:45"),
        ("in 2 hours for 30 min", "21 12:00", "21 12:30"),
        ("morgen um 15 Uhr für 1,5 Stunden", "22 15:00", "22 16:30"),
        ("from half past two to half past three", "21 14:30", "21 15:30"),
    ],
)
def test_ranges_and_lengths_are_read(text: str, start: str, end: str) -> None:
    span = read(text)
    assert span
    assert span.end
    assert (f"{span.start:%d %H:%M}", f"{span.end:%d %H:%M}") == (start, end)


def test_a_time_in_words_says_which_half_of_the_day_it_took() -> None:
    span = read("half past five tomorrow")
    assert span
    assert span.note == "half past five is taken as 17:30."


def test_of_an_hour_alone_it_says_which_half_of_the_day_it_took() -> None:
    span = read("tomorrow at 10")
    assert span
    assert span.note == "10 is taken as 10:00."


@pytest.mark.parametrize("text", ["tomorrow at 8", "tomorrow at 12", "tomorrow from 9 to 11"])
def test_where_it_is_strict_each_hour_alone_is_asked_for(text: str) -> None:
    with pytest.raises(Unclear, match="could be"):
        replace(almanac(), strict=True).span(text)


@pytest.mark.parametrize("text", ["next friday", "nächsten Freitag"])
@pytest.mark.parametrize("day", range(16, 21))
def test_next_friday_is_asked_for_while_friday_of_this_week_is_ahead(text: str, day: int) -> None:
    first, second = asked(text, now=datetime.fromisoformat(f"2026-11-{day}T10:00")).readings
    assert isinstance(first, Span)
    assert isinstance(second, Span)
    expected = date(2026, 11, 27 if day == 20 else 20)
    assert (first.start, second.start) == (expected, expected + timedelta(days=7))


GAPS = [
    ("Europe/Berlin", "2027-03-28 02:30", "01:30", "03:30"),
    ("America/New_York", "2027-03-14 02:30", "01:30", "03:30"),
    ("Australia/Lord_Howe", "2026-10-04 02:15", "01:45", "02:45"),
    ("Pacific/Auckland", "2026-09-27 02:30", "01:30", "03:30"),
]
TWICE = [
    ("Europe/Berlin", "2027-10-31 02:30", "+02:00", "+01:00"),
    ("America/New_York", "2026-11-01 01:30", "-04:00", "-05:00"),
    ("Australia/Lord_Howe", "2027-04-04 01:45", "+11:00", "+10:30"),
    ("Pacific/Auckland", "2027-04-04 02:30", "+13:00", "+12:00"),
]


@pytest.mark.parametrize(("zone", "text", "before", "after"), GAPS)
def test_a_time_that_the_clocks_skip_is_refused_with_the_nearest(
    zone: str, text: str, before: str, after: str
) -> None:
    unclear = asked(text, ZoneInfo(zone))
    assert f"The nearest are {before} and {after}." in str(unclear)
    assert [f"{one.start:%H:%M}" for one in unclear.readings if isinstance(one, Span)] == [
        before,
        after,
    ]


@pytest.mark.parametrize(("zone", "text", "first", "second"), TWICE)
def test_a_time_that_comes_twice_is_said_with_both_offsets(
    zone: str, text: str, first: str, second: str
) -> None:
    span = read(text, ZoneInfo(zone))
    assert span
    assert f"at {first} and at {second}; I took the first." in span.note
    assert span.start.isoformat().endswith(first)


@pytest.mark.parametrize(
    ("hours", "start", "minutes"),
    [
        ("02:30-03:00", "02:30+01:00", 30),
        ("02:00-03:00", "02:00+01:00", 60),
        ("02:15-02:45", "02:15+02:00", 30),
        ("01:30-02:30", "01:30+02:00", 60),
        ("01:30-03:00", "01:30+02:00", 150),
        ("02:30-04:00", "02:30+02:00", 150),
    ],
)
def test_a_range_in_the_hour_that_comes_twice_is_in_one_of_the_two(
    hours: str, start: str, minutes: int
) -> None:
    span = read(f"2027-10-31 {hours}")
    assert span
    begin, end = (one.astimezone(UTC) for one in almanac().bounds(span))
    assert isinstance(span.start, datetime)
    assert span.start.isoformat()[11:16] + span.start.isoformat()[-6:] == start
    assert end - begin == timedelta(minutes=minutes)


EVES = [
    (zone, datetime.fromisoformat(text[:10]) - timedelta(hours=14))
    for zone, text, *_ in (*GAPS, *TWICE)
]
"""At 10:00 on the day before each change."""
EXPECTED: list[tuple[str, Callable[[datetime], datetime]]] = [
    ("tomorrow at 7pm", lambda now: _at(now, 1, 19)),
    ("morgen um 19 Uhr", lambda now: _at(now, 1, 19)),
    ("half past five tomorrow", lambda now: _at(now, 1, 17, 30)),
    ("in drei Tagen 15:30", lambda now: _at(now, 3, 15, 30)),
    ("in two weeks at 8am", lambda now: _at(now, 14, 8)),
    ("tomorrow morning at 9", lambda now: _at(now, 1, 9)),
]


def _at(now: datetime, days: int, hour: int, minute: int = 0) -> datetime:
    day = now.date() + timedelta(days=days)
    return datetime.combine(day, clock(hour, minute))


@pytest.mark.parametrize(("zone", "eve"), EVES)
@pytest.mark.parametrize(("text", "meant"), EXPECTED)
def test_a_clock_change_moves_no_time_of_day(
    text: str, meant: Callable[[datetime], datetime], zone: str, eve: datetime
) -> None:
    span = read(text, ZoneInfo(zone), now=eve)
    assert span
    assert isinstance(span.start, datetime)
    assert span.start.replace(tzinfo=None) == meant(eve)


@pytest.mark.parametrize(("zone", "eve"), EVES)
def test_hours_from_now_are_real_hours_across_a_clock_change(zone: str, eve: datetime) -> None:
    there = ZoneInfo(zone)
    span = read("in 20 hours", there, now=eve)
    assert span
    assert isinstance(span.start, datetime)
    now = eve.replace(tzinfo=there)
    assert span.start.astimezone(UTC) - now.astimezone(UTC) == timedelta(hours=20)


FRENCH: Phrases = {
    **numbered(WordKind.WEEKDAY, "lundi", "mardi", "mercredi", "jeudi", "vendredi", first=0),
    **phrases(WordKind.DAYS, {"demain": 1, "aujourd'hui": 0}),
    **phrases(WordKind.AT, {"à": 24}),
    **phrases(WordKind.HOUR, {"h|heures": 24}),
}


@pytest.mark.parametrize(
    ("text", "meant"), [("demain à 19h", "2026-11-22 19:00"), ("vendredi à 8h", "2026-11-27 08:00")]
)
def test_another_language_is_a_table(text: str, meant: str) -> None:
    french = Almanac(now=SATURDAY.replace(tzinfo=BERLIN), zone=BERLIN, languages=(FRENCH,))
    span = french.span(text)
    assert span
    assert local(span.start) == meant


# Whatever is said


zones = st.sampled_from(ZONES).map(ZoneInfo)
minutes = st.integers(0, 2 * 366 * 24 * 60).map(lambda n: timedelta(minutes=n))


@given(zones, minutes, st.none() | st.integers(1, 3 * 24 * 60))
def test_what_is_said_back_reads_as_the_same_time(
    zone: ZoneInfo, begin: timedelta, lasts: int | None
) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC) + begin
    end = start + timedelta(minutes=lasts) if lasts else None
    span = Span(start.astimezone(zone), end.astimezone(zone) if end else None)
    again = read(say_span(span, zone), zone)
    assert again
    assert isinstance(again.start, datetime)
    assert again.start.astimezone(UTC) == start
    assert (again.end and almanac(zone).bounds(again)[1].astimezone(UTC)) == end


@given(st.dates(date(2026, 1, 1), date(2090, 1, 1)), st.integers(1, 400))
def test_days_that_are_said_back_read_as_the_same_days(start: date, days: int) -> None:
    span = Span(start, start + timedelta(days=days))
    assert read(say_span(span, BERLIN)) == span


@given(zones, minutes)
def test_a_local_time_is_none_one_or_two_moments(zone: ZoneInfo, begin: timedelta) -> None:
    wall = datetime.combine(date(2026, 1, 1), clock()) + begin
    shown = {
        moment
        for hours in range(-15, 16)
        for half in (0, 30)
        if (moment := (wall.replace(tzinfo=UTC) + timedelta(hours=hours, minutes=half)))
        and moment.astimezone(zone).replace(tzinfo=None) == wall
    }
    assert {moment.astimezone(UTC) for moment in moments_at(wall, zone)} == shown
    if not shown:
        before, after = nearest_moments(wall, zone)
        assert before.replace(tzinfo=None) < wall < after.replace(tzinfo=None)


VOCABULARY = [
    *sorted({word for table in LANGUAGES for word in table}),
    *("1", "7", "12", "15", "31", "99", "2026", "10:00", "25:99", "3rd", "24.12.", "31.2.", "1.5"),
    *("2026-11-30", "2026-02-30", "2026-11-30t10:00", "11/12/2026", "1/1", "-", ",", "."),
]


@given(st.lists(st.sampled_from(VOCABULARY), max_size=9).map(" ".join) | st.text(max_size=120))
def test_no_words_break_it(text: str) -> None:
    try:
        span = read(text)
    except Unclear:
        return
    if span is not None:
        begin, end = almanac().bounds(span)
        assert begin.astimezone(UTC) < end.astimezone(UTC)


@pytest.mark.parametrize(
    "text", ["every ", "10:00 ", "in the ", "1", "/", "a week from ", "\u0130 "]
)
def test_a_hostile_text_is_no_time_at_once(text: str) -> None:
    hostile = (text * 100_000)[:100_000]
    begun = time.thread_time()
    assert read(hostile) is None
    assert time.thread_time() - begun < 0.1
