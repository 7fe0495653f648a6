"""The audit: its entries are appended with what they record."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, or_, select, text, type_coerce
from sqlalchemy.types import NullType

from assistant.adapters.sql.auditing.checks import LOOSE, AuditCheckRows
from assistant.adapters.sql.auditing.stored import entry_of, readable_entry, text_of
from assistant.adapters.sql.driver import Engines, LazyTransaction, Prepared
from assistant.adapters.sql.tables.audit import AuditCutRow, AuditRow
from assistant.adapters.sql.tables.columns import UtcDateTime, table
from assistant.domain.audit import chain as audit_chain
from assistant.domain.audit.chain import Extent, Head
from assistant.domain.audit.cuts import AuditCut, archived
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.errors import Conflict
from assistant.domain.ids import new_id

_AUDIT = table(AuditRow)
_CUT = table(AuditCutRow)
_STORED = [type_coerce(column, NullType()).label(column.name) for column in _AUDIT.c]
"""The columns as they are stored: a value that is not of its column's type stops no listing."""

_NOTE = Prepared(
    text("""
INSERT INTO audit (id, owner, trace, at, kind, subject, actor, tool, version, args, verdict,
                   reason, result, began, ended, place, previous, hash)
VALUES (:id, :owner, :trace, :at, :kind, :subject, :actor, :tool, :version, :args, :verdict,
        :reason, :result, :began, :ended, NULL, '', '')
""").bindparams(*(bindparam(name, type_=UtcDateTime()) for name in ("at", "began", "ended")))
)

_EXTENT = text("""
SELECT count(*) FILTER (WHERE place > :after) AS count,
       count(*) FILTER (WHERE place IS NULL) AS loose
FROM audit WHERE owner = :me
""")

# ``owner || ''`` makes the databases read the chain by place. Else they find all entries of the
# owner, which are most of them, and sort them for each page: 40 ms and not 1, at 100,000 entries.
_HEAD = text("""
SELECT place, hash FROM audit WHERE owner || '' = :me AND place = CAST(place AS BIGINT)
ORDER BY place DESC LIMIT 1
""")
_OWNERS = text("SELECT id FROM owner")
_NEWEST = text("""
SELECT coalesce(max(place), 0) AS place FROM audit WHERE place = CAST(place AS BIGINT)
""")
_PLACE = Prepared(
    text("""
UPDATE audit SET place = :place, previous = :previous, hash = :hash
WHERE number = :number AND place IS NULL
""")
)

# ``owner || ''`` as above.
_DELETE = text("""
DELETE FROM audit WHERE owner || '' = :me AND place > :after AND place <= :place
""")

# Any number that nothing else in this database uses.
_ALONE = text("SELECT pg_try_advisory_xact_lock(72361651) AS alone")


def head_of(transaction: LazyTransaction, owner: str) -> Head:
    rows = transaction.run(_HEAD, {"me": owner}).rows
    if not rows:
        return Head()
    return Head(place=rows[0]["place"], hash=text_of(rows[0]["hash"]))


def heads(transaction: LazyTransaction) -> dict[str, Head]:
    owners = [row["id"] for row in transaction.run(_OWNERS).rows]
    found = {owner: head_of(transaction, owner) for owner in owners}
    return {owner: head for owner, head in found.items() if head.place}


def chain(engines: Engines, *, limit: int) -> int:
    """See ``Store.chain`` in ``assistant.domain.store``. Does the slow part before it locks."""
    with LazyTransaction(engines, writing=False) as reading:
        read = [entry_of(row) for row in reading.run(LOOSE, {"most": limit}).rows]
        loose = [entry for entry in read if isinstance(entry, AuditEntry)]
        if not loose:
            return 0
        newest = _newest(reading)
        before = {owner: head_of(reading, owner) for owner in {entry.owner for entry in loose}}
    chained = audit_chain.chain(loose, heads=before, place=newest)
    with LazyTransaction(engines, writing=True) as writing:
        if not _alone(writing) or _newest(writing) != newest:
            return 0
        placed = writing.run_each(_PLACE, [_link_of(entry) for entry in chained])
        if placed != len(chained):
            raise Conflict("what was to be chained has a place already")
    return len(chained)


def _alone(transaction: LazyTransaction) -> bool:
    """Whether nobody else chains now. SQLite lets in one writer at a time."""
    return transaction.sqlite or bool(transaction.run(_ALONE).rows[0]["alone"])


def _newest(transaction: LazyTransaction) -> int:
    """The last place in the chain, 0 when there is none."""
    return int(transaction.run(_NEWEST).rows[0]["place"])


def _link_of(entry: AuditEntry) -> dict[str, Any]:
    return entry.model_dump(include={"number", "place", "previous", "hash"})


class AuditRows(AuditCheckRows):
    """Entries are written together at the end of their transaction, right before its jobs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._noted: list[AuditEntry] = []

    def note(self, entry: AuditEntry) -> None:
        self._must_write()
        self._noted.append(entry)

    def write_notes(self) -> None:
        if self._noted:
            self._count_each(_NOTE, [self._note_row(entry) for entry in self._noted])

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
        statement = select(*_STORED).where(
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
        entries = [readable_entry(row) for row in rows]
        return entries[::-1] if newest else entries

    def cut_audit(self, cut: AuditCut, *, after: int) -> bool:
        given = {**cut.model_dump(), "owner": self.cause.owner, "at": self._now}
        inserting = self._upsert(_CUT).values(given).on_conflict_do_nothing()
        if not self._count(inserting):
            return False
        if head_of(self._transaction, self.cause.owner).place <= cut.place:
            raise Conflict("the newest entry of the audit stays")
        self.note(archived(cut))
        deleted = self._count(_DELETE, {"me": self.cause.owner, "after": after, "place": cut.place})
        if deleted != cut.count:
            raise Conflict(f"{deleted} audit entries were there to be cut, and not {cut.count}")
        return True

    def audit_entry(self, id: str) -> AuditEntry:
        statement = select(*_STORED).where(_AUDIT.c.id == id, _AUDIT.c.owner == self.cause.owner)
        return readable_entry(self._one(statement, f"audit entry {id}"))

    def audit_kinds(self) -> Sequence[str]:
        found = select(_AUDIT.c.kind).where(_AUDIT.c.owner == self.cause.owner).distinct()
        return sorted(row["kind"] for row in self._all(found))

    def chained(
        self, *, after: int = 0, since: datetime | None = None, limit: int = 500
    ) -> Sequence[AuditEntry]:
        statement = select(*_STORED).where(
            _AUDIT.c.owner.concat("") == self.cause.owner, _AUDIT.c.place > after
        )
        if since is not None:
            statement = statement.where(_AUDIT.c.at >= since)
        rows = self._all(statement.order_by(_AUDIT.c.place).limit(limit))
        read = [entry_of(row) for row in rows]
        return [entry for entry in read if isinstance(entry, AuditEntry)]

    def chain_extent(self, *, after: int = 0) -> Extent:
        [counted] = self._all(_EXTENT, {"me": self.cause.owner, "after": after})
        return Extent(**counted, head=head_of(self._transaction, self.cause.owner))
