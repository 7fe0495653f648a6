"""Read stored entries, and tell what is wrong with those that cannot be read.

SQLite keeps what it is given, whatever type a column has: so the rows are read as they are, and
each is made an entry on its own.
"""

from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from assistant.adapters.sql.rows import Row
from assistant.domain.audit.chain import Fault
from assistant.domain.audit.cuts import AuditCut
from assistant.domain.audit.entry import AuditEntry

UNREADABLE = "unreadable"
"""Stands for the kind of an entry that cannot be read."""
_TIMES = ("at", "began", "ended")


def entry_of(row: Row) -> AuditEntry | Fault:
    """Return the entry of a raw row, or the fault that it cannot be read."""
    try:
        return AuditEntry.model_validate({**row, **{name: _moment(row[name]) for name in _TIMES}})
    except ValidationError as error:
        wrong = sorted({".".join(map(str, one["loc"])) for one in error.errors()})
    except (TypeError, ValueError):
        wrong = [name for name in _TIMES if not _is_moment(row[name])]
    return Fault(
        why=f"it cannot be read: {', '.join(wrong)}",
        place=whole(row["place"]) or None,
        number=whole(row["number"]),
        id=text_of(row["id"]),
    )


def readable_entry(row: Row) -> AuditEntry:
    """Return the entry of a raw row. One that cannot be read says so, and where it is."""
    entry = entry_of(row)
    if isinstance(entry, AuditEntry):
        return entry
    return AuditEntry(
        id=entry.id, kind=UNREADABLE, reason=entry.why, number=entry.number, place=entry.place
    )


def cut_of(row: Row) -> AuditCut | Fault:
    """Return the cut of a raw row, or the fault that it cannot be read."""
    try:
        times = {name: _moment(row[name]) for name in ("newest", "at")}
        return AuditCut.model_validate({**row, **times}, strict=True)
    except (TypeError, ValueError):
        why = "a cut of the audit cannot be read"
        return Fault(why=why, place=whole(row["place"]) or None)


def moment_of(value: Any) -> datetime | None:
    """Return the moment that a database gave, or None for what is none."""
    try:
        return _moment(value)
    except (TypeError, ValueError):
        return None


def _moment(value: Any) -> datetime | None:
    """Raises ``TypeError`` or ``ValueError`` for what is no moment as a database gives it."""
    if value is None or isinstance(value, datetime):
        moment = value
    else:
        moment = datetime.fromisoformat(value)
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _is_moment(value: Any) -> bool:
    return value is None or moment_of(value) is not None


def whole(value: Any) -> int:
    """Return a whole number, or 0 for what is none."""
    return value if isinstance(value, int) else 0


def text_of(value: Any) -> str:
    """Return a text, or an empty one for what is none."""
    return value if isinstance(value, str) else ""
