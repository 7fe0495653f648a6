"""One row that cannot be read is shown as such, and everything else goes on."""

import pytest
from sqlalchemy import text

from assistant.adapters.sql.store import SqlStore
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn
from assistant.domain.mail.mail import MailState
from assistant.domain.messages import Run
from ingest.forget import forget_mail
from ingest.retry import reread_mail
from tests.discord_world import Discord, said
from tests.flows.test_batches import booking, note
from tests.ingest.messages import file, mixed, words
from tests.world import Weather, World

_S = CallState
JSON = ("facts", "asked", "reasons", "copied", "led", "failure", "touched")


def breaks(world: World, *statements: str) -> None:
    assert isinstance(world.store, SqlStore)
    with world.store._engines.write.begin() as connection:
        for statement in statements:
            assert connection.execute(text(statement)).rowcount


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(world)
    made.works()
    for want in (booking("Rent"), booking("Tea", 12)):
        world.model.will(Turn(wants=(want,)), Turn(text="So be it."))
        made.says("book it")
    return made


@pytest.mark.parametrize("broken", ["{broken", '{"args": 5}'])
@pytest.mark.parametrize("column", JSON)
def test_the_others_are_listed_and_answered(discord: Discord, column: str, broken: str) -> None:
    world = discord.world
    breaks(world, f"UPDATE call SET {column} = '{broken}' WHERE number = 1")  # noqa: S608
    listed = said(discord.slash("pending"))
    assert "A1" in listed
    assert "A2" in listed
    assert said(discord.slash("status"))
    with world.store.read(world.cause) as tx:
        assert len(tx.calls()) == 2
    if world.call("A1").facts.trouble:
        assert column in world.call("A1").facts.trouble
    discord.slash("approve", call="A2")
    world.settle()
    assert world.call("A2").state is _S.DONE


ON_SQLITE = [
    pytest.param(("sqlite", Weather()), id="calm"),
    pytest.param(("sqlite", Weather(deliveries=2)), id="twice", marks=pytest.mark.weather),
    pytest.param(("sqlite", Weather(shuffled=True)), id="shuffled", marks=pytest.mark.weather),
]
"""Postgres takes no such value."""


@pytest.mark.parametrize("world", ON_SQLITE, indirect=True)
@pytest.mark.parametrize("broken", ["'yesterday'", "5", "x'ff'"])
@pytest.mark.parametrize("column", ["created", "started", "ended"])
def test_a_time_that_is_none_hides_no_other_call(
    discord: Discord, column: str, broken: str
) -> None:
    world = discord.world
    breaks(world, f"UPDATE call SET {column} = {broken} WHERE number = 1")  # noqa: S608
    listed = said(discord.slash("pending"))
    assert "A1" in listed
    assert "A2" in listed
    assert f"cannot be read: {column}" in world.call("A1").facts.trouble
    discord.slash("approve", call="A2")
    world.settle()
    assert world.call("A2").state is _S.DONE


def test_it_says_that_it_cannot_be_read_and_is_never_done(discord: Discord) -> None:
    world = discord.world
    breaks(world, "UPDATE call SET facts = '{broken' WHERE number = 1")
    assert "cannot be read: facts" in said(discord.slash("details", call="A1"))
    assert "cannot be read" in said(discord.slash("approve", call="A1"))
    world.settle()
    assert world.call("A1").state is _S.VOID
    assert world.calendar.writes == 0


def test_it_can_be_denied(discord: Discord) -> None:
    world = discord.world
    breaks(world, "UPDATE call SET facts = '{broken' WHERE number = 1")
    discord.slash("pending")
    discord.slash("deny", call="A1")
    world.settle()
    assert world.call("A1").state is _S.DENIED


def test_a_call_that_was_approved_and_cannot_be_read_now_does_not_run(world: World) -> None:
    world.asks(booking("Rent"))
    world.asks(booking("Tea", 12))
    world.presses(Verb.APPROVE, "A1", settle=False)
    breaks(world, "UPDATE call SET facts = '{broken' WHERE number = 1")
    world.settle()
    assert world.call("A1").state is _S.VOID
    assert world.calendar.writes == 0
    assert "cannot be read" in world.call("A1").told
    assert world.presses(Verb.APPROVE, "A2").accepted
    assert world.call("A2").state is _S.DONE


@pytest.mark.parametrize("state", ["running", "unknown"])
def test_a_call_whose_worker_was_lost_and_cannot_be_read_is_told_as_unclear(
    world: World, state: str
) -> None:
    world.asks(booking("Rent"))
    world.presses(Verb.APPROVE, "A1", settle=False)
    breaks(
        world,
        f"UPDATE call SET facts = '{{broken', state = '{state}', fence = 1",  # noqa: S608
    )
    world.settle()
    assert world.call("A1").state is _S.FAILED
    assert "could not be found out" in world.call("A1").told


def test_the_model_goes_on_in_a_conversation_with_such_a_call(world: World) -> None:
    world.asks(note("a"))
    breaks(world, "UPDATE call SET facts = 'null', asked = '{', led = '{'")
    world.asks(note("b"))
    assert world.call("A2").state is _S.DONE


def test_a_state_that_is_none_stops_no_list(world: World) -> None:
    world.asks(note("a"), note("b"))
    breaks(world, "UPDATE call SET state = 'nearly', risk = 'some' WHERE number = 1")
    with world.store.read(world.cause) as tx:
        assert [call.handle for call in tx.calls()] == ["A2", "A1"]
        assert "risk, state" in tx.call_named("A1").facts.trouble
    with world.store.begin(world.cause) as tx:
        tx.emit(Run(id=world.call("A1").id))
    world.settle()


def test_a_mail_and_a_delivery_that_cannot_be_read_hide_no_other(world: World) -> None:
    for n in range(2):
        world.forwards(b"From: Ada <ada@example.org>\r\nSubject: Rent %d\r\n\r\nHi.\r\n" % n)
    first = world.mails()[-1].id
    breaks(world, f"UPDATE mail SET defects = '[\"' WHERE id = '{first}'")  # noqa: S608
    assert len(world.mails()) == 2
    assert "cannot be read" in world.mails()[-1].defects[0]
    breaks(world, "UPDATE delivery SET wanted = '{' WHERE id = (SELECT min(id) FROM delivery)")
    with world.store.read(world.cause) as tx:
        assert len(tx.deliveries()) == 1


@pytest.mark.parametrize("broken", ["{", "5", "[5]", '{"how": 5, "asks": 5, "mail_from": 5}'])
@pytest.mark.parametrize(
    "column", ["defects", "envelope", "forward", "letters", "confirmation", "understood"]
)
def test_a_mail_with_json_of_another_form_is_listed_read_and_forgotten(
    world: World, column: str, broken: str
) -> None:
    first, second = (
        world.forwards(b"From: Ada <ada@example.org>\r\nSubject: Rent %d\r\n\r\nHi.\r\n" % n).id
        for n in range(2)
    )
    breaks(world, f"UPDATE mail SET {column} = '{broken}' WHERE id = '{first}'")  # noqa: S608
    assert [mail.subject for mail in world.mails()] == ["Rent 1", "Rent 0"]
    [told] = [one for one in world.mails()[-1].defects if "cannot be read" in one]
    assert column in told
    reread_mail(first, cause=world.cause, store=world.store)
    world.settle()
    assert world.mails()[-1].state is MailState.ANNOUNCED
    forget_mail(first, by="me", cause=world.cause, store=world.store)
    assert [mail.id for mail in world.mails()] == [second]


@pytest.mark.parametrize("world", ON_SQLITE, indirect=True)
@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(("mail", name) for name in ("hidden_words", "unproved", "sent", "received", "state")),
        *(("attachment", name) for name in ("size", "letter")),
    ],
)
def test_a_mail_with_a_number_or_a_time_that_is_none_hides_no_other(
    world: World, table: str, column: str
) -> None:
    for n in range(2):
        world.forwards(mixed(words(f"Hi {n}"), file(b"a.pdf")))
    breaks(world, f"UPDATE {table} SET {column} = 'none' WHERE trace = trace")  # noqa: S608
    assert len(world.mails()) == 2
    for mail in world.mails():
        assert any("cannot be read" in one and column in one for one in mail.defects)
        assert len(mail.attachments) == 1
        with world.store.read(world.cause) as tx:
            assert tx.mail(mail.id) == mail
