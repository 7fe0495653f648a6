"""A week is shown day by day, also where clocks change, with what is proposed always in view."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calendar.agenda import ALT_TEXT, agenda, alt_text
from assistant.domain.calendar.events import When
from assistant.domain.calendar.week import (
    MOST_BLOCKS,
    TITLE,
    Block,
    BlockKind,
    Week,
    week_of,
)
from assistant.domain.errors import BadArguments

BERLIN = "Europe/Berlin"
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
PROPOSED, OWN, BUSY = BlockKind.PROPOSED, BlockKind.OWN, BlockKind.BUSY


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(BERLIN))


def timed(start: str, end: str, title: str = "", kind: BlockKind = BUSY) -> Block:
    return Block(when=When(start=at(start), end=at(end)), title=title, kind=kind)


def whole(day: int, days: int, title: str = "", kind: BlockKind = BUSY) -> Block:
    when = When(start=date(2026, 11, day), end=date(2026, 11, day) + timedelta(days=days))
    return Block(when=when, title=title, kind=kind)


def week(*blocks: Block, day: date = date(2026, 11, 25), now: datetime | None = None) -> Week:
    return week_of(day, blocks, zone=BERLIN, now=now)


SHOWN = week(
    timed("2026-11-23 14:00", "2026-11-23 14:30", "Call"),
    timed("2026-11-23 09:00", "2026-11-23 10:00"),
    timed("2026-11-26 15:00", "2026-11-26 16:00", "Dentist", PROPOSED),
    timed("2026-11-27 22:00", "2026-11-29 02:00", "Night train", OWN),
    whole(24, 2, "Trip"),
    timed("2026-11-30 09:00", "2026-11-30 10:00", "Next week"),
)


def test_the_agenda_has_short_lines() -> None:
    assert agenda(SHOWN).splitlines() == [
        "Week of 23–29 Nov 2026",
        "Mon 23 Nov",
        "- 09:00–10:00 busy",
        "- 14:00–14:30 Call",
        "Tue 24 Nov",
        "- all day Trip",
        "Wed 25 Nov",
        "- all day Trip",
        "Thu 26 Nov",
        "- 15:00–16:00 Dentist (proposed)",
        "Fri 27 Nov",
        "- from 22:00 Night train",
        "Sat 28 Nov",
        "- all day Night train",
        "Sun 29 Nov",
        "- until 02:00 Night train",
    ]


def test_the_agenda_of_some_days_leaves_out_the_others() -> None:
    friday, sunday = date(2026, 11, 27), date(2026, 11, 29)
    assert agenda(SHOWN, first=friday, last=sunday).splitlines()[:3] == [
        "27–29 Nov 2026",
        "Fri 27 Nov",
        "- from 22:00 Night train",
    ]
    assert agenda(SHOWN, first=friday, last=friday).splitlines() == [
        "Fri 27 Nov 2026",
        "- from 22:00 Night train",
    ]


def test_the_agenda_of_many_weeks_tells_the_days_with_events() -> None:
    many = [week(day=date(2026, 12, 28)), week(day=date(2027, 1, 4))]
    trip = timed("2027-01-05 09:00", "2027-01-05 10:00", "Call")
    assert agenda(many[0], week(trip, day=date(2027, 1, 4))).splitlines() == [
        "28 Dec 2026–10 Jan 2027",
        "Tue 5 Jan",
        "- 09:00–10:00 Call",
        "On all other days you are free.",
    ]
    assert agenda(*many).splitlines()[1:] == ["On all of these days you are free."]


def test_the_alternative_text_says_each_day_and_what_is_proposed() -> None:
    assert alt_text(SHOWN) == (
        "Week of 23–29 Nov 2026: Monday 2 events, Tuesday 1 event, Wednesday 1 event, "
        "Thursday free, Friday 1 event, Saturday 1 event, Sunday 1 event. "
        "Proposed: Thursday 15:00–16:00, Dentist."
    )


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 3, 29), "Sun 29 Mar (clocks go forward 1 hour on Sunday): free"),
        (date(2026, 10, 25), "Sun 25 Oct (clocks go back 1 hour on Sunday): free"),
    ],
)
def test_a_change_of_the_clocks_is_said(day: date, words: str) -> None:
    assert agenda(week(day=day)).splitlines()[-1] == words
    said = words.partition("(")[2].partition(")")[0]
    assert said[1:] in alt_text(week(day=day))


def test_an_event_within_an_hour_that_comes_twice_has_a_height() -> None:
    start = at("2026-10-25 02:30")
    block = Block(when=When(start=start, end=start.astimezone(UTC) + HOUR))
    piece = week(block, day=date(2026, 10, 25)).days[6].pieces[0]
    assert (piece.top, piece.bottom) == (150, 210)
    assert "02:30+02:00–02:30+01:00" in agenda(week(block, day=date(2026, 10, 25)))


def test_seconds_after_midnight_have_a_height() -> None:
    piece = week(timed("2026-11-23 22:00", "2026-11-24 00:00:30")).days[1].pieces[0]
    assert (piece.top, piece.bottom) == (0, 1)


def test_what_is_proposed_is_never_what_is_left_out() -> None:
    many = [timed("2026-11-23 08:00", "2026-11-23 09:00")] * (MOST_BLOCKS + 20)
    last = timed("2026-11-23 20:00", "2026-11-23 21:00", "Dinner", PROPOSED)
    shown = week(*many, last)
    assert shown.left_out == 21
    lines = agenda(shown).splitlines()
    assert lines[13:15] == ["- 20:00–21:00 Dinner (proposed)", "- and 488 more"]
    assert lines[-1] == "21 more are not shown"


def test_a_long_title_is_one_short_line_without_what_is_not_seen() -> None:
    title = Block(
        when=SHOWN.days[0].pieces[0].block.when, title="a\n\u202eb\u200b " + "x" * 1_000
    ).title
    assert title.startswith("a b xxx")
    assert len(title) == TITLE
    assert title.endswith("…")


def test_an_alternative_text_is_short_whatever_is_proposed() -> None:
    many = [timed("2026-11-23 08:00", "2026-11-23 09:00", "x" * 200, PROPOSED)] * 100
    assert len(alt_text(week(*many))) <= ALT_TEXT
    assert "and 95 more" in alt_text(week(*many))


def test_now_is_in_its_own_week_only() -> None:
    assert week(now=at("2026-11-29 23:59").astimezone(UTC)).now == at("2026-11-29 23:59")
    assert week(now=at("2026-11-30 00:00")).now is None


def test_a_week_beyond_the_calendar_is_refused() -> None:
    for day in (date.min, date.max):
        with pytest.raises(BadArguments):
            week(day=day)


starts = st.integers(-3 * 1440, 9 * 1440)
spans = st.lists(st.tuples(starts, st.integers(1, 4000)), max_size=30)


@given(st.sampled_from(("2026-03-23", "2026-10-19", "2026-11-23")), spans)
def test_the_pieces_of_all_days_are_the_events_of_the_week(
    monday: str, spans: list[tuple[int, int]]
) -> None:
    begin, end = at(f"{monday} 00:00"), at(f"{monday} 00:00") + timedelta(days=7)
    first, last = begin.astimezone(UTC), end.astimezone(UTC)
    events = [(first + n * MINUTE, first + (n + long) * MINUTE) for n, long in spans]
    blocks = [Block(when=When(start=start, end=stop)) for start, stop in events]
    shown = week(*blocks, day=begin.date())
    pieces = [piece for day in shown.days for piece in day.pieces]
    lengths = [
        piece.slot.end.astimezone(UTC) - piece.slot.start.astimezone(UTC) for piece in pieces
    ]
    inside = [max(min(stop, last) - max(start, first), timedelta()) for start, stop in events]
    assert sum(lengths, timedelta()) == sum(inside, timedelta())
    assert all(0 <= piece.top < piece.bottom <= 1440 for piece in pieces)
    for day in shown.days:
        assert all(piece.slot.start.date() == day.day for piece in day.pieces)
        assert [one.slot.start for one in day.pieces] == sorted(
            one.slot.start for one in day.pieces
        )
