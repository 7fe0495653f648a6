"""All that was done in answer to the same words is undone by one command or one button."""

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn
from assistant.flows.calls.undo import Undoing, undo_all
from tests.discord_world import Discord, said
from tests.flows.test_overwrites import puts, write
from tests.flows.test_undoing import content
from tests.world import ME, OWNER, World

_S = CallState


def undoes_all(world: World, handle: str, *, settle: bool = True) -> list[Undoing]:
    found = undo_all(
        handle, by=ME, channel="terminal", place=OWNER, cause=world.cause, ctx=world.ctx
    )
    if settle:
        world.settle()
    return found


def test_all_that_one_turn_did_is_undone_newest_first(world: World) -> None:
    puts(world, "a", "b", "c")
    world.asks(write("a"), write("b"), write("c"))
    found = undoes_all(world, "A2")
    assert [one.handle for one in found] == ["A3", "A2", "A1"]
    assert all(one.accepted for one in found)
    assert world.states("A1", "A2", "A3") == [_S.UNDONE] * 3
    assert {content(world, f"private:/{name}") for name in "abc"} == {b"my own words"}


def test_what_several_answers_to_the_same_words_did_is_undone_together(world: World) -> None:
    puts(world, "a", "b", "c")
    world.asks(write("c", "earlier"))
    world.model.will(Turn(wants=(write("a"),)), Turn(wants=(write("b"),)), Turn(text="Done."))
    world.says("tidy up")
    assert [one.handle for one in undoes_all(world, "A3")] == ["A3", "A2"]
    assert world.states("A1", "A2", "A3") == [_S.DONE, _S.UNDONE, _S.UNDONE]
    assert content(world, "private:/c") == b"earlier"


def test_a_file_that_was_changed_twice_is_what_it_was_before_both(world: World) -> None:
    puts(world, "a")
    world.model.will(
        Turn(wants=(write("a", "one"),)), Turn(wants=(write("a", "two"),)), Turn(text="Done.")
    )
    world.says("tidy up")
    [undoing] = undoes_all(world, "A2")
    assert undoing.accepted
    assert undoing.text.endswith("(with it A2): A3")
    assert content(world, "private:/a") == b"my own words"
    assert world.states("A1", "A2", "A3") == [_S.UNDONE, _S.UNDONE, _S.DONE]


def test_what_somebody_changed_since_is_left_alone_and_said(world: World) -> None:
    puts(world, "a", "b")
    world.asks(write("a"), write("b"))
    world.calls("write_file", **write("a", "by hand").args)
    found = {one.handle: one for one in undoes_all(world, "A1")}
    assert found["A2"].accepted
    assert (found["A1"].accepted, found["A1"].stale) == (False, True)
    assert content(world, "private:/a") == b"by hand"
    assert content(world, "private:/b") == b"my own words"


def test_a_second_one_at_the_same_moment_undoes_nothing_twice(world: World) -> None:
    puts(world, "a", "b")
    world.model.will(
        Turn(wants=(write("a", "one"), write("b"))), Turn(wants=(write("a", "two"),)), Turn()
    )
    world.says("tidy up")
    undoes_all(world, "A1", settle=False)
    again = undoes_all(world, "A1", settle=False)
    assert not any(one.accepted for one in again)
    world.settle()
    assert not any(one.accepted for one in undoes_all(world, "A1"))
    assert world.states("A1", "A2", "A3") == [_S.UNDONE] * 3
    assert content(world, "private:/a") == b"my own words"
    with world.store.read(world.cause) as tx:
        assert [len(tx.file_versions(f"private:/{name}")) for name in "ab"] == [4, 3]


def test_a_worker_that_is_lost_in_the_middle_leaves_the_rest_to_the_next(world: World) -> None:
    """The undoing calls are rows before the first one runs, so whoever comes runs them."""
    puts(world, "a", "b", "c")
    world.asks(write("a"), write("b"), write("c"))
    undoes_all(world, "A1", settle=False)
    world.answer_next()
    world.queue.bells.clear()
    world.clock.passes(minutes=2)
    world.settle()
    assert world.states("A1", "A2", "A3") == [_S.UNDONE] * 3


def test_an_undo_that_needs_a_yes_waits_for_it(world: World) -> None:
    puts(world, "b")
    world.asks(write("new"), write("b"))
    world.writes_policy("version: 1\ntools: {restore_file: {enforced: true}}\n")
    made, over = sorted(undoes_all(world, "A1"), key=lambda one: one.handle)
    for one in (over, made):
        assert one.call is not None
        assert one.call.state is _S.PARKED
        assert world.presses(Verb.APPROVE, one.call.handle).accepted
    assert world.states("A1", "A2") == [_S.UNDONE, _S.UNDONE]


def test_what_came_to_be_goes_again_with_the_rest(world: World) -> None:
    puts(world, "b")
    world.asks(write("new"), write("b"))
    undoes_all(world, "A1")
    assert world.states("A1", "A2") == [_S.UNDONE, _S.UNDONE]
    assert content(world, "private:/new") is None


def test_an_undo_is_not_undone_with_the_rest(world: World) -> None:
    puts(world, "a", "b")
    world.asks(write("a"), write("b"))
    world.undoes("A2")
    assert [one.handle for one in undoes_all(world, "A1")] == ["A1"]
    assert world.states("A1", "A2", "A3", "A4") == [_S.UNDONE, _S.UNDONE, _S.DONE, _S.DONE]


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(world)
    made.works()
    return made


def several(discord: Discord) -> None:
    puts(discord.world, "a", "b")
    discord.world.model.will(Turn(wants=(write("a"), write("b"))), Turn(text="Done."))
    discord.says("tidy up")


def test_the_last_receipt_of_a_turn_that_did_several_things_has_a_button_for_all(
    discord: Discord,
) -> None:
    several(discord)
    world = discord.world
    first, last = world.call("A1"), world.call("A2")
    assert (Verb.UNDO_ALL, first.id) not in world.far.tokens
    told = said(discord.presses(Verb.UNDO_ALL, last.id))
    assert "A1" in told or "private:/a" in told
    world.settle()
    assert world.states("A1", "A2") == [_S.UNDONE, _S.UNDONE]
    assert {content(world, f"private:/{name}") for name in "ab"} == {b"my own words"}


def test_a_button_for_all_that_is_pressed_twice_undoes_once(discord: Discord) -> None:
    several(discord)
    world = discord.world
    token = world.far.tokens[Verb.UNDO_ALL, world.call("A2").id]
    discord.presses_token(token)
    discord.presses_token(token)
    world.settle()
    with world.store.read(world.cause) as tx:
        assert len(tx.calls()) == 4


def test_a_turn_that_did_one_thing_has_no_such_button(discord: Discord) -> None:
    puts(discord.world, "a")
    discord.world.model.will(Turn(wants=(write("a"),)), Turn(text="Done."))
    discord.says("tidy up")
    assert not any(verb == Verb.UNDO_ALL for verb, _ in discord.world.far.tokens)


def test_it_is_typed_with_one_call(discord: Discord) -> None:
    several(discord)
    discord.slash("undo", all=True, call="A2")
    discord.world.settle()
    assert discord.world.states("A1", "A2") == [_S.UNDONE, _S.UNDONE]
