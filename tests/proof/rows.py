"""Rows changed behind the store's back, as by somebody with a hand in the database."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Table, delete, update

from assistant.adapters.sql.rows import as_columns
from assistant.adapters.sql.store import SqlStore
from assistant.adapters.sql.tables import ApprovalRow, CallRow, table
from assistant.domain.approvals import Approval
from assistant.domain.calls import Call
from tests.memory_store import MemoryStore
from tests.proof.stage import Stage


def rewrite(stage: Stage, row: Call | Approval, *, gone: bool = False, **changes: Any) -> None:
    """Change a row, or take it away; a change that is a function is given what is there."""
    changed = {
        name: change(getattr(row, name)) if isinstance(change, Callable) else change  # type: ignore[arg-type]  # a function is one
        for name, change in changes.items()
    }
    if isinstance(stage.store, MemoryStore):
        _in_memory(stage.store, row, changed, gone=gone)
    elif isinstance(stage.store, SqlStore):
        _in_sql(stage.store, row, changed, gone=gone)


def _in_memory(store: MemoryStore, row: Call | Approval, changed: Any, *, gone: bool) -> None:
    rows: dict[str, Any] = store._state.calls
    key = row.id
    if isinstance(row, Approval):
        rows, key = store._state.approvals, row.call
    if gone:
        del rows[key]
    else:
        rows[key] = rows[key].model_copy(update=changed)


def _in_sql(store: SqlStore, row: Call | Approval, changed: Any, *, gone: bool) -> None:
    rows: Table = table(CallRow if isinstance(row, Call) else ApprovalRow)
    with store._engines.write.begin() as connection:
        if gone:
            connection.execute(delete(rows).where(rows.c.id == row.id))
        else:
            connection.execute(update(rows).where(rows.c.id == row.id).values(as_columns(changed)))
