"""Reminders, and what was to be told by a time."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, Index, text
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import (
    json_column,
    number_column,
    owner_field,
    time_column,
)

WAITING = "state = 'waiting'"
MISSING = "shown IS NULL AND kind <> 'turn'"
"""Of what was due and is not shown; ``turn`` is the kind of rows that only keep a time."""
UNTOLD = "shown IS NOT NULL AND NOT told"
"""Of what was shown and is still to be looked at: was it late?"""


class ReminderRow(SQLModel, table=True):
    __tablename__ = "reminder"
    __table_args__ = (
        Index("ix_reminder_newest", "owner", "number"),
        Index(
            "ix_reminder_waiting",
            "owner",
            "at",
            sqlite_where=text(WAITING),
            postgresql_where=text(WAITING),
        ),
        # So that no number that was told to people comes to mean another row.
        {"sqlite_autoincrement": True},
    )

    number: int | None = Field(default=None, sa_column=number_column())
    id: str = Field(unique=True)
    owner: str = owner_field()
    text: str
    at: datetime = Field(sa_column=time_column())
    wall: str
    """A time without a zone, of ISO 8601: what clocks in ``zone`` showed."""
    zone: str
    repeats: dict[str, Any] | None = Field(sa_column=json_column())
    state: str
    told: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    call: str
    tainted: bool = Field(sa_column=Column(Boolean(), nullable=False))
    made: datetime = Field(sa_column=time_column())
    trace: str


class DueNoticeRow(SQLModel, table=True):
    __tablename__ = "due_notice"
    __table_args__ = (
        Index(
            "ix_due_notice_missing",
            "owner",
            "due",
            sqlite_where=text(MISSING),
            postgresql_where=text(MISSING),
        ),
        Index(
            "ix_due_notice_untold",
            "owner",
            "due",
            sqlite_where=text(UNTOLD),
            postgresql_where=text(UNTOLD),
        ),
        Index("ix_due_notice_kind", "owner", "kind", "made"),
    )

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    id: str = Field(primary_key=True)
    kind: str
    due: datetime = Field(sa_column=time_column())
    made: datetime = Field(sa_column=time_column())
    shown: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    says_late: bool = Field(sa_column=Column(Boolean(), nullable=False))
    told: bool = Field(sa_column=Column(Boolean(), nullable=False))
    """True once the owner was told that it was late, or it was on time."""
    trace: str
