"""What the store in memory holds: plain dicts of frozen values, copied as a whole."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

from pydantic import BaseModel

from assistant.domain.approvals.approval import Approval
from assistant.domain.approvals.tokens import Token
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import Effect
from assistant.domain.conversation.conversation import Conversation, Entry, Usage
from assistant.domain.conversation.deliveries import Delivery
from assistant.domain.conversation.people import Person
from assistant.domain.errors import BadArguments
from assistant.domain.files.version import FileVersion
from assistant.domain.governance.modes import ModeRecord
from assistant.domain.jobs.job import Cause, Doorbell
from assistant.domain.mail.mail import Mail
from assistant.domain.messages import Message, Queue
from assistant.domain.policy.grants import Grant
from assistant.domain.policy.text import PolicyText
from assistant.domain.text.sound import sound

Value = TypeVar("Value", bound=BaseModel)


@dataclass(frozen=True)
class JobRow:
    cause: Cause
    message: Message
    due: datetime
    rung: datetime | None
    ring_after: datetime
    rings: int = 0
    attempts: int = 0
    claim: str = ""
    beat: int = 0
    again: bool = False
    failed: bool = False
    error: str = ""

    @property
    def waiting(self) -> bool:
        return not self.claim and not self.failed

    @property
    def bell(self) -> Doorbell:
        return Doorbell(job=self.message.name, kind=self.message.kind, queue=self.message.queue)


@dataclass(frozen=True)
class Talk:
    conversation: Conversation
    entries: tuple[Entry, ...] = ()
    closed: bool = False


@dataclass(frozen=True)
class Use:
    owner: str
    subject: str
    cause: str
    usage: Usage
    at: datetime


@dataclass(frozen=True)
class Canary:
    sent: float = 0.0
    passed: datetime | None = None
    seen: datetime | None = None


@dataclass
class State:
    """``owners`` counts the calls of each; other keys are ids, with the owner where needed."""

    owners: dict[str, int]
    jobs: dict[str, JobRow] = field(default_factory=dict)
    canaries: dict[Queue, Canary] = field(default_factory=dict)
    high_water: dict[str, datetime] = field(default_factory=dict)
    sightings: set[tuple[str, str, str]] = field(default_factory=set)
    talks: dict[str, Talk] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)
    approvals: dict[str, Approval] = field(default_factory=dict)
    effects: dict[tuple[str, str], Effect] = field(default_factory=dict)
    own_uids: set[tuple[str, str, str]] = field(default_factory=set)
    audits: dict[int, AuditEntry] = field(default_factory=dict)
    files: dict[tuple[str, str], tuple[FileVersion, ...]] = field(default_factory=dict)
    mails: dict[str, Mail] = field(default_factory=dict)
    deliveries: dict[tuple[str, str], Delivery] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    people: dict[tuple[str, str], Person] = field(default_factory=dict)
    usage: list[Use] = field(default_factory=list)
    modes: dict[str, ModeRecord] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    policies: dict[str, tuple[PolicyText, ...]] = field(default_factory=dict)

    def copy(self) -> Self:
        return type(self)(**{part.name: copy(getattr(self, part.name)) for part in fields(self)})


def kept(value: Value, changes: Mapping[str, Any] | None = None) -> Value:
    """A value as a database gives it back: sound texts, aware times. Raises ``BadArguments``."""
    changed = value.model_copy(update=dict(changes or {}))
    return changed.model_copy(update={name: _column(item) for name, item in changed})


def _column(value: Any) -> Any:
    if type(value) is str:
        return sound(value)
    if isinstance(value, datetime):
        return aware(value)
    return value


def aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise BadArguments(f"a naive time: {moment}")
    return moment.astimezone(UTC)
