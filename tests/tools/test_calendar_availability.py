"""Availability: the tool tells times and no word of any event, and finds the next free ones."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.free.working_hours import WorkingHours, read_working_hours
from assistant.domain.calls.call import Facts
from assistant.domain.errors import BadArguments
from assistant.domain.jobs.job import Cause
from assistant.tools.calendar.availability import GetEventsAvailability, availability_tool
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.results import Result
from tests.memory_calendar import MemoryCalendar

ZONE = "Europe/Berlin"
BERLIN = ZoneInfo(ZONE)
MONDAY = datetime(2026, 11, 23, tzinfo=BERLIN)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SECRET = "Zyxomma"
OBJECT = f"""BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//{SECRET}//EN
BEGIN:VEVENT
UID:{SECRET}-9
DTSTAMP:20261101T000000Z
DTSTART:20261124T080000Z
DTEND:20261124T083000Z
RRULE:FREQ=DAILY;COUNT=3
SUMMARY:{SECRET} weekly
DESCRIPTION:{SECRET} notes
LOCATION:{SECRET} street
ATTENDEE;CN={SECRET}:mailto:{SECRET}@example.org
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n").encode()


class Asked:
    """The tool, and a calendar with what a test puts into it."""

    def __init__(self) -> None:
        self.calendar = MemoryCalendar(zone=ZONE)
        self.hours: WorkingHours = read_working_hours("")
        self.now = MONDAY + 8 * HOUR
        self.put = 0

    def on(self, start: float, hours: float, *, title: str = SECRET) -> None:
        self.put += 1
        begins = MONDAY + start * HOUR
        when = When(start=begins, end=begins + hours * HOUR)
        self.calendar.put(Event(uid=f"{title}-{self.put}", title=title, when=when))

    def facts(self, **args: Any) -> Facts:
        tool = availability_tool(self.calendar, working_hours=self.hours)
        [facts] = tool.inspect(GetEventsAvailability.model_validate(args), self.context)
        return facts

    def answers(self, **args: Any) -> Result:
        tool = availability_tool(self.calendar, working_hours=self.hours)
        return tool.execute(self.facts(**args), self.context)

    @property
    def context(self) -> ToolContext:
        return ToolContext(
            cause=Cause(owner="owner", trace="f" * 32), call="c", now=self.now, zone=ZONE
        )


@pytest.fixture
def asked() -> Asked:
    return Asked()


def within(days: int) -> dict[str, datetime]:
    return {"start": MONDAY, "end": MONDAY + days * DAY}


UNREAD = "1 series could not be read in full, so this may not be all."


@pytest.mark.parametrize("days", [1, 4])
def test_a_series_that_cannot_be_read_is_told_and_its_first_time_is_not_busy(
    asked: Asked, days: int
) -> None:
    asked.calendar.put_object(f"{SECRET}-9", OBJECT.replace(b"DAILY", b"HOURLY"))
    later = asked.answers(start=MONDAY + 2 * DAY, end=MONDAY + 3 * DAY)
    assert later.text.splitlines() == [
        "Free: nothing is on Wed 25 Nov 2026.",
        "Free within working hours (Mon–Fri 09:00–17:00):",
        "- Wed 25 Nov: 09:00–17:00",
        UNREAD,
    ]
    assert later.told == f"Nothing is on Wed 25 Nov 2026. {UNREAD}"
    assert not later.data["complete"]
    asked.on(33, 1)
    result = asked.answers(start=MONDAY + DAY, end=MONDAY + (days + 1) * DAY)
    assert result.data["busy"] == [
        {"start": "2026-11-24T09:00:00+01:00", "end": "2026-11-24T10:00:00+01:00"}
    ]
    assert result.text.endswith(f"\n{UNREAD}")
    assert SECRET not in result.text
    following = asked.answers(minutes=60)
    assert following.text.endswith(f"\n{UNREAD}")
    assert not following.data["complete"]


def test_overlapping_events_are_one_slot_and_what_is_left_is_free(asked: Asked) -> None:
    asked.on(10, 1)
    asked.on(10.5, 1)
    asked.on(22, 10)
    asked.calendar.put(
        Event(
            uid="trip",
            title=SECRET,
            when=When(start=(MONDAY + 2 * DAY).date(), end=(MONDAY + 3 * DAY).date()),
        )
    )
    result = asked.answers(**within(4))
    assert result.text.splitlines() == [
        "Busy within Mon 23 Nov 2026 to Thu 26 Nov 2026:",
        "- Mon 23 Nov: 10:00–11:30, 22:00–08:00 Tue 24 Nov",
        "- Wed 25 Nov: all day",
        "Free within working hours (Mon–Fri 09:00–17:00):",
        "- Mon 23 Nov: 09:00–10:00, 11:30–17:00",
        "- Tue 24 Nov: 09:00–17:00",
        "- Thu 26 Nov: 09:00–17:00",
    ]
    assert result.told == "3 slots taken, 4 slots free."
    assert result.data["busy"][0] == {
        "start": "2026-11-23T10:00:00+01:00",
        "end": "2026-11-23T11:30:00+01:00",
    }
    assert result.data["complete"]


@pytest.mark.parametrize("more", [{}, {"minutes": 30}, {"within_working_hours": False}])
@pytest.mark.parametrize("open_end", [False, True])
def test_it_holds_no_word_of_any_event(
    asked: Asked, more: dict[str, object], *, open_end: bool
) -> None:
    for n in range(5):
        asked.on(9 + 7 * n, 3)
    asked.calendar.put_object(f"{SECRET}-9", OBJECT)
    args = {"minutes": 30} | more if open_end else within(5) | more
    facts = asked.facts(**args)
    assert SECRET not in facts.model_dump_json()
    result = asked.answers(**args)
    assert SECRET.lower() not in result.model_dump_json().lower()
    assert not result.outside


def test_the_next_free_slots_are_looked_for_from_now(asked: Asked) -> None:
    asked.now = MONDAY + 10.25 * HOUR
    asked.on(11, 5.5)
    asked.on(24 + 9, 8)
    result = asked.answers(minutes=45)
    assert result.text.splitlines() == [
        "Next free for 45 minutes within working hours (Mon–Fri 09:00–17:00):",
        "- Mon 23 Nov: 10:15–11:00",
        "- Wed 25 Nov: 09:00–17:00",
        "- Thu 26 Nov: 09:00–17:00",
    ]
    assert len(result.data["free"]) == 3
    assert asked.facts(minutes=45).args["start"] == "2026-11-23T10:15:00+01:00", "it is absolute"


def test_the_working_hours_are_those_of_the_settings(asked: Asked) -> None:
    asked.hours = read_working_hours("Sat 10:00-12:00")
    lines = asked.answers(minutes=60).text.splitlines()
    assert lines == [
        "Next free for 1 hour within working hours (Sat 10:00–12:00):",
        "- Sat 28 Nov: 10:00–12:00",
        "- Sat 5 Dec: 10:00–12:00",
    ]
    assert asked.answers(minutes=60, within_working_hours=False).text.splitlines() == [
        "Next free for 1 hour:",
        "- Mon 23 Nov: 08:00–08:00 Mon 7 Dec",
    ]


def test_where_no_slot_is_long_enough_that_is_said(asked: Asked) -> None:
    asked.hours = read_working_hours("Mon 09:00-10:00")
    said = asked.answers(minutes=90).text
    assert said.startswith("Nothing is free for 1 h 30 min between Mon 23 Nov, 08:00 and Mon 7 Dec")


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ({}, "until when, or for how many minutes"),
        ({"start": MONDAY, "end": MONDAY + 101 * DAY}, "100 days at the most"),
        ({"start": MONDAY, "end": MONDAY}, "the end is not after the start"),
    ],
)
def test_a_range_that_is_none_is_refused(asked: Asked, args: dict[str, Any], why: str) -> None:
    with pytest.raises(BadArguments, match=why):
        asked.facts(**args)


def test_a_call_of_the_last_version_is_read_as_before(asked: Asked) -> None:
    asked.on(10, 1)
    old = {"start": "2026-11-23T00:00:00+01:00", "end": "2026-11-24T00:00:00+01:00"}
    tool = availability_tool(asked.calendar)
    result = tool.execute(Facts(args=old, own=True), asked.context)
    assert "10:00–11:00" in result.text


def test_thousands_of_events_are_merged_in_bounded_words(asked: Asked) -> None:
    for n in range(2_000):
        asked.on(n / 2, 0.25)
    result = asked.answers(**within(90))
    assert len(result.text) < 20_000
    assert "There is more from " in result.text
    assert not result.data["complete"]
    assert datetime.fromisoformat(result.data["busy"][0]["start"]).astimezone(UTC).hour == 23
