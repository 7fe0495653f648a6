"""Read the audit and the rows it is about, page by page, to compare them."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, or_, select, text, type_coerce
from sqlalchemy.types import NullType

from assistant.adapters.sql.auditing.stored import cut_of, entry_of, moment_of, whole
from assistant.adapters.sql.rows import Row, Rows
from assistant.adapters.sql.tables.audit import AuditRow
from assistant.adapters.sql.tables.calls import CallRow, EffectRow
from assistant.adapters.sql.tables.columns import table
from assistant.domain.audit.chain import Fault
from assistant.domain.audit.cuts import ARCHIVED, AuditCut
from assistant.domain.audit.entries import KEPT, effect_digest, request_digest, requested
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.recorded import RecordedCall, RecordedCalls

_AUDIT = table(AuditRow)
_CALL = table(CallRow)
_EFFECT = table(EffectRow)

# A number is one if a cast leaves it as it is: SQLite sorts texts after all numbers.
# ``owner || ''`` makes the databases read the chain by place, as in ``..audit``.
_PLACED = text("""
SELECT * FROM audit
WHERE owner || '' = :me AND place > :after AND place = CAST(place AS BIGINT)
ORDER BY place LIMIT :most
""")
_MISPLACED = text("""
SELECT number, id FROM audit
WHERE owner = :me AND place IS NOT NULL AND place <> CAST(place AS BIGINT)
ORDER BY number LIMIT :most
""")
LOOSE = text("""
SELECT * FROM audit WHERE place IS NULL ORDER BY number LIMIT :most
""")
_CALLS = text("""
SELECT id, number, state, created, started, ended, tool, version, facts, asked FROM call
WHERE owner = :me AND number > :after AND number = CAST(number AS BIGINT)
ORDER BY number LIMIT :most
""")
_COUNTS = text("""
SELECT (SELECT calls FROM owner WHERE id = :me) AS made,
       (SELECT count(*) FROM call
        WHERE owner = :me AND number = CAST(number AS BIGINT)) AS rows
""")
_WITHOUT_CALL = text("""
SELECT subject, min(number) AS number FROM audit
WHERE owner = :me AND (kind LIKE :calls OR kind LIKE :effects)
  AND NOT EXISTS (SELECT 1 FROM call WHERE call.id = audit.subject)
GROUP BY subject ORDER BY min(number) LIMIT :most
""")
_KINDS = {"calls": "call.%", "effects": "effect.%"}
_OF_CALLS = (
    select(_AUDIT.c.subject, _AUDIT.c.kind, _AUDIT.c.args, _AUDIT.c.tool, _AUDIT.c.version)
    .where(
        _AUDIT.c.owner == bindparam("me"),
        _AUDIT.c.subject.in_(bindparam("ids", expanding=True)),
        or_(*(_AUDIT.c.kind.like(bindparam(name)) for name in _KINDS)),
    )
    .order_by(_AUDIT.c.number)
)
_EFFECTS = select(
    _EFFECT.c.call,
    _EFFECT.c.kind,
    _EFFECT.c.destination,
    _EFFECT.c.key,
    _EFFECT.c.state,
    type_coerce(_EFFECT.c.at, NullType()).label("at"),
).where(_EFFECT.c.owner == bindparam("me"), _EFFECT.c.call.in_(bindparam("ids", expanding=True)))

_CUTS = text("SELECT * FROM audit_cut WHERE owner = :me ORDER BY place")
_OF_CUTS = text("SELECT * FROM audit WHERE owner = :me AND kind = :kind ORDER BY number")


class AuditCheckRows(Rows):
    """See ``AuditTx`` in ``assistant.domain.audit.ports``."""

    def placed(self, *, after: int, limit: int = 500) -> Sequence[AuditEntry | Fault]:
        return [entry_of(row) for row in self._mine(_PLACED, after=after, most=limit)]

    def unplaced(self, *, limit: int = 500) -> Sequence[Fault]:
        wrong = [
            Fault(why="its place is no number", number=row["number"], id=str(row["id"]))
            for row in self._mine(_MISPLACED, most=limit)
        ]
        rows = self._all(LOOSE, {"most": limit})
        loose = [entry_of(row) for row in rows if row["owner"] == self.cause.owner]
        return [*wrong, *(one for one in loose if isinstance(one, Fault))]

    def recorded_calls(self, *, after: int, limit: int = 500) -> Sequence[RecordedCall]:
        calls = self._mine(_CALLS, after=after, most=limit)
        if not calls:
            return []
        ids = [str(call["id"]) for call in calls]
        effects: Mapping[str, list[Row]] = defaultdict(list)
        for row in self._mine(_EFFECTS, ids=ids):
            effects[row["call"]].append(row)
        told: Mapping[str, list[Row]] = defaultdict(list)
        for row in self._mine(_OF_CALLS, ids=ids, **_KINDS):
            told[row["subject"]].append(row)
        return [_recorded(call, effects[str(call["id"])], told[str(call["id"])]) for call in calls]

    def recorded_in_all(self) -> RecordedCalls:
        [counts] = self._mine(_COUNTS)
        orphans = self._mine(_WITHOUT_CALL, most=20, **_KINDS)
        return RecordedCalls(
            made=whole(counts["made"]),
            rows=counts["rows"],
            without_row={str(row["subject"]): row["number"] for row in orphans},
        )

    def audit_cuts(self) -> Sequence[AuditCut | Fault]:
        return [cut_of(row) for row in self._mine(_CUTS)]

    def entries_of_cuts(self) -> Sequence[AuditEntry]:
        entries = [entry_of(row) for row in self._mine(_OF_CUTS, kind=ARCHIVED)]
        return [entry for entry in entries if isinstance(entry, AuditEntry)]

    def _mine(self, statement: Any, **values: Any) -> list[Row]:
        return self._all(statement, {"me": self.cause.owner, **values})


def _recorded(call: Row, effects: Sequence[Row], told: Sequence[Row]) -> RecordedCall:
    times = [moment_of(call[name]) for name in ("created", "started", "ended")]
    of_call = [row for row in told if str(row["kind"]).startswith("call.")]
    steps = [str(row["kind"]) for row in of_call]
    said = (requested(*(str(row[part]) for part in ("tool", "version", "args"))) for row in of_call)
    return RecordedCall(
        id=str(call["id"]),
        number=int(call["number"]),
        state=str(call["state"]),
        told=steps[-1].removeprefix("call.") if steps else "",
        request=_request(call),
        told_request=next(filter(None, said), ""),
        changed=max(filter(None, times), default=None),
        effects={_name(effect): str(effect["state"]) for effect in effects},
        effects_changed={
            _name(effect): at for effect in effects if (at := moment_of(effect["at"]))
        },
        told_effects={
            str(row["args"]): str(row["kind"]).removeprefix("effect.")
            for row in told
            if str(row["kind"]).startswith("effect.") and row["kind"] != KEPT
        },
    )


def _request(call: Row) -> str:
    try:
        args, asked = json.loads(call["facts"])["args"], json.loads(call["asked"])
        return request_digest(str(call["tool"]), str(call["version"]), args, asked)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return "unreadable"


def _name(effect: Row) -> str:
    return effect_digest(*(str(effect[part]) for part in ("kind", "destination", "key")))
