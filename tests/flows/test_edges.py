"""What happens at the edges of a conversation: the world moved, or was away for a moment."""

from datetime import UTC, datetime

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Role, Turn, Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Stale, Unreachable
from assistant.domain.messages import Message, Run, Think
from assistant.flows.conversation.hear import stop
from tests.flows.test_chat import BOOK, DAY, LOOK, booked
from tests.world import OWNER, ZONE, World

TEN = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
HALF_PAST = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
DENTIST = Event(uid="mine-1", title="Dentist", when=When(start=TEN, end=HALF_PAST))


def wants(tool: str, **args: object) -> Turn:
    return Turn(wants=(Want(tool=tool, args=args),))


def test_the_titles_of_the_owners_own_events_wait_for_a_yes(world: World) -> None:
    world.calendar.put(DENTIST)
    world.model.will(wants("get_events_details", **DAY), Turn(text="Asked."), Turn(text="Dentist."))
    world.says("what is on?")
    assert world.call().state is CallState.PARKED
    assert "Dentist" not in str([view.model_dump() for view in world.model.views])
    assert world.presses(Verb.APPROVE).accepted
    assert "Dentist" in world.call().result
    assert world.words() == ["Asked.", "Dentist."]


def test_a_request_that_is_partly_allowed_becomes_two_calls(world: World) -> None:
    booked(world)
    world.presses(Verb.APPROVE)
    world.calendar.put(DENTIST)
    world.model.will(wants("get_events_details", **DAY), Turn(text="Some."))
    world.says("what is on?")
    own, theirs = world.call("A2"), world.call("A3")
    assert (own.state, theirs.state) == (CallState.DONE, CallState.PARKED)
    assert "Pay the rent" in own.result
    assert "Dentist" not in own.result


def test_a_yes_does_not_cover_an_event_that_changed_since(world: World) -> None:
    world.calendar.put(DENTIST)
    world.model.will(wants("delete_event", event="Dentist"), Turn(text="Asked."))
    world.says("cancel the dentist")
    world.calendar.put(DENTIST.model_copy(update={"title": "Dentist, moved"}))
    world.presses(Verb.APPROVE)
    assert world.call().state is CallState.FAILED
    assert world.calendar.get("mine-1").title == "Dentist, moved"
    assert str(Stale("")).rstrip(".") in world.call().result


def test_an_event_is_moved_and_keeps_its_length(world: World) -> None:
    world.calendar.put(DENTIST)
    world.model.will(
        wants("update_event", event="dentist", start="2026-11-30T15:00:00+01:00"), Turn(text="Ok.")
    )
    world.says("move the dentist to three")
    [card] = world.cards()
    assert card.title == "Move “Dentist”"
    assert (card.rows[0].was, card.rows[0].text) == ("Mon 30 Nov 10:00", "Mon 30 Nov 15:00")
    shown = world.told()
    assert shown["When"] == "Mon 30 Nov 2026, 15:00 to 15:30 (Europe/Berlin)"
    assert shown["When now"] == "Mon 30 Nov 2026, 10:00 to 10:30 (Europe/Berlin)"
    world.presses(Verb.APPROVE)
    assert world.calendar.get("mine-1").when.start == datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
    assert world.titles(ShownKind.RECEIPT) == ["Moved “Dentist”"]


def test_a_title_that_fits_two_events_is_asked_about(world: World) -> None:
    world.calendar.put(DENTIST)
    world.calendar.put(DENTIST.model_copy(update={"uid": "mine-2"}))
    world.model.will(wants("delete_event", event="Dentist"), Turn(text="Which?"))
    world.says("cancel the dentist")
    assert world.call().state is CallState.REFUSED
    assert "on which day" in world.call().result


def test_a_calendar_that_is_away_is_no_reason_to_ask_the_model_twice(world: World) -> None:
    world.calendar.fail_next_read(Unreachable("away"))
    world.model.will(LOOK, Turn(text="Free."))
    world.says("am I free?")
    world.clock.passes(minutes=1)
    world.settle()
    assert world.words() == ["Free."]
    assert len(world.model.views) == 2


def test_a_stop_drops_the_answer_under_way(world: World) -> None:
    world.model.will(BOOK)
    world.model.meanwhile = lambda: stopped(world)
    world.says("book the rent")
    assert world.cards() == []
    assert world.words() == []
    assert list(world.store.jobs()) == []


def stopped(world: World) -> None:
    assert stop_in(world) == "Stopped."


def stop_in(world: World) -> str:
    return stop(
        channel="terminal",
        place=OWNER,
        cause=world.cause,
        store=world.store,
        toolbox=world.toolbox,
        zone=ZONE,
    )


def test_a_stop_shows_on_the_card_of_what_was_approved_already(world: World) -> None:
    booked(world)
    world.presses(Verb.APPROVE, settle=False)
    assert stop_in(world) == "Stopped. Not done: A1."
    world.settle()
    assert world.calendar.writes == 0
    assert world.cards()[0].title == "Stopped: create “Pay the rent”"
    assert world.cards()[0].small.endswith("nothing was done")


def test_a_yes_is_for_the_calendar_it_was_given_for(world: World) -> None:
    booked(world)
    world.calendar._address = "memory://elsewhere/ as owner"
    world.presses(Verb.APPROVE)
    assert world.call().state is CallState.FAILED
    assert world.calendar.writes == 0


def test_a_long_talk_is_shown_from_something_the_owner_said(world: World) -> None:
    for n in range(5):
        world.model.will(LOOK, Turn(text=f"Free {n}."))
        world.says(f"free {n}?")
    assert all(view.entries[0].role is Role.OWNER for view in world.model.views)


def test_twenty_calls_wait_and_the_next_is_refused(world: World) -> None:
    for _ in range(21):
        world.model.will(BOOK, Turn(text="Asked."))
        world.says("book")
    assert world.call("A20").state is CallState.PARKED
    assert world.call("A21").state is CallState.REFUSED
    assert "wait for the owner already" in world.call("A21").result


def test_what_the_owner_says_may_hold_characters_no_database_takes(world: World) -> None:
    world.model.will(Turn(text="Hello"))
    world.says("hi\x00 there \ud800")
    assert world.words() == ["Hello"]


@pytest.mark.parametrize("message", [Think(id="gone"), Run(id="gone")], ids=lambda m: m.kind)
def test_a_job_whose_subject_is_gone_ends_although_nobody_can_be_told(
    world: World, message: Message
) -> None:
    with world.store.begin(world.cause) as tx:
        tx.emit(message)
    world.settle()
    [job] = world.store.jobs()
    assert job.failed
    assert "gone" in job.error


def test_an_event_with_a_joined_emoji_can_be_moved_and_keeps_its_title(world: World) -> None:
    title = "Family \U0001f468\u200d\U0001f469  dinner"
    world.calendar.put(DENTIST.model_copy(update={"title": title}))
    world.model.will(wants("update_event", event="mine-1", start="2026-11-30T15:00:00+01:00"))
    world.says("move it")
    world.presses(Verb.APPROVE)
    assert world.call().state is CallState.DONE
    assert world.calendar.get("mine-1").title == title


def test_a_title_that_would_turn_the_card_around_is_shown_as_it_is(world: World) -> None:
    world.calendar.put(DENTIST.model_copy(update={"title": "Dent\u202eist"}))
    world.model.will(wants("delete_event", event="mine-1"))
    world.says("cancel it")
    assert world.cards()[0].title == "Delete “Dent\N{REPLACEMENT CHARACTER}ist”"
    assert world.told()["Title"] == "Dent\N{REPLACEMENT CHARACTER}ist"
