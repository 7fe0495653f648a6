"""Approvals that calls wait for."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import owner_field, time_column


class ApprovalRow(SQLModel, table=True):
    __tablename__ = "approval"
    __table_args__ = (Index("ix_approval_decided", "owner", "decided"),)

    id: str = Field(primary_key=True)
    call: str = Field(foreign_key="call.id", unique=True)
    owner: str = owner_field()
    binding: str
    card: str
    state: str
    expires: datetime = Field(sa_column=time_column())
    created: datetime = Field(sa_column=time_column())
    decided: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    remind: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    word: str = ""
    policy: int = 0
    unseen: int = 0
    by: str = ""
    reason: str = ""
    trace: str
