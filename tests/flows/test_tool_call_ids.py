"""Tool calls that cannot be told apart by their ids are not made, and the model may ask again."""

import pytest

from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from tests.flows.test_batches import booking, note
from tests.world import World

_S = CallState


def with_id(want: Want, id: str) -> Want:
    return want.model_copy(update={"id": id})


@pytest.mark.parametrize("other", [note("b"), booking("Rent"), note("a")])
def test_two_calls_with_one_id_are_both_refused_and_the_model_is_told(
    world: World, other: Want
) -> None:
    ambiguous = (with_id(note("a"), "x"), with_id(other, "x"))
    world.model.will(Turn(wants=ambiguous), Turn(wants=(with_id(note("c"), "x"),)), Turn(text="."))
    world.says("note it")
    assert world.states("A1", "A2", "A3") == [_S.REFUSED, _S.REFUSED, _S.DONE]
    assert "same id" in world.call("A1").result
    assert "same id" in str(world.model.views[1])


def test_a_third_call_of_such_an_answer_is_refused_too(world: World) -> None:
    world.asks(with_id(note("a"), "x"), with_id(note("b"), "y"), with_id(note("c"), "x"))
    assert world.states("A1", "A2", "A3") == [_S.REFUSED] * 3


def test_an_id_of_an_earlier_call_is_refused(world: World) -> None:
    world.asks(note("a"))
    world.asks(with_id(note("b"), world.call("A1").id))
    assert world.states("A1", "A2") == [_S.DONE, _S.REFUSED]


def test_calls_with_ids_of_their_own_or_none_are_made(world: World) -> None:
    world.asks(with_id(note("a"), "x"), with_id(note("b"), "y"), note("c"), note("d"))
    world.asks(with_id(note("e"), "x"))  # providers number the calls of each answer anew
    assert world.states("A1", "A2", "A3", "A4", "A5") == [_S.DONE] * 5


def test_an_id_that_is_beyond_the_limit_of_a_turn_counts(world: World) -> None:
    most = 8
    many = [with_id(note(f"n{n}"), f"id-{n}") for n in range(3 * most)]
    world.asks(*many, with_id(note("again"), "id-0"))
    assert set(world.states("A1", "A2")) == {_S.REFUSED}
