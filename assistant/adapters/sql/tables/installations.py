"""The installations that work on one database."""

from sqlalchemy import Boolean, Column, Double
from sqlmodel import Field, SQLModel


class InstallationRow(SQLModel, table=True):
    __tablename__ = "installation"

    id: str = Field(primary_key=True)
    host: str
    """The machine's name, for people: two machines may have one name."""
    private_calendar: bool = Field(sa_column=Column(Boolean(), nullable=False))
    """Whether it keeps its calendar in its own data folder."""
    seen: float = Field(sa_column=Column(Double(), nullable=False))
    """When it last said that it lives, in epoch seconds of the database's clock."""
