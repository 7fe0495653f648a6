"""Files and their versions."""

from datetime import datetime

from sqlalchemy import Boolean, Column
from sqlmodel import Field, SQLModel

from assistant.adapters.sql.tables.columns import time_column


class FileRow(SQLModel, table=True):
    """Which version a path holds now, changed by compare-and-set."""

    __tablename__ = "file"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    path: str = Field(primary_key=True)
    version: int


class FileVersionRow(SQLModel, table=True):
    __tablename__ = "file_version"

    owner: str = Field(foreign_key="owner.id", primary_key=True)
    path: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    deleted: bool = Field(sa_column=Column(Boolean(), nullable=False))
    size: int
    sha256: str
    blob: str
    content_type: str
    origin: str
    source: str
    call: str
    by: str
    at: datetime = Field(sa_column=time_column())
    trace: str
