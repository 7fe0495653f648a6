"""The columns that tables are made of."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    Integer,
    Table,
    Text,
    TypeDecorator,
)
from sqlmodel import Field, SQLModel


class BrokenTime:
    """Stands for a time that is none, as SQLite keeps whatever it is given; see ``BrokenJson``."""

    def __init__(self, stored: object) -> None:
        self.stored = stored


class UtcDateTime(TypeDecorator[datetime]):
    """Aware datetimes in, aware datetimes in UTC out, on either database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            message = f"a naive time cannot be stored: {value}"
            raise ValueError(message)
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    def result_processor(self, dialect: Dialect, coltype: Any) -> Callable[[Any], Any] | None:
        read = super().result_processor(dialect, coltype)
        if read is None:
            return None

        def read_if_possible(value: Any) -> Any:
            try:
                return read(value)
            except (TypeError, ValueError):
                return BrokenTime(value)

        return read_if_possible


class BrokenJson:
    """Stands for JSON that cannot be parsed, so that no other row of a page is lost.

    No value of ours takes it: what reads the row refuses it, or says what is wrong.
    """

    def __init__(self, stored: object) -> None:
        self.stored = stored


class JsonText(TypeDecorator[Any]):
    """JSON as it was written, and comparable as text.

    Not JSONB, which gives ``1e22`` back as an integer: an approval is bound to what was shown.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        del dialect
        return json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        del dialect
        try:
            return json.loads(value or "null")
        except (TypeError, ValueError, RecursionError):
            return BrokenJson(value)


def json_column() -> Column[Any]:
    return Column(JsonText(), nullable=False)


def time_column(*, optional: bool = False, index: bool = False) -> Column[Any]:
    return Column(UtcDateTime(), nullable=optional, index=index)


def number_column() -> Column[Any]:
    """A growing number given by the database; SQLite only does that for ``INTEGER``."""
    return Column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
    )


def owner_field() -> Any:
    return Field(foreign_key="owner.id", index=False)


def table(model: type[SQLModel]) -> Table:
    """The Core table under a SQLModel class."""
    return cast("Table", model.__table__)  # type: ignore[attr-defined]  # SQLModel sets it
