"""Characters that no database, digest or wire takes do not stop a conversation."""

from assistant.domain.approvals import Verb
from assistant.domain.call_states import CallState
from assistant.domain.deliveries import ShownKind
from assistant.domain.talk import Turn, Want
from tests.world import World

UNSOUND = "a\x00b\ud800c"
SOUND = "a\ufffdb\ufffdc"
TIMES = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T10:30:00+01:00"}


def test_the_owner_is_heard_whatever_the_keyboard_sent(world: World) -> None:
    world.model.will(Turn(text="Hello"))
    world.says(UNSOUND)
    assert world.words() == ["Hello"]
    assert world.model.views[-1].entries[-1].text == SOUND


def test_the_models_words_are_shown(world: World) -> None:
    world.model.will(Turn(text=UNSOUND))
    world.says("hi")
    assert world.words() == [SOUND]


def test_what_is_approved_is_what_was_shown(world: World) -> None:
    want = Want(tool="create_event", args={"title": UNSOUND, **TIMES})
    world.model.will(Turn(wants=(want,)), Turn(text="Asked."), Turn(text="Booked."))
    world.says("book it")
    assert world.presses(Verb.APPROVE).accepted
    assert world.call().state is CallState.DONE
    assert SOUND in world.titles(ShownKind.RECEIPT)[0]


def test_a_call_that_makes_no_sense_is_refused_and_the_talk_goes_on(world: World) -> None:
    world.model.will(
        Turn(wants=(Want(tool=UNSOUND, args={UNSOUND: UNSOUND}, trouble=UNSOUND),)),
        Turn(text="I cannot."),
    )
    world.says("do it")
    assert world.call().state is CallState.REFUSED
    assert world.words() == ["I cannot."]
