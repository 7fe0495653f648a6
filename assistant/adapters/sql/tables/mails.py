"""Mails, their attachments, and what they ask of their owner."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import (
    json_column,
    number_column,
    owner_field,
    time_column,
)


def _not_forgotten(name: str, *columns: str) -> Index:
    where = text("state <> 'forgotten'")
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)


class MailRow(SQLModel, table=True):
    __tablename__ = "mail"
    __table_args__ = (
        UniqueConstraint("owner", "sha256"),
        Index("ix_mail_state", "owner", "state", "number"),
        _not_forgotten("ix_mail_newest", "owner", "number"),
        _not_forgotten("ix_mail_received", "owner", "received", "number"),
        Index(
            "ix_mail_provisional",
            "owner",
            "provisional",
            "number",
            sqlite_where=text("provisional"),
            postgresql_where=text("provisional"),
        ),
        Index("ix_mail_address", "owner", "sender_address", "received"),
        Index(
            "ix_mail_bundle",
            "owner",
            "bundle",
            sqlite_where=text("bundle <> ''"),
            postgresql_where=text("bundle <> ''"),
        ),
    )

    number: int | None = Field(default=None, sa_column=number_column())
    id: str = Field(unique=True)
    owner: str = owner_field()
    sha256: str
    size: int
    door: str
    envelope: dict[str, Any] = Field(sa_column=json_column())
    raw: str
    received: datetime = Field(sa_column=time_column())
    state: str
    reason: str = ""
    message_id: str = ""
    sender: str = ""
    sender_address: str = ""
    more_senders: str = ""
    sent_by: str = ""
    reply_to: str = ""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    forward: dict[str, Any] = Field(sa_column=json_column())
    letters: list[dict[str, Any]] = Field(sa_column=json_column())
    words: str = ""
    inside: str = ""
    confirmation: dict[str, Any] | None = Field(sa_column=json_column())
    body: str = ""
    defects: list[str] = Field(sa_column=json_column())
    hidden_words: int = 0
    hidden: str = ""
    invitations: str = ""
    understood: dict[str, Any] = Field(sa_column=json_column())
    unproved: int = 0
    summary: str = ""
    summarised_by: str = ""
    provisional: bool = Field(default=False, sa_column=Column(Boolean(), nullable=False))
    bundle: str = ""
    trace: str


class AttachmentRow(SQLModel, table=True):
    __tablename__ = "attachment"

    mail: str = Field(foreign_key="mail.id", primary_key=True)
    ordinal: int = Field(primary_key=True)
    owner: str = owner_field()
    name: str
    content_type: str
    size: int
    sha256: str
    blob: str
    said: str = ""
    kind: str = ""
    doubt: str = ""
    letter: int = 0
    trace: str


class CommitmentRow(SQLModel, table=True):
    __tablename__ = "commitment"
    __table_args__ = (
        Index("ix_commitment_newest", "owner", "number"),
        Index("ix_commitment_mail", "mail"),
        Index(
            "ix_commitment_due",
            "owner",
            "due",
            sqlite_where=text("state = 'open'"),
            postgresql_where=text("state = 'open'"),
        ),
        # So that no number that was told to people comes to mean another row.
        {"sqlite_autoincrement": True},
    )

    number: int | None = Field(default=None, sa_column=number_column())
    id: str = Field(unique=True)
    owner: str = owner_field()
    mail: str = Field(foreign_key="mail.id")
    kind: str
    who: str
    words: str
    quote: str
    due: str
    """A day or a time of ISO 8601, as the mail's own zone has it; empty where there is none."""
    state: str
    made: datetime = Field(sa_column=time_column())
    told: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    trace: str


class InvitationRow(SQLModel, table=True):
    __tablename__ = "invitation"
    __table_args__ = (
        # Its id is made of these, and two constraints cannot both be what an insert yields to.
        Index("ix_invitation_event", "owner", "uid", "occurrence", "organizer"),
        Index("ix_invitation_mail", "owner", "mail"),
        Index("ix_invitation_led", "owner", "led"),
        Index(
            "ix_invitation_wanted",
            "owner",
            sqlite_where=text("wanted"),
            postgresql_where=text("wanted"),
        ),
    )

    id: str = Field(primary_key=True)
    owner: str = owner_field()
    uid: str
    occurrence: str
    organizer: str
    mail: str
    led: str
    known: dict[str, Any] | None = Field(sa_column=json_column())
    proposal: dict[str, Any] | None = Field(sa_column=json_column())
    asked: str
    wanted: bool = Field(sa_column=Column(Boolean(), nullable=False))
    told: list[str] = Field(sa_column=json_column())
    said: str
    withdrawn: str
    call: str
    made: datetime = Field(sa_column=time_column())
    updated: datetime = Field(sa_column=time_column())
    trace: str
