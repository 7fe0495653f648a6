"""Without a model: of what becomes of calls the owner hears sentences, each call's last word."""

from collections.abc import Callable

import pytest

from assistant.adapters.offline_model import OfflineModel
from assistant.domain.approvals import Verb
from assistant.domain.modes import Mode
from assistant.domain.talk import Role, Turn, Want
from assistant.flows.view import build_view
from tests.flows.test_batches import booking
from tests.operations import enters
from tests.world import ZONE, World

INTERNAL = ("parked", "NOT been", "void:", "the owner", "#A", "in place of")


def heard(world: World) -> str:
    """What the offline model makes of all that came of the calls of this talk."""
    with world.store.read(world.cause) as tx:
        talk = tx.conversation(world.call("A1").conversation)
        entries, calls = tx.entries(talk.id, last=100), tx.calls(conversation=talk.id)
    view = build_view(talk, entries, calls, instructions="", now=world.clock.now(), zone=ZONE)
    told = tuple(entry for entry in view.entries if entry.role is Role.OUTCOME)
    return OfflineModel().think(view.model_copy(update={"entries": told}), ()).text


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
            ["A2 waits for your approval.", "A3, in the place of A1, waits for your approval."],
        ),
        (
            edited_twice,
            ["A2 waits for your approval.", "A4, in the place of A3, waits for your approval."],
        ),
        (edited_and_done, ["A2 waits for your approval.", "Created the event"]),
        (
            locked_down,
            [
                f"{one} is void, and nothing was done: the house went into lockdown."
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
