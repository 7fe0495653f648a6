"""Which of the calls that wait propose something for the calendar, and what it is called."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from assistant.domain.calendar.events import When
from assistant.domain.calls.call import Call, Facts
from assistant.tools.calendar.agenda import proposals

ZONE = "Europe/Berlin"
MONDAY = datetime(2026, 11, 23, tzinfo=ZoneInfo(ZONE))
WEEK = When(start=MONDAY, end=MONDAY + timedelta(days=7))
OLD = {
    "uid": "u",
    "title": "Dentist",
    "start": "2026-11-24T09:00:00+01:00",
    "end": "2026-11-24T10:00:00+01:00",
}
LATER = {"start": "2026-11-26T09:00:00+01:00", "end": "2026-11-26T10:00:00+01:00"}


def call(tool: str, before: dict[str, Any] | None = None, /, **args: Any) -> Call:
    facts = Facts(args=OLD | args, before=before or {})
    return Call(id="c", owner="o", conversation="v", turn=1, ordinal=0, tool=tool, facts=facts)


@pytest.mark.parametrize(
    ("waiting", "name"),
    [
        (call("create_event"), "Dentist"),
        (call("create_event", repeats={"frequency": "weekly"}), "Dentist, repeats"),
        (call("update_event", OLD, **LATER), "Move: Dentist"),
        (call("update_event", OLD, title="Doctor"), "Rename: Dentist"),
        (call("update_event", OLD, title="Doctor", **LATER), "Change: Dentist"),
        (call("update_event", OLD, scope="this", **LATER), "Move: Dentist"),
        (call("delete_event", OLD), "Delete: Dentist"),
        (call("delete_event", OLD, scope="all"), "Delete: Dentist, all of them"),
        (
            call("delete_event", OLD, scope="this and following"),
            "Delete: Dentist, and those after it",
        ),
        (call("delete_event", OLD | {"title": "a\n\u202eb"}), "Delete: a \ufffdb"),
    ],
)
def test_a_change_that_waits_is_named(waiting: Call, name: str) -> None:
    assert [one.name for one in proposals([waiting], WEEK, ZONE)] == [name]


@pytest.mark.parametrize(
    "waiting",
    [
        call("write_file"),
        call("get_events_details", OLD),
        call("create_event", start="2026-12-24T09:00:00+01:00", end="2026-12-24T10:00:00+01:00"),
        call("create_event", start="mimsy"),
        call("create_event", end="2026-11-24T08:00:00+01:00"),
    ],
)
def test_other_calls_and_other_times_are_left_out(waiting: Call) -> None:
    assert proposals([waiting], WEEK, ZONE) == []


def test_they_come_by_their_begin_however_they_were_asked_for() -> None:
    first, last = call("create_event"), call("create_event", title="Tea", **LATER)
    assert [one.name for one in proposals([last, first], WEEK, ZONE)] == ["Dentist", "Tea"]
    whole = call("create_event", title="Trip", start="2026-11-29", end="2026-12-02")
    assert [one.when.all_day for one in proposals([whole], WEEK, ZONE)] == [True]
