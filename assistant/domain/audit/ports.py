"""The part of a transaction that handles the audit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.audit.chain import Extent, Fault, Head
from assistant.domain.audit.cuts import AuditCut
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.recorded import RecordedCall, RecordedCalls


class KeptHeads(Protocol):
    """Heads of chains, kept apart from the database. What cannot be kept is only logged."""

    def keep(self, heads: Mapping[str, Head], *, at: datetime) -> None:
        """Keep the heads of owners."""
        ...

    def kept(self, owner: str) -> Sequence[Head]:
        """Return the heads that were kept for an owner, oldest first."""
        ...


class AuditArchive(Protocol):
    """Files with entries that the database no longer keeps, each written once."""

    def has(self, name: str) -> bool:
        """Return whether this file is on this machine."""
        ...

    def holds(self, name: str, fits: Callable[[Iterable[str]], bool]) -> bool:
        """Return whether this file is there and its lines fit.

        Raises:
            NotArchived: it could not be read.
        """
        ...

    def write(self, name: str, lines: Iterable[str], fits: Callable[[Iterable[str]], bool]) -> None:
        """Write a file so that it lasts, complete or not at all, if it fits when it is read back.

        Raises:
            NotArchived: it could not be written, or does not fit.
        """
        ...


class AuditTx(Protocol):
    """The audit. ``move``, ``settle`` and other changes write their entries themselves."""

    def note(self, entry: AuditEntry) -> None:
        """Append an entry, with the transaction's owner and trace and the time of its end."""
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
        """Return entries whose number is greater than ``after``, by number.

        A ``kind`` matches itself and all kinds that begin with it and a dot. Returns the oldest
        ``limit`` entries, or the ``newest``.
        """
        ...

    def audit_entry(self, id: str) -> AuditEntry:
        """Raises ``NotFound``."""
        ...

    def audit_kinds(self) -> Sequence[str]:
        """Return every kind that has an entry, sorted."""
        ...

    def chained(
        self, *, after: int = 0, since: datetime | None = None, limit: int = 500
    ) -> Sequence[AuditEntry]:
        """Return the chained entries with later places than ``after``, by place.

        One that cannot be read is left out, which breaks the chain there.
        """
        ...

    def placed(self, *, after: int, limit: int = 500) -> Sequence[AuditEntry | Fault]:
        """Return entries as ``chained`` does, with a fault for each that cannot be read."""
        ...

    def unplaced(self, *, limit: int = 500) -> Sequence[Fault]:
        """Return the faults of entries that cannot be read and have no place."""
        ...

    def recorded_calls(self, *, after: int, limit: int = 500) -> Sequence[RecordedCall]:
        """Return calls whose number is greater than ``after``, by number, and their entries."""
        ...

    def recorded_in_all(self) -> RecordedCalls: ...

    def cut_audit(self, cut: AuditCut, *, after: int) -> bool:
        """Delete the entries after a place up to the cut's, and note that.

        Returns False if another has made this cut.

        Raises:
            Conflict: the entries are others than the cut says, or the newest would go.
        """
        ...

    def audit_cuts(self) -> Sequence[AuditCut | Fault]:
        """Return the cuts by place, with a fault for each that cannot be read."""
        ...

    def entries_of_cuts(self) -> Sequence[AuditEntry]:
        """Return the entries that tell of cuts, as far as they can be read."""
        ...

    def chain_extent(self, *, after: int = 0) -> Extent:
        """Count the entries after a place; return the head and how many are not chained too."""
        ...
