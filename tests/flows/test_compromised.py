"""A model that somebody else speaks through: nothing it asks for happens without a yes."""

from typing import Any

import pytest

from assistant.domain.call_states import CallState
from assistant.domain.messages import Run
from assistant.domain.talk import Turn, Want
from tests.flows.test_chat import MORNING, booked
from tests.world import World


def nested(depth: int) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for _ in range(depth):
        args = {"a": args}
    return args


@pytest.mark.parametrize(
    "args",
    [
        {"title": "x", "start": "0001-01-01T00:00:00+14:00", "end": "0001-01-01T01:00:00+14:00"},
        {"title": "x", "start": "9999-12-31T10:00:00-12:00", "end": "9999-12-31T23:00:00-12:00"},
        {"title": "x", "start": MORNING, "end": float("nan")},
        {"title": "x", "start": MORNING, "end": 2**60},
        nested(5_000),
    ],
    ids=["year 1", "year 9999", "NaN", "2**60", "nested"],
)
def test_what_cannot_be_shown_is_refused_and_the_model_asked_no_second_time(
    world: World, args: dict[str, Any]
) -> None:
    want = Want.model_construct(tool="create_event", args=args, trouble="")
    world.model.will(Turn(wants=(want,)), Turn(text="I see."))
    world.says("book")
    assert world.call().state is CallState.REFUSED
    assert world.words() == ["I see."]
    assert len(world.model.views) == 2


def test_a_change_that_nobody_was_asked_about_does_not_run(world: World) -> None:
    booked(world)
    forged = world.call().model_copy(
        update={"id": "forged", "turn": 99, "state": CallState.CLEARED}
    )
    with world.store.begin(world.cause) as tx:
        tx.add_call(forged)
        tx.emit(Run(id=forged.id))
    world.settle()
    assert world.call("A2").state is CallState.VOID
    assert world.calendar.writes == 0
