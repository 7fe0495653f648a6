"""Grants: saved once, counted with each use, ended once."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.grants import GrantRow
from assistant.adapters.sql.tables.owners import OwnerRow
from assistant.domain.audit.entries import grant_ended, grant_saved, grant_used
from assistant.domain.errors import Conflict
from assistant.domain.policy.grants import Grant

_GRANT = table(GrantRow)
_OWNER = table(OwnerRow)

# Built once, because every decision reads them.
_MINE = select(_GRANT).where(_GRANT.c.owner == bindparam("me")).order_by(_GRANT.c.number.desc())
_ALL = Prepared(_MINE)
_THAT_COUNT = Prepared(
    # By the time they end: most have. ``owner || ''`` keeps SQLite from looking at all the owner's.
    select(_GRANT)
    .where(
        _GRANT.c.owner.concat("") == bindparam("me"),
        _GRANT.c.revoked.is_(None),
        _GRANT.c.used < _GRANT.c.uses,
        _GRANT.c.expires > bindparam("now"),
    )
    .order_by(_GRANT.c.number.desc())
)


class GrantRows(AuditRows):
    """See ``assistant.domain.policy.ports``."""

    def add_grant(self, grant: Grant) -> Grant:
        self._must_write()
        number = self._one(
            update(_OWNER)
            .where(_OWNER.c.id == self.cause.owner)
            .values(grants=_OWNER.c.grants + 1)
            .returning(_OWNER.c.grants),
            f"owner {self.cause.owner}",
        )["grants"]
        given = {"number": number, "owner": self.cause.owner, "trace": self.cause.trace}
        saved = grant.model_copy(update=given)
        json = saved.model_dump(mode="json", include={"scope", "reach"})
        self._insert(_GRANT, {**saved.model_dump(), **json})
        self.note(grant_saved(saved))
        return saved

    def grants(self, *, ended: bool = False) -> Sequence[Grant]:
        statement = _ALL if ended else _THAT_COUNT
        rows = self._all(statement, {"me": self.cause.owner, "now": self._now})
        return [Grant.model_validate(row) for row in rows]

    def grant_named(self, handle: str) -> Grant:
        number = handle.strip().lstrip("#").upper().removeprefix("G")
        if number.isascii() and number.isdigit() and len(number) < 10:  # noqa: PLR2004 (fits 32 bits)
            which = _GRANT.c.number == int(number)
        else:
            which = _GRANT.c.id == handle.strip()
        statement = select(_GRANT).where(which, _GRANT.c.owner == self.cause.owner)
        return Grant.model_validate(self._one(statement, f"grant {handle}"))

    def use_grant(self, id: str, *, at: datetime) -> None:
        counted = self._count(
            update(_GRANT)
            .where(
                _GRANT.c.id == id,
                _GRANT.c.owner == self.cause.owner,
                _GRANT.c.revoked.is_(None),
                _GRANT.c.used < _GRANT.c.uses,
                _GRANT.c.expires > at,
            )
            .values(used=_GRANT.c.used + 1, last_used=at)
        )
        if counted != 1:
            raise Conflict("the grant covers nothing any more")
        self.note(grant_used(id))

    def revoke_grants(self, ids: Collection[str] | None = None, *, by: str, at: datetime) -> int:
        statement = update(_GRANT).where(
            _GRANT.c.owner == self.cause.owner, _GRANT.c.revoked.is_(None)
        )
        if ids is not None:
            statement = statement.where(_GRANT.c.id.in_(list(ids)))
        self._must_write()
        rows = self._all(statement.values(revoked=at).returning(_GRANT.c.id))
        for row in rows:
            self.note(grant_ended(row["id"], by=by))
        return len(rows)
