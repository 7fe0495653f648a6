"""A calendar in memory that says what changed in it, as servers of three kinds do."""

from collections.abc import Sequence
from datetime import date
from itertools import count

from assistant.adapters.calendar.copying.stripping import stripped
from assistant.domain.calendar.copies.changes import CopiedObject, ObjectVersions, SyncKind
from assistant.domain.calendar.events import Event, When
from tests.memory_calendar import MemoryCalendar


class ChangingCalendar(MemoryCalendar):
    """``asked`` counts looks at what changed, and ``fetched`` the objects that were given."""

    kind = SyncKind.TOKEN

    def __init__(self, *, zone: str = "UTC", address: str = "memory://calendar/ as owner") -> None:
        super().__init__(zone=zone, address=address)
        self._steps = count(1)
        self._changed: dict[str, int] = {}
        self._step = 0
        self._oldest = 0
        self.away: Exception | None = None
        self.broken: set[str] = set()
        """UIDs of objects that hold nothing that can be read."""
        self.forgets = False
        """True for a server that forgets to tell of a change."""
        self.asked = 0
        self.fetched = 0

    def _kept(self, event: Event) -> Event:
        self._note(event.uid)
        return super()._kept(event)

    def remove(self, uid: str) -> None:
        self._note(uid)
        super().remove(uid)

    def forget_tokens(self) -> None:
        """Lose what was said before, as servers do after a repair."""
        self._oldest = self._step + 1
        self._step = next(self._steps)

    def address(self) -> str:
        self._must_answer()
        return super().address()

    def between(self, when: When) -> Sequence[Event]:
        self._must_answer()
        return super().between(when)

    def get(self, uid: str, *, occurrence: date | None = None) -> Event:
        self._must_answer()
        return super().get(uid, occurrence=occurrence)

    def changes(self, token: str) -> ObjectVersions:
        self._must_answer()
        self.asked += 1
        with self._lock:
            there = {_name(uid): event.etag for uid, event in self._stored.items()}
            now = f"{self._step}"
            if self.kind is SyncKind.CTAG and token == now:
                return ObjectVersions(etags={}, whole=False, token=now, kind=self.kind)
            known = token.isdigit() and int(token) >= self._oldest
            if self.kind is not SyncKind.TOKEN or not known:
                return ObjectVersions(etags=there, whole=True, token=now, kind=self.kind)
            changed = {_name(uid) for uid, step in self._changed.items() if step > int(token)}
            return ObjectVersions(
                etags={name: there[name] for name in changed & there.keys()},
                gone=frozenset(changed - there.keys()),
                whole=False,
                token=now,
                kind=self.kind,
            )

    def objects(self, names: Sequence[str]) -> Sequence[CopiedObject]:
        self._must_answer()
        found = []
        for name in names:
            uid = name.strip("/")
            with self._lock:
                if uid not in self._stored:
                    continue
                etag = self._stored[uid].etag
                if uid in self.broken:
                    found.append(CopiedObject(name=name, etag=etag, defect="it is torn"))
                    continue
                kept = stripped(self.raw(uid))
            self.fetched += 1
            found.append(CopiedObject(name=name, etag=etag, **kept._asdict()))
        return found

    def _note(self, uid: str) -> None:
        if self.forgets:
            return
        self._step = next(self._steps)
        self._changed[uid] = self._step

    def _must_answer(self) -> None:
        if self.away is not None:
            raise self.away


def _name(uid: str) -> str:
    return f"/{uid}"
