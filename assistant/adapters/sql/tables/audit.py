"""The audit."""

from datetime import datetime

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import number_column, owner_field, time_column


class AuditRow(SQLModel, table=True):
    """Written once. The tick that chains sets ``place`` and the hashes later."""

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

    number: int | None = Field(default=None, sa_column=number_column())
    id: str = Field(unique=True)
    owner: str = owner_field()
    trace: str = Field(index=True)
    at: datetime = Field(sa_column=time_column())
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
    began: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    ended: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    place: int | None = Field(default=None, unique=True)
    previous: str = ""
    hash: str = ""


class AuditCutRow(SQLModel, table=True):
    """Written once, when entries are deleted that are in a file of the archive."""

    __tablename__ = "audit_cut"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    place: int = Field(primary_key=True)
    """The last entry that was deleted."""
    hash: str
    count: int
    newest: datetime = Field(sa_column=time_column())
    file: str
    at: datetime = Field(sa_column=time_column())
