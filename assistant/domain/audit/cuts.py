"""Cuts: what was at the beginning of a chain, is archived in a file, and is deleted here."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit.chain import Fault, Head
from assistant.domain.audit.entries import RETENTION
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.errors import AssistantError

ARCHIVED = "audit.archived"


class NotArchived(AssistantError):
    """The audit was not archived, and nothing of it was deleted."""


class AuditCut(BaseModel):
    """One cut: the entries after the cut before it, up to ``place``, are in ``file``."""

    model_config = ConfigDict(frozen=True)
    place: int
    hash: str
    count: int
    """How many entries were archived and deleted."""
    newest: datetime
    """The latest time in these entries at which a row changed that they are about."""
    file: str
    at: datetime | None = None
    """When it was made; the entry that says so has the same time."""

    @property
    def head(self) -> Head:
        return Head(place=self.place, hash=self.hash)


def archived(cut: AuditCut) -> AuditEntry:
    """Return the entry that tells of a cut."""
    return AuditEntry(
        kind=ARCHIVED,
        subject=cut.file,
        actor=RETENTION,
        args=cut.hash,
        reason=f"{cut.count} entries up to place {cut.place}",
        ended=cut.newest,
    )


def newest_of(cuts: Iterable[AuditCut]) -> AuditCut | None:
    return max(cuts, key=lambda cut: cut.place, default=None)


def archived_until(cuts: Iterable[AuditCut]) -> datetime | None:
    """Return the latest time of entries that are archived; clocks of machines may differ."""
    return max((cut.newest for cut in cuts), default=None)


def misfits_of_cuts(cuts: Sequence[AuditCut], entries: Sequence[AuditEntry]) -> Iterator[Fault]:
    """Yield where the cuts and the entries about them differ.

    An entry about an earlier cut may be in an archive itself.
    """
    newest, until = newest_of(cuts), archived_until(cuts)
    told = {_key(entry): entry for entry in entries}
    for cut in cuts:
        entry = told.pop(_key(archived(cut)), None)
        gone = cut is not newest and cut.at and until and cut.at <= until
        if entry is None and not gone:
            yield Fault(why="entries were cut off, and no entry says so", place=cut.place)
    for entry in told.values():
        why = "it says that entries were archived, and no cut does"
        yield Fault(why=why, place=entry.place, number=entry.number, id=entry.id)


def _key(entry: AuditEntry) -> tuple[object, ...]:
    return (entry.subject, entry.actor, entry.args, entry.reason, entry.ended)
