"""What is said of busy and free times is what the slots are, whatever the calendar holds."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from assistant.domain.calendar.free.availability import (
    Availability,
    availability,
    say_availability,
    say_length,
    say_next_free,
)
from assistant.domain.calendar.free.busy_times import EventTime
from assistant.domain.calendar.free.slots import MOST_SLOTS, Slots, busy, free
from assistant.domain.calendar.free.working_hours import (
    OFFICE_HOURS,
    Shift,
    WorkingHours,
    read_working_hours,
    say_working_hours,
)
from assistant.domain.errors import BadArguments
from assistant.domain.time.local_times import moments_at
from tests.domain.test_slots import ZONES, changes

BERLIN = "Europe/Berlin"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ALWAYS = WorkingHours.always()
MONDAY = datetime(2026, 11, 23, tzinfo=ZoneInfo(BERLIN))
_SAID = re.compile(r"- (?P<day>\w{3} \d+ \w{3}): (?P<hours>.*)")
_HOURS = re.compile(r"(?P<start>[^–]+)–(?P<end>\S+)(?: (?P<day>\w{3} \d+ \w{3}))?")


def timed(start: float, hours: float) -> EventTime:
    begins = MONDAY + start * HOUR
    return EventTime(begins, begins + hours * HOUR)


def found(*events: EventTime, days: int = 1, hours: WorkingHours = OFFICE_HOURS) -> Availability:
    return availability(events, MONDAY, MONDAY + days * DAY, zone=BERLIN, hours=hours)


def said(*events: EventTime, days: int = 1, hours: WorkingHours = OFFICE_HOURS) -> list[str]:
    text = say_availability(found(*events, days=days, hours=hours), span="these days")
    return text.splitlines()


def test_busy_and_free_slots_have_a_line_for_each_day() -> None:
    assert said(timed(10, 1), timed(10.5, 1), timed(24 + 16, 2), days=2) == [
        "Busy within these days:",
        "- Mon 23 Nov: 10:00–11:30",
        "- Tue 24 Nov: 16:00–18:00",
        "Free within working hours (Mon–Fri 09:00–17:00):",
        "- Mon 23 Nov: 09:00–10:00, 11:30–17:00",
        "- Tue 24 Nov: 09:00–16:00",
    ]


def test_what_is_free_as_a_whole_is_one_line() -> None:
    assert said(hours=ALWAYS) == ["Free: nothing is on these days."]


def test_whole_days_and_nights_are_said_as_such() -> None:
    trip, today = (EventTime(date(2026, 11, day), date(2026, 11, 27)) for day in (25, 26))
    assert said(timed(22, 8), trip, today, days=5, hours=ALWAYS) == [
        "Busy within these days:",
        "- Mon 23 Nov: 22:00–06:00 Tue 24 Nov",
        "- Wed 25 Nov: all day, until Thu 26 Nov",
        "Free:",
        "- Mon 23 Nov: 00:00–22:00",
        "- Tue 24 Nov: 06:00–24:00",
        "- Fri 27 Nov: all day",
    ]


def test_a_time_outside_working_hours_is_said_to_be_free_and_outside() -> None:
    evening = MONDAY + 20 * HOUR
    one = availability([], evening, evening + HOUR, zone=BERLIN, hours=OFFICE_HOURS)
    assert say_availability(one, span="Mon 20:00").splitlines() == [
        "Free: nothing is on Mon 20:00.",
        "It is not within working hours (Mon–Fri 09:00–17:00).",
    ]


def test_a_part_of_a_minute_is_busy_for_the_whole_of_it() -> None:
    begins = MONDAY + 10 * HOUR
    second = timedelta(seconds=1)
    events = [
        EventTime(begins + second, begins + 2 * second),
        EventTime(begins + 50 * second, begins + 61 * second),
    ]
    assert said(*events)[1] == "- Mon 23 Nov: 10:00–10:02"


def test_the_next_free_slots_are_long_enough() -> None:
    events = [timed(9, 0.75), timed(10, 6.5), timed(24 + 9, 8)]
    one = availability(
        events, MONDAY, MONDAY + 14 * DAY, zone=BERLIN, hours=OFFICE_HOURS, least=30 * MINUTE,
        most_free=3,
    )  # fmt: skip
    assert say_next_free(one).splitlines() == [
        "Next free for 30 minutes within working hours (Mon–Fri 09:00–17:00):",
        "- Mon 23 Nov: 16:30–17:00",
        "- Wed 25 Nov: 09:00–17:00",
        "- Thu 26 Nov: 09:00–17:00",
    ]


def test_where_nothing_is_long_enough_that_is_said() -> None:
    one = availability(
        [timed(0, 24)], MONDAY, MONDAY + DAY, zone=BERLIN, hours=OFFICE_HOURS, least=45 * MINUTE
    )
    assert say_next_free(one) == (
        "Nothing is free for 45 minutes between Mon 23 Nov, 00:00 and Tue 24 Nov, 00:00 "
        "within working hours (Mon–Fri 09:00–17:00)."
    )


def test_too_many_slots_are_cut_and_said() -> None:
    events = [timed(n / 4, 1 / 8) for n in range(2 * MOST_SLOTS)]
    lines = said(*events, days=10, hours=ALWAYS)
    more = [line for line in lines if line.startswith("There is more from ")]
    assert more[0] == "There is more from Wed 25 Nov, 02:00 on: ask for what begins there."
    assert len(more) == 2


@pytest.mark.parametrize(
    ("length", "words"),
    [(1, "1 minute"), (45, "45 minutes"), (60, "1 hour"), (90, "1 h 30 min"), (120, "2 hours")],
)
def test_a_length_is_said_short(length: int, words: str) -> None:
    assert say_length(length * MINUTE) == words


# Random calendars


def slots_said(lines: list[str], year: int, zone: str) -> Iterator[tuple[datetime, datetime]]:
    """Read the lines of one list back, in UTC."""
    for line in lines:
        if not (day := _SAID.fullmatch(line)):
            return
        first = _day(day["day"], year)
        for each in re.split(r", (?!until)", day["hours"]):
            if each.startswith("all day"):
                last = _day(each.partition("until ")[2] or day["day"], year)
                yield _midnight(first, zone), _midnight(last + DAY, zone)
                continue
            hours = _HOURS.fullmatch(each)
            assert hours, each
            ends = _day(hours["day"], year) if hours["day"] else first
            yield _moment(first, hours["start"], zone), _moment(ends, hours["end"], zone)


def _day(text: str, year: int) -> date:
    return datetime.strptime(f"{text} {year}", "%a %d %b %Y").date()  # noqa: DTZ007  # a day


def _midnight(day: date, zone: str) -> datetime:
    local = datetime.combine(day, time())
    found = moments_at(local, ZoneInfo(zone))
    while not found:  # the clocks skip midnight
        local += MINUTE
        found = moments_at(local, ZoneInfo(zone))
    return found[0].astimezone(UTC)


def _moment(day: date, text: str, zone: str) -> datetime:
    if text == "24:00":
        return _midnight(day + DAY, zone)
    if len(text) > len("09:00"):  # with its offset, where the hour comes twice
        return datetime.fromisoformat(f"{day}T{text}").astimezone(UTC)
    local = datetime.combine(day, time.fromisoformat(text), tzinfo=ZoneInfo(zone))
    return local.astimezone(UTC)


def in_utc(slots: Slots) -> list[tuple[datetime, datetime]]:
    return [(one.start.astimezone(UTC), one.end.astimezone(UTC)) for one in slots.slots]


def some_events(random: Random, around: datetime) -> list[EventTime]:
    """Events of every kind around a moment, by the minute."""
    events = []
    for _ in range(random.randrange(12)):
        begins = around + random.randrange(-2_000, 5_000) * MINUTE
        length = random.choice((15, 45, 60, 600, 2_000)) * MINUTE
        if random.random() < 0.2:
            events.append(EventTime(begins.date(), begins.date() + random.randint(1, 3) * DAY))
        else:
            events.append(EventTime(begins, begins.astimezone(UTC) + length))
    return events


SOME_HOURS = (
    OFFICE_HOURS,
    ALWAYS,
    WorkingHours(((Shift(time(22), time(6)),),) * 7),
    read_working_hours("Mon-Thu 08:30-12:00, Mon-Thu 13:00-17:30, Sat 00:00-24:00"),
)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("change", [0, 1])
def test_the_words_say_the_slots_over_both_changes_of_the_clocks(zone: str, change: int) -> None:
    random = Random(f"{zone} {change}")
    around = changes(zone)[change].astimezone(ZoneInfo(zone))
    for _ in range(20):  # 200 in all
        events = some_events(random, around)
        start = around + random.randrange(-36 * 60, 60) * MINUTE
        end = start.astimezone(UTC) + random.randrange(1, 96 * 60) * MINUTE
        hours, least = random.choice(SOME_HOURS), random.choice((1, 30, 120)) * MINUTE
        one = availability(events, start, end, zone=zone, hours=hours, least=least)
        assert one.busy == busy(events, start, end, zone=zone)
        assert one.free == free(events, start, end, zone=zone, hours=hours, least=least)
        lines = say_availability(one, span="then").splitlines()
        if one.busy.slots:
            assert lines[0] == "Busy within then:"
            assert list(slots_said(lines[1:], around.year, zone)) == in_utc(one.busy)
        else:
            assert lines[0] == "Free: nothing is on then."
        begin = next((n + 1 for n, line in enumerate(lines) if re.match(r"Free(?!: )", line)), None)
        if begin is None:
            assert not one.free.slots or len(lines) == 1
        else:
            assert list(slots_said(lines[begin:], around.year, zone)) == in_utc(one.free)


# Working hours


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", "Mon–Fri 09:00–17:00"),
        ("Mon-Fri 9:00-17:00", "Mon–Fri 09:00–17:00"),
        ("mon–thu  08:30–18:00 , Sat 10:00-12:00", "Mon–Thu 08:30–18:00, Sat 10:00–12:00"),
        ("Sat-Mon 22:00-06:00", "Mon 22:00–06:00, Sat–Sun 22:00–06:00"),
        ("Mon 13:00-17:00, Mon 09:00-12:00", "Mon 09:00–12:00 and 13:00–17:00"),
        ("Mon-Sun 00:00-24:00", "Mon–Sun 00:00–24:00"),
    ],
)
def test_working_hours_are_read_and_written(text: str, written: str) -> None:
    hours = read_working_hours(text)
    assert say_working_hours(hours) == written
    assert read_working_hours(written.replace(" and ", f", {written[:3]} ")) == hours


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9 to 5", "'9 to 5' is no weekdays with hours, such as Mon-Fri 09:00-17:00"),
        ("Mon-Fri", "is no weekdays with hours"),
        ("Mon-Fri 09:00-17:00,", "'' is no weekdays with hours"),
        ("Mon-Foo 09:00-17:00", "'Foo' is no weekday"),
        ("Mon 25:00-26:00", "'25:00' is no time of day"),
        ("Mon 24:00-06:00", "'24:00' is no time of day"),
        ("Mon 09:00-09:00", "ends when it begins"),
    ],
)
def test_working_hours_that_cannot_be_read_say_why(text: str, why: str) -> None:
    with pytest.raises(BadArguments, match=re.escape(why)):
        read_working_hours(text)
