"""What models may cost; and the mails that are made up for, once each, when one may be asked."""

from typing import Any

import pytest

from assistant.domain.approvals import Verb
from assistant.domain.budget import Budget, Trigger
from assistant.domain.deliveries import ShownKind
from assistant.domain.errors import Unreachable
from assistant.domain.mail import Mail, MailState
from assistant.domain.modes import Mode
from assistant.domain.talk import Turn
from tests.operations import REFUSED, Operated, enters
from tests.world import World

MAIL = (
    b"From: Ada <ada@example.org>\r\nSubject: %s\r\n\r\nThe rent is due on Friday. Please pay.\r\n"
)
OFFLINE = "without a language model"


def forward(world: World, subject: bytes = b"Rent") -> None:
    world.forwards(MAIL % subject)


def the_mail(world: World) -> Mail:
    [mail] = world.mails()
    return mail


def told(world: World) -> list[str]:
    return world.words(ShownKind.NOTICE)


def spent(world: World) -> dict[str, int]:
    with world.store.read(world.cause) as tx:
        return dict(tx.spent(world.clock.now().replace(hour=0)))


# The budget


def test_what_models_cost_is_kept_by_what_set_them_off(world: World) -> None:
    Operated(world)
    world.says("hello")
    forward(world)
    assert spent(world) == {"chat": 10, "mail": 10}


def test_a_spent_day_asks_no_provider_and_says_so_once(world: World) -> None:
    house = Operated(world, budget=Budget(tokens=20))
    for n in range(4):
        world.says(f"hello {n}")
    assert len(house.provider.asked) == 2
    assert [OFFLINE in words for words in world.words()] == [False, False, True, True]
    [notice] = told(world)
    assert "20 of 20 tokens" in notice
    [until] = [line.value for one in world.wall.shown.values() for line in one.fields]
    assert until == "Tue 24 Nov 2026, 00:00 (Europe/Berlin)"
    assert "goes on as ever" in notice


def test_the_next_day_there_is_a_budget_again(world: World) -> None:
    house = Operated(world, budget=Budget(tokens=10))
    world.says("hello")
    world.says("and?")
    world.clock.passes(hours=15)  # midnight in Berlin
    world.says("good morning")
    assert world.words()[-1] == "Said by the model."
    world.says("and?")
    assert len(house.provider.asked) == 2
    assert len(told(world)) == 2


def test_a_spent_share_of_mails_leaves_the_chat_its_own(world: World) -> None:
    house = Operated(world, budget=Budget(tokens=1000, shares={Trigger.MAIL: 10}))
    forward(world)
    forward(world, b"Tea")
    world.says("hello")
    assert [a.split()[0] for a in house.provider.asked] == ["summarise", "think"]
    assert {mail.subject: mail.summarised_by for mail in world.mails()} == {
        "Rent": "provider:model",
        "Tea": "extract",
    }
    [notice] = told(world)
    assert "10 of 10 tokens for mails" in notice
    assert "The chat goes on." in notice


def test_a_mail_of_a_spent_day_is_summarised_on_the_next_one(world: World) -> None:
    house = Operated(world, budget=Budget(tokens=10))
    world.says("hello")
    forward(world)
    mail = the_mail(world)
    assert (mail.state, mail.provisional) == (MailState.ANNOUNCED, True)
    assert "rent is due" in mail.summary
    house.looks()
    assert the_mail(world) == mail
    world.clock.passes(hours=15)
    house.looks(times=2)
    mail = the_mail(world)
    assert (mail.state, mail.provisional) == (MailState.ANNOUNCED, False)
    assert mail.summary == "In the model's words."
    assert world.words(ShownKind.MAIL) == ["In the model's words."]
    assert len(house.provider.asked) == 2


def test_approvals_go_on_when_the_budget_is_spent(world: World) -> None:
    Operated(world, budget=Budget(tokens=10))
    world.says("hello")
    world.says('create "Pay the rent" 2026-11-30 10:00')
    assert world.presses(Verb.APPROVE).accepted
    assert world.calendar.writes == 1


def test_without_a_limit_nothing_is_ever_spent(world: World) -> None:
    house = Operated(world)
    house.provider.tokens = 10**9
    for n in range(3):
        world.says(f"hello {n}")
    assert len(house.provider.asked) == 3
    assert told(world) == []


# Provisional summaries


def test_mails_of_a_degraded_house_are_summarised_after_it_once_each(world: World) -> None:
    house = Operated(world)
    enters(world, Mode.DEGRADED)
    for n in range(3):
        forward(world, b"Mail %d" % n)
    assert house.provider.asked == []
    assert [mail.summarised_by for mail in world.mails()] == ["extract"] * 3
    house.looks()
    assert house.provider.asked == []
    enters(world, Mode.NORMAL)
    house.looks(times=3)
    house.looks()
    assert sorted(house.provider.asked) == [f"summarise Subject: Mail {n}" for n in range(3)]
    assert {mail.summary for mail in world.mails()} == {"In the model's words."}
    assert {mail.state for mail in world.mails()} == {MailState.ANNOUNCED}
    assert len(world.words(ShownKind.MAIL)) == 3


def test_a_mail_wakes_a_house_that_a_silent_model_degraded(world: World) -> None:
    house = Operated(world)
    house.provider.trouble = Unreachable("the provider")
    for n in range(3):
        world.clock.passes(seconds=2)
        forward(world, b"Mail %d" % n)
    house.looks()
    assert house.mode().mode is Mode.DEGRADED
    house.provider.trouble = None
    house.provider.asked.clear()
    house.looks()
    world.clock.passes(minutes=1)
    house.looks()
    assert house.provider.asked == []  # four minutes after three in vain
    world.clock.passes(minutes=3)
    house.looks()
    assert len(house.provider.asked) == 1
    house.looks()
    assert house.mode().mode is Mode.NORMAL
    assert len(house.provider.asked) == 3
    assert {mail.summary for mail in world.mails()} == {"In the model's words."}


def test_a_mail_that_is_tried_in_vain_stays_announced_and_is_tried_again(world: World) -> None:
    house = Operated(world)
    house.provider.trouble = Unreachable("the provider")
    forward(world)
    before = the_mail(world)
    for minutes in (1, 2):
        world.clock.passes(minutes=minutes)
        house.looks()
        assert the_mail(world) == before
    assert len(house.provider.asked) == 3
    assert before.state is MailState.ANNOUNCED
    assert before.provisional


def test_a_mail_that_a_provider_refuses_is_left_as_it_is(world: World) -> None:
    house = Operated(world)
    house.provider.trouble = REFUSED
    for n in range(4):
        forward(world, b"Mail %d" % n)
    house.looks(times=2)
    assert not any(mail.provisional for mail in world.mails())
    assert len(house.provider.asked) == 4
    assert house.mode().mode is Mode.NORMAL


def test_without_a_configured_model_sentences_are_no_stopgap(world: World) -> None:
    house = Operated(world, configured=False)
    forward(world)
    house.looks(times=2)
    mail = the_mail(world)
    assert (mail.state, mail.summarised_by, mail.provisional) == (
        MailState.ANNOUNCED,
        "extract",
        False,
    )


def test_mails_of_long_ago_are_left_as_they_are(world: World) -> None:
    house = Operated(world)
    enters(world, Mode.DEGRADED)
    forward(world)
    enters(world, Mode.NORMAL)
    world.clock.passes(days=8)
    house.looks()
    assert house.provider.asked == []


@pytest.mark.parametrize("mode", [Mode.ALERT, Mode.LOCKDOWN, Mode.RECOVERY])
def test_other_modes_ask_models_as_ever(world: World, mode: Mode) -> None:
    house = Operated(world)
    enters(world, mode)
    forward(world)
    world.says("hello")
    assert len(house.provider.asked) == 2


def test_a_model_without_a_chain_that_is_silent_is_noted(world: World) -> None:
    world.model.will(Unreachable("away"), Turn(text="Here again."))
    world.says("hello")
    world.clock.passes(minutes=1)
    world.settle()
    with world.store.read(world.cause) as tx:
        asked: list[Any] = [question.answered for question in tx.asked(last=5)]
    assert asked == [False]
    assert world.words() == ["Here again."]
