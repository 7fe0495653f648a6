"""Read and write rows inside a transaction: what the parts of ``SqlTx`` share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import Select, Table, bindparam, insert
from sqlalchemy.dialects import postgresql, sqlite

from assistant.adapters.sql.driver import LazyTransaction, Prepared, Statement, Values
from assistant.domain.errors import Denied, NotFound
from assistant.domain.jobs.job import Cause

Row: TypeAlias = dict[str, Any]


def prepared_upserts(make: Callable[[Any], Any]) -> Mapping[bool, Prepared]:
    """Prepare a statement with the ``insert`` of each database; True finds SQLite's."""
    return {True: Prepared(make(sqlite.insert)), False: Prepared(make(postgresql.insert))}


def assignments(table: Table, columns: Iterable[str]) -> dict[str, Any]:
    """What an update that is built once sets: each column to the parameter ``to_<column>``."""
    return {name: bindparam(f"to_{name}", type_=table.c[name].type) for name in sorted(columns)}


def assigned(values: Values) -> dict[str, Any]:
    """New values of columns, under the names that ``assignments`` gives to their parameters."""
    return {f"to_{name}": value for name, value in values.items()}


def as_columns(fields: Values) -> Row:
    """Field values as columns take them: enums as their text, tuples as lists."""
    return {name: _column(value) for name, value in fields.items()}


def _column(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple):
        return [_column(one) for one in value]
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return value


class Rows:
    """Base of the parts that make up ``SqlTx``."""

    def __init__(
        self, transaction: LazyTransaction, *, cause: Cause, now: datetime, writing: bool
    ) -> None:
        self.cause = cause
        self._writing = writing
        self._transaction = transaction
        self._now = now

    def _must_write(self) -> None:
        """Raises ``Denied`` in a transaction that only reads."""
        if not self._writing:
            raise Denied("this transaction only looks")

    def _locked(self, statement: Select[Any]) -> Select[Any]:
        self._must_write()
        return statement.with_for_update()

    def _all(self, statement: Statement, values: Values | None = None) -> list[Row]:
        return self._transaction.run(statement, values).rows

    def _one(self, statement: Statement, what: str, values: Values | None = None) -> Row:
        """The first row. Raises ``NotFound`` where there is none."""
        rows = self._all(statement, values)
        if not rows:
            raise NotFound(what)
        return rows[0]

    def _count(self, statement: Statement, values: Values | None = None) -> int:
        """Run a change; how many rows it changed."""
        self._must_write()
        return self._transaction.run(statement, values).changed

    def _count_each(self, statement: Prepared, each: Sequence[Values]) -> int:
        """Run a change once with each of these values; how many rows they changed in all."""
        self._must_write()
        return self._transaction.run_each(statement, each)

    def _insert(self, table: Table, values: Values) -> None:
        self._count(insert(table), self._signed(values))

    def _insert_new(self, table: Table, values: Values) -> bool:
        """Insert unless its key is taken; whether it was free."""
        statement = self._upsert(table).values(self._signed(values))
        return self._count(statement.on_conflict_do_nothing()) == 1

    def _upsert(self, table: Table) -> Any:
        if self._sqlite:
            return sqlite.insert(table)
        return postgresql.insert(table)

    @property
    def _sqlite(self) -> bool:
        return self._transaction.sqlite

    def _signed(self, values: Values) -> Row:
        return {**values, "owner": self.cause.owner, "trace": self.cause.trace}
