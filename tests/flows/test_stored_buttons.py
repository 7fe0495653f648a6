"""Buttons as they are stored: whoever minted one, and whenever, a press gives what it was for."""

from collections.abc import Callable, Mapping

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Action
from assistant.domain.errors import NotFound
from assistant.domain.governance.modes import Mode
from assistant.flows.approvals.buttons import PressedButton, look_up
from assistant.flows.approvals.buttons import buttons as mint_buttons
from assistant.flows.approvals.similar import draft_similar, scope_digest
from tests.discord_world import ME, Discord, buttons, said
from tests.world import World
from workers.discord.interaction import Reply, Way
from workers.discord.place import person

TIMES = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T10:30:00+01:00"}
RENT = Want(tool="create_event", args={"title": "Pay the rent", **TIMES})
TEA = Want(tool="create_event", args={"title": "Tea", **TIMES})
MAIL = b"From: Ann <ann@example.org>\r\nSubject: Lunch\r\n\r\nhello there\r\n"


class Stored:
    """An assistant in which two calls wait and a mail came in, and buttons put into its rows."""

    def __init__(self, world: World) -> None:
        self.discord = Discord(world)
        self.discord.works()
        self.world = world
        world.model.will(Turn(wants=(RENT, TEA)), Turn(text="So be it."))
        self.discord.says("do it")
        world.forwards(MAIL)
        self.call = world.call("A1").id
        self.cards = {world.call(handle).id: self._card(handle) for handle in ("A1", "A2")}
        [mail] = world.mails()
        self.mail = mail.id

    def presses(
        self, verb: Verb, subject: str, *, card: str = "", terms: Mapping[str, str] | None = None
    ) -> Reply:
        ctx, cause = self.world.ctx, self.world.cause
        [word] = mint_buttons(
            [Action(verb=verb, label="x", subject=subject)],
            by=person(ME),
            card=card,
            terms=[terms or {}],
            cause=cause,
            ctx=ctx,
        )
        return self.discord.presses_token(word)

    def _card(self, handle: str) -> str:
        with self.world.store.read(self.world.cause) as tx:
            return tx.approval(self.world.call(handle).id).card


@pytest.fixture
def stored(world: World) -> Stored:
    return Stored(world)


def test_a_yes_and_a_no(stored: Stored) -> None:
    for (call, card), verb in zip(stored.cards.items(), (Verb.APPROVE, Verb.DENY), strict=True):
        reply = stored.presses(verb, call, card=card)
        assert "is approved" in said(reply) or "is denied" in said(reply)
    assert stored.world.states("A1", "A2") == [CallState.DONE, CallState.DENIED]


def test_calls_like_it(stored: Stored) -> None:
    grant = draft_similar(
        stored.call, by=person(ME), cause=stored.world.cause, ctx=stored.world.ctx
    )
    card, terms = stored.cards[stored.call], {"scope": scope_digest(grant)}
    other = stored.presses(Verb.SIMILAR, stored.call, card=card, terms={"scope": "0" * 64})
    assert "not what was shown" in said(other)
    told = stored.presses(Verb.SIMILAR, stored.call, card=card, terms=terms)
    assert "covers calls like it" in said(told)


def test_all_that_waits_together(stored: Stored) -> None:
    part = {stored.call: stored.cards[stored.call]}
    assert "None of the plan" in said(stored.presses(Verb.PLAN, stored.call, terms=part))
    stored.presses(Verb.PLAN, stored.call, terms=stored.cards)
    assert stored.world.states("A1", "A2") == [CallState.DONE, CallState.DONE]


@pytest.mark.parametrize("verb", [Verb.SNOOZE, Verb.WHY, Verb.DETAILS, Verb.MORE])
def test_what_only_tells(stored: Stored, verb: Verb) -> None:
    reply = stored.presses(verb, stored.call, card=stored.cards[stored.call])
    assert "A1" in said(reply)
    assert stored.world.states("A1", "A2") == [CallState.PARKED, CallState.PARKED]


def test_another_card_in_its_place(stored: Stored) -> None:
    assert stored.presses(Verb.EDIT, stored.call, card=stored.cards[stored.call]).modal
    stored.world.clock.passes(hours=73)
    stored.world.settle()
    stored.world.clock.passes(days=-3, hours=-1)
    assert "a new card comes" in said(stored.presses(Verb.ASK_AGAIN, stored.call))


def test_what_was_done_taken_back(stored: Stored) -> None:
    stored.presses(Verb.APPROVE, stored.call, card=stored.cards[stored.call])
    assert said(stored.presses(Verb.UNDO, stored.call)).endswith("that it created: A3")
    stored.world.settle()
    assert stored.world.call("A1").state is CallState.UNDONE


def test_a_mode(stored: Stored) -> None:
    stored.discord.slash("lockdown")
    form = stored.presses(Verb.MODE, Mode.NORMAL.value)
    assert form.modal is not None
    word = form.modal["components"][0]["label"].removeprefix("Type ")
    assert "Back to normal" in said(stored.discord.submits(form, text=word))


def test_a_mail(stored: Stored) -> None:
    assert "hello there" in said(stored.presses(Verb.SHOW, stored.mail))
    form = stored.presses(Verb.ASK, stored.mail)
    stored.world.model.will(Turn(text="At noon."))
    assert "I am on it" in said(stored.discord.submits(form, text="When?"))
    assert "Nobody can bring them back" in said(stored.presses(Verb.FORGET, stored.mail))
    assert stored.world.mails() != []
    told = stored.presses(Verb.FORGET, stored.mail, terms={"sure": "yes"})
    assert "It is forgotten" in said(told)
    for verb in (Verb.ASK, Verb.FORGET):
        assert "That mail was forgotten" in said(stored.presses(verb, stored.mail))


def test_what_could_not_be_shown(stored: Stored) -> None:
    shown = stored.presses(Verb.REVEAL, f"card-{stored.call}")
    assert "Pay the rent" in said(shown)
    assert "is approved" in said(stored.discord.follows(shown, "Approve"))
    assert "Not found" in said(stored.presses(Verb.REVEAL, "card-nobody"))


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.DENY, Verb.EDIT, Verb.SIMILAR, Verb.SNOOZE])
def test_a_button_that_was_stored_with_no_card_shows_it_first(stored: Stored, verb: Verb) -> None:
    reply = stored.presses(verb, stored.call, terms={"scope": "x"})
    if reply.way is Way.MODAL:
        reply = stored.discord.submits(reply)
    assert said(reply).startswith("Look at A1 first.")
    assert stored.world.call("A1").state is CallState.PARKED
    assert "is approved" in said(stored.discord.follows(reply, "Approve"))


def test_a_pairing_code_is_no_button(stored: Stored) -> None:
    assert "that is no button" in said(stored.presses(Verb.PAIR, "discord"))


def test_every_button_below_an_answer_is_bound_to_whoever_sees_it(stored: Stored) -> None:
    more = stored.presses(Verb.MORE, stored.call, card=stored.cards[stored.call])
    plan = stored.discord.slash("plan", call="A1")
    for word in (*buttons(more).values(), *buttons(plan).values()):
        found = _lookup_status(stored, word, by=person(ME))
        assert found().token.actor == person(ME)
        with pytest.raises(Exception, match="somebody else"):
            _lookup_status(stored, word, by="discord:43")()
    with pytest.raises(NotFound):
        _lookup_status(stored, "x" * 43, by=person(ME))()


def _lookup_status(stored: Stored, word: str, *, by: str) -> Callable[[], PressedButton]:
    return lambda: look_up(word, by=by, shown_as="", cause=stored.world.cause, ctx=stored.world.ctx)
