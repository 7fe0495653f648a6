"""Grants."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import json_column, owner_field, time_column


class GrantRow(SQLModel, table=True):
    __tablename__ = "grant"
    __table_args__ = (
        UniqueConstraint("owner", "number"),
        Index("ix_grant_expires", "expires"),
    )

    id: str = Field(primary_key=True)
    owner: str = owner_field()
    number: int
    tool: str
    version: str
    scope: list[dict[str, Any]] = Field(sa_column=json_column())
    destination: str
    reach: str
    tainted: bool = Field(sa_column=Column(Boolean(), nullable=False))
    """Made for use in a tainted conversation; it fixes every argument."""
    uses: int
    used: int
    from_call: str
    by: str
    created: datetime = Field(sa_column=time_column())
    expires: datetime = Field(sa_column=time_column())
    last_used: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    revoked: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    trace: str
