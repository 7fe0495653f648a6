"""Mail that could not be read: reading all of it again, and telling of it after an hour."""

from collections.abc import Callable
from functools import partial

import pytest

from assistant.domain.conversation.deliveries import Shown
from assistant.domain.errors import IllegalStep, Unreachable, Unreadable
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.held import Retried
from assistant.domain.mail.mail import MailContext, MailQuery, MailState, Parsed, ParsedPart
from assistant.domain.store import Tx
from assistant.flows.operations.held_mail import HeldMailNotice
from assistant.flows.operations.upkeep import Interval
from ingest import retry
from ingest.forget import forget_mail
from ingest.parse import parse
from ingest.retry import reread_mail, retry_mail, retry_mails
from tests.bed import race
from tests.ingest.messages import HEAD
from tests.world import LIMITS, World


def numbered(count: int, start: int = 0) -> list[bytes]:
    return [HEAD + b"\r\n\r\nMail %d" % n for n in range(start, start + count)]


def refusing(why: Callable[[bytes], str]) -> Callable[[bytes, MailContext], Parsed]:
    def read(raw: bytes, _context: MailContext) -> Parsed:
        if words := why(raw):
            raise Unreadable(words)
        return parse(raw, LIMITS)

    return read


def with_held(world: World, count: int, why: str = "it has {} parts") -> list[str]:
    """Mails that could not be read; from now on each can be."""
    world.read = refusing(lambda raw: why.format(len(raw) + int(raw.split()[-1])))
    ids = [world.forwards(raw, settle=False).id for raw in numbered(count)]
    world.settle()
    world.read = lambda raw, context: parse(raw, LIMITS, context)
    assert states(world) == {MailState.HELD: count}
    return ids


def states(world: World) -> dict[MailState, int]:
    with world.store.read(world.cause) as tx:
        counted = {state: tx.count_mails(MailQuery(state=state)) for state in MailState}
    return {state: count for state, count in counted.items() if count}


def retried(world: World, words: str = "") -> Retried:
    return retry_mails(words, cause=world.cause, store=world.store)


def test_all_that_is_held_is_read_again(world: World) -> None:
    ids = with_held(world, 5)
    assert retried(world) == Retried(again=tuple(ids))
    assert retried(world) == Retried()
    world.settle()
    assert states(world) == {MailState.ANNOUNCED: 5}


def test_only_what_has_these_words_in_its_reason_is_read_again(world: World) -> None:
    with_held(world, 3)
    world.read = refusing(lambda _raw: "it is torn")
    torn = world.forwards(numbered(1, 50)[0]).id
    assert retried(world, "TORN").again == (torn,)
    world.settle()
    assert states(world) == {MailState.HELD: 4}
    assert len(retried(world, "it has N parts").again) == 3
    assert retried(world, "no such words") == Retried()


def test_one_that_cannot_be_read_again_is_not_tried_for_ever(world: World) -> None:
    with_held(world, 3)
    world.read = refusing(lambda _raw: "still torn")
    for _ in range(2):
        assert len(retried(world).again) == 3
        world.settle()
        assert states(world) == {MailState.HELD: 3}


def test_two_at_once_read_each_mail_again_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "PAGE", 3)
    ids = with_held(world, 10)
    done = race(*[partial(retried, world)] * 3)
    assert all(isinstance(one, Retried) for one in done)
    again = [id for one in done if isinstance(one, Retried) for id in one.again]
    assert sorted(again) == sorted(ids)
    read: list[bytes] = []

    def reads(raw: bytes, _context: MailContext) -> Parsed:
        read.append(raw)
        return parse(raw, LIMITS)

    world.read = reads
    world.settle()
    assert len(read) == 10
    assert states(world) == {MailState.ANNOUNCED: 10}


def test_what_was_forgotten_or_retried_meanwhile_is_counted_apart(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = with_held(world, 3)
    begin = world.store.begin

    def meddling(cause: Cause) -> object:
        monkeypatch.setattr(world.store, "begin", begin)
        forget_mail(first, by="me", cause=world.cause, store=world.store)
        retry_mail(second, cause=world.cause, store=world.store)
        return begin(cause)

    monkeypatch.setattr(world.store, "begin", meddling)
    assert retried(world) == Retried(again=(third,), gone=2)


def test_one_that_is_stopped_halfway_leaves_whole_pages_behind(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "PAGE", 4)
    with_held(world, 10)
    begin, begun = world.store.begin, 0

    def dying(cause: Cause) -> object:
        nonlocal begun
        begun += 1
        if begun == 3:
            raise Unreachable("killed")
        return begin(cause)

    monkeypatch.setattr(world.store, "begin", dying)
    with pytest.raises(Unreachable):
        retried(world)
    monkeypatch.setattr(world.store, "begin", begin)
    assert states(world) == {MailState.STORED: 8, MailState.HELD: 2}
    assert len(retried(world).again) == 2
    world.settle()
    assert states(world) == {MailState.ANNOUNCED: 10}


def test_what_is_read_again_has_the_words_and_the_bytes_of_the_new_reading(world: World) -> None:
    """Blobs never change: those of an older version's reading may be there."""
    old, new = (
        Parsed(
            text=f"{said} text",
            attachments=tuple(
                ParsedPart(name=name, content_type="text/plain", data=name.encode())
                for name in names
            ),
        )
        for said, names in (("old", "abc"), ("new", "cxa"))
    )
    world.read = lambda _raw, _context: old
    id = world.forwards(numbered(1)[0]).id
    with world.store.begin(world.cause) as tx:
        tx.move_mail(tx.mail(id), MailState.HELD, reason="it has 3 parts")
    world.read = lambda _raw, _context: new
    retried(world)
    world.settle()
    with world.store.read(world.cause) as tx:
        mail = tx.mail(id)
    assert world.blobs.get(mail.body) == b"new text"
    assert [(one.name, world.blobs.get(one.blob)) for one in mail.attachments] == [
        ("c", b"c"),
        ("x", b"x"),
        ("a", b"a"),
    ]
    forget_mail(id, by="me", cause=world.cause, store=world.store)
    world.settle()
    assert list(world.blobs.names()) == []


# Reading again what was shown


def reread(world: World, id: str) -> None:
    reread_mail(id, cause=world.cause, store=world.store)


def shown_mails(world: World) -> list[Shown]:
    with world.store.read(world.cause) as tx:
        return [one.wanted for one in tx.deliveries(prefix="mail-")]


def test_a_mail_that_was_shown_is_read_again_and_keeps_its_one_card(world: World) -> None:
    world.read = lambda _raw, _context: Parsed(subject="Old", text="old", hidden_words=0)
    id = world.forwards(numbered(1)[0]).id
    world.read = lambda _raw, _context: Parsed(subject="New", text="new", hidden_words=14)
    reread(world, id)
    world.settle()
    with world.store.read(world.cause) as tx:
        mail = tx.mail(id)
    assert (mail.state, mail.subject, mail.hidden_words) == (MailState.ANNOUNCED, "New", 14)
    assert world.blobs.get(mail.body) == b"new"
    assert [one.title for one in shown_mails(world)] == ["New"]


def test_the_same_again_changes_nothing_that_is_shown(world: World) -> None:
    id = world.forwards(numbered(1)[0]).id
    before = shown_mails(world)
    reread(world, id)
    world.settle()
    assert shown_mails(world) == before
    assert states(world) == {MailState.ANNOUNCED: 1}


def test_of_many_at_once_one_has_it_read_again(world: World) -> None:
    id = world.forwards(numbered(1)[0]).id
    done = race(*[partial(reread, world, id)] * 4)
    assert sum(isinstance(one, IllegalStep) for one in done) == 3
    world.settle()
    assert states(world) == {MailState.ANNOUNCED: 1}


def test_what_cannot_be_read_now_is_held_with_what_was_found_before(world: World) -> None:
    id = world.forwards(numbered(1)[0]).id
    read, world.read = world.read, refusing(lambda _raw: "it is torn")
    reread(world, id)
    world.settle()
    with world.store.read(world.cause) as tx:
        mail = tx.mail(id)
    assert mail.state is MailState.HELD
    assert world.blobs.get(mail.body)
    with pytest.raises(IllegalStep):
        reread(world, id)
    world.read = read
    retried(world)
    world.settle()
    assert states(world) == {MailState.ANNOUNCED: 1}


def test_a_mail_that_is_forgotten_while_it_is_read_again_stays_forgotten(world: World) -> None:
    id = world.forwards(numbered(1)[0]).id
    reread(world, id)
    forget_mail(id, by="me", cause=world.cause, store=world.store)
    world.settle()
    world.clock.passes(days=2)
    world.settle()
    assert states(world) == {MailState.FORGOTTEN: 1}
    assert list(world.blobs.names()) == []
    with pytest.raises(IllegalStep):
        reread(world, id)


# Told of after an hour


class Watched:
    """A process that looks every five minutes, and tells."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.restarts()

    def restarts(self) -> None:
        self.notice = HeldMailNotice(
            store=self.world.store,
            clock=self.world.clock,
            home=self.world.home,
            every=Interval(300, monotonic=self.world.clock.monotonic),
        )

    def passes(self, **span: float) -> list[str]:
        """Let time pass and look; return the titles of the notices that there are, oldest first."""
        self.world.clock.passes(**span)
        self.notice.tick(self.world.cause)
        self.world.settle()
        return [one.title for one in self.shown()]

    def shown(self) -> list[Shown]:
        def look(tx: Tx) -> list[Shown]:
            return [one.wanted for one in reversed(tx.deliveries(prefix="held-"))]

        with self.world.store.read(self.world.cause) as tx:
            return look(tx)


@pytest.fixture
def watched(world: World) -> Watched:
    return Watched(world)


def test_what_is_held_is_told_after_an_hour_once_for_each_reason(
    world: World, watched: Watched
) -> None:
    with_held(world, 3)
    assert watched.passes(minutes=59) == []
    told = ["3 mails could not be read for an hour"]
    assert watched.passes(minutes=6) == told
    [shown] = watched.shown()
    assert "it has N parts" in shown.text
    assert "assistant mail retry --all --reason 'it has N parts'" in shown.text
    watched.restarts()
    assert watched.passes(hours=30) == told


def test_another_reason_is_told_apart_and_more_of_the_same_is_counted(
    world: World, watched: Watched
) -> None:
    with_held(world, 2)
    watched.passes(hours=2)
    world.read = refusing(lambda raw: "it is torn" if raw.endswith(b"7") else "it has 9 parts")
    for raw in numbered(2, 96):
        world.forwards(raw)
    assert watched.passes(minutes=30) == ["2 mails could not be read for an hour"]
    assert watched.passes(minutes=31) == [
        "3 mails could not be read for an hour",
        "1 mail could not be read for an hour",
    ]


def test_a_notice_ends_when_nothing_is_held_and_what_is_held_anew_is_told_anew(
    world: World, watched: Watched
) -> None:
    with_held(world, 2)
    watched.passes(hours=2)
    retried(world)
    watched.restarts()
    world.settle()
    over = "Over: 2 mails could not be read for an hour"
    assert watched.passes(minutes=6) == [over]
    assert watched.passes(hours=6) == [over]
    world.read = refusing(lambda _raw: "it has 1 parts")
    world.forwards(numbered(1, 60)[0])
    assert watched.passes(hours=2) == [over, "1 mail could not be read for an hour"]


def test_what_is_being_read_again_does_not_end_a_notice(world: World, watched: Watched) -> None:
    with_held(world, 2)
    told = watched.passes(hours=2)
    world.read = refusing(lambda _raw: "it has 77 parts")
    retried(world)
    world.clock.passes(minutes=6)
    watched.notice.tick(world.cause)
    assert [one.title for one in watched.shown()] == told
    world.settle()
    assert watched.passes(minutes=6) == told


def test_what_waits_unread_for_an_hour_is_told(world: World, watched: Watched) -> None:
    world.forwards(numbered(1)[0], settle=False)
    world.clock.passes(minutes=30)
    watched.notice.tick(world.cause)
    assert watched.shown() == []
    world.clock.passes(minutes=31)
    watched.notice.tick(world.cause)
    assert [one.title for one in watched.shown()] == ["1 mail not read for an hour"]
    world.settle()
    assert watched.passes(minutes=6) == ["Over: 1 mail not read for an hour"]


def test_what_was_held_for_long_and_is_read_again_does_not_wait_for_an_hour(
    world: World, watched: Watched
) -> None:
    with_held(world, 1)
    world.clock.passes(days=3)
    retried(world)
    watched.notice.tick(world.cause)
    assert watched.shown() == []


def test_two_processes_tell_once(world: World) -> None:
    with_held(world, 2)
    world.clock.passes(hours=2)
    several = [Watched(world) for _ in range(3)]
    race(*[partial(one.notice.look, world.cause) for one in several])
    assert len(several[0].shown()) == 1


def test_many_reasons_are_told_a_few_at_a_time(world: World, watched: Watched) -> None:
    letters = "abcdefgh"
    world.read = refusing(lambda raw: f"it is {letters[int(raw.split()[-1])]}")
    for raw in numbered(8):
        world.forwards(raw)
    assert len(watched.passes(hours=2)) == 5


def test_a_look_that_fails_is_no_fault_of_the_tick(
    world: World, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_cause: Cause) -> object:
        raise Unreachable("the database is away")

    monkeypatch.setattr(world.store, "read", away)
    watched.notice.tick(world.cause)


def test_a_clock_that_is_set_back_ends_no_notice(world: World, watched: Watched) -> None:
    with_held(world, 2)
    told = ["2 mails could not be read for an hour"]
    assert watched.passes(hours=2) == told
    world.clock.passes(minutes=-110)
    watched.restarts()  # as its interval would wait for the clock of the test
    assert watched.passes(minutes=6) == told
    assert watched.passes(hours=2) == told
    retried(world)
    world.settle()
    assert watched.passes(minutes=6) == [f"Over: {told[0]}"]


def test_a_clock_that_is_set_back_ends_no_notice_of_mail_that_waits(
    world: World, watched: Watched
) -> None:
    world.forwards(numbered(1)[0], settle=False)
    world.queue.bells.clear()

    def titles() -> list[str]:
        watched.restarts()
        watched.notice.look(world.cause)
        return [one.title for one in watched.shown()]

    world.clock.passes(hours=2)
    told = ["1 mail not read for an hour"]
    assert titles() == told
    world.clock.passes(minutes=-110)
    assert titles() == told
    world.settle()
    assert titles() == [f"Over: {told[0]}"]
