"""Statements on Postgres as its server has them prepared, through psycopg's wrapper of libpq.

What psycopg does for a statement before it is sent (reading its parameters' places, keeping count
of what is prepared) costs as much again as sending it and waiting for what comes back, above all to
a process that has just woken up. Values are still written and read by psycopg, and waited for.
"""

import re
from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

from psycopg import Connection, abc, generators
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import (
    FeatureNotSupported,
    InvalidSqlStatementName,
    OperationalError,
    error_from_result,
)
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGresult

_PLACE = re.compile(r"%\((\w+)\)s|%%")
_KEPT = "straight"
_FINE = frozenset({ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK})
_OUTDATED = (FeatureNotSupported, InvalidSqlStatementName)
"""What was prepared was dropped (``DISCARD``), or its columns are now others (a migration)."""


class Answer:
    """What a cursor would say of it."""

    def __init__(self, result: PGresult, transformer: abc.Transformer) -> None:
        self._result = result
        self._transformer = transformer

    @property
    def rowcount(self) -> int:
        return self._result.command_tuples or 0

    def fetchall(self) -> Sequence[tuple[Any, ...]]:
        self._transformer.set_pgresult(self._result)
        return self._transformer.load_rows(0, self._result.ntuples, tuple)


class Straight:
    """The statements of one connection that have come more than once.

    Args:
        connection: one that commits each statement by itself, and prepares nothing.
    """

    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection
        self._order: dict[str, Sequence[str]] = {}
        self._names: dict[tuple[str, Any], bytes] = {}

    def execute(self, text: str, given: Mapping[str, Any]) -> Any:
        """As the connection's own ``execute``, which what comes for the first time is left to."""
        order = self._order.get(text)
        if order is None:
            found = self._connection.execute(text, given)
            self._order[text] = _names_in(text)
            return found
        transformer: abc.Transformer = Transformer(self._connection)
        values = transformer.dump_sequence(
            [given[name] for name in order], [PyFormat.AUTO] * len(order)
        )
        try:
            result = self._carry_out(text, values, transformer)
        except _OUTDATED:  # so that nothing was done
            self._names.pop((text, transformer.types), None)
            result = self._carry_out(text, values, transformer)
        return Answer(result, transformer)

    def _carry_out(
        self, text: str, values: Sequence[Any], transformer: abc.Transformer
    ) -> PGresult:
        name = self._names.get((text, transformer.types)) or self._prepare(text, transformer)
        self._connection.pgconn.send_query_prepared(name, values, transformer.formats)
        return self._answered()

    def _prepare(self, text: str, transformer: abc.Transformer) -> bytes:
        # Behind a pooler that others share, a name of theirs would be another statement.
        name = f"straight_{token_hex(8)}".encode()
        self._connection.pgconn.send_prepare(name, _numbered(text).encode(), transformer.types)
        self._answered()
        self._names[text, transformer.types] = name
        return name

    def _answered(self) -> PGresult:
        pgconn = self._connection.pgconn
        results: list[PGresult] = self._connection.wait(generators.execute(pgconn))
        result = results[-1]
        if result.status in _FINE:
            return result
        error = error_from_result(result, encoding=self._connection.info.encoding)
        if pgconn.status == ConnStatus.BAD:
            raise OperationalError(str(error)) from error
        raise error


def straight(pooled: Any) -> Straight:
    """That of a connection from a pool."""
    found: Straight | None = pooled.info.get(_KEPT)
    if found is None:
        found = pooled.info[_KEPT] = Straight(pooled.driver_connection)
    return found


def _names_in(text: str) -> list[str]:
    return list(dict.fromkeys(name for name in _PLACE.findall(text) if name))


def _numbered(text: str) -> str:
    """``%(name)s`` as ``$1``, ``%%`` as ``%``."""
    places = {name: f"${place}" for place, name in enumerate(_names_in(text), start=1)}
    return _PLACE.sub(lambda found: places[found[1]] if found[1] else "%", text)
