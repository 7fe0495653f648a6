"""A change that waits lapses when its event begins: nobody approves what has begun."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from tests.stores import sqlite_stores
from tests.world import World

NINE = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
"""What the clock of a world shows at first, which is 9:00 in Berlin."""
DENTIST = Event(
    uid="mine-1",
    title="Dentist",
    when=When(start=NINE.replace(hour=10), end=NINE.replace(hour=11)),
)
LATER = "2026-11-23T15:00:00+01:00"
EARLIER = "2026-11-23T10:00:00+01:00"


@pytest.fixture
def world() -> Iterator[World]:
    with sqlite_stores() as make:
        yield World(make)


def want(tool: str, **args: object) -> Want:
    return Want(tool=tool, args=args)


def expires(world: World) -> datetime:
    with world.store.read(world.cause) as tx:
        return tx.approval(world.call().id).expires


@pytest.mark.parametrize(
    ("asked", "lapses"),
    [
        pytest.param(want("update_event", event="Dentist", start=LATER), 10, id="moved later"),
        pytest.param(want("update_event", event="Dentist", start=EARLIER), 9, id="moved earlier"),
        pytest.param(want("update_event", event="Dentist", title="Doctor"), 10, id="renamed"),
        pytest.param(want("delete_event", event="Dentist"), 10, id="deleted"),
        pytest.param(want("create_event", title="Tea", start=LATER), 14, id="created"),
    ],
)
def test_it_lapses_when_the_event_begins_as_it_is_or_would_be(
    world: World, asked: Want, lapses: int
) -> None:
    world.calendar.put(DENTIST)
    world.asks(asked)
    assert expires(world) == NINE.replace(hour=lapses)


def test_a_press_after_the_begin_is_refused_with_words_and_the_card_is_closed(
    world: World,
) -> None:
    world.calendar.put(DENTIST)
    world.asks(want("delete_event", event="Dentist"))
    world.clock.passes(hours=2)
    late = world.presses(Verb.APPROVE, settle=False)
    assert not late.accepted
    assert late.text == (
        "A1 has expired, as what it is about has begun; nothing was done. "
        "Ask for it again if you still want it."
    )
    world.settle()
    assert world.call().state is CallState.EXPIRED
    assert world.card("A1").title == "Expired: delete “Dentist”"
    assert world.calendar.writes == 0


def test_a_yes_in_time_does_not_run_once_the_event_has_begun(world: World) -> None:
    world.calendar.put(DENTIST)
    world.asks(want("delete_event", event="Dentist"))
    world.clock.passes(hours=1, minutes=59)
    assert world.presses(Verb.APPROVE, settle=False).accepted
    world.clock.passes(minutes=1)
    world.settle()
    assert world.calendar.writes == 0
    assert world.call().state is CallState.VOID
    assert "has begun" in world.card("A1").text


def test_of_an_event_that_runs_when_it_is_asked_for_the_end_counts(world: World) -> None:
    world.calendar.put(DENTIST)
    world.clock.passes(hours=2, minutes=30)
    world.asks(want("delete_event", event="Dentist"))
    assert expires(world) == NINE.replace(hour=11)
    world.presses(Verb.APPROVE)
    assert world.call().state is CallState.DONE


def test_what_is_over_can_still_be_written_down(world: World) -> None:
    world.asks(want("create_event", title="Walk", start="2026-11-22T10:00:00+01:00"))
    world.clock.passes(hours=20)
    world.presses(Verb.APPROVE)
    assert world.call().state is CallState.DONE


@pytest.mark.parametrize(
    ("start", "lapses"),
    [
        pytest.param("2026-11-23", datetime(2026, 11, 23, 23, 0, tzinfo=UTC), id="today"),
        pytest.param("2026-11-24", datetime(2026, 11, 24, 23, 0, tzinfo=UTC), id="tomorrow"),
    ],
)
def test_a_whole_day_has_begun_when_it_ends_on_the_owners_clock(
    world: World, start: str, lapses: datetime
) -> None:
    days = {"start": start, "end": date(2026, 11, 26).isoformat()}
    world.asks(want("create_event", title="Fair", **days))
    assert expires(world) == lapses


def test_of_days_that_run_already_the_end_of_the_last_counts(world: World) -> None:
    world.asks(want("create_event", title="Fair", start="2026-11-22", end="2026-11-25"))
    assert expires(world) == datetime(2026, 11, 24, 23, 0, tzinfo=UTC)
