"""Statements that are compiled once and run on the driver.

SQLAlchemy compiles them and says how to write their values and read their rows. What it does around
each execution costs a short statement more CPU than the database takes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias

from sqlalchemy import Dialect, SelectBase
from sqlalchemy.sql import ClauseElement, Executable

from assistant.domain.errors import BadArguments
from assistant.domain.sound import sound

Values: TypeAlias = Mapping[str, Any]
"""The parameters of a statement, by name."""
_Convert: TypeAlias = Callable[[Any], Any]


class SqlResult(NamedTuple):
    """What a statement returned, and how many rows it changed (or returned, if it does that)."""

    rows: list[dict[str, Any]]
    changed: int

    @classmethod
    def of(cls, rows: list[dict[str, Any]]) -> Self:
        return cls(rows, len(rows))


class Prepared:
    """A statement that a module holds, compiled once for each kind of database.

    It returns rows only where it names their columns: a ``Select``, or ``text(...).columns(...)``.
    It cannot take a list of values (``IN``).
    """

    def __init__(self, statement: ClauseElement) -> None:
        self.statement = statement
        self._compiled: dict[str, Compiled] = {}

    def on(self, dialect: Dialect) -> "Compiled":
        """The statement as this kind of database takes it."""
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = Compiled.of(self.statement, dialect)
        return found


Statement: TypeAlias = Prepared | Executable
"""What ``run`` takes: a prepared statement, or one that SQLAlchemy compiles and runs."""


@dataclass(frozen=True)
class Compiled:
    """A prepared statement as one kind of driver takes it."""

    text: str
    _order: tuple[str, ...]
    """The names of its parameters where the driver takes them by place, else empty."""
    _defaults: Mapping[str, Any]
    _writers: tuple[tuple[str, _Convert], ...]
    _columns: tuple[str, ...]
    _readers: tuple[tuple[str, _Convert], ...]

    @classmethod
    def of(cls, statement: ClauseElement, dialect: Dialect) -> Self:
        compiled: Any = statement.compile(dialect=dialect)
        columns = statement.selected_columns if isinstance(statement, SelectBase) else ()
        return cls(
            text=str(compiled),
            _order=tuple(compiled.positiontup or ()),
            _defaults={name: value for name, value in compiled.params.items() if value is not None},
            _writers=tuple(
                (name, writer)
                for name, bind in compiled.binds.items()
                if (writer := bind.type.dialect_impl(dialect).bind_processor(dialect))
            ),
            _columns=tuple(column.name for column in columns),
            _readers=tuple(
                (column.name, reader)
                for column in columns
                if (reader := column.type.dialect_impl(dialect).result_processor(dialect, None))
            ),
        )

    def given(self, values: Values) -> Any:
        """The parameters as the driver takes them.

        Raises:
            BadArguments: a column does not take its value.
            KeyError: a value is missing.
        """
        filled = {
            name: sound(value) if isinstance(value, str) else value
            for name, value in {**self._defaults, **values}.items()
        }
        for name, write in self._writers:
            try:
                filled[name] = write(filled[name])
            except (TypeError, ValueError) as error:
                raise BadArguments(f"{name}: {error}") from error
        return tuple(filled[name] for name in self._order) if self._order else filled

    def run(self, driver: Any, given: Any) -> SqlResult:
        """Run it on a driver's connection."""
        cursor = driver.execute(self.text, given)
        if self._columns or cursor.description:
            return SqlResult.of([self._read(row) for row in cursor.fetchall()])
        return SqlResult([], cursor.rowcount)

    def _read(self, row: tuple[Any, ...]) -> dict[str, Any]:
        """A row by the names of its columns."""
        found = dict(zip(self._columns, row, strict=True))
        for name, read in self._readers:
            found[name] = read(found[name])
        return found
