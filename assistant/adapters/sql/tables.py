"""How it all looks in SQL. Columns bear the names of the domain's fields.

Every row belongs to an owner, but for three tables: ``canary``, ``high_water`` and ``owner``.
Times are aware and in UTC; the job table alone counts in epoch seconds, because the relay does
arithmetic on them in SQL.
"""

import json
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Double,
    Index,
    Integer,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel


class UtcDateTime(TypeDecorator[datetime]):
    """Aware datetimes in, aware datetimes in UTC out, on either database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            message = f"a naive time cannot be stored: {value}"
            raise ValueError(message)
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class JsonText(TypeDecorator[Any]):
    """JSON as it was written, and comparable as text.

    Not JSONB, which gives ``1e22`` back as an integer: an approval is bound to what was shown.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        del dialect
        return json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        del dialect
        return json.loads(value or "null")


def _json() -> Column[Any]:
    return Column(JsonText(), nullable=False)


def _time(*, optional: bool = False, index: bool = False) -> Column[Any]:
    return Column(UtcDateTime(), nullable=optional, index=index)


def _number() -> Column[Any]:
    """A growing number given by the database; SQLite only does that for ``INTEGER``."""
    return Column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
    )


def _owner() -> Any:
    return Field(foreign_key="owner.id", index=False)


class OwnerRow(SQLModel, table=True):
    __tablename__ = "owner"

    id: str = Field(primary_key=True)
    name: str
    zone: str
    calls: int = 0
    """How many calls there have been: the next one's number, less one."""
    grants: int = 0
    """How many grants there have been, likewise."""
    created: datetime = Field(sa_column=_time())


class JobRow(SQLModel, table=True):
    __tablename__ = "job"
    __table_args__ = (
        Index(
            "ix_job_waiting",
            "due",
            sqlite_where=text("claim IS NULL AND NOT failed"),
            postgresql_where=text("claim IS NULL AND NOT failed"),
        ),
        Index(
            "ix_job_held",
            "claim",
            sqlite_where=text("claim IS NOT NULL"),
            postgresql_where=text("claim IS NOT NULL"),
        ),
    )

    id: str = Field(primary_key=True)
    owner: str = _owner()
    trace: str
    kind: str
    queue: str
    due: float = Field(sa_column=Column(Double(), nullable=False))
    rung: float = Field(sa_column=Column(Double(), nullable=False))
    """When it was last rung, 0 when never."""
    ring_after: float = Field(sa_column=Column(Double(), nullable=False))
    """When it is rung again although its queue's canary has not passed."""
    rings: int = 0
    attempts: int = 0
    claim: str | None = None
    worker: str = ""
    beat: int = 0
    again: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    """Somebody emitted it while it was held."""
    failed: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    error: str = ""


class CanaryRow(SQLModel, table=True):
    __tablename__ = "canary"

    queue: str = Field(primary_key=True)
    sent: float = Field(sa_column=Column(Double(), nullable=False))
    passed: float = Field(sa_column=Column(Double(), nullable=False))
    """When the last one that came out had been sent, 0 when none has."""
    seen: float = Field(sa_column=Column(Double(), nullable=False))
    """When the last one came out, 0 when none has."""


class HighWaterRow(SQLModel, table=True):
    __tablename__ = "high_water"

    id: int = Field(primary_key=True)
    at: datetime = Field(sa_column=_time())


class SightingRow(SQLModel, table=True):
    __tablename__ = "sighting"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    channel: str = Field(primary_key=True)
    event: str = Field(primary_key=True)
    at: datetime = Field(sa_column=_time())


class ConversationRow(SQLModel, table=True):
    __tablename__ = "conversation"
    __table_args__ = (
        Index(
            "ix_conversation_open",
            "owner",
            "channel",
            "place",
            unique=True,
            sqlite_where=text("NOT closed"),
            postgresql_where=text("NOT closed"),
        ),
    )

    id: str = Field(primary_key=True)
    owner: str = _owner()
    channel: str
    place: str
    last: int = 0
    """The seq of its newest entry."""
    heard: int = 0
    thought: int = 0
    turns: int = 0
    tainted: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    aside: str = ""
    closed: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    began: datetime = Field(sa_column=_time())
    spoke: datetime = Field(sa_column=_time())
    trace: str


class EntryRow(SQLModel, table=True):
    __tablename__ = "entry"

    conversation: str = Field(foreign_key="conversation.id", primary_key=True)
    seq: int = Field(primary_key=True)
    owner: str = _owner()
    role: str
    origin: str
    source: str = ""
    text: str
    call: str = ""
    trace: str
    at: datetime = Field(sa_column=_time())


class CallRow(SQLModel, table=True):
    __tablename__ = "call"
    __table_args__ = (
        UniqueConstraint("owner", "number"),
        Index("ix_call_turn", "conversation", "turn"),
        Index("ix_call_state", "owner", "state", "number"),
        Index("ix_call_created", "owner", "created"),
    )

    id: str = Field(primary_key=True)
    owner: str = _owner()
    number: int
    conversation: str = Field(foreign_key="conversation.id")
    turn: int
    ordinal: int
    tool: str
    version: str
    facts: dict[str, Any] = Field(sa_column=_json())
    asked: dict[str, Any] = Field(sa_column=_json())
    risk: str
    reasons: list[str] = Field(sa_column=_json())
    report: bool = Field(sa_column=Column(Boolean(), nullable=False))
    tainted: bool = Field(sa_column=Column(Boolean(), nullable=False))
    actor: str
    reach: str
    verdict: str
    layer: str
    rule: str
    policy: int
    mode: str
    grant: str
    word: str
    supersedes: str
    undoes: str
    copied: list[dict[str, Any]] = Field(sa_column=_json())
    led: list[dict[str, Any]] = Field(sa_column=_json())
    state: str
    result: str
    told: str
    output: str
    failure: dict[str, Any] | None = Field(default=None, sa_column=_json())
    touched: list[str] = Field(sa_column=_json())
    progress: str
    beat: datetime | None = Field(default=None, sa_column=_time(optional=True))
    stop: bool = Field(sa_column=Column(Boolean(), nullable=False))
    fence: int
    trace: str = Field(index=True)
    created: datetime = Field(sa_column=_time())
    cleared: datetime | None = Field(default=None, sa_column=_time(optional=True))
    started: datetime | None = Field(default=None, sa_column=_time(optional=True))
    ended: datetime | None = Field(default=None, sa_column=_time(optional=True))


class ApprovalRow(SQLModel, table=True):
    __tablename__ = "approval"
    __table_args__ = (Index("ix_approval_decided", "owner", "decided"),)

    id: str = Field(primary_key=True)
    call: str = Field(foreign_key="call.id", unique=True)
    owner: str = _owner()
    binding: str
    card: str
    state: str
    expires: datetime = Field(sa_column=_time())
    created: datetime = Field(sa_column=_time())
    decided: datetime | None = Field(default=None, sa_column=_time(optional=True))
    remind: datetime | None = Field(default=None, sa_column=_time(optional=True))
    word: str = ""
    policy: int = 0
    by: str = ""
    reason: str = ""
    trace: str


class EffectRow(SQLModel, table=True):
    __tablename__ = "effect"

    call: str = Field(foreign_key="call.id", primary_key=True)
    key: str = Field(primary_key=True)
    owner: str = _owner()
    kind: str
    destination: str
    before: dict[str, Any] = Field(sa_column=_json())
    after: dict[str, Any] = Field(sa_column=_json())
    inverse: dict[str, Any] = Field(sa_column=_json())
    undone: str = ""
    state: str
    fence: int
    at: datetime = Field(sa_column=_time())
    trace: str


class ModeRow(SQLModel, table=True):
    """One row an owner, there from the beginning, so that whoever judges can hold on to it."""

    __tablename__ = "mode"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    mode: str
    before: str
    by: str
    reason: str
    revision: int
    since: datetime = Field(sa_column=_time())
    review: datetime | None = Field(default=None, sa_column=_time(optional=True))
    word: str = ""
    """Sealed, while there is one that would leave this mode."""
    asked: datetime | None = Field(default=None, sa_column=_time(optional=True))


class PolicyRow(SQLModel, table=True):
    """The policies there have been, as they were written; the newest is in force."""

    __tablename__ = "policy"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    version: int = Field(primary_key=True)
    digest: str
    text: str
    by: str
    at: datetime = Field(sa_column=_time())
    trace: str


class GrantRow(SQLModel, table=True):
    __tablename__ = "grant"
    __table_args__ = (UniqueConstraint("owner", "number"),)

    id: str = Field(primary_key=True)
    owner: str = _owner()
    number: int
    tool: str
    version: str
    scope: list[dict[str, Any]] = Field(sa_column=_json())
    destination: str
    reach: str
    tainted: bool = Field(sa_column=Column(Boolean(), nullable=False))
    """Made for use in a tainted conversation; it fixes every argument."""
    uses: int
    used: int
    from_call: str
    by: str
    created: datetime = Field(sa_column=_time())
    expires: datetime = Field(sa_column=_time())
    last_used: datetime | None = Field(default=None, sa_column=_time(optional=True))
    revoked: datetime | None = Field(default=None, sa_column=_time(optional=True))
    trace: str


class AuditRow(SQLModel, table=True):
    """Written once. ``place`` and the hashes are given later, by the one tick that chains."""

    __tablename__ = "audit"
    __table_args__ = (
        Index("ix_audit_owner", "owner", "number"),
        Index("ix_audit_subject", "subject"),
        Index(
            "ix_audit_loose",
            "number",
            sqlite_where=text("place IS NULL"),
            postgresql_where=text("place IS NULL"),
        ),
    )

    number: int | None = Field(default=None, sa_column=_number())
    id: str = Field(unique=True)
    owner: str = _owner()
    trace: str = Field(index=True)
    at: datetime = Field(sa_column=_time())
    kind: str
    subject: str
    actor: str
    tool: str
    version: str
    args: str
    """SHA-256 of the canonical arguments."""
    verdict: str
    reason: str
    result: str
    began: datetime | None = Field(default=None, sa_column=_time(optional=True))
    ended: datetime | None = Field(default=None, sa_column=_time(optional=True))
    place: int | None = Field(default=None, unique=True)
    previous: str = ""
    hash: str = ""


class FileRow(SQLModel, table=True):
    """What a path holds now: moved on by compare-and-set on the version."""

    __tablename__ = "file"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    path: str = Field(primary_key=True)
    version: int


class FileVersionRow(SQLModel, table=True):
    __tablename__ = "file_version"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    path: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    deleted: bool = Field(sa_column=Column(Boolean(), nullable=False))
    size: int
    sha256: str
    blob: str
    content_type: str
    origin: str
    source: str
    call: str
    by: str
    at: datetime = Field(sa_column=_time())
    trace: str


class OwnEventRow(SQLModel, table=True):
    """The UIDs of events that the assistant made."""

    __tablename__ = "own_event"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    calendar: str = Field(primary_key=True)
    uid: str = Field(primary_key=True)
    call: str
    at: datetime = Field(sa_column=_time())
    trace: str


class MailRow(SQLModel, table=True):
    __tablename__ = "mail"
    __table_args__ = (
        UniqueConstraint("owner", "sha256"),
        Index("ix_mail_state", "owner", "state", "number"),
        Index(
            "ix_mail_provisional",
            "owner",
            "number",
            sqlite_where=text("provisional"),
            postgresql_where=text("provisional"),
        ),
        Index("ix_mail_address", "owner", "sender_address", "received"),
        Index(
            "ix_mail_bundle",
            "owner",
            "bundle",
            sqlite_where=text("bundle <> ''"),
            postgresql_where=text("bundle <> ''"),
        ),
    )

    number: int | None = Field(default=None, sa_column=_number())
    id: str = Field(unique=True)
    owner: str = _owner()
    sha256: str
    size: int
    door: str
    raw: str
    received: datetime = Field(sa_column=_time(index=True))
    state: str
    reason: str = ""
    message_id: str = ""
    sender: str = ""
    sender_address: str = ""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = Field(default=None, sa_column=_time(optional=True))
    body: str = ""
    defects: list[str] = Field(sa_column=_json())
    summary: str = ""
    summarised_by: str = ""
    provisional: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    bundle: str = ""
    trace: str = Field(index=True)


class AttachmentRow(SQLModel, table=True):
    __tablename__ = "attachment"

    mail: str = Field(foreign_key="mail.id", primary_key=True)
    ordinal: int = Field(primary_key=True)
    owner: str = _owner()
    name: str
    content_type: str
    size: int
    sha256: str
    blob: str
    trace: str


class DeliveryRow(SQLModel, table=True):
    __tablename__ = "delivery"
    __table_args__ = (Index("ix_delivery_created", "owner", "created"),)

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    id: str = Field(primary_key=True)
    channel: str
    place: str
    wanted: dict[str, Any] = Field(sa_column=_json())
    digest: str
    """Of ``wanted``."""
    shown: str = ""
    handle: str = ""
    revision: int = 1
    tried: datetime | None = Field(default=None, sa_column=_time(optional=True))
    note: str = ""
    trace: str
    created: datetime = Field(sa_column=_time())


class TokenRow(SQLModel, table=True):
    """What buttons carry, hashed. Rows of the past go with the tick."""

    __tablename__ = "token"
    __table_args__ = (
        Index("ix_token_delivery", "owner", "delivery"),
        Index("ix_token_expires", "expires"),
    )

    hash: str = Field(primary_key=True)
    owner: str = _owner()
    verb: str
    subject: str
    card: str
    delivery: str
    terms: dict[str, str] = Field(sa_column=_json())
    actor: str
    expires: datetime = Field(sa_column=_time())
    used: datetime | None = Field(default=None, sa_column=_time(optional=True))
    by: str
    created: datetime = Field(sa_column=_time())
    trace: str


class PersonRow(SQLModel, table=True):
    """Whom a channel's id speaks for: one owner, whoever else pairs with it."""

    __tablename__ = "person"

    channel: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    owner: str = _owner()
    by: str
    at: datetime = Field(sa_column=_time())
    trace: str


class ModelUseRow(SQLModel, table=True):
    __tablename__ = "model_use"
    __table_args__ = (Index("ix_model_use_at", "owner", "at"),)

    number: int | None = Field(default=None, sa_column=_number())
    owner: str = _owner()
    subject: str
    cause: str = ""
    """What set it off: ``chat`` or ``mail``."""
    model: str
    input_tokens: int
    output_tokens: int
    milliseconds: int
    outcome: str = "answered"
    at: datetime = Field(sa_column=_time())
    trace: str


class ScreenRow(SQLModel, table=True):
    """What terminals show: a channel's own memory, as Discord's servers are Discord's."""

    __tablename__ = "screen"
    __table_args__ = (Index("ix_screen_place", "place", "number"),)

    number: int | None = Field(default=None, sa_column=_number())
    owner: str = _owner()
    place: str
    key: str = Field(unique=True)
    shown: dict[str, Any] = Field(sa_column=_json())
    revision: int = 1
    drawn: int = 0
    """The revision that a terminal has drawn, 0 when none has."""
    at: datetime = Field(sa_column=_time())


def table(model: type[SQLModel]) -> Table:
    """The Core table under a SQLModel class."""
    return cast("Table", model.__table__)  # type: ignore[attr-defined]  # SQLModel sets it
