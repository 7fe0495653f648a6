"""The copy of a calendar: its state, its objects, and the times at which they take place."""

from datetime import datetime

from sqlalchemy import Boolean, Column, Index, text
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import time_column


class CalendarCopyRow(SQLModel, table=True):
    __tablename__ = "calendar_copies"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    address: str = Field(primary_key=True)
    source: str
    zone: str
    token: str = ""
    kind: str = ""
    synced: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    began: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    failed: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    failures: int = 0
    trouble: str = ""
    fence: int = 0
    written: int = 0
    seen: int = 0
    longest: int = 0
    since: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    until: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    trace: str


class CalendarObjectRow(SQLModel, table=True):
    __tablename__ = "calendar_objects"
    __table_args__ = (
        Index("ix_calendar_objects_uid", "owner", "address", "uid"),
        Index(
            "ix_calendar_objects_defect",
            "owner",
            "address",
            sqlite_where=text("defect <> ''"),
            postgresql_where=text("defect <> ''"),
        ),
        Index(
            "ix_calendar_objects_repeats",
            "owner",
            "address",
            "name",
            sqlite_where=text("repeats"),
            postgresql_where=text("repeats"),
        ),
    )

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    address: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    uid: str = ""
    etag: str = ""
    ics: str = ""
    repeats: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    defect: str = ""
    trace: str


class CalendarTimeRow(SQLModel, table=True):
    """``day`` and ``last`` are dates of ISO 8601, and empty for a time that is not all day."""

    __tablename__ = "calendar_times"
    __table_args__ = (
        Index("ix_calendar_times_begin", "owner", "address", "begins"),
        Index(
            "ix_calendar_times_defect",
            "owner",
            "address",
            "begins",
            sqlite_where=text("defect <> ''"),
            postgresql_where=text("defect <> ''"),
        ),
    )

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    address: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    begins: datetime = Field(sa_column=time_column())
    ends: datetime = Field(sa_column=time_column())
    day: str = ""
    last: str = ""
    uid: str
    title: str
    etag: str
    occurrence: str = ""
    repeats: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    defect: str = ""
    trace: str
