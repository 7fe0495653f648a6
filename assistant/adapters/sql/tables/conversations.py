"""Conversations, and what the model used for them."""

from datetime import datetime

from sqlalchemy import Boolean, Column, Index, text
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import number_column, owner_field, time_column


class SightingRow(SQLModel, table=True):
    __tablename__ = "sighting"
    __table_args__ = (Index("ix_sighting_at", "at"),)

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    channel: str = Field(primary_key=True)
    event: str = Field(primary_key=True)
    at: datetime = Field(sa_column=time_column())


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
        Index("ix_conversation_place", "owner", "channel", "place"),
        Index(
            "ix_conversation_worded",
            "owner",
            "spoke",
            sqlite_where=text("emptied IS NULL"),
            postgresql_where=text("emptied IS NULL"),
        ),
    )

    id: str = Field(primary_key=True)
    owner: str = owner_field()
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
    began: datetime = Field(sa_column=time_column())
    spoke: datetime = Field(sa_column=time_column())
    emptied: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    """When its words were deleted, as their time was over."""
    trace: str


class EntryRow(SQLModel, table=True):
    __tablename__ = "entry"

    conversation: str = Field(foreign_key="conversation.id", primary_key=True)
    seq: int = Field(primary_key=True)
    owner: str = owner_field()
    role: str
    origin: str
    source: str = ""
    text: str
    call: str = ""
    trace: str
    at: datetime = Field(sa_column=time_column())


class ModelUseRow(SQLModel, table=True):
    __tablename__ = "model_use"
    __table_args__ = (Index("ix_model_use_at", "owner", "at"),)

    number: int | None = Field(default=None, sa_column=number_column())
    owner: str = owner_field()
    subject: str
    cause: str = ""
    """What set it off: ``chat`` or ``mail``."""
    model: str
    input_tokens: int
    output_tokens: int
    milliseconds: int
    outcome: str = "answered"
    at: datetime = Field(sa_column=time_column())
    trace: str
