"""Run a statement in a transaction of its own.

Every job is written, claimed and removed so. Taking a connection from SQLAlchemy's pool costs more
than such a statement does in the database. And on SQLite, whose one writer all threads share, each
step in between that releases Python's lock makes the others wait.
"""

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import Executable

from assistant.adapters.sql.driver.busy_retry import retry_while_busy
from assistant.adapters.sql.driver.composed import run_composed
from assistant.adapters.sql.driver.errors import dbapi_error
from assistant.adapters.sql.driver.group_commit import GroupCommit, PendingWrite
from assistant.adapters.sql.driver.prepared import Compiled, Prepared, SqlResult, Statement, Values

IDLE_SECONDS = 5.0
"""A connection that was idle for longer is tested before it is used: its server may be another."""
KEPT_CONNECTIONS = 2
"""Connections to Postgres of each kind that a process keeps for single statements."""
UNFLUSHED = "unflushed"
"""Under this name, a SQLite writer's pool record keeps its connection that does not flush."""


class Autocommit:
    """Runs single statements, each on the connections that suit it.

    Args:
        durable: flushes each commit to the disk.
        unflushed: commits without flushing; for prepared writes to SQLite, see ``UNFLUSHED``.
        read: only reads; used on SQLite, where it waits for no writer.
    """

    def __init__(self, *, durable: Engine, unflushed: Engine, read: Engine) -> None:
        self._durable = durable
        self._unflushed = unflushed
        self._dialect: Any = durable.dialect
        self._sqlite = durable.dialect.name == "sqlite"
        self._read = read if self._sqlite else unflushed
        self._kept: dict[Engine, list[tuple[Any, float]]] = {durable: [], unflushed: []}
        self._group = GroupCommit(self._run_batch)

    def close(self) -> None:
        """Give the kept connections back to their pools. Nobody may be writing."""
        for kept in self._kept.values():
            while kept:
                kept.pop()[0].close()

    def run(
        self, statement: Statement, values: Values | None = None, *, durable: bool
    ) -> SqlResult:
        """Run a statement and commit it.

        ``durable`` False: a power cut may undo the commit, until a durable one has followed it.
        """
        engine = self._durable if durable else self._unflushed
        if not isinstance(statement, Prepared):
            return _commit_composed(engine, statement, values)
        compiled = statement.on(self._dialect)
        given = compiled.given(values or {})
        if self._sqlite:
            return self._group.write(PendingWrite(compiled, given, durable))
        return self._run_kept(engine, compiled, given)

    def read(self, statement: Statement, values: Values | None = None) -> SqlResult:
        """Run a statement that only reads. On SQLite it waits for no writer."""
        if not isinstance(statement, Prepared):
            return _commit_composed(self._read, statement, values)
        compiled = statement.on(self._dialect)
        given = compiled.given(values or {})
        if not self._sqlite:
            return self._run_kept(self._read, compiled, given)
        with self._lent(self._read) as pooled:
            return compiled.run(pooled.driver_connection, given)

    def _run_batch(self, batch: Sequence[PendingWrite]) -> None:
        durable = any(write.durable for write in batch)
        with self._lent(self._durable) as pooled:
            writer = pooled.driver_connection if durable else pooled.info[UNFLUSHED]
            if len(batch) == 1:
                retry_while_busy(lambda: batch[0].run(writer))
                return
            retry_while_busy(lambda: writer.execute("BEGIN IMMEDIATE"))
            try:
                for write in batch:
                    self._run_one_of(write, writer)
                writer.execute("COMMIT")
            finally:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")

    def _run_one_of(self, write: PendingWrite, writer: Any) -> None:
        """Run one statement of a batch, whose failure is its own."""
        try:
            write.run(writer)
        except self._dialect.loaded_dbapi.Error as error:
            if not writer.in_transaction:  # the failure rolled the whole batch back
                raise
            write.error = dbapi_error(error, write.statement.text, self._dialect, broken=False)

    def _run_kept(self, engine: Engine, compiled: Compiled, given: Any) -> SqlResult:
        """Run it on one of the few connections to Postgres that stay out of their pool."""
        pooled = self._take_kept(engine) or self._lend(engine)
        try:
            result = compiled.run(pooled.driver_connection, given)
        except self._dialect.loaded_dbapi.Error as error:
            raised = self._after_error(pooled, error)
            pooled.close()
            raise raised from error
        except BaseException:  # interrupted: its answer may come later, to another statement
            pooled.invalidate()
            pooled.close()
            raise
        kept = self._kept[engine]
        if len(kept) < KEPT_CONNECTIONS:
            kept.append((pooled, time.monotonic()))
        else:
            pooled.close()
        return result

    def _take_kept(self, engine: Engine) -> Any:
        """A kept connection that was not idle for long; the pool tests the others."""
        with suppress(IndexError):
            while True:
                pooled, since = self._kept[engine].pop()
                if time.monotonic() - since < IDLE_SECONDS:
                    return pooled
                pooled.close()
        return None

    @contextmanager
    def _lent(self, engine: Engine) -> Generator[Any]:
        pooled = self._lend(engine)
        try:
            yield pooled
        except self._dialect.loaded_dbapi.Error as error:
            raise self._after_error(pooled, error) from error
        finally:
            pooled.close()

    def _lend(self, engine: Engine) -> Any:
        """A connection of the pool, which may have to open it."""
        try:
            return engine.raw_connection()
        except self._dialect.loaded_dbapi.Error as error:
            raise dbapi_error(error, "", self._dialect, broken=False) from error

    def _after_error(self, pooled: Any, error: Exception) -> DBAPIError:
        """Wrap the error, and drop the connection from its pool if it is broken."""
        broken = bool(self._dialect.is_disconnect(error, pooled.dbapi_connection, None))
        if broken:
            pooled.invalidate(error)
        return dbapi_error(error, "", self._dialect, broken=broken)


def _commit_composed(engine: Engine, statement: Executable, values: Values | None) -> SqlResult:
    with engine.connect() as connection:
        result = run_composed(connection, statement, values)
        connection.commit()
    return result
