"""What channels should show, what they show, the tokens of its buttons, and reminders."""

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

UNSETTLED = "CASE WHEN shown = digest THEN 0 ELSE 1 END = 1"
"""Not ``shown <> digest``, of which Postgres expects nearly all rows, whatever they hold."""


NO_MAIL = "substr(id, 1, 4) <> 'mail'"
"""Of a delivery that announces no mail: what does is needed when the mail is to be forgotten."""


WAITING = "state = 'waiting'"
OVER = "state <> 'waiting'"
MISSING = "shown IS NULL AND kind <> 'turn'"
"""Of what was due and is not shown; ``turn`` is the kind of rows that only keep a time."""
UNTOLD = "shown IS NOT NULL AND NOT told"
"""Of what was shown and is still to be looked at: was it late?"""


class DeliveryRow(SQLModel, table=True):
    __tablename__ = "delivery"
    __table_args__ = (
        Index("ix_delivery_created", "owner", "created"),
        Index(
            "ix_delivery_old",
            "owner",
            "created",
            sqlite_where=text(NO_MAIL),
            postgresql_where=text(NO_MAIL),
        ),
        Index(
            "ix_delivery_unsettled",
            "owner",
            "created",
            sqlite_where=text(UNSETTLED),
            postgresql_where=text(UNSETTLED),
        ),
    )

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    id: str = Field(primary_key=True)
    channel: str
    place: str
    wanted: dict[str, Any] = Field(sa_column=json_column())
    digest: str
    """Of ``wanted``."""
    shown: str = ""
    handle: str = ""
    revision: int = 1
    tried: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    note: str = ""
    trace: str
    created: datetime = Field(sa_column=time_column())


class TokenRow(SQLModel, table=True):
    """The tokens of buttons, hashed. The tick deletes those that are of no more use."""

    __tablename__ = "token"
    __table_args__ = (
        Index("ix_token_delivery", "owner", "delivery"),
        Index("ix_token_expires", "expires"),
    )

    hash: str = Field(primary_key=True)
    owner: str = owner_field()
    verb: str
    subject: str
    card: str
    delivery: str
    terms: dict[str, str] = Field(sa_column=json_column())
    actor: str
    expires: datetime = Field(sa_column=time_column())
    used: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    by: str
    created: datetime = Field(sa_column=time_column())
    trace: str


class ScreenRow(SQLModel, table=True):
    """What terminals show. It is the channel's own memory, as Discord has its servers."""

    __tablename__ = "screen"
    __table_args__ = (Index("ix_screen_place", "place", "number"),)

    number: int | None = Field(default=None, sa_column=number_column())
    owner: str = owner_field()
    place: str
    key: str = Field(unique=True)
    shown: dict[str, Any] = Field(sa_column=json_column())
    revision: int = 1
    drawn: int = 0
    """The revision that a terminal has drawn, 0 when none has."""
    at: datetime = Field(sa_column=time_column())


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
        Index(
            "ix_reminder_over",
            "owner",
            "at",
            sqlite_where=text(OVER),
            postgresql_where=text(OVER),
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
        Index(
            "ix_due_notice_over",
            "owner",
            "due",
            sqlite_where=text("told"),
            postgresql_where=text("told"),
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
