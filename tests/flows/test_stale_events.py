"""Whatever of an event changes between its card and the press: nothing stale runs."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.recurrence import Frequency, Recurrence
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from tests.stores import sqlite_stores
from tests.world import Weather, World

TEN = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DENTIST = Event(uid="mine-1", title="Dentist", when=When(start=TEN, end=TEN + HOUR))
DAY = When(start=TEN.date(), end=TEN.date() + timedelta(days=1))
MEANWHILE: dict[str, dict[str, Any]] = {
    "title": {"title": "Doctor"},
    "begin": {"when": When(start=TEN - HOUR, end=TEN + HOUR)},
    "end": {"when": When(start=TEN, end=TEN + 2 * HOUR)},
    "all day": {"when": DAY},
    "rule": {"recurrence": Recurrence(frequency=Frequency.DAILY, count=3)},
    "alerts": {"alerts": (HOUR,)},
    "same content, other version": {},
}
ASKED = {
    "moved": Want(
        tool="update_event", args={"event": "Dentist", "start": "2026-11-30T15:00:00+01:00"}
    ),
    "renamed": Want(tool="update_event", args={"event": "Dentist", "title": "Check-up"}),
    "deleted": Want(tool="delete_event", args={"event": "Dentist"}),
    "repeated": Want(
        tool="update_event", args={"event": "Dentist", "repeats": {"frequency": "weekly"}}
    ),
}


@pytest.fixture(params=["once", "twice"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    with sqlite_stores() as make:
        yield World(make, weather=Weather(deliveries=2 if request.param == "twice" else 1))


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_what_changed_since_its_card_is_not_changed_by_a_yes(
    world: World, meanwhile: str, asked: str
) -> None:
    world.calendar.put(DENTIST)
    world.asks(ASKED[asked])
    now = world.calendar.put(DENTIST.model_copy(update=MEANWHILE[meanwhile]))
    world.model.will(Turn(text="So."))
    world.presses(Verb.APPROVE)
    assert world.call().state is CallState.FAILED
    assert world.calendar.get("mine-1") == now
    assert world.calendar.writes == 0
    assert world.card("A1").text


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_gone_since_its_card_ends_with_words(world: World, asked: str) -> None:
    world.calendar.put(DENTIST)
    world.asks(ASKED[asked])
    world.calendar.remove("mine-1")
    world.model.will(Turn(text="So."))
    world.presses(Verb.APPROVE)
    assert world.call().state in (CallState.FAILED, CallState.DONE)
    assert world.calendar.writes == 0
    assert (world.card("A1").text or world.card("A1").title).strip()


@pytest.mark.parametrize("asked", ASKED)
def test_two_presses_change_it_once(world: World, asked: str) -> None:
    world.calendar.put(DENTIST)
    world.asks(ASKED[asked])
    card = world.card_of("A1")
    world.model.will(Turn(text="So."))
    assert world.presses(Verb.APPROVE, card=card).accepted
    assert not world.presses(Verb.APPROVE, card=card).accepted
    assert world.calendar.writes == 1
