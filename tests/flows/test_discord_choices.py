"""Lists on Discord: each choice is a button of its own, and as safe as one."""

from dataclasses import replace

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.conversation import Quoted, Turn
from assistant.domain.errors import BadArguments
from assistant.domain.governance.modes import Mode
from tests.discord_world import HOME, MALLORY, ME, Discord, buttons, said
from tests.flows.test_many_mails import come
from tests.world import World
from workers.discord.gateway.messages import MOST_POINTED_AT, UNREAD, pointed_at
from workers.discord.interaction import MARK, Kind, parse


@pytest.fixture
def crowd(world: World) -> Discord:
    """Seven mails at once, the last four of which share a notice."""
    crowd = Discord(replace(world, group_mails=True, home=HOME))
    crowd.works()
    come(crowd.world, *range(7))
    return crowd


def chosen(*values: str) -> dict[str, object]:
    """What Discord tells of a choice from a list."""
    return {
        "id": "1",
        "type": 3,
        "user": {"id": ME},
        "context": 1,
        "data": {"component_type": 3, "custom_id": "list0", "values": list(values)},
        "message": {"id": "1000", "channel_id": "70"},
    }


def mode(discord: Discord) -> Mode:
    with discord.world.store.read(discord.world.cause) as tx:
        return tx.mode().mode


def test_a_mail_of_many_is_chosen_by_sender_and_subject(crowd: Discord) -> None:
    listed = crowd.slash("search", words="Number")
    assert list(buttons(listed))[:2] == [
        "1. Ann6 <ann6@example.org>",
        "2. Ann5 <ann5@example.org>",
    ]
    assert "Subject: Number 5" in said(crowd.follows(listed, "2. Ann5 <ann5@example.org>"))
    with crowd.world.store.read(crowd.world.cause) as tx:
        ids = [tx.mail(subject).id for verb, subject in crowd.world.far.tokens if verb == Verb.SHOW]
    assert not any(id[:8] in said(listed) for id in ids)


def test_what_was_chosen_is_what_is_pressed() -> None:
    it = parse(chosen(f"{MARK}word"))
    assert (it.kind, it.token, it.message) == (Kind.PRESS, "word", "70/1000")


@pytest.mark.parametrize("values", [(), (f"{MARK}one", f"{MARK}two"), ("other",)])
def test_no_choice_and_two_choices_are_none(values: tuple[str, ...], crowd: Discord) -> None:
    it = parse(chosen(*values))
    assert it.token == ""
    assert "do not know this button" in said(crowd.desk.answer(it))


def test_what_is_no_choice_is_refused() -> None:
    odd = chosen()
    odd["data"] = {"component_type": 3, "custom_id": "list0", "values": {"a": 1}}
    assert parse(odd).token == ""
    odd["data"] = "list0"
    with pytest.raises(BadArguments):
        parse(odd)


def test_a_forged_value_chooses_nothing(crowd: Discord) -> None:
    it = parse(chosen(f"{MARK}{'x' * 43}"))
    assert "do not know this button" in said(crowd.desk.answer(it))
    assert mode(crowd) is Mode.NORMAL


def test_a_choice_that_is_copied_to_another_message_puts_it_on_its_guard(crowd: Discord) -> None:
    [bundle] = [key for key in crowd.world.far.shown if ":mails-" in key]
    subject = crowd.world.far.shown[bundle].actions[0].subject
    token = crowd.world.far.tokens[Verb.SHOW, subject]
    with crowd.world.store.begin(crowd.world.cause) as tx:
        tx.shown(tx.delivery(bundle.partition(":")[2]), handle="70/2000", note="")
    assert "never shown" in said(crowd.desk.answer(parse(chosen(f"{MARK}{token}"))))
    assert mode(crowd) is Mode.ALERT


def test_the_question_about_a_message_is_asked_by_whom_it_was_shown_to(crowd: Discord) -> None:
    about = Quoted(source="a message of bob on Discord", text="Send me the keys.")
    form = crowd.asks_about(about)
    asked = len(crowd.world.model.views)
    other = replace(crowd, named=frozenset({ME, "43"}))
    assert "shown to somebody else" in said(other.submits(form, user="43", text="What?"))
    assert "I do not know you" in said(crowd.submits(form, user=MALLORY, text="What?"))
    assert len(crowd.world.model.views) == asked


def test_a_message_that_is_asked_about_is_bounded_and_sound(crowd: Discord) -> None:
    raw = {
        "id": "1",
        "content": "x" * 20_000 + "\ud800",
        "author": {"id": "5", "username": "bob"},
        "embeds": [{"title": "Offer"}],
        "attachments": [{"filename": "a.pdf", "size": 7, "url": "https://example.org/a"}],
    }
    assert len(pointed_at(raw).text) < MOST_POINTED_AT + 100
    told = pointed_at({**raw, "content": ""})
    assert told.source == "a message of bob on Discord"
    assert told.text == (
        "[an embed in a message of bob on Discord]\nOffer\n\n"
        "[the attachment a.pdf of bob]\n[7 bytes; not read]"
    )
    assert pointed_at({"author": {"username": "bob"}}).text == UNREAD
    form = crowd.asks_about(pointed_at(raw))
    crowd.world.model.will(Turn(text="Much."))
    crowd.submits(form, text="What is it?")
    quoted, asks = crowd.world.model.views[-1].entries
    assert "were left out" in quoted.text
    assert asks.text == "What is it?"


def test_a_choice_of_an_answer_is_its_reader_s_alone(crowd: Discord) -> None:
    listed = crowd.slash("search", words="Number")
    other = replace(crowd, named=frozenset({ME, "43"}))
    [label, *_] = buttons(listed)
    assert "shown to somebody else" in said(other.follows(listed, label, user="43"))


def test_a_stranger_s_choice_shows_nothing_and_is_a_reason_for_care(crowd: Discord) -> None:
    listed = crowd.slash("search", words="Number")
    [label, *_] = buttons(listed)
    assert "I do not know you" in said(crowd.follows(listed, label, user="666"))
    assert mode(crowd) is Mode.ALERT
