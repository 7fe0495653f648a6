"""Lone statements, each a transaction of its own, without the machinery around a connection.

What every job passes through (written, claimed, struck off) costs more in that machinery than in
the database; and on SQLite, whose one writer all threads share, each step that gives up Python's
lock in between makes the others wait.
"""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement

from assistant.adapters.sql.prepared import prepared, wrapped
from assistant.adapters.sql.together import Asked, Together
from assistant.adapters.sql.turns import in_turn

REST_SECONDS = 5.0
"""A connection that rested longer is tried before it is used; its server may have restarted."""
LIGHT = "light"
"""Under this name a SQLite writer's pool record keeps the connection that does not flush."""


class Lone:
    """Runs prepared statements: durable ones on ``prompt``, on Postgres others on ``single``."""

    def __init__(self, *, prompt: Engine, single: Engine, read: Engine) -> None:
        self._prompt = prompt
        self._single = single
        self._read = read
        self._dialect: Any = prompt.dialect
        self._sqlite = prompt.dialect.name == "sqlite"
        self._at_hand: dict[Engine, tuple[Any, float]] = {}
        self._together = Together(self._on_sqlite if self._sqlite else self._on_postgres)

    def close(self) -> None:
        """Give back what is kept at hand. Nobody may be writing."""
        while self._at_hand:
            pooled, _ = self._at_hand.popitem()[1]
            pooled.close()

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
        ready = prepared(statement, self._dialect)
        with self._held(self._read) as pooled:
            found: list[Any] = pooled.driver_connection.execute(
                ready.text, ready.given(values)
            ).fetchall()
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
        ready = prepared(statement, self._dialect)
        asked = Asked(ready.text, ready.given(values), values["id"], take, durable)
        return self._together.write(asked)

    def _on_sqlite(self, batch: Sequence[Asked]) -> None:
        durable = any(asked.durable for asked in batch)
        with self._held(self._prompt) as pooled:
            writer = pooled.driver_connection if durable else pooled.info[LIGHT]
            if len(batch) == 1:
                in_turn(lambda: batch[0].run(writer))
                return
            in_turn(lambda: writer.execute("BEGIN IMMEDIATE"))
            try:
                for asked in batch:
                    self._try(asked, writer)
                writer.execute("COMMIT")
            finally:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")

    def _on_postgres(self, batch: Sequence[Asked]) -> None:
        durable = any(asked.durable for asked in batch)
        with self._kept(self._prompt if durable else self._single) as driver:
            if len(batch) == 1:
                batch[0].run(driver)
            elif not self._in_one_round_trip(batch, driver):
                for asked in batch:
                    self._try(asked, driver)

    def _in_one_round_trip(self, batch: Sequence[Asked], driver: Any) -> bool:
        """All of a batch or, where one of them fails, nothing; whether it was all.

        Without a transaction of their own, the statements of a pipeline are one. Their rows are
        locked in the order that every transaction keeps to.
        """
        ordered = sorted(batch, key=lambda asked: asked.key)
        try:
            with driver.pipeline():
                cursors = [driver.execute(asked.text, asked.given) for asked in ordered]
        except self._dialect.loaded_dbapi.Error:
            if driver.broken or driver.closed:
                raise
            return False
        for asked, cursor in zip(ordered, cursors, strict=True):
            asked.result = asked.take(cursor)
        return True

    def _try(self, asked: Asked, driver: Any) -> None:
        """One of a batch, which may fail by itself."""
        try:
            asked.run(driver)
        except self._dialect.loaded_dbapi.Error as error:
            if self._sqlite and not driver.in_transaction:  # such that all of it is rolled back
                raise
            asked.error = wrapped(error, asked.text, self._dialect, broken=False)

    @contextmanager
    def _kept(self, engine: Engine) -> Generator[Any]:
        """One that is not given back in between: one thread at a time carries out for all."""
        pooled, since = self._at_hand.pop(engine, (None, 0.0))
        if pooled is not None and time.monotonic() - since > REST_SECONDS:
            pooled.close()  # the pool tries it before it gives it away again
            pooled = None
        pooled = pooled or engine.raw_connection()
        try:
            yield pooled.driver_connection
        except self._dialect.loaded_dbapi.Error as error:
            ended = self._ended(pooled, error)
            pooled.close()
            raise ended from error
        except BaseException:  # interrupted: what it still answers would be another's
            pooled.invalidate()
            pooled.close()
            raise
        self._at_hand[engine] = pooled, time.monotonic()

    @contextmanager
    def _held(self, engine: Engine) -> Generator[Any]:
        pooled: Any = engine.raw_connection()
        try:
            yield pooled
        except self._dialect.loaded_dbapi.Error as error:
            raise self._ended(pooled, error) from error
        finally:
            pooled.close()

    def _ended(self, pooled: Any, error: Exception) -> DBAPIError:
        """The error in SQLAlchemy's words; a connection that is broken leaves the pool."""
        broken = bool(self._dialect.is_disconnect(error, pooled.dbapi_connection, None))
        if broken:
            pooled.invalidate(error)
        return wrapped(error, "", self._dialect, broken=broken)
