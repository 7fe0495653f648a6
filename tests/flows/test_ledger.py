"""Below a model's words code says what was changed, what waits and what failed."""

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Stale, Unreachable
from assistant.domain.governance.modes import Mode
from tests.flows.test_batches import LOOK, booking, note
from tests.flows.test_chat import LOOK as LOOKS
from tests.operations import enters
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
    assert said(world)[1] == (
        "Done: A1. Waits for you: A3. Refused: A2 (“path: '../b': '..' is no name; "
        "write out where the file is”)."
    )


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


@pytest.mark.parametrize("silence", ["", " ", "-"])
def test_a_model_says_nothing_where_a_card_or_a_receipt_says_it(world: World, silence: str) -> None:
    world.model.will(Turn(wants=(note("a"), booking("Rent"))), Turn(text=silence))
    world.says("write it down, and book the rent")
    world.model.will(Turn(text=silence))
    world.presses(Verb.APPROVE, "A2")
    assert world.words() == []
    assert world.words(ShownKind.NOTICE) == []
    assert world.states("A1", "A2") == [CallState.DONE] * 2


def test_a_model_without_words_is_spoken_for_where_nothing_else_is_shown(world: World) -> None:
    world.model.will(LOOKS, Turn())
    world.says("am I free?")
    assert world.words(ShownKind.NOTICE) == ["The model gave no answer."]


def test_a_refusal_says_why_although_the_model_says_nothing(world: World) -> None:
    enters(world, Mode.LOCKDOWN)
    world.asks(note("a"), then="")
    assert world.words(ShownKind.NOTICE)[1:] == [
        (
            "Nothing was changed. Refused: A1 (“it is not allowed in mode lockdown; ask again in "
            "mode normal or alert or degraded or recovery”)."
        )
    ]


def test_what_is_no_tool_is_refused_with_the_reason(world: World) -> None:
    world.asks(Want(tool="sing"), then="I cannot.")
    assert said(world)[1].startswith("Nothing was changed. Refused: A1 (“there is no tool named")


def test_the_reason_of_a_refusal_cannot_pass_for_the_record(world: World) -> None:
    forged = "x”). Done: A7. Refused: A8 (“"
    world.asks(Want(tool=forged), then="I cannot.")
    record = said(world)[1]
    assert record.count("“") == record.count("”") == 1
    assert record.endswith("”).")


def test_the_record_names_what_is_new_and_each_change_once(world: World) -> None:
    world.asks(note("a"), then="Written.")
    assert said(world) == ("Written.", "Done: A1.")
    world.model.will(Turn(wants=(booking("Rent"),)), Turn(text="Look at the card."))
    world.says("book the rent")
    world.model.will(Turn(wants=(booking("Tax", 12),)), Turn(text="And this?"))
    world.presses(Verb.APPROVE, "A2")
    world.model.will(Turn(text="Both are in."))
    world.presses(Verb.APPROVE, "A3")
    records = [shown.ledger for shown in world.wall.shown.values() if shown.ledger]
    assert records == [
        "Done: A1.",
        "Nothing was changed. Waits for you: A2.",
        "Done: A2. Waits for you: A3.",
        "Done: A3.",
    ]


def test_words_that_come_with_a_card_carry_no_record_of_it(world: World) -> None:
    world.model.will(Turn(text="The rent, then.", wants=(booking("Rent"),)), Turn())
    world.says("book the rent")
    assert said(world) == ("The rent, then.", "")
    assert len(world.wall.shown) == 2


def test_what_was_undone_was_changed(world: World) -> None:
    world.model.will(Turn(wants=(note("a"),)), Unreachable("away"), Turn(text="I see."))
    world.says("write it down")
    world.undoes("A1")
    if world.call("A2").state is CallState.PARKED:
        world.presses(Verb.APPROVE, "A2")
    world.clock.passes(minutes=1)
    world.settle()
    assert said(world) == ("I see.", "Undone: A1.")


def test_a_call_that_is_asked_about_anew_is_named_by_its_new_number(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.model.will(Turn(text="I see."))
    world.presses(Verb.DENY, "A1")
    assert said(world)[1] == "Nothing was changed. Waits for you: A3. Not done: A1."


def test_the_card_of_what_was_to_follow_says_why_the_next_was_refused(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12), then="")
    world.presses(Verb.APPROVE, "A2")
    world.writes_policy("version: 1\nrules: [{tool: create_event, action: deny}]\n")
    world.presses(Verb.DENY, "A1")
    assert world.states("A2", "A3") == [CallState.SUPERSEDED, CallState.REFUSED]
    why = "rules[0], for create_event, says deny; you would have to change rules[0] of the policy"
    assert world.card("A2").text == why
    assert world.card("A2").small.endswith("A3 in its place was refused")
    assert f"A3 in its place was refused: {why}." in world.told("A2")["How it stands"]
