"""In quiet hours what nobody asked for waits, and all else comes at once."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.governance.modes import Mode
from assistant.domain.time.quiet_hours import QuietHours
from tests.discord_world import HOME
from tests.flows.test_batches import booking
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
