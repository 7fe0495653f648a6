"""A transaction that begins with its first statement.

Prepared statements run on the driver's connection. The others run on a connection of SQLAlchemy's
over that one. It is made only for them, because making it costs more than most statements.
"""

from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from assistant.adapters.sql.driver.busy_retry import retry_while_busy
from assistant.adapters.sql.driver.composed import run_composed
from assistant.adapters.sql.driver.engines import Engines
from assistant.adapters.sql.driver.errors import dbapi_error
from assistant.adapters.sql.driver.prepared import Prepared, SqlResult, Statement, Values

_FEW = 3
"""So many executions cost less one by one than SQLAlchemy's way of running many together."""


class LazyTransaction:
    """Commits when its block is left, and rolls back when the block raises.

    Args:
        engines: lend it a connection.
        writing: False if it only reads; it then sees the database as it was at one moment.
    """

    def __init__(self, engines: Engines, *, writing: bool) -> None:
        self.sqlite = engines.sqlite
        self._engine = engines.read if self.sqlite and not writing else engines.write
        self._dialect: Any = self._engine.dialect
        self._writing = writing
        self._pooled: Any = None
        self._driver: Any = None
        self._connection: Connection | None = None

    @property
    def begun(self) -> bool:
        return self._driver is not None

    def begin(self) -> None:
        """Begin now, unless it has begun."""
        if self._driver is not None:
            return
        try:
            self._pooled = self._engine.raw_connection()
            self._driver = self._pooled.driver_connection
            if self.sqlite:
                self._begin_sqlite()
            elif not self._writing:
                self._only_read_postgres()
        except self._dialect.loaded_dbapi.Error as error:
            raise self._after_error(error, "BEGIN") from error

    def run(self, statement: Statement, values: Values | None = None) -> SqlResult:
        """Run a statement; its rows, and how many it changed."""
        if isinstance(statement, Prepared):
            return self._run_prepared(statement, values or {})
        return run_composed(self._composing(), statement, values)

    def run_each(self, statement: Prepared, each: Sequence[Values]) -> int:
        """Run a change once with each of these values; how many rows they changed in all."""
        if len(each) <= _FEW:
            return sum(self._run_prepared(statement, values).changed for values in each)
        composed: Any = statement.statement
        return run_composed(self._composing(), composed, list(each)).changed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pooled is None:
            return
        try:
            if kind is None:
                self._driver.commit()
        except self._dialect.loaded_dbapi.Error as failed:
            raise self._after_error(failed, "COMMIT") from failed
        finally:
            self._give_back()

    def _run_prepared(self, statement: Prepared, values: Values) -> SqlResult:
        self.begin()
        compiled = statement.on(self._dialect)
        given = compiled.given(values)
        try:
            return compiled.run(self._driver, given)
        except self._dialect.loaded_dbapi.Error as error:
            raise self._after_error(error, compiled.text) from error

    def _composing(self) -> Connection:
        """SQLAlchemy's connection over the driver's."""
        if self._connection is None:
            self.begin()
            self._connection = Connection(self._engine, self._pooled)
        return self._connection

    def _begin_sqlite(self) -> None:
        if self._writing:
            retry_while_busy(lambda: self._driver.execute("BEGIN IMMEDIATE"))
        else:
            self._driver.execute("BEGIN")

    def _only_read_postgres(self) -> None:
        """Set what the driver sends with its ``BEGIN``, before the first statement."""
        self._dialect.set_isolation_level(self._driver, "REPEATABLE READ")
        self._dialect.set_readonly(self._driver, True)

    def _give_back(self) -> None:
        """Roll back what is not committed, and give the connection back as it was."""
        lent = self._connection or self._pooled
        try:
            with suppress(self._dialect.loaded_dbapi.Error):  # a broken one, which the pool drops
                self._driver.rollback()
                if not self.sqlite and not self._writing:
                    self._dialect.reset_isolation_level(self._driver)
                    self._dialect.set_readonly(self._driver, False)
        except BaseException:  # interrupted: it may still be read-only for the next who has it
            lent.invalidate()
            raise
        finally:
            lent.close()

    def _after_error(self, error: Exception, text: str) -> DBAPIError:
        """Wrap the error, and drop the connection from its pool if it is broken."""
        broken = self._is_broken(error)
        if broken:
            (self._connection or self._pooled).invalidate(error)
        return dbapi_error(error, text, self._dialect, broken=broken)

    def _is_broken(self, error: Exception) -> bool:
        if self._driver is None:  # no connection was opened
            return False
        return bool(self._dialect.is_disconnect(error, self._driver, None))
