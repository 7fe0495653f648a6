"""Lone statements, each a transaction of its own, without the machinery around a connection.

What every job passes through (written, claimed, struck off) costs more in that machinery than in
the database; and on SQLite, whose one writer all threads share, each step that gives up Python's
lock in between makes the others wait.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement

from assistant.adapters.sql.prepared import prepared, wrapped
from assistant.adapters.sql.turns import in_turn

LIGHT = "light"
"""Under this name a SQLite writer's pool record keeps the connection that does not flush."""


class Lone:
    """Runs prepared statements: durable ones on ``write``, on Postgres others on ``single``."""

    def __init__(self, *, write: Engine, single: Engine, read: Engine) -> None:
        self._engine = write
        self._single = single
        self._read = read
        self._sqlite = write.dialect.name == "sqlite"

    def rows(
        self, statement: ClauseElement, values: Mapping[str, Any], *, durable: bool
    ) -> list[Any]:
        """Carry it out; the rows it returns, as tuples.

        ``durable`` False: the commit may be lost with the machine's power.
        """
        found: list[Any] = self._run(statement, values, durable, lambda cursor: cursor.fetchall())
        return found

    def seen(self, statement: ClauseElement, values: Mapping[str, Any]) -> list[Any]:
        """The rows that a look returns, as tuples; on SQLite no writer is waited for."""
        if not self._sqlite:
            return self.rows(statement, values, durable=False)
        ready = prepared(statement, self._engine.dialect)
        pooled: Any = self._read.raw_connection()
        try:
            found: list[Any] = pooled.driver_connection.execute(
                ready.text, ready.given(values)
            ).fetchall()
        except self._engine.dialect.loaded_dbapi.Error as error:
            raise self._wrapped(pooled, ready.text, error) from error
        finally:
            pooled.close()
        return found

    def count(self, statement: ClauseElement, values: Mapping[str, Any]) -> int:
        """Carry it out, flushed; how many rows it changed."""
        counted: int = self._run(statement, values, True, lambda cursor: cursor.rowcount)
        return counted

    def _run(
        self,
        statement: ClauseElement,
        values: Mapping[str, Any],
        durable: bool,  # noqa: FBT001 (private)
        take: Callable[[Any], Any],
    ) -> Any:
        ready = prepared(statement, self._engine.dialect)
        text, given = ready.text, ready.given(values)
        engine = self._engine if durable or self._sqlite else self._single
        pooled: Any = engine.raw_connection()
        try:
            if self._sqlite:
                writer = pooled.driver_connection if durable else pooled.info[LIGHT]
                return take(in_turn(lambda: writer.execute(text, given)))
            if not durable:
                return take(pooled.driver_connection.execute(text, given))
            with _autocommit(pooled.driver_connection) as driver:
                return take(driver.execute(text, given))
        except self._engine.dialect.loaded_dbapi.Error as error:
            raise self._wrapped(pooled, text, error) from error
        finally:
            pooled.close()

    def _wrapped(self, pooled: Any, text: str, error: Any) -> DBAPIError:
        """The error as a connection would have raised it; a broken connection leaves the pool."""
        dialect: Any = self._engine.dialect
        broken = bool(dialect.is_disconnect(error, pooled.dbapi_connection, None))
        if broken:
            pooled.invalidate(error)
        return wrapped(error, text, dialect, broken=broken)


@contextmanager
def _autocommit(driver: Any) -> Generator[Any]:
    driver.autocommit = True
    try:
        yield driver
    finally:
        if not driver.closed:
            driver.autocommit = False
