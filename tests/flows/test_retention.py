"""What the settings keep no longer goes by itself, a little at a time, and takes nothing along."""

import logging
from functools import partial
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Entry
from assistant.domain.errors import Conflict, Unreachable
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import Retention
from assistant.domain.mail.mail import MailState
from assistant.domain.messages import EraseMail
from assistant.flows.operations import retention
from assistant.flows.operations.retention import EVERY, FORGOTTEN, RESTS, RetentionSweep, sweep
from ingest.forget import forget_mail
from ingest.receive import receive
from tests.flows.test_batches import booking
from tests.flows.test_forgetting import LUNCH, arrives, kept, nothing_is_left
from tests.ingest.messages import PLAIN, UNREADABLE
from tests.world import LIMITS, OWNER, World

FOREVER = Retention(mail=0, conversations=0, settled=0)
MONTH = Retention(mail=30, conversations=30, settled=30)


def forgets(world: World, id: str, cause: Cause) -> None:
    forget_mail(id, by="retention", cause=cause, store=world.store)


def sweeps(world: World, keep: Retention = MONTH) -> int:
    """Once; how much went."""
    gone = sweep(
        store=world.store,
        clock=world.clock,
        keep=keep,
        forget_mail=partial(forgets, world),
        cause=world.cause,
    )
    world.settle()
    return gone


def sweeps_all(world: World, keep: Retention = MONTH) -> None:
    for _ in range(50):
        if not sweeps(world, keep):
            return
    message = "there was no end to it"
    raise AssertionError(message)


def entries(world: World, talk: str) -> list[Entry]:
    with world.store.read(world.cause) as tx:
        return list(tx.entries(talk, last=99))


def deliveries(world: World) -> list[str]:
    with world.store.read(world.cause) as tx:
        return [delivery.id for delivery in tx.deliveries(limit=99)]


def test_by_default_mail_and_words_stay_and_what_was_shown_goes(world: World) -> None:
    mail = world.forwards(LUNCH).id
    world.asks(booking("Lunch"))
    world.presses(Verb.APPROVE)
    call = world.call()
    words = entries(world, call.conversation)
    sweeps_all(world, Retention())
    before = deliveries(world)
    assert len(before) > 1
    world.clock.passes(days=401)
    sweeps_all(world, Retention())
    assert deliveries(world) == [f"mail-{mail}"]
    assert kept(world, mail).state is MailState.ANNOUNCED
    assert entries(world, call.conversation) == words
    assert world.call() == call


def test_what_waits_stays_and_can_be_answered(world: World) -> None:
    world.asks(booking("Lunch"))
    card = world.card_of("A1")
    words = entries(world, world.call().conversation)
    with world.store.read(world.cause) as tx:
        approval = tx.approval(world.call().id)
    world.clock.time = approval.expires.replace(microsecond=0)
    world.clock.passes(seconds=-60)
    days = Retention(mail=1, conversations=1, settled=1)
    sweeps_all(world, days)
    assert entries(world, world.call().conversation) == words
    world.presses(Verb.APPROVE, card=card)
    assert world.states("A1") == [CallState.DONE]


def test_an_undo_stays_possible(world: World) -> None:
    world.asks(booking("Lunch"))
    world.presses(Verb.APPROVE)
    with world.store.read(world.cause) as tx:
        effects = tx.effects(world.call().id)
        noted = tx.audit(subject=world.call().id)
    world.clock.passes(days=900)
    sweeps_all(world)
    assert {entry.text for entry in entries(world, world.call().conversation)} == {FORGOTTEN}
    with world.store.read(world.cause) as tx:
        assert tx.effects(world.call().id) == effects
        assert tx.audit(subject=world.call().id) == noted
    world.undoes("A1")
    assert world.states("A1") == [CallState.UNDONE]


def test_old_mail_is_forgotten_as_its_owner_would(world: World) -> None:
    old = world.forwards(LUNCH).id
    world.clock.passes(days=31)
    young = world.forwards(PLAIN).id
    sweeps_all(world)
    assert kept(world, young).state is MailState.ANNOUNCED
    assert kept(world, old).reason == "by retention"
    with world.store.begin(world.cause) as tx:
        tx.emit(EraseMail(id=young), due=world.clock.now())  # of no mail that was forgotten
    world.settle()
    assert kept(world, young).raw
    assert [name for name in world.blobs.names() if kept(world, old).sha256 in name] == []


def test_what_is_forgotten_stays_so_when_it_comes_again(world: World) -> None:
    old = world.forwards(LUNCH).id
    world.clock.passes(days=31)
    sweeps_all(world)
    again = receive(
        LUNCH,
        owner=OWNER,
        door="smtp",
        trace=world.cause.trace,
        store=world.store,
        blobs=world.blobs,
        clock=world.clock,
        limits=LIMITS,
    )
    assert (again.id, again.known) == (old, True)
    world.settle()
    world.clock.passes(days=2)
    world.settle()
    nothing_is_left(world, old)


def test_a_mail_that_was_not_announced_stays(world: World) -> None:
    held = world.forwards(UNREADABLE).id
    assert kept(world, held).state is MailState.HELD
    unread = arrives(world)
    world.queue.bells.clear()
    world.clock.passes(days=31)
    assert not sweep(
        store=world.store,
        clock=world.clock,
        keep=Retention(mail=30, settled=0),
        forget_mail=partial(forgets, world),
        cause=world.cause,
    )
    assert kept(world, held).state is MailState.HELD
    assert kept(world, unread).state is MailState.STORED


def test_a_mail_that_somebody_else_is_at_is_left_for_later(world: World) -> None:
    world.forwards(LUNCH)
    world.clock.passes(days=31)

    def cannot(id: str, cause: Cause) -> None:
        forgets(world, id, cause)
        raise Conflict(id)

    common: dict[str, Any] = {"store": world.store, "clock": world.clock, "cause": world.cause}
    keep = Retention(mail=30, settled=0)
    assert sweep(keep=keep, forget_mail=cannot, **common) == 0
    assert sweep(keep=keep, forget_mail=cannot, **common) == 0


def test_nothing_goes_where_everything_is_kept(world: World) -> None:
    world.forwards(LUNCH)
    world.asks(booking("Lunch"))
    world.presses(Verb.DENY)
    world.clock.passes(days=9_000)
    before = deliveries(world)
    assert sweeps(world, FOREVER) == 0
    assert deliveries(world) == before


@pytest.mark.parametrize(
    ("conversations", "settled", "days"),
    [(0, 400, 400), (30, 400, 30), (500, 400, 400), (30, 0, 30), (0, 0, 0)],
)
def test_what_was_shown_goes_with_the_words_it_shows(
    conversations: int, settled: int, days: int
) -> None:
    assert Retention(conversations=conversations, settled=settled).shown == days


# When it is time


@pytest.fixture
def of_ticks(world: World) -> RetentionSweep:
    return RetentionSweep(
        store=world.store,
        clock=world.clock,
        monotonic=world.clock.monotonic,
        keep=Retention(settled=1),
        forget_mail=partial(forgets, world),
    )


def test_it_goes_on_while_there_is_something_and_rests_then(
    world: World, of_ticks: RetentionSweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "ROWS", 1)
    for number in range(3):
        world.says("/offline", event=f"e{number}")
    world.clock.passes(days=2)
    gone = []
    for _ in range(40):
        gone.append(of_ticks.tick(world.cause))
        assert of_ticks.tick(world.cause) == 0  # at once: it is not time
        world.clock.passes(seconds=EVERY)
    assert gone[0] > 0
    assert gone[1] > 0
    assert gone[-1] == 0
    world.clock.passes(seconds=RESTS)
    assert of_ticks.tick(world.cause) == 0


def test_a_tick_goes_on_when_it_fails(
    world: World,
    of_ticks: RetentionSweep,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def away(*_: Any, **__: Any) -> int:
        raise Unreachable("no database")

    monkeypatch.setattr(world.store, "drop_shown", away)
    with caplog.at_level(logging.ERROR):
        assert of_ticks.tick(world.cause) == 0
    assert "could not let go of what is old" in caplog.text
