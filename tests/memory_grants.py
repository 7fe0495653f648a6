"""Grants in memory."""

from collections.abc import Collection, Sequence
from datetime import datetime

from assistant.domain.audit.entries import grant_ended, grant_saved, grant_used
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.policy.grants import Grant
from tests.memory_audits import MemoryAudits
from tests.memory_state import kept


class MemoryGrants(MemoryAudits):
    """See ``assistant.ports``."""

    def add_grant(self, grant: Grant) -> Grant:
        owner = self.cause.owner
        if owner not in self._rows.owners:
            raise NotFound(f"owner {owner}")
        number = 1 + sum(one.owner == owner for one in self._state.grants.values())
        saved = kept(grant, {"number": number, "owner": owner, "trace": self.cause.trace})
        self._state.grants[saved.id] = saved
        self.note(grant_saved(saved))
        return saved

    def grants(self, *, ended: bool = False) -> Sequence[Grant]:
        mine = [one for one in self._state.grants.values() if one.owner == self.cause.owner]
        live = [one for one in mine if ended or self._lives(one, self._now)]
        return sorted(live, key=lambda one: one.number, reverse=True)

    def grant_named(self, handle: str) -> Grant:
        name = handle.strip().lstrip("#")
        for grant in self.grants(ended=True):
            if name.upper() in (grant.handle, str(grant.number)) or name == grant.id:
                return grant
        raise NotFound(f"grant {handle}")

    def use_grant(self, id: str, *, at: datetime) -> None:
        grant = self._rows.grants.get(id)
        if grant is None or grant.owner != self.cause.owner or not self._lives(grant, at):
            raise Conflict("the grant covers nothing any more")
        self._state.grants[id] = kept(grant, {"used": grant.used + 1, "last_used": at})
        self.note(grant_used(id))

    def revoke_grants(self, ids: Collection[str] | None = None, *, by: str, at: datetime) -> int:
        self._must_write()
        ending = [
            grant
            for grant in self.grants(ended=True)
            if grant.revoked is None and (ids is None or grant.id in ids)
        ]
        for grant in ending:
            self._state.grants[grant.id] = kept(grant, {"revoked": at})
            self.note(grant_ended(grant.id, by=by))
        return len(ending)

    def _lives(self, grant: Grant, at: datetime) -> bool:
        return grant.revoked is None and grant.used < grant.uses and at < grant.expires
