"""The assistant notices its own silence: what came late is told, and a heartbeat stops."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from assistant.domain.conversation.deliveries import Attempt, Posted, Shown
from assistant.domain.errors import Unreachable
from assistant.flows.operations.silence import Heartbeat, LateNotice, on_time
from assistant.flows.operations.upkeep import Interval
from tests.flows.test_remind_me import AT, comes, told, wanted, watch
from tests.world import ZONE, Wall, World


class Patchy(Wall):
    """A channel that is away for a while."""

    away = False

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        if self.away:
            raise Unreachable("no answer")
        return super().show(place, shown, attempt=attempt)


@dataclass
class Watched:
    world: World
    calls: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        every = Interval(0, monotonic=self.world.clock.monotonic)
        parts: dict[str, Any] = {"store": self.world.store, "clock": self.world.clock}
        self.late = LateNotice(**parts, home=self.world.home, zone=ZONE, every=every)
        self.heart = Heartbeat(**parts, call=lambda: self.calls.append("beat"), every=every)

    def notices(self) -> list[str]:
        shown = self.world.wall.shown.items()
        return [one.text for key, one in shown if ":late-" in key]


@pytest.fixture
def patchy(world: World) -> Watched:
    return Watched(replace(world, wall=Patchy()))


def later(watched: Watched, **span: float) -> None:
    watched.world.clock.passes(**span)
    watch(watched.world).tick(watched.world.cause)
    watched.world.settle()
    watched.late.look(watched.world.cause)
    watched.world.settle()


def test_what_a_channel_could_not_show_is_told_once_when_it_can(patchy: Watched) -> None:
    world = patchy.world
    wall = world.wall
    assert isinstance(wall, Patchy)
    world.asks(wanted(), wanted(text="Call Ann", at="2026-11-24T09:30:00+01:00"))
    wall.away = True
    comes(world, AT)
    later(patchy, minutes=30)
    later(patchy, minutes=50)
    assert (told(world), patchy.notices()) == ([], [])
    wall.away = False
    for _ in range(3):
        later(patchy, minutes=20)
    assert len(told(world)) == 2
    [said] = patchy.notices()
    assert said.startswith("I could not reach you from 09:00 to 10:40; 2 reminders came late.")


def test_one_that_says_itself_that_it_is_late_needs_no_notice(patchy: Watched) -> None:
    patchy.world.asks(wanted())
    comes(patchy.world, AT + timedelta(hours=1))
    later(patchy, minutes=1)
    assert "1 hour late" in told(patchy.world)[0].text
    assert patchy.notices() == []


def test_two_that_came_late_are_told_in_one_notice(patchy: Watched) -> None:
    world = patchy.world
    world.asks(wanted(), wanted(text="Call Ann", at="2026-11-24T09:30:00+01:00"))
    comes(world, AT + timedelta(hours=2))
    later(patchy, minutes=1)
    later(patchy, minutes=1)
    assert patchy.notices() == ["I could not reach you from 09:00 to 11:00; 2 reminders came late."]


def test_what_was_on_time_is_not_told_of(patchy: Watched) -> None:
    patchy.world.asks(wanted())
    comes(patchy.world, AT)
    later(patchy, minutes=90)
    assert patchy.notices() == []
    assert on_time(patchy.world.store, patchy.world.clock, patchy.world.cause)


def test_the_heart_beats_every_five_minutes_while_all_is_on_time(patchy: Watched) -> None:
    world, other = patchy.world, Watched(patchy.world)
    for _ in range(60):
        patchy.heart.tick(world.cause)
        other.heart.tick(world.cause)
        world.clock.passes(seconds=15)
    assert len(patchy.calls) + len(other.calls) == 3


def test_the_heart_stops_while_something_is_overdue(patchy: Watched) -> None:
    world = patchy.world
    wall = world.wall
    assert isinstance(wall, Patchy)
    world.asks(wanted())
    wall.away = True
    comes(world, AT)
    assert patchy.heart.tick(world.cause)
    world.clock.passes(minutes=11)
    assert not patchy.heart.tick(world.cause)
    wall.away = False
    world.clock.passes(minutes=11)
    world.settle()
    assert patchy.heart.tick(world.cause)


def test_the_heart_stops_while_no_worker_tells_reminders(patchy: Watched) -> None:
    world = patchy.world
    world.asks(wanted())
    world.clock.time = AT + timedelta(minutes=11)
    assert not patchy.heart.tick(world.cause)


def test_the_heart_stops_while_the_bot_is_away(patchy: Watched) -> None:
    assert not replace(patchy.heart, lives=lambda: False).tick(patchy.world.cause)
