"""What every part of a transaction has: a connection, a cause, a time."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import Connection, RowMapping, Select, Table, bindparam, insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import CoreExecuteOptionsParameter
from sqlalchemy.sql import ClauseElement, Executable

from assistant.adapters.sql.begun import Begun
from assistant.domain.errors import Denied, NotFound
from assistant.domain.jobs.job import Cause

# Else SQLAlchemy answers -1 for an INSERT on Postgres.
_COUNTED: CoreExecuteOptionsParameter = {"preserve_rowcount": True}

FEW = 3
"""Rows that are written one by one, which costs less than having SQLAlchemy write them together."""

S = TypeVar("S")


def for_each(make: Callable[[Any], S]) -> Mapping[bool, S]:
    """A statement made with each database's ``insert``; under True, SQLite's."""
    return {True: make(sqlite.insert), False: make(postgresql.insert)}


def to(table: Table, columns: Iterable[str]) -> dict[str, Any]:
    """What an update that is built once sets: each column to the parameter ``to_<column>``."""
    return {name: bindparam(f"to_{name}", type_=table.c[name].type) for name in sorted(columns)}


def to_be(values: Mapping[str, Any]) -> dict[str, Any]:
    """These values of columns, under the names of their parameters."""
    return {f"to_{name}": value for name, value in values.items()}


class Rows:
    """Base of the parts that make up ``SqlTx``."""

    def __init__(self, begun: Begun, *, cause: Cause, now: datetime, writing: bool) -> None:
        self.cause = cause
        self._writing = writing
        self._begun = begun
        self._now = now

    @property
    def _connection(self) -> Connection:
        return self._begun.connection

    def _must_write(self) -> None:
        """Raises ``Denied`` in a transaction that only looks."""
        if not self._writing:
            raise Denied("this transaction only looks")

    def _locked(self, statement: Select[Any]) -> Select[Any]:
        self._must_write()
        return statement.with_for_update()

    def _one(self, statement: Executable, what: str) -> RowMapping:
        row = self._connection.execute(statement).mappings().first()
        if row is None:
            raise NotFound(what)
        return row

    def _all(
        self, statement: Executable, values: Mapping[str, Any] | None = None
    ) -> list[RowMapping]:
        return list(self._connection.execute(statement, values).mappings())

    def _count(self, statement: Executable, values: Mapping[str, Any] | None = None) -> int:
        """Carry out a change; how many rows it changed."""
        self._must_write()
        return self._connection.execute(statement, values, execution_options=_COUNTED).rowcount

    def _ready(self, statement: ClauseElement, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of a ``Select`` that a module holds, straight from the driver."""
        ready, cursor = self._begun.execute(statement, values)
        return [ready.read(row) for row in cursor.fetchall()]

    def _one_ready(
        self, statement: ClauseElement, what: str, values: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The first of them. Raises ``NotFound`` where there is none."""
        found = self._ready(statement, values)
        if not found:
            raise NotFound(what)
        return found[0]

    def _count_ready(self, statement: ClauseElement, values: Mapping[str, Any]) -> int:
        """Carry out a change that a module holds, straight on the driver; rows it changed."""
        self._must_write()
        _, cursor = self._begun.execute(statement, values)
        return int(cursor.rowcount)

    def _insert(self, table: Table, values: Mapping[str, Any]) -> None:
        self._must_write()
        self._connection.execute(insert(table), self._signed(values))

    def _insert_new(self, table: Table, values: Mapping[str, Any]) -> bool:
        """Insert unless its key is taken; whether it was free."""
        statement = self._upsert(table).values(self._signed(values))
        return self._count(statement.on_conflict_do_nothing()) == 1

    def _upsert(self, table: Table) -> Any:
        if self._sqlite:
            return sqlite.insert(table)
        return postgresql.insert(table)

    @property
    def _sqlite(self) -> bool:
        return self._begun.sqlite

    def _signed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {**values, "owner": self.cause.owner, "trace": self.cause.trace}
