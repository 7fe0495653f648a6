"""Run single statements: what the parts of ``SqlStore`` share."""

from datetime import datetime

from assistant.adapters.sql.driver import Engines, Statement, Values, translated
from assistant.adapters.sql.rows import Row
from assistant.domain.errors import BadArguments
from assistant.ports import Clock


def epoch(moment: datetime) -> float:
    """Seconds since 1970. Raises ``BadArguments`` for a naive time."""
    if moment.tzinfo is None:
        raise BadArguments(f"a naive time cannot be stored: {moment}")
    return moment.timestamp()


class StorePart:
    """Base of the parts that make up ``SqlStore``."""

    def __init__(self, *, engines: Engines, clock: Clock) -> None:
        self._engines = engines
        self._clock = clock

    def _run(self, statement: Statement, values: Values | None = None) -> list[Row]:
        """Run a statement whose commit need not be flushed, and return its rows."""
        with translated():
            return self._engines.autocommit.run(statement, values, durable=False).rows

    def _count_flushed(self, statement: Statement, values: Values) -> int:
        """Run a change, flush its commit to the disk, and return how many rows it changed."""
        with translated():
            return self._engines.autocommit.run(statement, values, durable=True).changed

    def _read(self, statement: Statement, values: Values | None = None) -> list[Row]:
        with translated():
            return self._engines.autocommit.read(statement, values).rows

    def _epoch(self) -> float:
        return epoch(self._clock.now())
