"""In quiet hours what nobody asked for waits, and all else comes at once."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.governance.modes import Mode
from assistant.domain.time.quiet_hours import QuietHours
from tests.discord_world import HOME
from tests.flows.test_batches import booking
from tests.flows.test_invitations import INVITE, LATER, ics, mail, yes
from tests.flows.test_remind_me import comes, told, wanted
from tests.operations import enters
from tests.world import World

NIGHT = datetime(2026, 11, 23, 22, tzinfo=UTC)
MORNING = datetime(2026, 11, 24, 6, tzinfo=UTC)
QUIET = QuietHours(time(22), time(7))


@pytest.fixture
def night(world: World) -> World:
    made = replace(world, quiet=QUIET)
    made.clock.time = NIGHT
    return made


def letter(subject: str) -> bytes:
    return f"From: a@example.org\r\nSubject: {subject}\r\n\r\nHello\r\n".encode()


def mails(world: World) -> list[str]:
    found = [*world.wall.shown.values(), *world.far.shown.values()]
    return [shown.title for shown in found if shown.kind is ShownKind.MAIL]


def test_mail_waits_until_they_end(night: World) -> None:
    night.forwards(letter("Tea"))
    assert mails(night) == []
    night.clock.time = MORNING - timedelta(seconds=1)
    night.settle()
    assert mails(night) == []
    night.clock.time = MORNING
    night.settle()
    assert mails(night) == ["Tea"]


def test_the_mails_of_a_night_are_told_together(world: World) -> None:
    night = replace(world, quiet=QUIET, home=HOME, group_mails=True)
    night.clock.time = NIGHT
    for n in range(5):
        night.forwards(letter(f"Tea {n}"))
        night.clock.passes(minutes=50)
    assert mails(night) == []
    night.clock.time = MORNING
    night.settle()
    assert mails(night) == ["5 new mails"]


def test_what_is_shown_already_goes_on(night: World) -> None:
    night.clock.time = NIGHT - timedelta(hours=3)
    night.forwards(letter("Tea"))
    night.clock.time = NIGHT
    assert mails(night) == ["Tea"]


def test_an_answer_a_card_and_its_receipt_come_at_once(night: World) -> None:
    night.forwards(letter("Tea"))
    night.asks(booking("Lunch"), then="So be it.")
    assert len(night.cards()) == 1
    night.presses(Verb.APPROVE)
    assert "So be it." in night.words()
    assert night.titles(ShownKind.RECEIPT)
    assert mails(night) == []


def test_the_card_of_an_invitation_waits_until_they_end(night: World) -> None:
    night.forwards(INVITE)
    assert night.call().state is CallState.PARKED
    assert night.cards() == []
    night.clock.time = MORNING
    night.settle()
    assert [card.title for card in night.cards()] == ["Create “Review”"]
    yes(night)
    assert night.call().state is CallState.DONE


def test_a_newer_invitation_waits_too(night: World) -> None:
    night.forwards(INVITE)
    night.forwards(mail(ics(sequence=1, title="Later", **LATER)))
    assert night.cards() == []
    night.clock.time = MORNING
    night.settle()
    assert "Create “Later”" in [card.title for card in night.cards()]


def test_what_is_asked_for_does_not_wait_for_the_card_of_an_invitation(night: World) -> None:
    night.forwards(INVITE)
    night.asks(booking("Lunch"), then="So be it.")
    assert [card.title for card in night.cards()] == ["Create “Lunch”"]


def test_the_card_of_an_invitation_that_its_owner_changed_comes_at_once(night: World) -> None:
    night.clock.time = NIGHT - timedelta(hours=3)
    night.forwards(INVITE)
    night.clock.time = NIGHT
    assert night.edits("A1", title="Mine").accepted
    assert "Create “Mine”" in [card.title for card in night.cards()]


def test_a_card_comes_at_once_if_it_would_expire_before_it_could_be_answered(night: World) -> None:
    early: dict[str, Any] = {"start": "20261124T063000Z", "end": "20261124T073000Z"}
    night.forwards(mail(ics(**early)))
    assert [card.title for card in night.cards()] == ["Create “Review”"]


def test_the_time_for_a_yes_counts_from_the_mail(night: World) -> None:
    night.forwards(INVITE)
    asked = night.clock.now()
    night.clock.time = MORNING
    night.settle()
    with night.store.read(night.cause) as tx:
        approval = tx.approval(night.call().id)
    assert approval.created <= asked
    assert approval.expires - approval.created <= timedelta(hours=72)


def test_that_an_invitation_is_not_asked_about_is_told_when_they_end(night: World) -> None:
    night.forwards(mail(ics(more="RRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE:20261207T090000Z")))
    assert night.words(ShownKind.NOTICE) == []
    night.clock.time = MORNING
    night.settle()
    assert len([one for one in night.words(ShownKind.NOTICE) if "I do not ask" in one]) == 1


def test_a_reminder_breaks_them_as_its_owner_set_it(night: World) -> None:
    night.asks(wanted(at="2026-11-24T02:00:00+01:00"))
    comes(night, datetime(2026, 11, 24, 1, tzinfo=UTC))
    assert len(told(night)) == 1


def test_a_lockdown_is_told_at_once(night: World) -> None:
    enters(night, Mode.LOCKDOWN)
    night.settle()
    assert any("lockdown" in title.lower() for title in night.titles(ShownKind.NOTICE))


def test_they_are_those_of_where_the_owner_is(night: World) -> None:
    with night.store.begin(night.cause) as tx:
        tx.choose_zone("America/New_York", by="owner")
    night.forwards(letter("Tea"))
    assert mails(night) == ["Tea"]
