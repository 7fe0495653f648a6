"""Which arguments the owner typed: what is in doubt was not."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calls.typed_arguments import typed_arguments
from assistant.domain.time.spoken import spoken_times

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
"""A Monday, 09:00 in Berlin."""
TODAY = date(2026, 11, 23)
FRIDAY = "2026-11-27T12:00:00+01:00"


def typed(words: str, known_as: Any = None, **args: Any) -> tuple[str, ...]:
    return typed_arguments(args, [words], known_as=known_as or {}, now=NOW, zone="Europe/Berlin")


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("on friday", {27}),
        ("on Fri", {27}),
        ("next friday", {27, 34}),
        ("monday", {23, 30}),
        ("next montag", {23, 30}),
        ("today or tomorrow", {23, 24}),
        ("27 Nov", {27}),
        ("Nov 27th", {27}),
        ("the 27th of November", {27}),
        ("am 27.11.", {27}),
        ("2026-11-27", {27}),
        ("am Freitag", {27}),
        ("the fry is monumental", set()),
        ("31.11.", set()),
    ],
)
def test_a_day_is_found_as_people_name_it(words: str, days: set[int]) -> None:
    found = spoken_times(words, today=TODAY).days
    assert {(day - date(2026, 10, 31)).days for day in found} == days


def test_a_day_that_is_past_is_of_the_next_year() -> None:
    assert spoken_times("3 Feb", today=TODAY).days == {date(2027, 2, 3)}
    assert spoken_times("3 Feb 2026", today=TODAY).days == {date(2026, 2, 3)}


@pytest.mark.parametrize(
    ("words", "clocks"),
    [
        ("at 12:00", {time(12)}),
        ("9.30", {time(9, 30)}),
        ("3pm", {time(15)}),
        ("12 am", {time(0)}),
        ("at 3", {time(3), time(15)}),
        ("um 15 Uhr", {time(15)}),
        ("from 12 to 13", {time(12), time(13)}),
        ("12-13", {time(12), time(13)}),
        ("at noon", {time(12)}),
        ("for 3 people", set()),
        ("12 eggs", set()),
        ("at 12.5 percent", set()),
    ],
)
def test_a_time_is_found_as_people_name_it(words: str, clocks: set[time]) -> None:
    found = spoken_times(words, today=TODAY).clocks
    assert found - {time(0)} == clocks - {time(0)}


def test_a_length_is_found() -> None:
    lengths = spoken_times("half an hour, 45 minutes or 2h", today=TODAY).lengths
    assert lengths == {timedelta(minutes=30), timedelta(minutes=45), timedelta(hours=2)}


def test_all_of_a_plain_wish_is_typed() -> None:
    end = "2026-11-27T13:00:00+01:00"
    said = "Create TEAM lunch, on Friday at noon"
    assert typed(said, title="Team  Lunch", start=FRIDAY, end=end) == ("title", "start", "end")
    assert typed(said, title="Team Lunch", start="2026-11-27T11:00:00Z") == ("title", "start")


@pytest.mark.parametrize(
    "args",
    [
        {"title": "Team lunches"},
        {"title": "eam lunch"},
        {"title": "Team lunch with Eve"},
        {"title": "on"},
        {"start": "2026-11-27T12:30:00+01:00"},
        {"start": "2026-11-27T12:00:00+00:00"},
        {"start": "2026-11-28T12:00:00+01:00"},
        {"start": "2027-11-27T12:00:00+01:00"},
        {"end": "2026-11-27T14:00:00+01:00"},
        {"overwrite": True},
        {"edits": [{"target": "Team lunch"}]},
        {"count": 12},
    ],
)
def test_anything_else_is_not(args: dict[str, object]) -> None:
    assert typed("create Team lunch on Friday at noon", **args) == ()


@pytest.mark.parametrize("said", ['"J"', "“J”", "„J“", "«J»", "'j'"])
def test_a_short_title_is_typed_where_it_is_quoted(said: str) -> None:
    assert typed(f"create {said} monday 9:00", title="J") == ("title",)


def test_a_short_title_that_only_stands_within_quotes_is_not_typed() -> None:
    assert typed('create "J and K" monday 9:00', title="J") == ()
    assert typed("I'm at J's", title="s") == ()
    assert typed('create "" monday', title="") == ()


def test_a_day_of_the_week_that_is_today_can_be_that_of_next_week() -> None:
    start, end = "2026-11-30T09:00:00+01:00", "2026-11-30T10:00:00+01:00"
    given = typed('create "Zap" monday 9:00', title="Zap", start=start, end=end)
    assert given == ("title", "start", "end")


def test_what_is_shown_for_an_argument_counts_and_not_its_id() -> None:
    assert typed("move the dentist", {"event": "Dentist"}, event="uid-1") == ("event",)
    assert typed("move uid-1", {"event": "Dentist"}, event="uid-1") == ()


def test_a_range_of_whole_days_is_typed_by_its_days() -> None:
    week = {"start": "2026-11-23T00:00:00+01:00", "end": "2026-11-30T00:00:00+01:00"}
    assert typed("what is on this week", **week) == ("start", "end")
    assert typed("what is on today", **week) == ()
    midnight = {"start": "2026-11-27T00:00:00+01:00", "end": "2026-11-27T01:00:00+01:00"}
    assert typed("lunch on friday at noon", **midnight) == ()


@given(words=st.text(max_size=80), value=st.text(max_size=80))
def test_nothing_that_is_typed_or_asked_for_raises(words: str, value: str) -> None:
    assert typed(words, title=value, start=value, end=FRIDAY) in {
        (),
        ("title",),
        ("title", "start"),
    }
