"""Statements that SQLAlchemy compiles and runs, as they are built where they are used."""

from collections.abc import Sequence

from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import CoreExecuteOptionsParameter
from sqlalchemy.sql import Executable

from assistant.adapters.sql.driver.prepared import SqlResult, Values

# Else SQLAlchemy counts -1 rows for an INSERT on Postgres.
_COUNTED: CoreExecuteOptionsParameter = {"preserve_rowcount": True}


def run_composed(
    connection: Connection,
    statement: Executable,
    values: Values | Sequence[Values] | None,
) -> SqlResult:
    found = connection.execute(statement, values, execution_options=_COUNTED)
    rows = [dict(row) for row in found.mappings()] if found.returns_rows else []
    # SQLite counts no rows before they are read. For an INSERT on Postgres, SQLAlchemy reads the
    # new key itself and leaves no rows.
    return SqlResult(rows, max(len(rows), found.rowcount))
