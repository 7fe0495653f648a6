"""What the offline model makes of times in words: events, questions, and what it refuses."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.adapters.offline.model import OfflineModel
from assistant.domain.conversation.conversation import Role, ToolSchema, Turn, View, ViewEntry
from assistant.domain.time.said.almanac import Almanac
from assistant.tools.calendar.args import CreateEvent

NOW = datetime(2026, 11, 24, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Tuesday."""
TOOLS = [
    ToolSchema(name=name, description="", parameters={})
    for name in ("create_event", "update_event", "get_events_details", "get_events_availability")
]


def answer(text: str) -> Turn:
    entry = ViewEntry(role=Role.OWNER, text=text)
    view = View(instructions="", now=NOW, zone="Europe/Berlin", entries=(entry,))
    return OfflineModel().think(view, TOOLS)


@pytest.mark.parametrize(
    ("text", "title", "start"),
    [
        ("create Call in 2 hours", "Call", "2026-11-24T11:30"),
        ("dinner tomorrow at half past seven", "dinner", "2026-11-25T07:30"),
        ('create "Tea" half past five', "Tea", "2026-11-24T17:30"),
        ("Zahnarzt am Montag um halb neun", "Zahnarzt", "2026-11-30T08:30"),
        ("create Review first monday in january at 10:00", "Review", "2027-01-04T10:00"),
        ("create Rent end of the month", "Rent", "2026-11-30"),
        ("create Party christmas eve at 6pm", "Party", "2026-12-24T18:00"),
        ("drinks tonight at 8", "drinks", "2026-11-24T20:00"),
        ("dentist tomorrow at 10 for an hour", "dentist", "2026-11-25T10:00"),
        ("review first monday in january at 10", "review", "2027-01-04T10:00"),
        ("lunch tomorrow at 12", "lunch", "2026-11-25T12:00"),
        ('create "Tea" tomorrow at 15', "Tea", "2026-11-25T15:00"),
        ("Zahnarzt morgen um 9", "Zahnarzt", "2026-11-25T09:00"),
        ("Kino heute Abend um 8", "Kino", "2026-11-24T20:00"),
        ("Good morning friday 10:00", "Good morning", "2026-11-27T10:00"),
        ("create Daily standup tomorrow 10:00", "Daily standup", "2026-11-25T10:00"),
        ('create "Every Tuesday" tomorrow 10:00', "Every Tuesday", "2026-11-25T10:00"),
    ],
)
def test_an_event_is_made_of_a_time_in_words(text: str, title: str, start: str) -> None:
    [want] = answer(text).wants
    assert (want.tool, want.args["title"]) == ("create_event", title)
    assert want.args["start"].startswith(start)


def test_the_half_of_the_day_that_was_taken_is_said() -> None:
    assert answer('create "Tea" half past five').text.endswith("half past five is taken as 17:30.")


def test_the_hour_that_was_taken_is_said() -> None:
    assert answer("dentist tomorrow at 10").text.endswith("10 is taken as 10:00.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("create Review last tuesday", "Tue 17 Nov 2026 is over"),
        ("create Review 5 minutes ago", "is over"),
        ("create Review yesterday at 10:00", "is over"),
        ('create "Review" today at 8:00', "is over"),
        ("move Review to yesterday at 10:00", "is over"),
        ("create Review vorgestern um 15 Uhr", "is over"),
        ("create Tea tonight", "say at what time, such as: Tue 24 Nov 2026, 20:00"),
        ("create Tea next friday 10:00", "could be Fri 27 Nov 2026 or Fri 4 Dec 2026"),
        ("create Tea 12/01/2026 8:00", "like 2026-01-12 or 2026-12-01"),
        ("create Tea friday midnight", "could be Fri 27 Nov, 0:00, or Sat 28 Nov, 0:00"),
        ("create Tea demain 19:00", "put the title in quotes"),
        ('create "Tea" mañana a las 7', "but not when"),
        ("create Gym every tuesday in march 15:00", "put the title in quotes"),
        ("standup every tuesday at 7 until march", "write 7:00 or 7pm"),
        ("add gym tomorrow every tuesday 9:00", "put the title in quotes"),
        ("gym every tuesday and dentist friday 10:00", "put the title in quotes"),
        ("create every tuesday 9:00", "put the title in quotes"),
        ("gym every second tuesday at 9:00", "every second Tuesday of the month"),
        ("create Foo friday in two weeks 10:00", "put the title in quotes"),
        ("create Foo monday fortnight 10:00", "put the title in quotes"),
        ("create Foo in 2 hours tomorrow", "put the title in quotes"),
        ("create Foo viertel neun morgen", "put the title in quotes"),
        ("create X 2027-03-28 02:30", "The nearest are 01:30 and 03:30."),
    ],
)
def test_what_is_not_sure_makes_no_event(text: str, reason: str) -> None:
    turn = answer(text)
    assert turn.wants == ()
    assert reason in turn.text


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        (
            "dinner next friday at 19:00",
            ["dinner 2026-11-27 at 19:00", "dinner 2026-12-04 at 19:00"],
        ),
        ("next friday at 19:00", ["2026-11-27 at 19:00", "2026-12-04 at 19:00"]),
        (
            'create "Tea next friday" nächsten Freitag um 19 Uhr',
            [f'create "Tea next friday" {day} um 19 Uhr' for day in ("2026-11-27", "2026-12-04")],
        ),
        (
            "move Tea to next friday at 19:00",
            [f"move Tea to {day} at 19:00" for day in ("2026-11-27", "2026-12-04")],
        ),
        ("chapter 3 tomorrow at 3", ["chapter 3 tomorrow at 03:00", "chapter 3 tomorrow at 15:00"]),
        (
            "tea tomorrow from 2 to 3",
            ["tea tomorrow from 02:00 to 03:00", "tea tomorrow from 14:00 to 15:00"],
        ),
        (
            "gym every second tuesday at 9:00",
            [
                "gym every 2 weeks on Tuesday at 9:00",
                "gym every second Tuesday of the month at 9:00",
            ],
        ),
        ("tea 12/1/2026 8:00", ["tea 2026-01-12 8:00", "tea 2026-12-01 8:00"]),
    ],
)
def test_what_could_be_two_is_offered_as_whole_orders(text: str, ways: list[str]) -> None:
    turn = answer(text)
    assert turn.wants == ()
    _, copy, *lines = turn.text.splitlines()
    assert copy == "Copy one of these:"
    assert lines == [f"- {way}" for way in ways]
    assert all(answer(way).wants for way in ways)


@pytest.mark.parametrize(
    ("text", "title", "start", "repeats"),
    [
        (
            "standup every Tuesday at 9:00 until March",
            "standup",
            "2026-12-01T09:00:00+01:00",
            {"frequency": "weekly", "weekdays": ["tuesday"], "until": "2027-02-28"},
        ),
        (
            'create "Gym" jeden Dienstag um 9 Uhr',
            "Gym",
            "2026-12-01T09:00:00+01:00",
            {"frequency": "weekly", "weekdays": ["tuesday"]},
        ),
        (
            "every weekday at 9:00 standup",
            "standup",
            "2026-11-25T09:00:00+01:00",
            {
                "frequency": "weekly",
                "weekdays": ["monday", "tuesday", "wednesday", "thursday", "friday"],
            },
        ),
        (
            'create "Rent" monthly on the 3rd',
            "Rent",
            "2026-12-03",
            {"frequency": "monthly", "month_days": [3]},
        ),
        (
            "create Review every first monday at 15:00 for 30 minutes",
            "Review",
            "2026-12-07T15:00:00+01:00",
            {"frequency": "monthly", "weekdays": ["monday"], "nth": 1},
        ),
        (
            "standup every tuesday and thursday at 9:00 for 6 weeks",
            "standup",
            "2026-11-26T09:00:00+01:00",
            {"frequency": "weekly", "weekdays": ["tuesday", "thursday"], "count": 12},
        ),
        (
            'create "Yoga" every 2 weeks on tuesday 18:00-19:00, 10 times',
            "Yoga",
            "2026-11-24T18:00:00+01:00",
            {"frequency": "weekly", "interval": 2, "weekdays": ["tuesday"], "count": 10},
        ),
    ],
)
def test_what_repeats_is_proposed_with_its_first_time(
    text: str, title: str, start: str, repeats: dict[str, object]
) -> None:
    [want] = answer(text).wants
    assert want.tool == "create_event"
    assert (want.args["title"], want.args["start"]) == (title, start)
    assert want.args["repeats"] == repeats
    CreateEvent.model_validate(want.args)


def test_what_is_over_can_be_looked_at() -> None:
    [want] = answer("what was on last tuesday?").wants or answer("last tuesday").wants
    assert want.tool == "get_events_details"
    assert want.args["start"].startswith("2026-11-17")


def test_every_time_in_the_manual_is_read() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "offline-grammar.md").read_text()
    table = manual.partition("## Times\n")[2].partition("\n\nTimes are")[0]
    said = [
        text
        for row in table.splitlines()[3:]
        for text in row.split("|")[2].split("`")[1::2]
        if not text.startswith("for ")
    ]
    almanac = Almanac(now=NOW.replace(hour=6), zone=ZoneInfo("Europe/Berlin"))
    assert len(said) > 30
    assert [text for text in said if almanac.span(text) is None] == []
