"""The audit: appended with what it records."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, or_, select, text

from assistant.adapters.sql.rows import Rows
from assistant.adapters.sql.tables import AuditRow, UtcDateTime, table
from assistant.domain.audit import AuditEntry
from assistant.domain.ids import new_id

_AUDIT = table(AuditRow)

_NOTE = text("""
INSERT INTO audit (id, owner, trace, at, kind, subject, actor, tool, version, args, verdict,
                   reason, result, began, ended, place, previous, hash)
VALUES (:id, :owner, :trace, :at, :kind, :subject, :actor, :tool, :version, :args, :verdict,
        :reason, :result, :began, :ended, NULL, '', '')
""").bindparams(*(bindparam(name, type_=UtcDateTime()) for name in ("at", "began", "ended")))


class AuditRows(Rows):
    """Entries are written together at the end of their transaction, right before its jobs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._noted: list[AuditEntry] = []

    def note(self, entry: AuditEntry) -> None:
        self._must_write()
        self._noted.append(entry)

    def write_notes(self) -> None:
        if self._noted:
            self._connection.execute(_NOTE, [self._note_row(entry) for entry in self._noted])

    def _note_row(self, entry: AuditEntry) -> dict[str, Any]:
        return {
            "id": new_id(),
            "owner": self.cause.owner,
            "trace": self.cause.trace,
            "at": self._now,
            "kind": entry.kind,
            "subject": entry.subject,
            "actor": entry.actor,
            "tool": entry.tool,
            "version": entry.version,
            "args": entry.args,
            "verdict": entry.verdict,
            "reason": entry.reason,
            "result": entry.result,
            "began": entry.began,
            "ended": entry.ended,
        }

    def audit(
        self,
        *,
        subject: str = "",
        trace: str = "",
        kind: str = "",
        since: datetime | None = None,
        after: int = 0,
        newest: bool = False,
        limit: int = 200,
    ) -> Sequence[AuditEntry]:
        statement = select(_AUDIT).where(
            _AUDIT.c.owner == self.cause.owner, _AUDIT.c.number > after
        )
        if subject:
            statement = statement.where(_AUDIT.c.subject == subject)
        if trace:
            statement = statement.where(_AUDIT.c.trace == trace)
        if kind:
            below = _AUDIT.c.kind.startswith(f"{kind}.", autoescape=True)
            statement = statement.where(or_(_AUDIT.c.kind == kind, below))
        if since is not None:
            statement = statement.where(_AUDIT.c.at >= since)
        order = _AUDIT.c.number.desc() if newest else _AUDIT.c.number
        rows = self._all(statement.order_by(order).limit(limit))
        entries = [AuditEntry.model_validate(row) for row in rows]
        return entries[::-1] if newest else entries
