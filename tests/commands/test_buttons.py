"""Stored buttons: each verb gives a command, and what is kept behind one comes back from it."""

from datetime import UTC, datetime

import pytest

from assistant.commands.answer import Button
from assistant.commands.buttons import (
    STORED,
    SURE,
    given_by,
    plan_name,
    scope_name,
    shown_with,
    terms_of,
)
from assistant.commands.carry_out import named
from assistant.commands.channel import Channel
from assistant.domain.approvals import Verb
from assistant.domain.errors import Denied
from assistant.domain.tokens import Token, mint

SOON = datetime(2031, 3, 4, tzinfo=UTC)
SHOWN = {"c1": "card", "c2": "other", scope_name("c1"): "digest", plan_name("c1"): "c1 c2"}


def stored(verb: Verb, subject: str = "c1", *, card: str = "", **terms: str) -> Token:
    _, token = mint(verb, subject, expires=SOON, card=card, terms=terms)
    return token


def test_every_verb_but_that_of_a_pairing_code_gives_a_command() -> None:
    assert set(Verb) - set(STORED) == {Verb.PAIR}
    with pytest.raises(Denied):
        given_by(stored(Verb.PAIR))


@pytest.mark.parametrize("verb", STORED)
def test_its_arguments_are_those_of_the_command(verb: Verb) -> None:
    name, given = given_by(stored(verb, scope="x"))
    command = named(name, Channel.DISCORD, pressed=True)
    assert given.keys() <= command.load().args.model_fields.keys()
    assert Channel.AGENT not in command.channels or name in {"details", "pending"}


@pytest.mark.parametrize("verb", [Verb.SIMILAR, Verb.PLAN, Verb.APPROVE])
def test_what_was_shown_is_kept_and_had_again(verb: Verb) -> None:
    button = Button(label="Yes", command=verb.value, verb=verb, subject="c1")
    token = stored(verb, card=SHOWN["c1"], **terms_of(button, SHOWN))
    again = shown_with(token)
    assert again["c1"] == "card"
    assert again.items() <= SHOWN.items()
    assert terms_of(button, again) == token.terms


def test_a_mail_is_forgotten_by_the_second_of_two_buttons() -> None:
    first = Button(label="Forget", command="forget", verb=Verb.FORGET, subject="m")
    second = Button(label="For good", command="forget", args={"yes": True}, verb=Verb.FORGET)
    assert (terms_of(first, {}), terms_of(second, {})) == ({}, SURE)
    assert given_by(stored(Verb.FORGET, "m")) == ("forget", {"mail": "m"})
    assert given_by(stored(Verb.FORGET, "m", **SURE)) == ("forget", {"mail": "m", "yes": True})
