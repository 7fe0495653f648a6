"""The audit in memory."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from assistant.domain.audit.chain import Extent, Head
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.ids import new_id
from tests.memory_jobs import MemoryJobs
from tests.memory_state import State, aware, kept


class MemoryAudits(MemoryJobs):
    """See ``assistant.ports``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._noted: list[AuditEntry] = []

    def note(self, entry: AuditEntry) -> None:
        self._must_write()
        self._noted.append(entry)

    def finish(self) -> None:
        for entry in self._noted:
            number = len(self._state.audits) + 1
            given = {"id": new_id(), "number": number, "at": self._now}
            mine = {"owner": self.cause.owner, "trace": self.cause.trace}
            bare = {"place": None, "previous": "", "hash": ""}
            self._state.audits[number] = kept(entry, {**given, **mine, **bare})
        super().finish()

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
        found = [
            entry
            for entry in self._state.audits.values()
            if entry.owner == self.cause.owner
            and entry.number > after
            and subject in ("", entry.subject)
            and trace in ("", entry.trace)
            and (kind in ("", entry.kind) or entry.kind.startswith(f"{kind}."))
            and (since is None or (entry.at is not None and entry.at >= aware(since)))
        ]
        return found[-limit:] if newest else found[:limit]

    def audit_entry(self, id: str) -> AuditEntry:
        found = next((entry for entry in self._state.audits.values() if entry.id == id), None)
        return self._mine(found, f"audit entry {id}", lambda entry: entry.owner)

    def audit_kinds(self) -> Sequence[str]:
        mine = (entry for entry in self._state.audits.values() if entry.owner == self.cause.owner)
        return sorted({entry.kind for entry in mine})

    def chained(
        self, *, after: int = 0, since: datetime | None = None, limit: int = 500
    ) -> Sequence[AuditEntry]:
        later = [
            entry
            for entry in self._state.audits.values()
            if entry.owner == self.cause.owner
            and (entry.place or 0) > after
            and (since is None or (entry.at is not None and entry.at >= aware(since)))
        ]
        return sorted(later, key=lambda entry: entry.place or 0)[:limit]

    def chain_extent(self, *, after: int = 0) -> Extent:
        mine = [entry for entry in self._state.audits.values() if entry.owner == self.cause.owner]
        return Extent(
            count=sum(entry.place is not None and entry.place > after for entry in mine),
            loose=sum(entry.place is None for entry in mine),
            head=heads(self._state).get(self.cause.owner, Head()),
        )


def heads(state: State) -> dict[str, Head]:
    chained = [entry for entry in state.audits.values() if entry.place]
    return {
        entry.owner: Head(place=entry.place or 0, hash=entry.hash)
        for entry in sorted(chained, key=lambda entry: entry.place or 0)
    }
