"""Between the card and the deed the policy changed, or what it is about: nothing is done unseen."""

import pytest

from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import ErrorType
from assistant.domain.conversation.conversation import Entry, Role, Turn, Want
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import WORD
from tests.flows.test_batches import booking, note
from tests.flows.test_chat import MORNING
from tests.operations import enters
from tests.world import World

_S = CallState
DENIES = """
version: 1
rules:
  - {tool: create_event, action: deny, message: no more events}
"""
LUNCH = When.model_validate({"start": MORNING, "end": "2026-11-30T11:00:00+01:00"})


def lunch(world: World, title: str = "Lunch") -> Event:
    return world.calendar.put(Event(uid="lunch", title=title, when=LUNCH))


def renames(name: str = "lunch", title: str = "Brunch") -> Want:
    return Want(tool="update_event", args={"event": name, "title": title})


def test_a_policy_that_denies_by_now_voids_what_waits_when_it_is_pressed(world: World) -> None:
    world.asks(booking("Rent"))
    world.writes_policy(DENIES)
    world.model.will(Turn(text="Then not."))
    answer = world.presses(Verb.APPROVE)
    assert not answer.accepted
    assert answer.text.startswith("A1 is no longer allowed: ")
    assert "no more events" in answer.text
    assert world.call("A1").state is _S.VOID
    assert world.card("A1").title == "Cancelled: create “Rent”"
    assert world.told("A1")["How it stands"].startswith("Cancelled; nothing was done. Reason: ")
    assert "no more events" in world.card("A1").text
    with world.store.read(world.cause) as tx:
        assert tx.approval(world.call("A1").id).state is ApprovalState.VOID
    assert world.calendar.writes == 0
    assert world.words()[-1] == "Then not."


def test_what_the_policy_voided_strands_what_was_to_follow(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.writes_policy(DENIES)
    world.presses(Verb.APPROVE, "A1")
    assert world.states("A1", "A2", "A3") == [_S.VOID, _S.SUPERSEDED, _S.PARKED]


def test_a_policy_that_allows_by_now_changes_nothing_of_what_waits(world: World) -> None:
    world.asks(booking("Rent"))
    world.writes_policy(DENIES.replace("deny", "allow"))
    assert world.call("A1").state is _S.PARKED
    assert world.presses(Verb.APPROVE).accepted
    assert world.call("A1").state is _S.DONE


def test_a_house_that_asks_for_more_by_now_asks_anew(world: World) -> None:
    world.asks(booking("Rent"))
    enters(world, Mode.ALERT)
    answer = world.presses(Verb.APPROVE)
    assert not answer.accepted
    assert "needs a second step since it was shown" in answer.text
    assert world.states("A1", "A2") == [_S.SUPERSEDED, _S.PARKED]
    assert world.call("A2").word == WORD
    assert world.presses(Verb.APPROVE, "A2").word == WORD
    assert world.presses(Verb.APPROVE, "A2", word=WORD).accepted
    assert world.call("A2").state is _S.DONE
    assert world.calendar.writes == 1


def test_a_yes_is_no_yes_any_more_where_the_policy_denies_before_it_runs(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    world.presses(Verb.APPROVE, "A2")
    world.writes_policy(DENIES)
    world.presses(Verb.DENY, "A1")
    [_, second, *rest] = [world.call(handle) for handle in ("A1", "A2", "A3")]
    assert second.state is _S.SUPERSEDED
    assert [call.state for call in rest] == [_S.REFUSED]
    assert world.calendar.writes == 0


@pytest.mark.parametrize("name", ["lunch", "Lunch"])
def test_what_moved_in_the_world_fails_as_stale_and_is_asked_with_before_then_and_now(
    world: World, name: str
) -> None:
    lunch(world)
    world.asks(renames(name))
    assert world.card("A1").title == "Rename “Lunch”"
    assert world.told("A1")["Title now"] == "Lunch"
    lunch(world, "Supper")
    world.presses(Verb.APPROVE)
    assert world.states("A1", "A2") == [_S.FAILED, _S.PARKED]
    failure = world.call("A1").failure
    assert failure is not None
    assert failure.type == ErrorType.STALE
    assert world.calendar.writes == 0
    shown = world.card("A2")
    now, before = shown.rows
    assert shown.title == "Rename “Supper”"
    assert (now.was, now.text) == ("“Supper”", "“Brunch”")
    assert (before.name, before.text) == ("A1 was:", "Rename “Lunch”, “Lunch” → “Brunch”")
    assert "in place of A1" in shown.small
    world.model.will(Turn(text="Brunch it is."))
    assert world.presses(Verb.APPROVE, "A2").accepted
    assert world.calendar.get("lunch").title == "Brunch"


def test_what_another_call_moved_is_noticed_as_the_button_is_pressed(world: World) -> None:
    lunch(world)
    world.asks(renames())
    world.asks(renames(title="Dinner"))
    world.clock.passes(minutes=1)
    world.presses(Verb.APPROVE, "A2")
    answer = world.presses(Verb.APPROVE, "A1")
    assert answer.text == "“Lunch” was changed since A1 was shown; it is asked about again."
    assert world.states("A1", "A2", "A3") == [_S.SUPERSEDED, _S.DONE, _S.PARKED]
    assert world.calendar.get("lunch").title == "Dinner"
    assert world.card("A3").title == "Rename “Dinner”"
    assert world.told("A3")["Title now"] == "Dinner"
    world.presses(Verb.APPROVE, "A3")
    assert world.calendar.get("lunch").title == "Brunch"


def test_what_is_gone_by_now_fails_and_there_is_nothing_to_ask_about(world: World) -> None:
    lunch(world)
    world.asks(renames())
    world.calendar.remove("lunch")
    world.presses(Verb.APPROVE)
    assert world.call("A1").state is _S.FAILED
    assert "Not found" in world.card("A1").text
    assert len(world.cards()) == 1


def test_the_model_is_told_that_it_failed_and_is_asked_about_again(world: World) -> None:
    lunch(world)
    world.asks(renames())
    lunch(world, "Supper")
    world.presses(Verb.APPROVE)
    entries = [e for e in entries_of(world) if e.role is Role.OUTCOME]
    assert [world.call("A1").id, world.call("A2").id] == [e.call for e in entries[-2:]]
    assert entries[-1].text.startswith("parked #A2")


def entries_of(world: World) -> list[Entry]:
    with world.store.read(world.cause) as tx:
        return list(tx.entries(world.call("A1").conversation, last=50))
