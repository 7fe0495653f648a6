"""The calls of one turn: what passes, what waits, and what is asked about again."""

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Role, Turn, Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Stale, Unsure
from tests.world import World

_S = CallState
DAY = {"start": "2026-11-30T00:00:00+01:00", "end": "2026-12-01T00:00:00+01:00"}
LOOK = Want(tool="get_events_availability", args=DAY)


def booking(title: str, hour: int = 10) -> Want:
    start, end = (f"2026-11-30T{hour}:{minute}:00+01:00" for minute in ("00", "30"))
    return Want(tool="create_event", args={"title": title, "start": start, "end": end})


def note(path: str, content: str = "x") -> Want:
    return Want(tool="write_file", args={"path": path, "content": content})


def reading(path: str) -> Want:
    return Want(tool="read_file", args={"path": path})


def outcomes(world: World) -> dict[str, str]:
    """What the model was told last of each call."""
    entries = world.model.views[-1].entries
    calls = [call for entry in entries if entry.role is Role.OUTCOME for call in entry.calls]
    return {call.handle: call.outcome for call in calls}


def test_a_read_passes_a_call_that_waits_for_a_person(world: World) -> None:
    world.asks(booking("Rent"), LOOK)
    assert world.states("A1", "A2") == [_S.PARKED, _S.DONE]
    assert world.words() == ["So be it."]


def test_a_change_does_not_pass_a_call_that_waits_for_a_person(world: World) -> None:
    world.asks(booking("Rent"), note("a"), LOOK)
    assert world.states("A1", "A2", "A3") == [_S.PARKED, _S.CLEARED, _S.DONE]
    assert "it waits for #A1 and has NOT been done" in outcomes(world)["A2"]
    assert world.words() == ["So be it."]
    world.model.will(Turn(text="All done."))
    world.presses(Verb.APPROVE)
    assert world.states("A1", "A2") == [_S.DONE, _S.DONE]
    assert world.words()[-1] == "All done."


def test_changes_run_one_at_a_time_in_their_order(world: World) -> None:
    world.asks(note("a", "one"), note("b", "two"), note("c", "three"))
    calls = [world.call(handle) for handle in ("A1", "A2", "A3")]
    assert {call.state for call in calls} == {_S.DONE}
    with world.store.read(world.cause) as tx:
        entries = [entry for entry in tx.audit(kind="call") if entry.subject]
    steps = [
        (entry.subject, entry.kind)
        for entry in entries
        if entry.kind in ("call.running", "call.done")
    ]
    wanted = [(call.id, kind) for call in calls for kind in ("call.running", "call.done")]
    assert steps == wanted


def test_a_read_waits_for_the_change_before_it(world: World) -> None:
    world.asks(note("a", "850 EUR"), reading("a"))
    assert world.states("A1", "A2") == [_S.DONE, _S.DONE]
    assert "850 EUR" in world.call("A2").result


def test_a_yes_to_a_later_change_waits_for_the_earlier_one(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    assert world.presses(Verb.APPROVE, "A2").text == "A2 is approved and runs after A1."
    assert world.states("A1", "A2") == [_S.PARKED, _S.CLEARED]
    assert world.calendar.writes == 0
    world.presses(Verb.APPROVE, "A1")
    assert world.states("A1", "A2") == [_S.DONE, _S.DONE]
    assert world.calendar.writes == 2


def test_what_was_to_follow_a_denied_call_is_asked_about_again(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.model.will(Turn(text="A pity."))
    world.presses(Verb.DENY, "A1")
    assert world.states("A1", "A2", "A3") == [_S.DENIED, _S.SUPERSEDED, _S.PARKED]
    old, new = world.call("A2"), world.call("A3")
    assert (new.turn, new.ordinal, new.supersedes) == (old.turn, old.ordinal, old.id)
    assert "in place of A2" in world.card("A3").small
    assert "A3" in outcomes(world)
    assert world.words()[-1] == "A pity."
    world.model.will(Turn(text="Written."))
    assert world.presses(Verb.APPROVE, "A3").accepted
    assert world.call("A3").state is _S.DONE
    assert world.words()[-1] == "Written."


def test_a_yes_given_before_the_earlier_call_was_denied_counts_no_more(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    world.presses(Verb.APPROVE, "A2")
    world.model.will(Turn(text="A pity."))
    world.presses(Verb.DENY, "A1")
    assert world.states("A1", "A2", "A3") == [_S.DENIED, _S.SUPERSEDED, _S.PARKED]
    assert world.calendar.writes == 0
    assert world.presses(Verb.APPROVE, "A3").accepted
    assert world.call("A3").state is _S.DONE
    assert world.calendar.writes == 1


def test_a_yes_given_after_the_earlier_call_was_denied_counts(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    world.presses(Verb.DENY, "A1")
    assert world.presses(Verb.APPROVE, "A2").text == "A2 is approved and runs now."
    assert world.states("A1", "A2") == [_S.DENIED, _S.DONE]


def test_what_was_to_follow_an_expired_call_is_asked_about_again(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    asked = len(world.model.views)
    world.clock.passes(hours=73)
    world.settle()
    assert world.states("A1", "A2", "A3") == [_S.EXPIRED, _S.SUPERSEDED, _S.PARKED]
    assert len(world.model.views) == asked, "nobody is there, so the model is not woken"
    assert world.presses(Verb.APPROVE, "A3").accepted
    assert world.call("A3").state is _S.DONE


def test_what_was_to_follow_a_failed_call_is_asked_about_again(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.calendar.fail_next(Stale("the calendar is full"))
    world.model.will(Turn(text="It failed."))
    world.presses(Verb.APPROVE, "A1")
    assert world.states("A1", "A2") == [_S.FAILED, _S.SUPERSEDED]
    [new] = [call for call in waiting(world) if call.supersedes == world.call("A2").id]
    assert world.presses(Verb.APPROVE, new.handle).accepted


def test_what_was_to_follow_an_unknown_call_is_asked_about_again(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.calendar.fail_next(Unsure("no answer"), happened=True)
    world.presses(Verb.APPROVE, "A1")
    assert world.states("A1", "A2", "A3") == [_S.UNKNOWN, _S.SUPERSEDED, _S.PARKED]
    unsure = "it was not sure whether the change before it was done"
    assert (world.call("A2").told, world.call("A3").reasons[-1]) == (unsure, f"again: {unsure}")
    assert world.presses(Verb.APPROVE, "A3").text == "A3 is approved and runs after A1."
    assert world.call("A3").state is _S.CLEARED
    world.clock.passes(minutes=1)
    world.settle()
    assert world.states("A1", "A3") == [_S.DONE, _S.DONE]


def test_what_follows_two_calls_that_come_to_nothing_is_asked_about_each_time(
    world: World,
) -> None:
    world.asks(booking("Rent"), booking("Tax", 12), note("a"))
    world.presses(Verb.DENY, "A1")
    [second] = [call for call in waiting(world) if call.tool == "write_file"]
    world.presses(Verb.APPROVE, second.handle)
    assert world.call(second.handle).state is _S.CLEARED
    world.presses(Verb.DENY, "A2")
    [third] = waiting(world)
    assert third.supersedes == second.id
    world.presses(Verb.APPROVE, third.handle)
    assert world.call(third.handle).state is _S.DONE


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.DENY])
def test_a_call_that_waits_silences_no_conversation(world: World, verb: Verb) -> None:
    world.asks(booking("Rent"), note("a"))
    world.model.will(Turn(text="It is Monday."))
    world.says("what day is it?")
    assert world.words()[-1] == "It is Monday."
    world.model.will(Turn(text="I see."))
    world.presses(verb, "A1")
    assert world.words()[-1] == "I see."


def test_a_call_that_was_to_follow_is_done_once_whatever_the_weather(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.presses(Verb.DENY, "A1")
    world.presses(Verb.APPROVE, "A3")
    assert world.titles(ShownKind.RECEIPT) == ["Wrote file “private:/a”"]


def waiting(world: World) -> list[Call]:
    with world.store.read(world.cause) as tx:
        return list(tx.calls(states={_S.PARKED}))
