"""What audit needs of a transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.audit.chain import Extent
from assistant.domain.audit.entry import AuditEntry


class AuditTx(Protocol):
    """What was decided and done. ``move``, ``settle`` and the like write entries by themselves."""

    def note(self, entry: AuditEntry) -> None:
        """Append an entry with this transaction's owner, trace and time, at its end."""
        ...

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
        """Entries by number, those with a greater number than ``after``.

        A ``kind`` stands for all that begin with it and a dot. Where there are more than ``limit``,
        the oldest come, or the ``newest``.
        """
        ...

    def audit_entry(self, id: str) -> AuditEntry:
        """Raises ``NotFound``."""
        ...

    def audit_kinds(self) -> Sequence[str]:
        """Every kind that there is an entry of, in order."""
        ...

    def chained(
        self, *, after: int = 0, since: datetime | None = None, limit: int = 500
    ) -> Sequence[AuditEntry]:
        """Entries by place, those in later places than ``after``."""
        ...

    def chain_extent(self, *, after: int = 0) -> Extent:
        """How many entries stand in later places than ``after``, the last of them, and the rest."""
        ...
