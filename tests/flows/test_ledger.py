"""Below a model's words code says what was changed, what waits and what failed."""

from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.conversation import Turn
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Stale
from tests.flows.test_batches import LOOK, booking, note
from tests.flows.test_chat import LOOK as LOOKS
from tests.world import World


def said(world: World) -> tuple[str, str]:
    """The model's last words, and the line of code below them."""
    shown = [shown for shown in world.wall.shown.values() if shown.kind is ShownKind.WORDS][-1]
    return shown.text, shown.ledger


def test_a_reply_after_reads_alone_ends_with_the_models_words(world: World) -> None:
    world.model.will(LOOKS, Turn(text="You are free."))
    world.says("am I free?")
    assert said(world) == ("You are free.", "")


def test_a_claim_that_something_was_done_stands_above_what_is_so(world: World) -> None:
    world.asks(booking("Rent"), then="I have booked it.")
    assert said(world) == ("I have booked it.", "Nothing was changed. Waits for you: A1.")


def test_what_was_done_what_waits_and_what_failed_are_told_apart(world: World) -> None:
    world.asks(note("a"), note("../b"), booking("Rent"), LOOK, then="All done.")
    assert said(world)[1] == "Done: A1. Waits for you: A3. Refused: A2."


def test_what_follows_a_call_that_waits_is_not_done_yet(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    assert said(world)[1] == "Nothing was changed. Waits for you: A1. Not done yet: A2."


def test_after_a_yes_it_is_done_and_after_a_no_nothing_was_changed(world: World) -> None:
    world.asks(booking("Rent"))
    world.model.will(Turn(text="It is in."))
    world.presses(Verb.APPROVE)
    assert said(world) == ("It is in.", "Done: A1.")
    world.asks(booking("Tax", 12))
    world.model.will(Turn(text="It is in."))
    world.presses(Verb.DENY, "A2")
    assert said(world) == ("It is in.", "Nothing was changed. Not done: A2.")


def test_what_failed_is_said_to_have_failed(world: World) -> None:
    world.asks(booking("Rent"))
    world.calendar.fail_next(Stale("changed"))
    world.model.will(Turn(text="It is in."))
    world.presses(Verb.APPROVE)
    assert said(world)[1].startswith("Nothing was changed. ")
    assert "Failed: A1." in said(world)[1]


def test_a_reply_to_what_came_of_an_earlier_wish_tells_of_it_too(world: World) -> None:
    world.asks(booking("Rent"))
    world.model.will(Turn(text="Monday."))
    world.says("what day is it?")
    assert said(world) == ("Monday.", "")
    world.model.will(Turn(text="Nothing was done."))
    world.presses(Verb.APPROVE)
    assert said(world) == ("Nothing was done.", "Done: A1.")


def test_what_the_owner_does_meanwhile_hides_nothing_of_what_the_model_did(world: World) -> None:
    world.asks(booking("Rent"))
    world.model.will(Turn(text="I see."))
    world.presses(Verb.APPROVE, settle=False)
    world.calls("write_file", path="b", content="y")
    assert said(world) == ("I see.", "Done: A1.")


def test_a_model_without_words_is_spoken_for(world: World) -> None:
    world.model.will(Turn(wants=(note("a"),)), Turn())
    world.says("write it down")
    assert world.words(ShownKind.NOTICE) == ["The model gave no answer. Done: A1."]


def test_a_call_that_is_asked_about_anew_is_named_by_its_new_number(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.model.will(Turn(text="I see."))
    world.presses(Verb.DENY, "A1")
    assert said(world)[1] == "Nothing was changed. Waits for you: A3. Not done: A1."
