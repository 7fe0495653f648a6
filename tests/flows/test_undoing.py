"""What was done is taken back, days later, byte for byte; or not at all, with the difference."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Misconfigured, NotFound, Unreachable
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import OWN_YES
from assistant.flows.approvals.answers import open_details
from assistant.flows.calls.undo import done_since
from assistant.flows.governance.modes import reviewed
from tests.flows.test_batches import booking, note
from tests.flows.test_moved import LUNCH, lunch, renames
from tests.operations import enters
from tests.world import World

_S = CallState
ICS = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//a phone//EN\r
BEGIN:VEVENT\r
UID:lunch\r
DTSTAMP:20261101T080000Z\r
DTSTART:20261130T090000Z\r
DTEND:20261130T100000Z\r
SUMMARY:Lunch\r
DESCRIPTION:bring the papers\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
TRIGGER:-PT15M\r
DESCRIPTION:soon\r
END:VALARM\r
END:VEVENT\r
END:VCALENDAR\r
"""


def content(world: World, path: str = "private:/a") -> bytes | None:
    """What a path holds now; None for nothing."""
    with world.store.read(world.cause) as tx:
        try:
            file = tx.file(path)
        except NotFound:
            return None
    return None if file.deleted else world.blobs.get(file.blob)


def replacing(content: str) -> Want:
    return Want(tool="write_file", args={**note("a", content).args, "overwrite": True})


def taken_back(world: World, handle: str, *, asks: bool = True) -> str:
    """Undo a call and say yes to what that takes; the handle of the call that did it."""
    [undoing] = world.undoes(handle)
    assert undoing.accepted, undoing.text
    assert undoing.call is not None
    if undoing.call.state is _S.PARKED:
        assert asks, undoing.call.reasons
        assert world.presses(Verb.APPROVE, undoing.call.handle).accepted
    assert world.call(undoing.call.id).state is _S.DONE
    return undoing.call.handle


def since(world: World, at: datetime) -> list[str]:
    return done_since(at, cause=world.cause, ctx=world.ctx)


def test_an_event_that_was_created_is_deleted_again(world: World) -> None:
    world.asks(booking("Rent"))
    world.presses(Verb.APPROVE)
    uid = world.call("A1").facts.args["uid"]
    world.clock.passes(days=3)
    assert world.calendar.get(uid).title == "Rent"
    [undoing] = world.undoes("A1")
    assert undoing.text == "Delete the event “Rent” that it created: A2"
    assert world.states("A1", "A2") == [_S.UNDONE, _S.DONE]
    assert world.call("A2").undoes == world.call("A1").id
    with world.store.read(world.cause) as tx:
        assert [effect.undone for effect in tx.effects(world.call("A1").id)] == [
            world.call("A2").id
        ]
    assert world.calendar.writes == 2


def test_an_event_that_was_changed_is_put_back_with_all_it_held(world: World) -> None:
    world.calendar.put_object("lunch", ICS)
    world.asks(renames())
    world.presses(Verb.APPROVE)
    assert world.calendar.raw("lunch") != ICS
    world.clock.passes(days=9)
    taken_back(world, "A1")
    assert world.calendar.raw("lunch") == ICS


def test_an_event_that_was_deleted_is_put_back_with_all_it_held(world: World) -> None:
    world.calendar.put_object("lunch", ICS)
    world.asks(Want(tool="delete_event", args={"event": "lunch"}))
    world.presses(Verb.APPROVE)
    world.clock.passes(days=9)
    taken_back(world, "A1")
    assert world.calendar.raw("lunch") == ICS


@pytest.mark.parametrize(
    ("want", "args"),
    [
        (renames(), {"title": "Other"}),
        (Want(tool="delete_event", args={"event": "lunch"}), {"blob": "other"}),
        (booking("Rent"), {"event": "lunch"}),
        (note("a"), {"path": "b"}),
        (Want(tool="delete_file", args={"path": "a"}), {"version": 2}),
    ],
)
def test_an_undo_can_only_be_approved_or_denied(
    world: World, want: Want, args: dict[str, Any]
) -> None:
    world.calendar.put_object("lunch", ICS)
    world.asks(note("a") if want.tool == "delete_file" else booking("Tea"))
    world.asks(want)
    if world.call("A2").state is _S.PARKED:
        world.presses(Verb.APPROVE, "A2")
    enters(world, Mode.RECOVERY)
    world.undoes("A2")
    verbs = [action.verb for action in world.card("A3").actions]
    assert sorted(verbs) == sorted([Verb.APPROVE, Verb.DENY, Verb.MORE])
    for changed in (args, {}):
        answer = world.edits("A3", **changed)
        assert not answer.accepted
        assert answer.text == "A3 undoes A2: it can only be approved or denied."
    assert world.call("A3").state is _S.PARKED
    world.presses(Verb.DENY, "A3")
    assert "answered already" in world.edits("A3", **args).text


def test_a_file_that_was_overwritten_is_as_it_was(world: World) -> None:
    world.asks(note("a", "one\n"))
    world.asks(replacing("two\n"))
    world.clock.passes(days=9)
    taken_back(world, "A2")
    assert content(world) == b"one\n"


def test_a_file_that_was_deleted_is_there_again(world: World) -> None:
    world.asks(note("a", "one\n"))
    world.asks(Want(tool="delete_file", args={"path": "a"}))
    world.presses(Verb.APPROVE, "A2")
    assert content(world) is None
    world.clock.passes(days=9)
    taken_back(world, "A2")
    assert content(world) == b"one\n"


def test_a_file_that_came_to_be_is_gone_again(world: World) -> None:
    world.asks(note("a", "one\n"))
    taken_back(world, "A1", asks=False)
    assert content(world) is None
    assert world.cards() == []


@pytest.mark.parametrize("tainted", [False, True])
def test_a_creation_is_undone_without_a_question_whatever_led_to_it(
    world: World, *, tainted: bool
) -> None:
    if tainted:
        reads_a_mail(world)
    world.asks(note("a", "one\n"))
    made = newest(world)
    assert made.tainted is tainted
    undone = taken_back(world, made.handle, asks=False)
    assert world.call(undone).tainted is tainted
    assert content(world) is None


def test_the_owners_own_creation_is_undone_without_a_question(world: World) -> None:
    made = world.calls("write_file", path="a", content="mine")
    taken_back(world, made.handle, asks=False)
    assert content(world) is None


def test_to_undo_the_undo_of_a_deletion_destroys_what_was_the_owners_and_asks(
    world: World,
) -> None:
    world.calls("write_file", path="a", content="mine")
    world.asks(Want(tool="delete_file", args={"path": "a"}))
    world.presses(Verb.APPROVE, "A2")
    back = taken_back(world, "A2", asks=False)
    [again] = world.undoes(back)
    assert again.call is not None
    assert again.call.state is _S.PARKED
    assert any(line.startswith("floor: it destroys") for line in again.call.reasons)
    assert content(world) == b"mine"


def test_what_came_between_keeps_the_floor_under_the_undo_of_a_creation(world: World) -> None:
    """The words of the owner that are there again are not what the creation left."""
    reads_a_mail(world)
    world.asks(note("a", "one\n"))
    made = newest(world).handle
    own = world.calls("write_file", path="a", content="mine", overwrite=True).handle
    undo = taken_back(world, own, asks=False)
    taken_back(world, undo, asks=False)
    assert content(world) == b"mine"
    [again] = world.undoes(made)
    assert again.call is not None
    assert again.call.state is _S.PARKED


def test_the_undo_of_what_sends_asks_nothing_and_its_explanation_says_why(world: World) -> None:
    reads_a_mail(world)
    made = {"path": "shared:/a", "content": "x"}
    world.asks(Want(tool="write_file", args=made))
    looks_and_approves(world, newest(world).handle)
    world.asks(Want(tool="write_file", args={**made, "content": "y", "overwrite": True}))
    over = newest(world).handle
    looks_and_approves(world, over)
    undo = world.call(taken_back(world, over, asks=False))
    [line] = [line for line in undo.reasons if line.startswith("taint: ")]
    assert line.endswith(OWN_YES)
    assert text_of(world, "shared:/a") == "x"


def looks_and_approves(world: World, handle: str) -> None:
    """Say yes beside others' words, once the details are open."""
    open_details(handle, cause=world.cause, ctx=world.ctx)
    assert world.presses(Verb.APPROVE, handle).accepted


def reads_a_mail(world: World) -> None:
    mail = world.forwards(b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\n850 EUR.\r\n")
    world.asks(Want(tool="read_email", args={"id": mail.id}))


def newest(world: World) -> Call:
    with world.store.read(world.cause) as tx:
        [call] = tx.calls(limit=1)
    return call


def test_the_receipt_says_that_it_was_undone_and_offers_it_no_more(world: World) -> None:
    world.asks(note("a", "one\n"))
    receipt = f"owner:receipt-{world.call('A1').id}"
    assert [action.verb for action in world.wall.shown[receipt].actions] == [Verb.UNDO, Verb.MORE]
    taken_back(world, "A1")
    shown = world.wall.shown[receipt]
    assert shown.title == "Undone: wrote file “private:/a”"
    assert [action.verb for action in shown.actions] == [Verb.MORE]
    assert len(world.titles(ShownKind.RECEIPT)) == 2


def test_an_event_that_was_changed_since_is_left_and_the_difference_is_told(
    world: World,
) -> None:
    lunch(world)
    world.asks(renames())
    world.presses(Verb.APPROVE)
    lunch(world, "Supper")
    [undoing] = world.undoes("A1")
    assert (undoing.accepted, undoing.stale) == (False, True)
    assert undoing.text == "A1 is not undone; title: Brunch is Supper now."
    assert world.call("A1").state is _S.DONE
    assert world.calendar.get("lunch").title == "Supper"


def test_what_others_changed_since_is_offered_no_more_once_its_undo_was_refused(
    world: World,
) -> None:
    start = world.clock.time
    lunch(world)
    world.asks(renames())
    world.presses(Verb.APPROVE)
    lunch(world, "Supper")
    assert since(world, start) == ["A1"]
    world.clock.passes(minutes=1)
    [undoing] = world.undoes("A1")
    assert undoing.for_good
    assert since(world, start) == []
    [again] = world.undoes("A1")
    assert again.text == undoing.text


def test_what_a_later_change_stands_in_the_way_of_stays_offered(world: World) -> None:
    start = world.clock.time
    world.asks(note("a", "one\n"))
    world.clock.passes(minutes=1)
    world.calls("write_file", path="a", content="two", overwrite=True)
    world.clock.passes(minutes=1)
    [undoing] = world.undoes("A1")
    assert (undoing.stale, undoing.for_good) == (True, False)
    assert since(world, start) == ["A2", "A1"]


def test_a_calendar_that_is_not_connected_refuses_no_undo_for_good(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = world.clock.time
    world.asks(booking("Rent"))
    world.presses(Verb.APPROVE)

    def nowhere() -> str:
        raise Misconfigured("no calendar is connected")

    world.clock.passes(minutes=1)
    monkeypatch.setattr(world.calendar, "address", nowhere)
    [undoing] = world.undoes("A1")
    assert undoing.text == "A1 cannot be undone: no calendar is connected."
    assert (undoing.stale, undoing.for_good) == (False, False)
    assert since(world, start) == ["A1"]


def test_a_time_that_was_changed_since_is_told_as_people_read_it(world: World) -> None:
    lunch(world)
    world.asks(renames())
    world.presses(Verb.APPROVE)
    later = When(start=LUNCH.start + timedelta(days=1), end=LUNCH.end + timedelta(days=1))
    world.calendar.put(Event(uid="lunch", title="Brunch", when=later))
    [undoing] = world.undoes("A1")
    assert undoing.text == (
        "A1 is not undone; it is Tue 1 Dec 2026, 10:00 to 11:00 (Europe/Berlin) now, "
        "and not Mon 30 Nov 2026, 10:00 to 11:00 (Europe/Berlin)."
    )


@pytest.mark.parametrize("tool", ["create_event", "update_event", "delete_event"])
def test_what_is_in_a_calendar_that_is_not_connected_now_is_not_undone(
    world: World, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    """Least of all is it put into the calendar that is connected."""
    lunch(world)
    deletes = Want(tool="delete_event", args={"event": "lunch"})
    wants = {"create_event": booking("Rent"), "update_event": renames(), "delete_event": deletes}
    world.asks(wants[tool])
    world.presses(Verb.APPROVE)
    made, uid = world.calendar.address(), world.call("A1").facts.args["uid"]
    if tool != "delete_event":
        world.calendar.remove(uid)
    monkeypatch.setattr(world.calendar, "address", lambda: "memory://other/ as owner")
    [undoing] = world.undoes("A1")
    assert (undoing.accepted, undoing.stale) == (False, False)
    assert undoing.text == (
        f"A1 is not undone; it is in another calendar, which is not connected now: {made}."
    )
    assert world.calendar.writes == 1
    with pytest.raises(NotFound):
        world.calendar.get(uid)


def test_a_file_that_was_written_since_is_left_and_that_is_told(world: World) -> None:
    world.asks(note("a", "one\n"))
    world.calls("write_file", path="a", content="two", overwrite=True)
    [undoing] = world.undoes("A1")
    assert (undoing.accepted, undoing.stale) == (False, True)
    assert "version 2 3 bytes by owner" in undoing.text
    assert content(world) == b"two"


def test_an_event_that_its_owner_deleted_is_not_looked_for_by_its_name(world: World) -> None:
    world.asks(booking("Rent"))
    world.presses(Verb.APPROVE)
    uid = world.call("A1").facts.args["uid"]
    world.calendar.remove(uid)
    world.calendar.put(Event(uid="another", title=uid, when=LUNCH))
    [undoing] = world.undoes("A1")
    assert not undoing.accepted
    assert undoing.stale
    assert world.calendar.get("another").title == uid
    assert world.cards() == []


def test_an_event_that_is_there_again_is_not_put_back(world: World) -> None:
    lunch(world)
    world.asks(Want(tool="delete_event", args={"event": "lunch"}))
    world.presses(Verb.APPROVE)
    lunch(world)
    [undoing] = world.undoes("A1")
    assert (undoing.accepted, undoing.stale) == (False, True)


def test_what_moves_between_the_card_of_an_undo_and_its_yes_is_not_undone(world: World) -> None:
    lunch(world)
    world.asks(renames())
    world.presses(Verb.APPROVE)
    enters(world, Mode.RECOVERY)
    world.undoes("A1")
    lunch(world, "Supper")
    world.presses(Verb.APPROVE, "A2")
    assert world.states("A1", "A2") == [_S.DONE, _S.FAILED]
    assert world.calendar.get("lunch").title == "Supper"


def test_an_undo_is_a_call_that_can_be_undone(world: World) -> None:
    world.asks(note("a", "one\n"))
    world.asks(replacing("two\n"))
    undo = taken_back(world, "A2")
    again = taken_back(world, undo)
    assert content(world) == b"two\n"
    assert world.states("A2", undo, again) == [_S.UNDONE, _S.UNDONE, _S.DONE]


def test_to_undo_twice_is_to_undo_once(world: World) -> None:
    world.asks(note("a", "one\n"))
    enters(world, Mode.RECOVERY)
    [first] = world.undoes("A1")
    [second] = world.undoes("A1")
    assert first.accepted
    assert (second.accepted, second.text) == (False, "A1 is being undone by A2 already.")
    world.presses(Verb.APPROVE, "A2")
    [third] = world.undoes("A1")
    assert (third.accepted, third.text) == (False, "A1 is undone; there is nothing to undo.")


def test_what_is_named_twice_is_undone_once(world: World) -> None:
    world.asks(note("a", "one\n"))
    found = world.undoes("A1", "a1")
    assert [one.accepted for one in found if one.call] == [True]
    assert world.states("A1", "A2") == [_S.UNDONE, _S.DONE]


def test_an_undo_that_is_denied_leaves_things_as_they_are_and_can_be_asked_for_again(
    world: World,
) -> None:
    world.asks(note("a", "one\n"))
    enters(world, Mode.RECOVERY)
    world.undoes("A1")
    world.presses(Verb.DENY, "A2")
    assert world.call("A1").state is _S.DONE
    assert taken_back(world, "A1") == "A3"
    assert content(world) is None


def test_what_changed_nothing_cannot_be_undone(world: World) -> None:
    world.calls("list_files")
    world.asks(booking("Rent"))
    read, parked, absent = world.undoes("A1", "A2", "A9")
    assert read.text == "A1 changed nothing that can be undone."
    assert parked.text == "A2 is waiting; there is nothing to undo."
    assert absent.text == "There is no call A9."
    assert not any(one.accepted or one.stale for one in (read, parked, absent))


def test_a_calendar_that_is_away_has_not_moved(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.asks(booking("Rent"))
    world.presses(Verb.APPROVE)
    with monkeypatch.context() as patched:
        patched.setattr(world.calendar, "get", away)
        [undoing] = world.undoes("A1")
    assert (undoing.accepted, undoing.stale) == (False, False)
    assert "did not answer" in undoing.text
    assert world.undoes("A1")[0].accepted


def away(uid: str) -> Event:
    raise Unreachable(uid)


def test_all_since_a_time_is_undone_the_newest_first(world: World) -> None:
    world.asks(note("old", "x"))
    world.clock.passes(hours=3)
    began = world.clock.now()
    world.asks(note("a", "one\n"))
    world.clock.passes(minutes=1)
    world.asks(replacing("two\n"))
    assert since(world, began) == ["A3", "A2"]
    assert since(world, began - timedelta(hours=4)) == ["A3", "A2", "A1"]


def test_what_was_undone_is_not_done_again_by_undoing_all_once_more(world: World) -> None:
    began = world.clock.now()
    world.asks(note("a", "one\n"))
    world.clock.passes(minutes=1)
    world.asks(replacing("two\n"))
    world.clock.passes(minutes=1)
    undo = taken_back(world, "A2")
    assert since(world, began) == ["A1"]
    taken_back(world, undo)
    assert len(since(world, began)) == 2, "what was done again stands"
    taken_back(world, since(world, began)[0])
    assert since(world, began) == ["A1"]


def test_an_undo_of_something_older_is_a_change_like_any_other(world: World) -> None:
    world.asks(note("a", "one\n"))
    world.asks(replacing("two\n"))
    world.clock.passes(hours=1)
    began = world.clock.now()
    undo = taken_back(world, "A2")
    assert since(world, began) == [undo]


def test_in_recovery_an_undo_is_looked_at_no_more(world: World) -> None:
    world.asks(note("a", "one\n"))
    enters(world, Mode.RECOVERY, since=world.clock.now())
    with world.store.read(world.cause) as tx:
        assert [call.handle for call, _ in reviewed(tx, tx.mode())] == ["A1"]
    taken_back(world, "A1")
    with world.store.read(world.cause) as tx:
        assert reviewed(tx, tx.mode()) == []


def test_the_words_that_were_written_stay_others_words_when_they_are_put_back(
    world: World,
) -> None:
    world.asks(note("a", "one\n"))
    world.asks(replacing("two\n"))
    undo = taken_back(world, "A2")
    with world.store.read(world.cause) as tx:
        versions = tx.file_versions("private:/a")
    assert versions[0].origin == versions[-1].origin
    assert world.call(undo).actor == "owner:terminal:owner"


def test_one_change_after_the_other_is_taken_back(world: World) -> None:
    for text in ("one", "two", "three"):
        world.asks(writing(text))
    for handle, left in (("A3", "two"), ("A2", "one")):
        [undone] = world.undoes(handle)
        assert undone.accepted, undone.text
        assert text_of(world, "private:/d.txt") == left


def test_what_somebody_else_changed_after_an_undo_is_not_undone(world: World) -> None:
    for text in ("one", "two"):
        world.asks(writing(text))
    world.undoes("A2")
    world.asks(writing("mine"))
    [undone] = world.undoes("A1")
    assert not undone.accepted
    assert undone.stale
    assert text_of(world, "private:/d.txt") == "mine"


def writing(text: str) -> Want:
    return Want(tool="write_file", args={"path": "d.txt", "content": text, "overwrite": True})


def text_of(world: World, path: str) -> str:
    with world.store.read(world.cause) as tx:
        return world.blobs.get(tx.file(path).blob).decode()
