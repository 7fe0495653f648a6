"""The morning brief: once a day, of rows alone, whatever is away."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import partial

import pytest

from assistant.domain.calendar.copies.copied import KeptEvents
from assistant.domain.calendar.events import Event, When
from assistant.domain.conversation.deliveries import Shown
from assistant.domain.errors import Unreachable
from assistant.flows.operations.brief_clock import BriefClock
from assistant.flows.operations.upkeep import Interval
from assistant.flows.render.brief import LINES, NOTHING, BriefFacts, BriefPart, brief
from tests.bed import race
from tests.discord_world import HOME, Discord, said
from tests.flows.test_batches import booking
from tests.flows.test_commitments import REPORTED, ROOF
from tests.flows.test_remind_me import wanted
from tests.memory_calendar import unreadable_series
from tests.world import ZONE, World

SUNDAY = datetime(2026, 11, 22, 12, tzinfo=UTC)
DUE = datetime(2026, 11, 23, 6, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass
class Mornings:
    """A world that looks for its brief."""

    world: World

    def __post_init__(self) -> None:
        self.world.clock.time = SUNDAY
        self.clock = self.another()
        self.at(DUE - 24 * HOUR)

    def another(self) -> BriefClock:
        return BriefClock(
            store=self.world.store,
            clock=self.world.clock,
            zone=ZONE,
            at=time(7, 30),
            every=Interval(0, monotonic=self.world.clock.monotonic),
        )

    def at(self, moment: datetime) -> None:
        self.world.clock.time = moment
        self.clock.tick(self.world.cause)
        self.world.settle()

    def shown(self) -> list[Shown]:
        found = {**self.world.wall.shown, **self.world.far.shown}
        return [shown for key, shown in found.items() if ":brief-" in key]


@pytest.fixture
def mornings(world: World) -> Mornings:
    made = Mornings(world)
    world.wall.shown.clear()
    return made


def test_it_comes_once_at_its_time(mornings: Mornings) -> None:
    mornings.at(DUE - timedelta(seconds=1))
    assert mornings.shown() == []
    for hours in (0, 0, 1, 5, 16):
        mornings.at(DUE + hours * HOUR)
    [shown] = mornings.shown()
    assert (shown.title, shown.text) == ("Monday 23 November", NOTHING)


def test_every_day_has_one_also_after_a_restart(mornings: Mornings) -> None:
    for day in range(3):
        mornings.at(DUE + day * 24 * HOUR)
        mornings.clock = mornings.another()
        mornings.at(DUE + day * 24 * HOUR + HOUR)
    assert len(mornings.shown()) == 3


def test_two_workers_order_one(mornings: Mornings) -> None:
    mornings.world.clock.time = DUE
    clocks = [mornings.another(), mornings.another()]
    looks = [lambda one=one: one.look(mornings.world.cause) for one in clocks]
    assert set(race(*looks)) == {True, False}
    mornings.world.settle()
    assert len(mornings.shown()) == 1


def test_after_an_outage_the_one_of_today_says_that_it_is_late(mornings: Mornings) -> None:
    mornings.at(DUE + 48 * HOUR + HOUR * 2)
    [shown] = mornings.shown()
    assert shown.title == "Wednesday 25 November"
    assert "Due 07:30, told now, 2 hours late." in shown.text


def test_one_that_is_set_after_its_time_begins_tomorrow(world: World) -> None:
    world.clock.time = SUNDAY
    looks = partial(
        BriefClock,
        store=world.store,
        clock=world.clock,
        zone=ZONE,
        at=time(7, 30),
        every=Interval(0, monotonic=world.clock.monotonic),
    )
    assert not looks().look(world.cause)
    world.clock.time = DUE
    assert looks().look(world.cause)


def test_it_tells_all_there_is(mornings: Mornings) -> None:
    world = mornings.world
    world.model.reported = REPORTED
    world.forwards(ROOF)
    world.calendar.put(
        Event(uid="a", title="Standup", when=When(start=DUE + 2 * HOUR, end=DUE + 3 * HOUR))
    )
    world.asks(wanted(at="2026-11-23T14:00:00+01:00"))
    world.asks(booking("Lunch"))
    world.clock.time = datetime(2026, 11, 26, tzinfo=UTC)
    world.calendar.put(
        Event(
            uid="b",
            title="Roofers",
            when=When(start=DUE + 74 * HOUR, end=DUE + 75 * HOUR),
        )
    )
    mornings.at(DUE + 72 * HOUR)
    text = mornings.shown()[-1].text
    for part in (
        "Agenda: 1 event",
        "09:30 Roofers",
        "Due, as mails say: 1",
        "tomorrow: Let the roofers in",
        "Waits for your yes: 1",
        "New mail: 1, 1 asks for something",
        "Bob: Let the roofers in",
        "Done, can be undone: 1",
    ):
        assert part in text
    assert len(text.splitlines()) <= LINES


def test_a_series_that_cannot_be_read_has_no_time(mornings: Mornings) -> None:
    calendar = mornings.world.calendar
    calendar.put_object("often", unreadable_series("often", "Often", DUE - 24 * HOUR))
    mornings.at(DUE)
    assert mornings.shown()[-1].text.splitlines() == [
        "Agenda: no events; 1 series could not be read",
        "  not known when: Often",
    ]


def test_what_the_copy_has_is_told_as_of_when_it_is(
    mornings: Mornings, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = Event(uid="a", title="Standup", when=When(start=DUE + 2 * HOUR, end=DUE + 3 * HOUR))
    kept = [[event], []]

    def between(_when: When) -> KeptEvents:
        return KeptEvents(kept.pop(0), as_of=DUE - HOUR, why="the calendar does not answer")

    monkeypatch.setattr(mornings.world.calendar, "between", between)
    mornings.at(DUE)
    assert mornings.shown()[-1].text.splitlines() == [
        "Agenda, as of 06:30: 1 event",
        "  09:30 Standup",
    ]
    mornings.at(DUE + 24 * HOUR)
    assert "as of Mon 23 Nov 2026" in mornings.shown()[-1].text
    assert ": no events" in mornings.shown()[-1].text


def test_the_calendar_may_be_away(mornings: Mornings, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_when: When) -> list[Event]:
        raise Unreachable("no answer")

    monkeypatch.setattr(mornings.world.calendar, "between", away)
    mornings.at(DUE)
    [shown] = mornings.shown()
    assert "the calendar does not answer" in shown.text


def test_it_is_short_whatever_there_is() -> None:
    lines = tuple(f"line {n} " + "x" * 200 for n in range(40))
    parts = tuple(BriefPart(f"Part {n}: 40", lines, more=3) for n in range(6))
    facts = BriefFacts(now=DUE, zone=ZONE, parts=parts, late="Late.")
    shown = brief(facts).text.splitlines()
    assert len(shown) == LINES
    assert sum("and 42 more" in line for line in shown) == 4
    assert max(map(len, shown)) <= 80


def test_it_is_printed_at_any_time(world: World) -> None:
    discord = Discord(replace(world, home=HOME))
    discord.works()
    assert "Nothing waits" in said(discord.slash("brief"))


def test_a_clock_that_was_a_year_ahead_for_a_moment_costs_no_later_brief(
    mornings: Mornings,
) -> None:
    mornings.at(DUE + timedelta(days=400))
    mornings.clock = mornings.another()  # only the clock on the wall goes back
    mornings.at(DUE)
    mornings.world.forwards(b"From: ann@example.net\r\nSubject: Roof\r\n\r\nIt leaks.\r\n")
    for _ in range(2):
        mornings.at(DUE + 24 * HOUR)
    titles = [shown.title for shown in mornings.shown()]
    assert titles == ["Tuesday 28 December", "Monday 23 November", "Tuesday 24 November"]
    assert "New mail: 1" in mornings.shown()[-1].text
