"""Whatever happens at any step of reading and summarising a mail, its row and its blobs agree.

A worker dies there as by SIGKILL: nothing after that step is done, and its job stays claimed.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest

from assistant.domain.errors import IllegalStep
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.mail import Mail, MailContext, MailState, Parsed
from assistant.domain.store import Tx
from ingest.forget import forget_mail
from ingest.parse import parse
from ingest.retry import reread_mail
from tests.ingest.messages import HEAD, file, mixed, words
from tests.memory_blobs import MemoryBlobs
from tests.stores import one_after_another
from tests.world import LIMITS, ME, World

INNER = HEAD.replace(b"Lunch", b"Umbrella") + b"\r\nPlease bring the umbrella by Friday.\r\n"
RAW = mixed(
    words("<p>See below.<p style='display:none'>nobody sees the word umbrella", "html"),
    b"Content-Type: message/rfc822\r\n\r\n" + INNER,
    file(b"plan.pdf"),
    head=HEAD.replace(b"Lunch", b"Fwd: Lunch"),
)
ASK = "Please bring the umbrella by Friday."
REPORTED = {"gist": "An umbrella is wanted.", "asks": [{"words": "Umbrella", "quote": ASK}]}
DAYS = 3
STEPS = 15
"""The least steps from a mail's bytes to its card."""


class KilledError(BaseException):
    """The worker died."""


@dataclass
class Steps:
    """Counts what touches the blobs or the database, and has one thing happen at one of them."""

    world: World
    at: int
    act: Callable[[World, str], None]
    id: str = ""
    seen: int = 0
    counting: bool = False

    def step(self) -> None:
        if not self.counting:
            return
        self.seen += 1
        if self.seen == self.at:
            self.counting = False  # what happens there has no steps
            try:
                self.act(self.world, self.id)
            finally:
                self.counting = True

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("get", "put", "delete"):
            monkeypatch.setattr(self.world.blobs, name, self._around(name))
        begin = self.world.store.begin

        @contextmanager
        def watched(cause: Cause) -> Generator[Tx]:
            self.step()
            with begin(cause) as tx:
                yield tx
            self.step()

        monkeypatch.setattr(self.world.store, "begin", watched)

    def _around(self, name: str) -> Callable[..., Any]:
        act = getattr(MemoryBlobs, name)

        def around(*args: Any) -> Any:
            self.step()
            done = act(self.world.blobs, *args)
            self.step()
            return done

        return around


def kill(_world: World, _id: str) -> None:
    raise KilledError


def forget(world: World, id: str) -> None:
    forget_mail(id, by=ME, cause=world.cause, store=world.store)


def forget_and_erase(world: World, id: str) -> None:
    forget(world, id)
    world.settle()


def forget_and_kill(world: World, id: str) -> None:
    forget_and_erase(world, id)
    raise KilledError


def overtake(world: World, _id: str) -> None:
    """Another worker does it all, as this one was stopped beyond its lease."""
    world.store.release([claim for claim, _ in world.store.held().values()])
    world.settle()


def overtake_and_reread(world: World, id: str) -> None:
    """Another worker does it all, and the mail is read again, while this one is stopped."""
    overtake(world, id)
    with suppress(IllegalStep):
        reread_mail(id, cause=world.cause, store=world.store)


def reread(world: World, id: str) -> None:
    for _ in range(2):
        with suppress(IllegalStep):
            reread_mail(id, cause=world.cause, store=world.store)


def settled(steps: Steps) -> None:
    """Settle; when a worker is killed, another takes over what it held."""
    steps.counting = True
    try:
        steps.world.settle()
    except KilledError:
        steps.counting = False
        world = steps.world
        world.store.release([claim for claim, _ in world.store.held().values()])
    steps.counting = False
    for _ in range(DAYS):
        steps.world.settle()
        steps.world.clock.passes(days=1)
    steps.world.settle()


def other_words(raw: bytes, context: MailContext) -> Parsed:
    """Parse as a newer version would, which finds more."""
    parsed = parse(raw, LIMITS, context)
    more = tuple(one.model_copy(update={"text": f"{one.text} "}) for one in parsed.letters)
    return parsed.model_copy(update={"text": f"{parsed.text}\nMore.", "letters": more})


def agrees(world: World, id: str) -> None:
    with world.store.read(world.cause) as tx:
        mail = tx.mail(id)
        ledger = tx.commitments()
    assert world.store.jobs() == []
    kept = set(world.blobs.names())
    if mail.state is MailState.FORGOTTEN:
        assert (kept, list(ledger)) == (set(), [])
        assert "mbrella" not in f"{mail}{world.wall.shown}"
        return
    assert mail.state is MailState.ANNOUNCED
    assert named(mail) <= kept
    assert all((mail.raw, mail.body, mail.words, mail.hidden, mail.attachments))
    assert len(ledger) == 1


def named(mail: Mail) -> set[str]:
    files = {part.blob for part in mail.attachments}
    return {mail.raw, mail.body, mail.words, mail.hidden, *files} - {""}


@pytest.mark.slow
@pytest.mark.parametrize("again", [False, True], ids=["new", "reread"])
@pytest.mark.parametrize(
    "act",
    [kill, forget, forget_and_erase, forget_and_kill, overtake, overtake_and_reread, reread],
)
def test_the_row_and_its_blobs_agree_after_every_step(
    act: Callable[[World, str], None], *, again: bool, request: pytest.FixtureRequest
) -> None:
    at, reached = 0, True
    with one_after_another("sqlite", request) as fresh:
        while reached:
            at += 1
            with pytest.MonkeyPatch.context() as patch:
                world = World(fresh())
                world.model.reported = REPORTED
                id = world.forwards(RAW, settle=again).id
                if again:
                    world.read = other_words
                    reread_mail(id, cause=world.cause, store=world.store)
                steps = Steps(world, at, act, id)
                steps.watch(patch)
                settled(steps)
                reached = steps.seen >= at
                agrees(world, id)
    assert at > STEPS
