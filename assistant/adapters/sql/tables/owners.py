"""Owners, and the people whom channels know."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import owner_field, time_column


class OwnerRow(SQLModel, table=True):
    __tablename__ = "owner"

    id: str = Field(primary_key=True)
    name: str
    zone: str
    """That of the settings at the last start."""
    chosen_zone: str = ""
    """The one that the owner chose; empty where that of the settings counts."""
    calls: int = 0
    """How many calls there have been: the next one's number, less one."""
    grants: int = 0
    """How many grants there have been, likewise."""
    created: datetime = Field(sa_column=time_column())
    acted: datetime | None = Field(default=None, sa_column=time_column(optional=True))
    """When they last spoke, pressed a button or gave a command, to about ten minutes."""


class PersonRow(SQLModel, table=True):
    """The one owner whom somebody in a channel speaks for."""

    __tablename__ = "person"

    channel: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    owner: str = owner_field()
    by: str
    at: datetime = Field(sa_column=time_column())
    trace: str


class CredentialRow(SQLModel, table=True):
    """A password of an account elsewhere, encrypted with a key that is not in the database."""

    __tablename__ = "credential"

    owner: str = Field(primary_key=True, foreign_key="owner.id")
    name: str = Field(primary_key=True)
    about: str
    """What it is for, as JSON."""
    sealed: str
    created: datetime = Field(sa_column=time_column())
    trace: str
