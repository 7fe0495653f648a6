"""Calls, and the effects they have."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import json_column, owner_field, time_column


class CallRow(SQLModel, table=True):
    __tablename__ = "call"
    __table_args__ = (
        UniqueConstraint("owner", "number"),
        Index("ix_call_turn", "conversation", "turn", "number"),
        Index("ix_call_state", "owner", "state", "number"),
        Index("ix_call_created", "owner", "created"),
    )

    id: str = Field(primary_key=True)
    owner: str = owner_field()
    number: int
    conversation: str = Field(foreign_key="conversation.id")
    turn: int
    ordinal: int
    tool: str
    version: str
    facts: dict[str, Any] = Field(sa_column=json_column())
    asked: dict[str, Any] = Field(sa_column=json_column())
    risk: str
    reasons: list[str] = Field(sa_column=json_column())
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
    copied: list[dict[str, Any]] = Field(sa_column=json_column())
    led: list[dict[str, Any]] = Field(sa_column=json_column())
    typed: list[str] = Field(sa_column=json_column())
    state: str
    result: str
    told: str
    output: str
    failure: dict[str, Any] | None = Field(default=None, sa_column=json_column())
    touched: list[str] = Field(sa_column=json_column())
    progress: str
    beat: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    stop: bool = Field(sa_column=Column(Boolean(), nullable=False))
    fence: int
    trace: str
    created: datetime = Field(sa_column=time_column())
    cleared: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    started: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    ended: datetime | None = Field(default=None, sa_column=time_column(optional=True))


class EffectRow(SQLModel, table=True):
    __tablename__ = "effect"
    __table_args__ = (
        # Not the owner first: SQLite would take either for finding the effects of one call.
        Index("ix_effect_key", "key", "at"),
        Index("ix_effect_at", "at"),
    )

    call: str = Field(foreign_key="call.id", primary_key=True)
    key: str = Field(primary_key=True)
    owner: str = owner_field()
    kind: str
    destination: str
    before: dict[str, Any] = Field(sa_column=json_column())
    after: dict[str, Any] = Field(sa_column=json_column())
    inverse: dict[str, Any] = Field(sa_column=json_column())
    undone: str = ""
    state: str
    fence: int
    at: datetime = Field(sa_column=time_column())
    trace: str


class OwnEventRow(SQLModel, table=True):
    """The UIDs of events that the assistant made."""

    __tablename__ = "own_event"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    calendar: str = Field(primary_key=True)
    uid: str = Field(primary_key=True)
    call: str
    at: datetime = Field(sa_column=time_column())
    gone: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    """When it was found deleted elsewhere."""
    trace: str
