"""A transaction that begins with its first statement, on the driver.

Statements that are prepared run on the driver; others on a connection of SQLAlchemy's over the
same, which is made only for them: making one costs more than most of what is done in it.
"""

from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement

from assistant.adapters.sql.engine import Engines
from assistant.adapters.sql.prepared import Prepared, prepared, wrapped
from assistant.adapters.sql.turns import in_turn


class Begun:
    """Commits when it is left, or rolls back when something was raised.

    Args:
        engines: what it takes a connection from.
        writing: False for one that only looks, at one moment.
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
    def yet(self) -> bool:
        return self._driver is not None

    @property
    def connection(self) -> Connection:
        """For statements that are not prepared."""
        if self._connection is None:
            self.begin()
            self._connection = Connection(self._engine, self._pooled)
        return self._connection

    def begin(self) -> None:
        if self._driver is not None:
            return
        try:
            self._pooled = self._engine.raw_connection()
            self._driver = self._pooled.driver_connection
            if self.sqlite:
                self._begin_sqlite()
            elif not self._writing:
                self._look_on_postgres()
        except self._dialect.loaded_dbapi.Error as error:
            raise self._ended(error, "BEGIN") from error

    def execute(self, statement: ClauseElement, values: Mapping[str, Any]) -> tuple[Prepared, Any]:
        """Carry out a statement that a module holds; with the cursor that has its rows."""
        self.begin()
        ready = prepared(statement, self._dialect)
        given = ready.given(values)
        try:
            return ready, self._driver.execute(ready.text, given)
        except self._dialect.loaded_dbapi.Error as error:
            raise self._ended(error, ready.text) from error

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
            raise self._ended(failed, "COMMIT") from failed
        finally:
            self._leave()

    def _begin_sqlite(self) -> None:
        if self._writing:
            in_turn(lambda: self._driver.execute("BEGIN IMMEDIATE"))
        else:
            self._driver.execute("BEGIN")

    def _look_on_postgres(self) -> None:
        """Said with the ``BEGIN`` that the driver sends before the first statement."""
        self._dialect.set_isolation_level(self._driver, "REPEATABLE READ")
        self._dialect.set_readonly(self._driver, True)

    def _leave(self) -> None:
        """Roll back what is not committed, and give the connection back as it was."""
        lent = self._connection or self._pooled
        try:
            with suppress(self._dialect.loaded_dbapi.Error):  # a broken one, which the pool drops
                self._driver.rollback()
                if not self.sqlite and not self._writing:
                    self._dialect.reset_isolation_level(self._driver)
                    self._dialect.set_readonly(self._driver, False)
        except BaseException:  # interrupted: whoever had it next might only look
            lent.invalidate()
            raise
        finally:
            lent.close()

    def _ended(self, error: Exception, text: str) -> DBAPIError:
        """The error in SQLAlchemy's words; a connection that is broken leaves the pool."""
        broken = self._is_broken(error)
        if broken:
            (self._connection or self._pooled).invalidate(error)
        return wrapped(error, text, self._dialect, broken=broken)

    def _is_broken(self, error: Exception) -> bool:
        if self._driver is None:  # it never was
            return False
        return bool(self._dialect.is_disconnect(error, self._driver, None))
