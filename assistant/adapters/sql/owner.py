"""What is known of the owner: the zone they chose, and when they last did something."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, select, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.owners import OwnerRow
from assistant.domain.audit.entries import zone_chosen

_OWNER = table(OwnerRow)
_WHO = Prepared(select(_OWNER.c.chosen_zone, _OWNER.c.acted).where(_OWNER.c.id == bindparam("me")))
"""Built once, as every job reads it."""


class OwnerRows(AuditRows):
    """See ``assistant.domain.conversation.ports.OwnerTx``."""

    def zone(self) -> str:
        rows = self._all(_WHO, {"me": self.cause.owner})
        return str(rows[0]["chosen_zone"]) if rows else ""

    def choose_zone(self, zone: str, *, by: str) -> None:
        mine = update(_OWNER).where(_OWNER.c.id == self.cause.owner)
        if self._count(mine.where(_OWNER.c.chosen_zone != zone).values(chosen_zone=zone)):
            self.note(zone_chosen(zone, by=by))

    def last_acted(self) -> datetime | None:
        rows = self._all(_WHO, {"me": self.cause.owner})
        return rows[0]["acted"] if rows else None

    def note_act(self, *, away: timedelta, seen: timedelta) -> datetime | None:
        last = self.last_acted()
        if last is not None and self._now - last < seen:
            return None
        # Of two at once, one finds the row as it was.
        as_it_was = _OWNER.c.acted.is_(None) if last is None else _OWNER.c.acted == last
        statement = update(_OWNER).where(_OWNER.c.id == self.cause.owner, as_it_was)
        noted = self._count(statement.values(acted=self._now))
        return last if noted and last is not None and self._now - last >= away else None
