"""A call that ended unclear is told to its owner, whoever asked for it and whatever cleared it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from assistant.commands.everyday.status import said_unclear
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Facts
from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import ErrorType
from assistant.domain.conversation.conversation import Want
from assistant.domain.conversation.deliveries import Home, Shown, Tone
from assistant.domain.errors import Unreachable, Unsure
from assistant.tools import Confirmation, Result, Tool, ToolContext, cannot_tell
from tests.tools.lamps import Lamp, lamp_tool
from tests.tools.wired import with_tools
from tests.world import OWNER, World

_S = CallState
ON = Want(tool="switch_lamp", args={"lamp": "hall", "on": True})


def lost(lamps: dict[str, Lamp], *, asks: bool) -> Tool[Any]:
    """A tool whose answer is lost after it has switched, and which cannot tell afterwards."""
    tool = lamp_tool(lamps)
    assert tool.change is not None

    def execute(facts: Facts, context: ToolContext) -> Result:
        tool.execute(facts, context)
        raise Unsure("no answer")

    confirmation = Confirmation.ALWAYS if asks else Confirmation.NEVER
    return replace(
        tool,
        traits=replace(tool.traits, confirmation=confirmation),
        execute=execute,
        change=replace(tool.change, reconcile=cannot_tell),
    )


def by_the_owner(house: World) -> None:
    house.calls("switch_lamp", lamp="hall", on=True)


def by_the_model(house: World) -> None:
    house.asks(ON)


def with_a_yes(house: World) -> None:
    house.asks(ON)
    house.presses(Verb.APPROVE)


WAYS = pytest.mark.parametrize(
    ("asked", "asks"),
    [(by_the_owner, False), (by_the_model, False), (with_a_yes, True)],
    ids=["the owner's own", "the model's", "approved"],
)


def notices(house: World) -> list[Shown]:
    return [
        shown
        for key, shown in (house.wall.shown | house.far.shown).items()
        if key == f"{OWNER}:unclear-{house.call('A1').id}"
    ]


def unclear(house: World, **since: float) -> list[str]:
    with house.store.read(house.cause) as tx:
        return [call.handle for call in tx.unclear(house.clock.now() - timedelta(**since))]


@WAYS
def test_whoever_asked_for_it_the_owner_is_told_once_that_nobody_knows(
    world: World, asked: Callable[[World], None], *, asks: bool
) -> None:
    lamps = {"hall": Lamp()}
    house = with_tools(world, lost(lamps, asks=asks))
    asked(house)
    for _ in range(3):
        house.clock.passes(minutes=1)
        house.settle()
    call = house.call("A1")
    assert (call.state, call.unclear) == (_S.FAILED, True)
    assert len(lamps["hall"].switches) == 1
    [notice] = notices(house)
    assert notice.title == "Nobody knows if it happened: switch a lamp"
    assert notice.text.startswith("It was begun, and its end was lost. Look yourself")
    said = {row.name: row.text for row in notice.rows}
    assert said["Lamp:"] == "hall"
    assert said["Look at:"] == "lamp:hall"
    assert notice.tone is Tone.FAILED
    assert "cannot tell" in notice.small
    assert unclear(house, days=7) == ["A1"]
    house.clock.passes(days=8)
    assert unclear(house, days=7) == []


def test_it_is_told_where_notices_go(world: World) -> None:
    world.parts = replace(world.parts, home=Home(channel="discord", place="notices"))
    house = with_tools(world, lost({"hall": Lamp()}, asks=False))
    by_the_owner(house)
    house.clock.passes(minutes=1)
    house.settle()
    key = f"{OWNER}:unclear-{house.call('A1').id}"
    assert house.far.places[key] == "notices"
    assert key not in house.wall.shown


def test_a_world_that_stays_silent_leaves_an_unclear_end(world: World) -> None:
    def reconcile(_facts: Facts, _context: ToolContext) -> Result | None:
        raise Unreachable("the lamps")

    tool = lost({"hall": Lamp()}, asks=False)
    assert tool.change is not None
    house = with_tools(world, replace(tool, change=replace(tool.change, reconcile=reconcile)))
    by_the_owner(house)
    for _ in range(10):
        house.clock.passes(minutes=1)
        house.settle()
    call = house.call("A1")
    assert call.failure is not None
    assert call.failure.type is ErrorType.UNKNOWN_OUTCOME
    assert len(notices(house)) == 1
    assert unclear(house, days=1) == ["A1"]


def test_a_card_and_the_record_do_not_call_it_failed(world: World) -> None:
    house = with_tools(world, lost({"hall": Lamp()}, asks=True))
    with_a_yes(house)
    house.model.will()
    house.clock.passes(minutes=1)
    house.settle()
    [card] = house.cards()
    assert card.title == "Nobody knows: switch a lamp"
    assert "Failed" not in card.title


def test_what_is_known_to_have_failed_is_not_unclear(world: World) -> None:
    def execute(_facts: Facts, _context: ToolContext) -> Result:
        raise Unreachable("the lamps")

    house = with_tools(world, replace(lost({"hall": Lamp()}, asks=False), execute=execute))
    by_the_owner(house)
    for _ in range(3):
        house.clock.passes(minutes=1)
        house.settle()
    assert (house.call("A1").state, house.call("A1").unclear) == (_S.FAILED, False)
    assert notices(house) == []
    assert unclear(house, days=1) == []


@pytest.mark.parametrize(("minutes", "told"), [(2, 1), (0, 0)])
def test_what_failed_long_after_its_yes_is_told_anew(world: World, minutes: int, told: int) -> None:
    """Its card was left: an edit of it notifies nobody."""

    def execute(_facts: Facts, _context: ToolContext) -> Result:
        raise Unreachable("the lamps")

    house = with_tools(world, replace(lost({"hall": Lamp()}, asks=True), execute=execute))
    with_a_yes(house)
    for _ in range(5):
        house.clock.passes(minutes=minutes, seconds=5)
        house.settle()
    assert house.call("A1").state is _S.FAILED
    key = f"{OWNER}:failed-{house.call('A1').id}"
    found = [shown for shown in house.wall.shown | house.far.shown if shown == key]
    assert len(found) == told


def test_status_says_how_many_and_which() -> None:
    assert said_unclear({"days": 7, "calls": []}) == ""
    assert said_unclear({"days": 7, "calls": ["A17", "A12"]}) == (
        "2 calls in 7 days, look whether they happened: A17, A12"
    )
