"""How long a model goes on by itself, and what ends its turn."""

import pytest

from assistant.adapters.offline.model import OfflineModel
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.limits import ConversationLimits
from assistant.flows.conversation.hear import stop
from tests.flows.test_batches import booking, note
from tests.flows.test_edges import DENTIST
from tests.world import OWNER, ZONE, World

LIMITS = ConversationLimits()


def notices(world: World) -> list[str]:
    return world.words(ShownKind.NOTICE)


def test_a_good_approval_is_no_step_of_the_model(world: World) -> None:
    world.model.will(Turn(wants=(booking("1"),)), Turn())
    world.says("book them, one after the other")
    for n in range(1, 15):
        world.model.will(Turn(wants=(booking(str(n + 1), 10 + n % 10),)), Turn())
        world.clock.passes(minutes=10)
        assert world.presses(Verb.APPROVE, f"A{n}").accepted
    assert notices(world) == []
    assert world.call("A14").state is CallState.DONE
    assert world.call("A15").state is CallState.PARKED


def test_steps_without_the_owner_still_end(world: World) -> None:
    world.model.will(*[Turn(wants=(note(str(n)),)) for n in range(30)])
    world.says("write notes")
    assert notices(world) == [
        "I stopped after 12 steps without coming to an end. Done: "
        + ", ".join(f"A{n}" for n in range(1, 13))
        + "."
    ]


def test_forty_calls_since_the_owner_spoke_end_the_turn(world: World) -> None:
    ten = [tuple(note(f"{turn}-{n}") for n in range(10)) for turn in range(5)]
    world.model.will(*[Turn(wants=wants) for wants in ten])
    world.says("write notes")
    [said] = notices(world)
    assert said.startswith("I stopped after 40 tool calls since you last spoke.")
    world.model.will(Turn(text="Hello."))
    world.says("go on")
    assert world.words() == ["Hello."]


def test_the_third_proposal_after_a_no_ends_the_turn(world: World) -> None:
    world.asks(booking("Rent"), then="")
    for n in range(1, 4):
        world.clock.passes(minutes=1)
        silence = [Turn()] if n < 3 else []  # after the third it is not asked
        world.model.will(Turn(wants=(booking("Rent", 10 + n),)), *silence)
        world.presses(Verb.DENY, f"A{n}")
    assert notices(world) == [
        (
            "I stopped: you said no to “Create an event”, and I asked 3 more times. "
            "Nothing was changed. Waits for you: A4. Not done: A1, A2, A3."
        )
    ]
    asked = len(world.model.views)
    world.presses(Verb.DENY, "A4")
    assert len(world.model.views) == asked, "the model is asked no more"
    world.model.will(Turn(text="What else?"))
    world.says("leave it")
    assert world.words()[-1] == "What else?"


def test_a_yes_in_between_begins_anew(world: World) -> None:
    world.asks(booking("Rent"), then="")
    for n, verb in enumerate((Verb.DENY, Verb.DENY, Verb.APPROVE, Verb.DENY, Verb.DENY), 1):
        world.clock.passes(minutes=1)
        world.model.will(Turn(wants=(booking("Rent", 10 + n),)), Turn())
        world.presses(verb, f"A{n}")
    assert notices(world) == []
    assert world.call("A6").state is CallState.PARKED


def test_several_proposals_in_one_turn_are_one(world: World) -> None:
    world.asks(booking("Rent"), then="")
    world.clock.passes(minutes=1)
    world.model.will(Turn(wants=tuple(booking(str(n), 10 + n) for n in range(1, 5))), Turn())
    world.presses(Verb.DENY, "A1")
    assert notices(world) == []


# Without a language model, what is told to models reaches nobody


@pytest.fixture
def plain(world: World) -> World:
    return World(world.make_store, world.weather, mind=OfflineModel())


BOOK = 'create "Rent" 2026-11-30 10:00-10:30'


@pytest.mark.parametrize("far", ["", "dm:1"])
def test_a_request_with_one_card_is_two_messages_in_all(plain: World, far: str) -> None:
    wall = plain.far if far else plain.wall
    plain.says(BOOK, far=far)
    words, card = wall.shown.values()
    assert words.text == (
        'I understood: create "Rent" on Mon 30 Nov 2026, 10:00 to 10:30 (Europe/Berlin).'
    )
    assert card.kind is ShownKind.CARD
    shown = wall.changes
    plain.presses(Verb.APPROVE, card=card.digest)
    plain.clock.passes(seconds=1)
    plain.settle()
    assert [one.kind for one in wall.shown.values()] == [ShownKind.WORDS, ShownKind.RECEIPT]
    assert wall.changes == shown + 1, "one edit makes the card its receipt"


def test_a_no_says_nothing_beside_its_card(plain: World) -> None:
    plain.says(BOOK)
    plain.presses(Verb.DENY, reason="not that day")
    assert len(plain.words()) == 1
    assert notices(plain) == []
    [card] = plain.cards()
    assert card.title.startswith("Denied: create “Rent”")
    assert card.small == "A1 · you, 09:00 · “not that day”"


def test_what_an_owner_does_beside_the_model_is_nowhere_taken_for_words(plain: World) -> None:
    plain.says(BOOK)
    plain.presses(Verb.APPROVE, settle=False)
    plain.calls("write_file", path="a", content="x")
    plain.says("newest mails")
    plain.calls("write_file", path="b", content="x")
    said = "\n".join(shown.text for shown in plain.wall.shown.values())
    assert "without you" not in said
    assert "I answer without a language model" not in said


def test_a_stop_is_nowhere_taken_for_words(plain: World) -> None:
    plain.says(BOOK)
    plain.presses(Verb.APPROVE, settle=False)
    stop(
        channel="terminal",
        place=OWNER,
        cause=plain.cause,
        store=plain.store,
        toolbox=plain.toolbox,
        zone=ZONE,
    )
    plain.settle()
    plain.says("newest mails")
    said = "\n".join(shown.text for shown in plain.wall.shown.values())
    assert "the owner" not in said.lower()
    assert "I answer without a language model" not in said


def test_an_approved_read_is_answered_in_words(plain: World) -> None:
    plain.calendar.put(DENTIST)
    plain.says("what is on on 30 November?")
    if plain.call().state is CallState.PARKED:
        plain.presses(Verb.APPROVE)
    assert "Dentist" in plain.words()[-1]
