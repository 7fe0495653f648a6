"""A store with a clock and a bell in the test's hand, and rows for it to keep."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from threading import Barrier
from typing import Any, TypeVar

from assistant.domain.approvals.approval import Approval
from assistant.domain.calls.call import Call, Facts, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Entry, Origin, Role
from assistant.domain.conversation.deliveries import Delivery, Shown, ShownKind
from assistant.domain.errors import AssistantError, Unreachable
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import Cause, Doorbell, Job
from assistant.domain.mail.mail import Mail
from assistant.domain.mail.understanding.commitments import Commitment, CommitmentKind
from assistant.domain.messages import Message, Think
from assistant.domain.reminders.reminder import Reminder
from assistant.domain.store import Tx
from tests.stores import MakeStore

START = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
Result = TypeVar("Result")


@dataclass
class HandClock:
    time: datetime = START

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.time.timestamp()

    def passes(self, **span: float) -> None:
        self.time += timedelta(**span)


@dataclass
class Bells:
    """``batches`` has what was rung, one list a ring."""

    batches: list[list[Doorbell]] = field(default_factory=list)
    broken: bool = False

    def ring(self, bells: Sequence[Doorbell]) -> None:
        if self.broken:
            raise Unreachable("no broker")
        self.batches.append(list(bells))

    @property
    def names(self) -> list[list[str]]:
        return [[bell.job for bell in batch] for batch in self.batches]


@dataclass
class Bed:
    make_store: MakeStore
    clock: HandClock = field(default_factory=HandClock)
    bells: Bells = field(default_factory=Bells)
    me: Cause = field(default_factory=lambda: Cause(owner="owner", trace="a" * 32))
    they: Cause = field(default_factory=lambda: Cause(owner="other", trace="b" * 32))

    def __post_init__(self) -> None:
        self.store = self.make_store(self.bells, self.clock)

    def write(self, act: Callable[[Tx], Result], *, cause: Cause | None = None) -> Result:
        with self.store.begin(cause or self.me) as tx:
            return act(tx)

    def look(self, act: Callable[[Tx], Result], *, cause: Cause | None = None) -> Result:
        with self.store.read(cause or self.me) as tx:
            return act(tx)

    def emit(self, message: Message | None = None, *, due: datetime | None = None) -> str:
        message = message or Think(id="t")
        self.write(lambda tx: tx.emit(message, due=due))
        return message.name

    def claimed(self, name: str = "think:t") -> Job:
        job = self.store.claim(name, worker="worker")
        assert job is not None
        return job

    def end(self, job: Job) -> None:
        self.write(lambda tx: tx.done(job))

    def approval(self, call: Call) -> Approval:
        """A stored approval that the call waits for."""
        wanted = an_approval(call)
        self.write(lambda tx: tx.add_approval(wanted))
        return wanted

    def rung(self) -> list[str]:
        """The names of what the relay would ring again now."""
        return [bell.job for bell in self.store.due()]

    def conversation(self, place: str = "here", *, cause: Cause | None = None) -> str:
        return self.write(
            lambda tx: tx.conversation_in("terminal", place, idle=60.0).id, cause=cause
        )

    def call(self, *, cause: Cause | None = None, **changes: Any) -> Call:
        """A stored call, cleared to run, in a conversation of its own unless one is named."""
        wanted = a_call(
            changes.pop("conversation", "") or self.conversation(cause=cause), **changes
        )
        return self.write(lambda tx: tx.add_call(wanted), cause=cause)

    def mail(self, subject: str = "Tea", *, cause: Cause | None = None, **changes: Any) -> Mail:
        wanted = a_mail(subject, received=self.clock.now(), **changes)
        assert self.write(lambda tx: tx.add_mail(wanted), cause=cause) is None
        return self.look(lambda tx: tx.mail(wanted.id), cause=cause)


def a_call(conversation: str, **changes: Any) -> Call:
    values: dict[str, Any] = {
        "id": new_id(),
        "owner": "owner",
        "conversation": conversation,
        "turn": 2,
        "ordinal": 0,
        "tool": "create_event",
        "facts": Facts(args={"title": "Tea"}),
        "risk": Risk.MEDIUM,
        "state": CallState.CLEARED,
    }
    return Call(**{**values, **changes})


def an_approval(call: Call, **changes: Any) -> Approval:
    values: dict[str, Any] = {
        "id": new_id(),
        "call": call.id,
        "owner": call.owner,
        "binding": call.binding,
        "card": "c" * 64,
        "expires": START + timedelta(hours=72),
        "created": START,
    }
    return Approval(**{**values, **changes})


def an_effect(call: Call, **changes: Any) -> Effect:
    values: dict[str, Any] = {
        "call": call.id,
        "kind": "calendar.create",
        "key": f"{call.id}@assistant",
        "destination": "a calendar",
        "fence": 1,
    }
    return Effect(**{**values, **changes})


def a_mail(subject: str = "Tea", **changes: Any) -> Mail:
    digest = sha256(f"{subject}{sorted(changes.items())}".encode(errors="replace")).hexdigest()
    values: dict[str, Any] = {
        "id": digest[:16],
        "owner": "owner",
        "sha256": digest,
        "size": 100,
        "door": "file",
        "raw": f"mail/owner/{digest}/raw.eml",
        "received": START,
        "subject": subject,
        "sender": "Anna <anna@example.org>",
    }
    return Mail(**{**values, **changes})


def a_delivery(text: str = "Hello", *, id: str = "d", **changes: Any) -> Delivery:
    values: dict[str, Any] = {
        "id": id,
        "owner": "owner",
        "channel": "terminal",
        "place": "here",
        "wanted": Shown(kind=ShownKind.WORDS, text=text),
    }
    return Delivery(**{**values, **changes})


def said(text: str = "hi", **changes: Any) -> Entry:
    values: dict[str, Any] = {"role": Role.OWNER, "origin": Origin.OWNER, "text": text}
    return Entry(**{**values, **changes})


def an_ask(words: str, mail: str, **changes: Any) -> Commitment:
    """What a mail asks of its owner."""
    values: dict[str, Any] = {
        "id": f"{mail}-{words}"[:40],
        "owner": "owner",
        "mail": mail,
        "kind": CommitmentKind.ASKED,
        "who": "bob@example.org",
        "words": words,
        "quote": f"Could you {words}?",
        "made": START,
    }
    return Commitment(**{**values, **changes})


def a_reminder(id: str, **changes: Any) -> Reminder:
    """A reminder that waits, and is due now."""
    values: dict[str, Any] = {
        "id": id,
        "owner": "owner",
        "text": "Call Bob",
        "at": START,
        "wall": datetime(2026, 11, 23, 9),  # noqa: DTZ001  # what clocks show there
        "zone": "Europe/Berlin",
        "call": "c1",
        "tainted": True,
        "made": START,
    }
    return Reminder(**{**values, **changes})


def race(*acts: Callable[[], Result]) -> list[Result | AssistantError]:
    """What each of them gave or raised, all of them begun at the same moment."""
    gate = Barrier(len(acts))

    def one(act: Callable[[], Result]) -> Result | AssistantError:
        gate.wait(10)
        try:
            return act()
        except AssistantError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))
