"""Conditions that keep rows which somebody or something still waits for."""

from assistant.domain.calls.states import OPEN

_STATES = ", ".join(f"'{state.value}'" for state in sorted(OPEN))


def not_there(table: str, *conditions: str) -> str:
    """Whether a table has no row for which all of these hold.

    Not ``NOT EXISTS``, for which Postgres may read all of the table once, and not one row a time.
    """
    return f"(SELECT 1 FROM {table} WHERE {' AND '.join(conditions)} LIMIT 1) IS NULL"  # noqa: S608 (constants)


def no_open_call(which: str) -> str:
    """Whether no call of the owner ``:me`` waits or runs; ``which`` is a condition on ``call``."""
    return not_there("call", "call.owner = :me", which, f"call.state IN ({_STATES})")


def no_live_job(name: str) -> str:
    """Whether no job of this name waits or runs; ``name`` is an expression of SQL."""
    return not_there("job", f"job.id = {name}", "NOT job.failed")
