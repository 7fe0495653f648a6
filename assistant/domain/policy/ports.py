"""What policy needs of a transaction."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.policy.grants import Grant
from assistant.domain.policy.text import PolicyText


class PolicyTx(Protocol):
    def policy(self) -> PolicyText:
        """The newest version; version 0 without text where none was ever saved."""
        ...

    def policy_version(self, version: int) -> PolicyText:
        """Raises ``NotFound``."""
        ...

    def add_policy(self, policy: PolicyText) -> PolicyText:
        """Save as the version after ``policy.version``, which must be the newest.

        Its digest and time are given here. Writes its audit entry. Raises ``Conflict`` when another
        was newer.
        """
        ...


class GrantTx(Protocol):
    def add_grant(self, grant: Grant) -> Grant:
        """Save it; it comes back with its number. Writes its audit entry."""
        ...

    def grants(self, *, ended: bool = False) -> Sequence[Grant]:
        """The newest first: those that cover something still, or with ``ended`` all."""
        ...

    def grant_named(self, handle: str) -> Grant:
        """The grant people call ``G3`` (in any case), or by its id. Raises ``NotFound``."""
        ...

    def use_grant(self, id: str, *, at: datetime) -> None:
        """Count one ctx. Raises ``Conflict`` where it covers nothing any more."""
        ...

    def revoke_grants(self, ids: Collection[str] | None = None, *, by: str, at: datetime) -> int:
        """End these, or all there are; how many ended by this. Writes an audit entry for each."""
        ...
