"""Lone statements, each a transaction of its own, without the machinery around a connection.

What every job passes through (written, claimed, struck off) costs more in that machinery than in
the database; and on SQLite, whose one writer all threads share, each step that gives up Python's
lock in between makes the others wait.
"""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement

from assistant.adapters.sql.prepared import prepared, wrapped
from assistant.adapters.sql.together import Asked, Together
from assistant.adapters.sql.turns import in_turn

REST_SECONDS = 5.0
"""A connection that rested longer is tried before it is used; its server may have restarted."""
AT_HAND = 2
"""Connections to Postgres of each kind that a process keeps for lone statements."""
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
        self._kept: dict[Engine, list[tuple[Any, float]]] = {prompt: [], single: []}
        self._together = Together(self._carry_out)

    def close(self) -> None:
        """Give back what is kept at hand. Nobody may be writing."""
        for kept in self._kept.values():
            while kept:
                kept.pop()[0].close()

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
        asked = Asked(ready.text, ready.given(values), take, durable)
        if self._sqlite:
            return self._together.write(asked)
        with self._at_hand(self._prompt if durable else self._single) as driver:
            asked.run(driver)
        return asked.result

    def _carry_out(self, batch: Sequence[Asked]) -> None:
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

    def _try(self, asked: Asked, writer: Any) -> None:
        """One of a batch, which may fail by itself."""
        try:
            asked.run(writer)
        except self._dialect.loaded_dbapi.Error as error:
            if not writer.in_transaction:  # such that all of it is rolled back
                raise
            asked.error = wrapped(error, asked.text, self._dialect, broken=False)

    @contextmanager
    def _at_hand(self, engine: Engine) -> Generator[Any]:
        """A connection to Postgres of those few that are not given back in between."""
        from assistant.adapters.sql.straight import straight  # noqa: PLC0415 (loads the driver)

        pooled = self._taken(engine) or self._given(engine)
        try:
            yield straight(pooled)
        except self._dialect.loaded_dbapi.Error as error:
            ended = self._ended(pooled, error)
            pooled.close()
            raise ended from error
        except BaseException:  # interrupted: what it still answers would be another's
            pooled.invalidate()
            pooled.close()
            raise
        kept = self._kept[engine]
        if len(kept) < AT_HAND:
            kept.append((pooled, time.monotonic()))
        else:
            pooled.close()

    def _taken(self, engine: Engine) -> Any:
        """One that did not rest too long; what did, the pool tries before it gives it away."""
        with suppress(IndexError):
            while True:
                pooled, since = self._kept[engine].pop()
                if time.monotonic() - since < REST_SECONDS:
                    return pooled
                pooled.close()
        return None

    @contextmanager
    def _held(self, engine: Engine) -> Generator[Any]:
        pooled = self._given(engine)
        try:
            yield pooled
        except self._dialect.loaded_dbapi.Error as error:
            raise self._ended(pooled, error) from error
        finally:
            pooled.close()

    def _given(self, engine: Engine) -> Any:
        """A connection of the pool's, which may have to make it."""
        try:
            return engine.raw_connection()
        except self._dialect.loaded_dbapi.Error as error:
            raise wrapped(error, "", self._dialect, broken=False) from error

    def _ended(self, pooled: Any, error: Exception) -> DBAPIError:
        """The error in SQLAlchemy's words; a connection that is broken leaves the pool."""
        broken = bool(self._dialect.is_disconnect(error, pooled.dbapi_connection, None))
        if broken:
            pooled.invalidate(error)
        return wrapped(error, "", self._dialect, broken=broken)
