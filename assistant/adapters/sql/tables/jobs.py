"""The queue of record."""

from datetime import datetime

from sqlalchemy import Boolean, Column, Double, Index, text
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import owner_field, time_column


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
            "ix_job_failed",
            "due",
            sqlite_where=text("failed"),
            postgresql_where=text("failed"),
        ),
        Index(
            "ix_job_held",
            "claim",
            sqlite_where=text("claim IS NOT NULL"),
            postgresql_where=text("claim IS NOT NULL"),
        ),
    )

    id: str = Field(primary_key=True)
    owner: str = owner_field()
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
    waits_for: str = ""
    """The part of the assistant that was away when it was tried last."""
    waits_since: float = Field(default=0.0, sa_column=Column(Double(), nullable=False))


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
    at: datetime = Field(sa_column=time_column())
