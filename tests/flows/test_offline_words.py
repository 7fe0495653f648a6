"""Without a model: of what becomes of calls the owner hears sentences, each call's last word."""

from collections.abc import Callable

import pytest

from assistant.adapters.offline.model import OfflineModel
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Role, Tell, Turn, ViewEntry, Want
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.governance.modes import Mode
from assistant.flows.conversation.view import build_view
from tests.flows.test_batches import booking
from tests.operations import enters
from tests.world import ZONE, World

INTERNAL = ("parked", "NOT been", "void:", "the owner", "#A", "in place of")


def heard(world: World) -> str:
    """What the offline model makes of all that came of the calls of this talk."""
    with world.store.read(world.cause) as tx:
        conversation = tx.conversation(world.call("A1").conversation)
        entries, calls = (
            tx.entries(conversation.id, last=100),
            tx.calls(conversation=conversation.id),
        )
    view = build_view(
        conversation, entries, calls, instructions="", now=world.clock.now(), zone=ZONE
    )
    told = tuple(entry for entry in view.entries if entry.role is Role.OUTCOME)
    unseen = tuple(map(_without_cards, told))
    silent = OfflineModel().think(view.model_copy(update={"entries": told}), ()).text
    assert silent == "" or not any(call.shown for entry in told for call in entry.calls)
    return OfflineModel().think(view.model_copy(update={"entries": unseen}), ()).text


def _without_cards(entry: ViewEntry) -> ViewEntry:
    calls = tuple(call.model_copy(update={"shown": False}) for call in entry.calls)
    return entry.model_copy(update={"calls": calls})


def edited(world: World) -> None:
    world.edits("A1", title="Rent for December")


def edited_twice(world: World) -> None:
    edited(world)
    world.edits("A3", title="Rent for January")


def edited_and_done(world: World) -> None:
    edited(world)
    world.presses(Verb.APPROVE, "A3")


def locked_down(world: World) -> None:
    enters(world, Mode.LOCKDOWN)


def denied(world: World) -> None:
    world.presses(Verb.DENY, "A1")


def expired(world: World) -> None:
    world.clock.passes(days=30)
    world.settle()


@pytest.mark.parametrize(
    ("story", "words"),
    [
        (
            edited,
            ["A2 waits for your approval.", "A3, which replaces A1, waits for your approval."],
        ),
        (
            edited_twice,
            ["A2 waits for your approval.", "A4, which replaces A3, waits for your approval."],
        ),
        (edited_and_done, ["A2 waits for your approval.", "Created “Rent for December”"]),
        (
            locked_down,
            [
                f"{one} was cancelled, and nothing was done: the assistant went into lockdown."
                for one in ("A1", "A2")
            ],
        ),
        (denied, ["A1 was not done, as you said.", "A2 waits for your approval."]),
        (
            expired,
            [f"{one} expired before you answered; nothing was done." for one in ("A1", "A2")],
        ),
    ],
)
def test_nothing_that_is_meant_for_models_reaches_a_person(
    world: World, story: Callable[[World], None], words: list[str]
) -> None:
    world.asks(booking("Rent"), booking("Tax"))
    world.model.will(Turn(text="So be it."))
    story(world)
    told = heard(world)
    assert not [mark for mark in INTERNAL if mark in told], told
    paragraphs = told.split("\n\n")
    assert len(paragraphs) == len(words)
    assert all(one.startswith(word) for one, word in zip(paragraphs, words, strict=True)), told


def test_a_refusal_is_told_as_one(world: World) -> None:
    world.asks(Want(tool="sing"))
    told = heard(world)
    assert told.startswith("A1 was refused: ")
    assert not [mark for mark in INTERNAL if mark in told], told


def told(world: World, tells: Tell) -> Shown:
    """What is shown, beside the cards, of an answer in which code tells something."""
    world.model.will(Turn(text="Hello.", tells=tells))
    world.says("hello")
    return [one for one in world.wall.shown.values() if one.kind is ShownKind.NOTICE][-1]


def test_a_greeting_tells_what_waits_and_what_is_new(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax"))
    world.forwards(b"From: Anna <anna@example.org>\nSubject: Party\n\nCome!")
    shown = told(world, Tell.NEWS)
    assert shown.text == "Hello."
    assert [line.label for line in shown.fields] == ["Waits for you", "New mail"]
    assert shown.fields[0].value.startswith("A1, A2")
    assert shown.fields[1].value == "1 in 24 hours: Anna: Party"
    assert shown.outside


def test_what_code_tells_of_mail_is_not_seen_by_a_model_and_taints_nothing(world: World) -> None:
    world.forwards(b"From: Eve <eve@example.org>\nSubject: Harbour\n\nCome!")
    told(world, Tell.NEWS)
    world.model.will(Turn(text="Well."))
    world.says("and then?")
    view = world.model.views[-1]
    assert "Harbour" not in "".join(entry.text for entry in view.entries)
    assert not view.tainted


def test_of_a_quiet_day_a_greeting_says_so(world: World) -> None:
    shown = told(world, Tell.NEWS)
    assert [line.value for line in shown.fields] == ["nothing", "none in 24 hours"]


def test_a_yes_in_words_approves_nothing_and_says_where_the_card_is(world: World) -> None:
    world.asks(booking("Rent"))
    shown = told(world, Tell.CARDS)
    assert [line.label for line in shown.fields] == ["Waits for you"]
    assert shown.fields[0].value == "A1: on its card, or /approve A1, /deny A1"
    assert world.call("A1").state is CallState.PARKED


def test_a_yes_in_words_names_several_that_wait_in_one_line(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax"), booking("Tea"))
    [line] = told(world, Tell.CARDS).fields
    assert line.value == "A1, A2, A3, each on its card (/pending shows them)"


def test_what_waits_is_told_call_by_call(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax"))
    shown = told(world, Tell.WAITING)
    assert [(line.label, line.value[:13]) for line in shown.fields] == [
        ("A1", "Create “Rent”"),
        ("A2", "Create “Tax”,"),
    ]
    assert shown.outside


@pytest.mark.parametrize("tells", [Tell.WAITING, Tell.CARDS])
def test_where_nothing_waits_no_more_is_said(world: World, tells: Tell) -> None:
    shown = told(world, tells)
    assert (shown.text, shown.fields) == ("Nothing waits for you.", ())


def test_what_waits_is_told_only_to_the_owner(world: World) -> None:
    world.asks(booking("Rent"))
    world.model.will(Turn(text="Hello.", tells=Tell.NEWS))
    world.says("hello", far="room", aside="direct")
    news = [key for key, shown in world.far.shown.items() if shown.fields]
    assert [world.far.places[key] for key in news] == ["direct"]
