"""Statements that every job and every mail passes through, straight on the driver.

SQLAlchemy compiles them, once, and says how their values are written and read. What it does around
each execution costs a short statement more than the database does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

from sqlalchemy import Dialect, SelectBase
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement

from assistant.domain.errors import BadArguments
from assistant.domain.text.sound import sound

_Convert = Callable[[Any], Any]


@dataclass(frozen=True)
class Prepared:
    """A statement as one kind of driver takes it."""

    text: str
    _order: tuple[str, ...]
    """Its parameters' names where they are given by place, else empty."""
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

    def given(self, values: Mapping[str, Any]) -> Any:
        """The parameters as the driver takes them.

        Raises:
            BadArguments: a value that its column does not take.
            KeyError: one is missing.
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

    def read(self, row: tuple[Any, ...]) -> dict[str, Any]:
        """A row of a ``Select``, by the names of its columns."""
        found = dict(zip(self._columns, row, strict=True))
        for name, read in self._readers:
            found[name] = read(found[name])
        return found


def prepared(statement: ClauseElement, dialect: Dialect) -> Prepared:
    """Compiled once for a kind of database: for statements that a module holds, and no others.

    They return columns only where they are a ``Select``; lists of values (``IN``) they cannot take.
    """
    key = statement, dialect.name
    found = _known.get(key)
    if found is None:
        found = _known[key] = Prepared.of(statement, dialect)
    return found


_known: dict[tuple[ClauseElement, str], Prepared] = {}


def wrapped(error: Exception, text: str, dialect: Any, *, broken: bool) -> DBAPIError:
    """A driver's error as a connection of SQLAlchemy's would have raised it."""
    instance: Any = DBAPIError.instance(
        text,
        None,
        cast("Any", error),
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=broken,
        dialect=dialect,
    )
    return cast("DBAPIError", instance)
