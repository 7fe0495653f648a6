"""A call that leaves its tool's scopes is refused before the decision and again before it runs."""

from dataclasses import replace
from typing import Any

import pytest

from assistant.domain.approvals import Verb
from assistant.domain.call_states import CallState
from assistant.domain.talk import Want
from assistant.tools import Scopes
from assistant.tools.contract.tool import Tool
from tests.tools.lamps import Lamp, lamp_tool
from tests.tools.wired import with_tools
from tests.world import World

_S = CallState
HALL = Want(tool="switch_lamp", args={"lamp": "hall", "on": True})
READ = Want(tool="read_file", args={"path": "notes/a"})
ELSEWHERE = (Scopes(), Scopes(apps=("calendar",)), Scopes(paths=("private:/**",)))


@pytest.fixture
def lamps() -> dict[str, Lamp]:
    return {"hall": Lamp()}


@pytest.mark.parametrize("scopes", ELSEWHERE, ids=["nowhere", "an app", "paths"])
def test_a_call_outside_is_refused_and_the_same_call_inside_waits(
    world: World, lamps: dict[str, Lamp], scopes: Scopes
) -> None:
    with_tools(world, lamp_tool(lamps, scopes)).asks(HALL)
    assert world.states("A1") == [_S.REFUSED]
    assert "lamp:hall is outside the paths and apps that this tool declares" in world.call().result
    with_tools(world, lamp_tool(lamps)).asks(HALL)
    assert world.states("A2") == [_S.PARKED]


@pytest.mark.parametrize("narrowed", [{"scopes": Scopes()}, {"sandbox": True}])
def test_what_was_approved_does_not_run_where_its_tool_no_longer_may(
    world: World, lamps: dict[str, Lamp], narrowed: dict[str, Any]
) -> None:
    with_tools(world, lamp_tool(lamps)).asks(HALL)
    with_tools(world, replace(lamp_tool(lamps), **narrowed))
    assert world.presses(Verb.APPROVE).accepted
    assert world.states("A1") == [_S.VOID]
    assert not lamps["hall"].on
    with world.store.read(world.cause) as tx:
        assert tx.effects(world.call("A1").id) == []


def files_in(world: World, *paths: str) -> Tool[Any]:
    return replace(world.toolbox["read_file"], scopes=Scopes(paths=paths))


def test_a_read_outside_is_refused_and_the_same_read_inside_runs(world: World) -> None:
    world.calls("write_file", path="notes/a", content="850 EUR\n")
    with_tools(world, files_in(world, "private:/letters/**")).asks(READ)
    assert world.states("A2") == [_S.REFUSED]
    assert "private:/notes/a is outside the paths and apps" in world.call("A2").result
    with_tools(world, files_in(world, "private:/notes/**")).asks(READ)
    assert world.states("A3") == [_S.DONE]
    assert "850 EUR" in world.call("A3").result


def test_the_owners_own_call_stays_inside_too(world: World) -> None:
    with_tools(world, files_in(world, "private:/letters/**"))
    assert world.calls("read_file", path="notes/a").state is _S.REFUSED


def test_a_tool_that_wants_a_sandbox_is_refused_while_there_is_none(
    world: World, lamps: dict[str, Lamp]
) -> None:
    with_tools(world, replace(lamp_tool(lamps), sandbox=True)).asks(HALL)
    assert world.states("A1") == [_S.REFUSED]
    assert "only in a sandbox, and there is none" in world.call().result


@pytest.mark.guard_out
def test_without_the_check_a_call_outside_waits_for_approval(
    world: World, lamps: dict[str, Lamp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tool, "refusal", lambda _tool, _facts: "")
    with pytest.raises(AssertionError, match="PARKED"):
        test_a_call_outside_is_refused_and_the_same_call_inside_waits(world, lamps, Scopes())


@pytest.mark.guard_out
def test_without_the_check_what_was_approved_runs_outside(
    world: World, lamps: dict[str, Lamp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tool, "refusal", lambda _tool, _facts: "")
    with pytest.raises(AssertionError, match="DONE"):
        test_what_was_approved_does_not_run_where_its_tool_no_longer_may(
            world, lamps, {"scopes": Scopes()}
        )
    assert lamps["hall"].on
