"""A week takes few buttons, a card few lines, a simple request few messages."""

from collections.abc import Callable

import pytest

from tests.discord_sim import staged
from tests.memory_calendar import MemoryCalendar
from tests.proof.phone import Phone
from tests.proof.week import WEEK, furnish, lunch
from tests.stores import Fresh
from tests.world import ZONE

MOST_BUTTONS = 10
MOST_MESSAGES = 2


@pytest.fixture
def kind() -> str:
    """What is asked is the same on every store."""
    return "sqlite"


def test_a_week_takes_few_buttons(fresh: Fresh, tell: Callable[[str], None]) -> None:
    calendar = MemoryCalendar(zone=ZONE)
    with staged(fresh(), calendar=calendar) as stage:
        phone = Phone(stage, calendar)
        furnish(phone)
        for task in WEEK:
            before = len(phone.pressed)
            task.do(phone)
            calls = [f"{one.handle} {one.tool} {one.state} {one.result}" for one in phone.calls()]
            assert task.done(phone), f"{task.wanted}: is not done: {calls[-3:]}"
            assert not phone.stage.world.waiting(), f"{task.wanted}: something waits"
            pressed = phone.pressed[before:]
            assert len(pressed) == task.buttons, f"{task.wanted}: pressed {pressed}"
    assert len(WEEK) == 33
    assert len(phone.pressed) <= MOST_BUTTONS
    tell(f"attention: {len(WEEK)} tasks of a week took {len(phone.pressed)} buttons")


@pytest.mark.parametrize("then", ["", "It waits for your yes."])
def test_a_simple_request_takes_few_messages(fresh: Fresh, then: str) -> None:
    calendar = MemoryCalendar(zone=ZONE)
    with staged(fresh(), calendar=calendar) as stage:
        phone = Phone(stage, calendar)
        lunch(phone, then)
        assert any("Created “Team lunch”" in one.text for one in phone.stage.reads())
        assert len(phone.stage.reads()) <= MOST_MESSAGES
        assert phone.pressed == ["Approve"]
