"""A tool may take longer than a lease, and what was not begun in time is begun again."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Facts
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import Misconfigured
from assistant.tools import Result, Tool, ToolContext
from assistant.tools.contract.toolbox import Toolbox
from tests.tools.lamps import Lamp, lamp_tool
from tests.tools.wired import with_tools
from tests.world import HandClock, World

_S = CallState
ON = Want(tool="switch_lamp", args={"lamp": "hall", "on": True})
LEASE = 30.0


@pytest.fixture
def lamps() -> dict[str, Lamp]:
    return {"hall": Lamp()}


@dataclass
class Interrupted(HandClock):
    """A clock that goes on from look to look, and at which something happens between two looks."""

    between: list[Callable[[], None]] = field(default_factory=list)

    def monotonic(self) -> float:
        if self.between:
            self.between.pop(0)()
        self.passes(milliseconds=1)
        return super().monotonic()


def on_clock(world: World, clock: Interrupted) -> None:
    world.clock = clock
    world.parts = replace(world.parts, clock=clock)


def timed(tool: Tool[Any], clock: HandClock, seconds: float) -> Tool[Any]:
    """A tool that takes almost all of its time-out."""

    def execute(facts: Facts, context: ToolContext) -> Result:
        clock.passes(seconds=seconds - 1)
        return tool.execute(facts, context)

    return replace(tool, execute=execute, timeout=seconds)


def states_of(world: World) -> list[str]:
    with world.store.read(world.cause) as tx:
        entries = tx.audit(limit=1_000)
    return [entry.kind for entry in entries if entry.kind.startswith("call.")]


@pytest.mark.parametrize("seconds", [30.0, 600.0, 3600.0])
def test_a_tool_may_take_as_long_as_a_lease_and_longer(
    world: World, lamps: dict[str, Lamp], seconds: float
) -> None:
    held: list[float] = []
    on_clock(world, Interrupted())
    world.parts = replace(world.parts, hold=lambda _job, seconds: held.append(seconds))
    house = with_tools(world, timed(lamp_tool(lamps), world.clock, seconds))
    house.asks(ON)
    house.presses(Verb.APPROVE)
    assert house.states("A1") == [_S.DONE]
    assert len(lamps["hall"].switches) == 1
    assert held == [seconds]


@pytest.mark.parametrize("seconds", [0.0, -1.0, 3600.5])
def test_a_time_out_that_no_worker_waits_for_is_refused(
    lamps: dict[str, Lamp], seconds: float
) -> None:
    with pytest.raises(Misconfigured, match=r"switch_lamp.*between 0 and 3600 seconds"):
        Toolbox(replace(lamp_tool(lamps), timeout=seconds))


def test_what_was_not_begun_in_time_is_begun_again_and_called_nothing_else(
    world: World, lamps: dict[str, Lamp]
) -> None:
    """The process was stopped while it wrote its intent."""
    tool = lamp_tool(lamps)
    change = tool.change
    assert change is not None
    slow = [LEASE / 2]

    def effect(facts: Facts, call: str) -> Effect:
        if slow:
            world.clock.passes(seconds=slow.pop())
        return change.effect(facts, call)

    house = with_tools(world, replace(tool, change=replace(change, effect=effect)))
    house.asks(ON)
    house.presses(Verb.APPROVE)
    assert house.states("A1") == [_S.CLEARED]
    assert lamps["hall"].switches == []
    house.clock.passes(minutes=1)
    house.settle()
    assert house.states("A1") == [_S.DONE]
    assert len(lamps["hall"].switches) == 1
    run = ["call.running", "call.cleared", "call.running", "call.done"]
    assert [kind for kind in states_of(house) if kind in run][-4:] == run
    assert "call.unknown" not in states_of(house)


def robbed(
    world: World, lamps: dict[str, Lamp], then: Callable[[World], None] = lambda _house: None
) -> World:
    """Approve a call whose worker loses its lease between the intent and the effect."""
    clock = Interrupted()
    on_clock(world, clock)
    house = with_tools(world, lamp_tool(lamps))
    house.asks(ON)

    def lose() -> None:
        house.store.release([claim for claim, _ in house.store.held().values()])
        clock.passes(seconds=LEASE + 1)
        then(house)

    clock.between = [lambda: None, lose]
    house.presses(Verb.APPROVE)
    assert house.states("A1") == [_S.DONE]
    assert len(lamps["hall"].switches) == 1
    return house


def test_what_another_took_over_meanwhile_is_left_to_it(
    world: World, lamps: dict[str, Lamp]
) -> None:
    """The process was stopped after it wrote its intent, and lost its lease."""
    house = robbed(world, lamps, World.settle)
    assert house.call("A1").fence == 2
    assert [job.id for job in house.store.jobs() if job.id.startswith("run:")] == []


def test_what_is_released_and_not_yet_taken_over_is_put_back(
    world: World, lamps: dict[str, Lamp]
) -> None:
    assert "call.unknown" not in states_of(robbed(world, lamps))
