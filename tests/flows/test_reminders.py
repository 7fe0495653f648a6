"""A call that waits: one reminder at half time, then expired, and a way to be asked again."""

from datetime import timedelta

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import ShownKind
from tests.flows.test_batches import booking, note
from tests.world import OWNER, World

_S = CallState


def notices(world: World) -> list[str]:
    return world.words(ShownKind.NOTICE)


def passes(world: World, **span: float) -> None:
    world.clock.passes(**span)
    world.settle()


def test_one_reminder_comes_at_half_time(world: World) -> None:
    world.asks(booking("Rent"))
    passes(world, hours=35)
    assert notices(world) == []
    passes(world, hours=2)
    assert notices(world) == ["A1 still waits for your yes or no."]
    [until] = [line for shown in world.wall.shown.values() for line in shown.fields[:1]][-1:]
    assert (until.label, until.value) == ("Until", "Thu 26 Nov 2026, 09:00 (Europe/Berlin)")
    passes(world, hours=20)
    assert len(notices(world)) == 1
    assert world.call("A1").state is _S.PARKED
    assert world.presses(Verb.APPROVE).accepted


def test_nobody_is_reminded_of_what_was_answered(world: World) -> None:
    world.asks(booking("Rent"))
    world.model.will(Turn(text="It is in."))
    world.presses(Verb.APPROVE)
    passes(world, hours=40)
    assert notices(world) == []


def test_a_house_that_slept_through_half_time_and_the_end_only_says_that_it_expired(
    world: World,
) -> None:
    world.asks(booking("Rent"))
    passes(world, hours=80)
    [notice] = [one for one in world.wall.shown.values() if one.kind is ShownKind.NOTICE]
    assert (notice.title, notice.small) == ("Expired: create “Rent”", "A1 · nothing was done")
    assert [action.verb for action in notice.actions] == [Verb.ASK_AGAIN]
    assert world.call("A1").state is _S.EXPIRED
    assert world.card("A1").title == "Expired: create “Rent”"
    assert world.card("A1").small.endswith("nothing was done")


def test_what_destroys_waits_for_a_day_and_what_writes_for_three(world: World) -> None:
    world.asks(note("a"))
    world.asks(Want(tool="delete_file", args={"path": "a"}), booking("Rent"))
    with world.store.read(world.cause) as tx:
        ends = [tx.approval(world.call(a).id).expires for a in ("A2", "A3")]
    now = world.clock.now()
    assert ends == [now + timedelta(hours=24), now + timedelta(hours=72)]


def test_what_is_of_no_use_later_expires_sooner(world: World) -> None:
    start, end = "2026-11-23T12:00:00+01:00", "2026-11-23T13:00:00+01:00"
    world.asks(Want(tool="create_event", args={"title": "Lunch", "start": start, "end": end}))
    passes(world, hours=1, minutes=29)
    assert len(notices(world)) == 0
    passes(world, hours=1, minutes=29)
    assert world.call("A1").state is _S.PARKED
    passes(world, minutes=2)
    assert world.call("A1").state is _S.EXPIRED


def test_asking_again_gives_a_new_card_that_waits_as_long(world: World) -> None:
    world.asks(booking("Rent"))
    passes(world, hours=73)
    [notice] = [s for s in world.wall.shown.values() if s.actions and s.kind is ShownKind.NOTICE]
    assert [(a.verb, a.handle) for a in notice.actions] == [(Verb.ASK_AGAIN, "A1")]
    assert world.asks_again("A1").accepted
    assert world.states("A1", "A2") == [_S.EXPIRED, _S.PARKED]
    assert world.call("A2").supersedes == world.call("A1").id
    with world.store.read(world.cause) as tx:
        approval = tx.approval(world.call("A2").id)
    assert approval.expires == world.clock.now() + timedelta(hours=72)
    world.model.will(Turn(text="It is in."))
    assert world.presses(Verb.APPROVE, "A2").accepted
    assert world.calendar.writes == 1
    assert world.words()[-1] == "It is in."


def test_asking_again_twice_asks_once(world: World) -> None:
    world.asks(booking("Rent"))
    passes(world, hours=73)
    assert world.asks_again("A1").accepted
    again = world.asks_again("A1")
    assert (again.accepted, again.text) == (False, "A1 is asked about again already.")
    assert len(world.cards()) == 2


@pytest.mark.parametrize("end", ["waits", "denied", "done", "gone"])
def test_only_what_came_to_nothing_can_be_asked_about_again(world: World, end: str) -> None:
    world.asks(booking("Rent"))
    if end in ("denied", "done"):
        world.presses(Verb.DENY if end == "denied" else Verb.APPROVE)
    handle = "A9" if end == "gone" else "A1"
    assert not world.asks_again(handle).accepted
    assert len(world.cards()) + len(world.titles(ShownKind.RECEIPT)) == 1


def test_what_cannot_be_looked_at_again_is_said(world: World) -> None:
    world.asks(note("a"))
    world.asks(Want(tool="delete_file", args={"path": "a"}))
    passes(world, hours=25)
    world.calls("delete_file", path="a")
    assert world.call("A3").state is _S.DONE
    world.asks_again("A2")
    assert world.call("A4").state is _S.REFUSED
    assert "A2 cannot be asked about again" in notices(world)[-1]
    assert world.wall.shown[f"{OWNER}:anew-{world.call('A2').id}"].text.endswith(
        "Nothing was done."
    )
