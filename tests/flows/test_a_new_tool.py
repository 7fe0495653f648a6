"""A tool that nobody has declared before is approved, executed, reconciled and undone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Facts
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Unsure
from assistant.tools import Result, ToolContext, problems_of
from tests.tools import lamps as declared
from tests.tools.lamps import Lamp, lamp_tool
from tests.tools.wired import with_tools
from tests.world import World

_S = CallState
ON = Want(tool="switch_lamp", args={"lamp": "hall", "on": True})
LINES = 120


@pytest.fixture
def lamps() -> dict[str, Lamp]:
    return {"hall": Lamp()}


@pytest.fixture
def house(world: World, lamps: dict[str, Lamp]) -> World:
    return with_tools(world, lamp_tool(lamps))


def test_it_is_short_and_keeps_the_contract(lamps: dict[str, Lamp]) -> None:
    assert problems_of(lamp_tool(lamps)) == []
    assert len(Path(declared.__file__).read_text("utf-8").splitlines()) < LINES


def test_it_waits_for_approval_and_then_executes_once(house: World, lamps: dict[str, Lamp]) -> None:
    house.asks(ON)
    assert house.states("A1") == [_S.PARKED]
    shown = [(row.name, row.text) for row in house.card("A1").rows]
    assert shown == [("Lamp:", "hall"), ("Now:", "off"), ("Then:", "on")]
    assert not lamps["hall"].on
    assert house.presses(Verb.APPROVE).accepted
    assert house.states("A1") == [_S.DONE]
    assert (lamps["hall"].on, len(lamps["hall"].switches)) == (True, 1)
    with house.store.read(house.cause) as tx:
        [effect] = tx.effects(house.call("A1").id)
    assert (effect.kind, effect.key) == ("lamp.switch", house.call("A1").id)
    assert (effect.state, effect.before) == (EffectState.DONE, {"on": False})
    assert house.titles(ShownKind.RECEIPT) == ["The lamp hall is on"]


def test_it_is_undone_days_later(house: World, lamps: dict[str, Lamp]) -> None:
    house.asks(ON)
    house.presses(Verb.APPROVE)
    house.clock.passes(days=3)
    [undoing] = house.undoes("A1")
    assert undoing.text == "Switch the lamp hall off again: A2"
    assert house.states("A1", "A2") == [_S.UNDONE, _S.DONE]
    assert not lamps["hall"].on


def test_it_is_not_undone_where_somebody_came_between(house: World, lamps: dict[str, Lamp]) -> None:
    house.asks(ON)
    house.presses(Verb.APPROVE)
    lamps["hall"].switches.append("a hand")
    [undoing] = house.undoes("A1")
    assert not undoing.accepted
    assert house.states("A1") == [_S.DONE]


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_was_interrupted_is_found_out_and_done_once(
    world: World, lamps: dict[str, Lamp], when: str
) -> None:
    tool = lamp_tool(lamps)
    house = with_tools(world, replace(tool, execute=lost(tool.execute, when)))
    house.asks(ON)
    house.presses(Verb.APPROVE)
    assert house.states("A1") == [_S.UNKNOWN]
    house.clock.passes(minutes=5)
    house.settle()
    assert house.states("A1") == [_S.DONE]
    assert len(lamps["hall"].switches) == 1


def lost(execute: Callable[[Facts, ToolContext], Result], when: str) -> Any:
    """Lose the answer of the first execution, before or after it did anything."""
    attempts: list[str] = []

    def once(facts: Facts, context: ToolContext) -> Result:
        attempts.append(context.call)
        if len(attempts) == 1 and when == "before":
            raise Unsure("no answer")
        result = execute(facts, context)
        if len(attempts) == 1:
            raise Unsure("no answer")
        return result

    return once


def test_what_its_inspection_cannot_find_is_refused_with_what_there_is(house: World) -> None:
    house.asks(Want(tool="switch_lamp", args={"lamp": "attic", "on": True}))
    assert house.states("A1") == [_S.REFUSED]
    assert "there are hall" in house.call("A1").result


def test_each_execution_keeps_when_it_began_and_ended(house: World) -> None:
    house.asks(ON)
    house.presses(Verb.APPROVE)
    house.asks(Want(tool="list_files", args={}))  # a lone, quick read, which runs while thinking
    for handle in ("A1", "A2"):
        call = house.call(handle)
        assert call.started is not None
        assert call.ended is not None
        assert call.started <= call.ended
