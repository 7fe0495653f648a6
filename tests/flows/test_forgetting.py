"""A mail that its owner wants forgotten: its words are gone, whoever was at work on it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from assistant.domain.conversation.conversation import Summary, Turn, View, Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import NotFound, Unreachable
from assistant.domain.mail.mail import Mail, MailContext, MailQuery, MailState, Parsed
from assistant.domain.mail.understanding.understood import Understood
from assistant.domain.messages import EraseMail
from assistant.tools.mail.args import ReadEmail
from ingest.forget import GONE, forget_mail
from ingest.receive import receive
from tests.bed import race
from tests.ingest.messages import HEAD, PLAIN, UNREADABLE, file, mixed, words
from tests.world import LIMITS, ME, OWNER, World

LUNCH = mixed(words("At noon, by the umbrella?"), file(b"plan.pdf"))
WORDS = ("umbrella", "Lunch", "Jürg", "juerg", "plan.pdf", "1@example.org", "ada@example.org")


def arrives(world: World, raw: bytes = LUNCH) -> str:
    """It is received, and nothing more; its id."""
    return receive(
        raw,
        owner=OWNER,
        door="file",
        trace=world.cause.trace,
        store=world.store,
        blobs=world.blobs,
        clock=world.clock,
        limits=LIMITS,
    ).id


def kept(world: World, id: str) -> Mail:
    with world.store.read(world.cause) as tx:
        return tx.mail(id)


def forgets(world: World, id: str) -> Mail:
    return forget_mail(id, by=ME, cause=world.cause, store=world.store)


def erases(world: World, id: str) -> None:
    """The job that deletes what there is, at once."""
    assert world.bus.answer(EraseMail(id=id).name)


def nothing_is_left(world: World, id: str) -> None:
    mail = kept(world, id)
    assert mail.state is MailState.FORGOTTEN
    assert not [word for word in WORDS if word in mail.model_dump_json()]
    assert (mail.raw, mail.body, mail.attachments) == ("", "", ())
    assert list(world.blobs.names()) == []
    shown = "".join(shown.model_dump_json() for shown in world.wall.shown.values())
    assert not [word for word in WORDS if word in shown]


def reaches(state: MailState) -> Callable[[World], str]:
    """A mail that is brought so far."""

    def bring(world: World) -> str:
        id = arrives(world, UNREADABLE if state is MailState.HELD else LUNCH)
        while kept(world, id).state is not state:
            world.answer_next()
        return id

    return bring


@pytest.mark.parametrize("state", [state for state in MailState if state != "forgotten"])
def test_a_mail_can_be_forgotten_whatever_became_of_it(world: World, state: MailState) -> None:
    id = reaches(state)(world)
    before = kept(world, id)
    forgets(world, id[:8])
    world.settle()
    nothing_is_left(world, id)
    mail = kept(world, id)
    same = {"id", "sha256", "size", "door", "received", "sent"}
    assert mail.model_dump(include=same) == before.model_dump(include=same)
    assert mail.reason == f"by {ME}"


def test_what_the_owner_was_shown_of_it_is_taken_back(world: World) -> None:
    id = world.forwards(LUNCH).id
    forgets(world, id)
    world.settle()
    [shown] = world.wall.shown.values()
    assert (shown.title, shown.text, shown.actions) == ("A mail", "Forgotten.", ())


def test_of_a_mail_that_nobody_was_told_of_nothing_is_told(world: World) -> None:
    id = arrives(world)
    forgets(world, id)
    world.settle()
    assert world.wall.shown == {}
    assert world.model.views == []


def test_a_forgotten_mail_is_not_found(world: World) -> None:
    id = world.forwards(LUNCH).id
    forgets(world, id)
    for query in (MailQuery(), MailQuery(words="lunch"), MailQuery(sender="juerg")):
        with world.store.read(world.cause) as tx:
            assert tx.mails(query) == []


def test_that_it_was_forgotten_is_in_the_audit_once_and_without_words(world: World) -> None:
    id = world.forwards(LUNCH).id
    first, second = forgets(world, id), forgets(world, id)
    assert first == second
    world.settle()
    with world.store.read(world.cause) as tx:
        [entry] = tx.audit(kind="mail")
    assert (entry.kind, entry.subject, entry.actor) == ("mail.forgotten", id, ME)
    assert (entry.args, entry.reason, entry.result) == ("", "", "")


def test_the_same_bytes_again_are_known_and_not_taken_in(world: World) -> None:
    id = world.forwards(LUNCH).id
    forgets(world, id)
    world.settle()
    again = world.forwards(LUNCH)
    assert (again.id, again.known) == (id, True)
    nothing_is_left(world, id)


def test_another_mail_is_left_alone(world: World) -> None:
    first, second = world.forwards(LUNCH).id, world.forwards(PLAIN).id
    forgets(world, first)
    world.settle()
    mail = kept(world, second)
    assert mail.state is MailState.ANNOUNCED
    assert world.blobs.get(mail.raw) == PLAIN
    assert "Lunch" in world.titles(ShownKind.MAIL)


def test_only_a_mail_that_there_is_can_be_forgotten(world: World) -> None:
    with pytest.raises(NotFound):
        forgets(world, "ffff")


# Conversations


def reads(world: World, *wants: Want) -> None:
    world.model.will(*(Turn(wants=(want,)) for want in wants), Turn(text="There you are."))
    world.says("what is new?")


def outcomes(world: World) -> str:
    """What a model would be shown now of what calls found."""
    world.model.views.clear()
    world.says("and?")
    return "".join(call.outcome for e in world.model.views[-1].entries for call in e.calls)


def test_what_calls_found_in_it_goes_too(world: World) -> None:
    id = world.forwards(LUNCH).id
    other = world.forwards(HEAD + b"\r\nthe parasol").id
    reads(
        world,
        Want(tool="read_email", args={"id": id[:8]}),
        Want(tool="search_emails"),
        Want(tool="read_email", args={"id": other}),
    )
    assert "umbrella" in outcomes(world)
    forgets(world, id)
    world.settle()
    found = outcomes(world)
    assert "umbrella" not in found
    assert found.count(GONE) == 2
    assert "parasol" in found
    assert world.call("A1").result == world.call("A2").result == GONE
    assert "parasol" in world.call("A3").result


def test_a_forgotten_mail_cannot_be_read_by_a_tool(world: World) -> None:
    id = world.forwards(LUNCH).id
    forgets(world, id)
    call = world.calls("read_email", **ReadEmail(id=id).model_dump())
    assert call.failure is not None
    assert "forgotten" in call.failure.message


# Whoever is at work on it meanwhile


def meanwhile(world: World, act: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this happen once, while the mail is being read or summarised."""
    left = [act]

    def happen() -> None:
        if left:
            left.pop()()

    def read(raw: bytes, context: MailContext) -> Parsed:
        happen()
        return before(raw, context)

    def summarise(_view: View) -> Summary:
        happen()
        return Summary(understood=Understood(gist="the umbrella"), extractive=False)

    before = world.read
    if kept(world, world.mails()[0].id).state is MailState.STORED:
        monkeypatch.setattr(world, "read", read)
    else:
        monkeypatch.setattr(world.model, "summarise", summarise)


@pytest.mark.parametrize("state", [MailState.STORED, MailState.READ])
@pytest.mark.parametrize("erased", ["at once", "later"])
def test_a_mail_that_is_being_worked_on_is_forgotten_all_the_same(
    world: World, state: MailState, erased: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = reaches(state)(world)

    def act() -> None:
        forgets(world, id)
        if erased == "at once":
            erases(world, id)

    meanwhile(world, act, monkeypatch)
    world.settle()
    nothing_is_left(world, id)
    assert world.wall.shown == {}
    assert world.store.jobs(failed=True) == []


def putting(
    world: World, name: str, act: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Have this happen once, just before the first blob whose name ends so is put."""
    left, put = [act], world.blobs.put

    def acting(blob: str, data: bytes) -> None:
        if left and blob.endswith(name):
            left.pop()()
        put(blob, data)

    monkeypatch.setattr(world.blobs, "put", acting)


def test_what_a_reader_put_before_it_died_goes_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = arrives(world)

    def act() -> None:
        forgets(world, id)
        erases(world, id)
        world.blobs.put(f"mail/{OWNER}/{kept(world, id).sha256}/body.txt", b"the umbrella")
        raise Unreachable("the bucket")

    putting(world, "body.txt", act, monkeypatch)
    world.settle()
    world.clock.passes(hours=1)
    world.settle()
    nothing_is_left(world, id)


def test_what_a_reader_puts_that_slept_beyond_its_lease_goes_the_next_day(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = arrives(world)

    def sleep() -> None:
        forgets(world, id)
        erases(world, id)
        assert world.store.release([claim for claim, _ in world.store.held().values()]) == 1
        world.settle()
        assert list(world.blobs.names()) == []

    putting(world, "body.txt", sleep, monkeypatch)
    world.settle()
    assert list(world.blobs.names())
    world.clock.passes(days=1)
    world.settle()
    nothing_is_left(world, id)
    world.clock.passes(days=1)
    world.settle()
    assert world.store.jobs() == []


def test_bytes_that_come_again_just_then_are_not_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = world.forwards(LUNCH).id

    def act() -> None:
        forgets(world, id)
        erases(world, id)

    putting(world, "raw.eml", act, monkeypatch)
    assert world.forwards(LUNCH).known
    nothing_is_left(world, id)


def test_a_store_of_blobs_that_is_away_is_asked_until_it_is_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = world.forwards(LUNCH).id
    delete = world.blobs.delete

    def away(_name: str) -> None:
        raise Unreachable("the bucket")

    monkeypatch.setattr(world.blobs, "delete", away)
    forgets(world, id)
    for _ in range(8):
        world.clock.passes(hours=1)
        world.settle()
    assert list(world.blobs.names())
    monkeypatch.setattr(world.blobs, "delete", delete)
    world.clock.passes(days=1)
    world.settle()
    nothing_is_left(world, id)


@pytest.mark.parametrize("state", [MailState.STORED, MailState.READ, MailState.SUMMARISED])
def test_of_two_at_once_forgetting_wins(world: World, state: MailState) -> None:
    for n in range(4):
        raw = LUNCH + b"%d" % n
        id = arrives(world, raw)
        while kept(world, id).state is not state:
            world.answer_next()
        [job, *_] = [job.id for job in world.store.jobs() if id in job.id]
        outcome = race(partial(forgets, world, id), partial(world.bus.answer, job))
        assert not [error for error in outcome if isinstance(error, Exception)]
        world.settle()
        mail = kept(world, id)
        assert (mail.state, mail.summary, mail.attachments) == (MailState.FORGOTTEN, "", ())
    assert list(world.blobs.names()) == []
    assert not [shown for shown in world.wall.shown.values() if "Lunch" in shown.title]
