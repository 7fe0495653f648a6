"""The part of a transaction that handles policies and grants."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.policy.grants import Grant
from assistant.domain.policy.text import PolicyText


class PolicyTx(Protocol):
    def policy(self) -> PolicyText:
        """Return the newest version; version 0, without text, if none was ever saved."""
        ...

    def policy_version(self, version: int) -> PolicyText:
        """Return one version. Raises ``NotFound``."""
        ...

    def add_policy(self, policy: PolicyText) -> PolicyText:
        """Save a policy as the version after ``policy.version``, which must be the newest.

        Sets digest and time, and writes the audit entry. Raises ``Conflict`` if there is a newer
        version.
        """
        ...


class GrantTx(Protocol):
    def add_grant(self, grant: Grant) -> Grant:
        """Save a grant and its audit entry; return it with its number."""
        ...

    def grants(self, *, ended: bool = False) -> Sequence[Grant]:
        """Return the grants that are not over, or with ``ended`` all, newest first."""
        ...

    def grant_named(self, handle: str) -> Grant:
        """Return a grant by handle, such as ``G3`` (in any case), or by id. Raises ``NotFound``."""
        ...

    def use_grant(self, id: str, *, at: datetime) -> None:
        """Count one use of a grant. Raises ``Conflict`` if the grant is over."""
        ...

    def revoke_grants(self, ids: Collection[str] | None = None, *, by: str, at: datetime) -> int:
        """End these grants, or all; return how many. Writes an audit entry for each."""
        ...
