"""What attackers found once, each as a story of how it ends now."""

from datetime import timedelta

from assistant.domain.approvals import Verb
from assistant.domain.call_states import CallState
from assistant.domain.errors import NotFound, Unreachable
from assistant.domain.events import Event, When
from assistant.domain.modes import Mode
from assistant.domain.talk import Turn, Want
from assistant.flows.running import WHOLE
from tests.flows.test_chat import DAY, LOOK, booked
from tests.world import MONDAY, World


def enters(world: World, mode: Mode) -> None:
    with world.store.begin(world.cause) as tx:
        tx.set_mode(tx.mode().model_copy(update={"mode": mode, "by": "owner:me"}))


def many_events(world: World) -> None:
    for n in range(450):
        begins = MONDAY + timedelta(days=7, minutes=n)
        when = When(start=begins, end=begins + timedelta(minutes=1))
        world.calendar.put(Event(uid=f"own-{n}", title=f"My private matter {n}", when=when))


def test_the_whole_of_what_asked_once_is_no_file_for_a_model(world: World) -> None:
    many_events(world)
    world.model.will(
        Turn(wants=(Want(tool="get_events_details", args=DAY),)), Turn(text="asked"), Turn()
    )
    world.says("what is on?")
    world.presses(Verb.APPROVE)
    assert world.call().state is CallState.DONE
    assert "omitted" in world.call().result
    with world.store.read(world.cause) as tx:
        try:
            tx.file(WHOLE.format(handle="A1"))
        except NotFound:
            return
    raise AssertionError("a model may read it without a yes")


def test_an_alert_between_the_yes_and_the_deed_wants_the_typed_word(world: World) -> None:
    booked(world)
    world.presses(Verb.APPROVE, settle=False)
    enters(world, Mode.ALERT)
    world.settle()
    assert world.call().state is CallState.VOID
    assert world.calendar.writes == 0


def test_a_change_that_was_to_follow_a_refused_one_is_asked_about(world: World) -> None:
    world.model.will(
        Turn(
            wants=(
                Want(tool="delete_file", args={"path": "not/there.txt"}),
                Want(tool="write_file", args={"path": "a.txt", "content": "moved"}),
            )
        ),
        Turn(text="asked"),
    )
    world.says("move it")
    assert world.call("A1").state is CallState.REFUSED
    assert world.call("A2").state is CallState.PARKED
    assert "refused" in " ".join(world.call("A2").reasons)


def test_words_said_after_a_loop_was_stopped_are_answered(world: World) -> None:
    world.model.will(*[LOOK] * 3)
    world.says("loop")
    world.model.will(Turn(text="yes?"))
    world.says("are you there?")
    assert world.words()[-1] == "yes?"


def test_a_calendar_away_for_a_moment_costs_no_waiting_call(world: World) -> None:
    booked(world)
    world.clock.passes(hours=80)
    world.settle()
    assert world.call().state is CallState.EXPIRED
    original = world.calendar.address

    def away() -> str:
        raise Unreachable("away")

    world.calendar.address = away  # type: ignore[method-assign]  # the world is unwell
    world.asks_again("A1")
    world.calendar.address = original  # type: ignore[method-assign]
    world.clock.passes(minutes=5)
    world.settle()
    assert world.call("A2").state is CallState.PARKED
