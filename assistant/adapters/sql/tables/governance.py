"""Modes and policies."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import time_column


class ModeRow(SQLModel, table=True):
    """One row for each owner, made with the owner, so that each decision can lock it."""

    __tablename__ = "mode"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    mode: str
    before: str
    by: str
    reason: str
    revision: int
    since: datetime = Field(sa_column=time_column())
    review: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    word: str = ""
    """Sealed, while there is one that would leave this mode."""
    asked: datetime | None = Field(default=None, sa_column=time_column(optional=True))


class PolicyRow(SQLModel, table=True):
    """The policies there have been, as they were written; the newest is in force."""

    __tablename__ = "policy"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    version: int = Field(primary_key=True)
    digest: str
    text: str
    by: str
    at: datetime = Field(sa_column=time_column())
    trace: str
