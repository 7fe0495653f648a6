"""Move old entries of the audit to files of the archive, if the settings say so.

A file is written and checked first. Then one transaction deletes its entries, says so in a row and
notes it. So nothing is deleted that is not on the disk; what a crash leaves is a file that the next
attempt uses or writes again.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import chain

from assistant.domain.audit.chain import Fault, Head
from assistant.domain.audit.cuts import AuditCut, NotArchived, newest_of
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import Header, verify_lines, written
from assistant.domain.audit.ports import AuditArchive, KeptHeads
from assistant.domain.errors import BadArguments, Conflict
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock

log = logging.getLogger(__name__)

MOST = 2000
"""Entries of one file at the most; the others wait for no more than it takes to delete these."""
FEWEST = 500
"""With fewer old entries there is no file yet, so that there are not many small ones."""
EVERY = 60.0
RESTS = 3600.0
"""Seconds until the next file while there is more to move, and when there was nothing."""
_PAGE = 500


@dataclass
class AuditArchiver:
    """Moves old entries when it is time to. Two processes may do so at once."""

    store: Store
    archive: AuditArchive
    heads: KeptHeads
    clock: Clock
    monotonic: Callable[[], float]
    days: int
    """How old entries get before they go; 0: they stay for ever."""

    _rests_until: float = 0.0
    _warned: bool = False
    """Whether it was said that it does not work; once is enough, until it works again."""

    def tick(self, cause: Cause) -> int:
        """Move some if it is time to; return how many. It never raises: a tick has other work."""
        if not self.days or self.monotonic() < self._rests_until:
            return 0
        self._rests_until = self.monotonic() + RESTS
        now = self.clock.now()
        try:
            gone = archive_old(
                store=self.store,
                archive=self.archive,
                heads=self.heads,
                now=now,
                before=now - timedelta(days=self.days),
                cause=cause,
            )
        except NotArchived as error:  # a later tick tries again
            if not self._warned:
                log.warning("%s", error)
            self._warned = True
            return 0
        except Exception:  # as above
            log.exception("could not archive the audit")
            return 0
        self._warned = False
        if gone:
            log.info("archived %d audit entries", gone)
            self._rests_until += EVERY - RESTS
        return gone


def archive_old(
    *,
    store: Store,
    archive: AuditArchive,
    heads: KeptHeads,
    now: datetime,
    before: datetime,
    cause: Cause,
) -> int:
    """Move the oldest entries, if enough are older than ``before``; return how many.

    Raises:
        NotArchived: the archive cannot be written, or the entries do not fit one another or the
            heads that were kept.
    """
    with store.read(cause) as tx:
        after = _newest_cut(tx)
        entries = _old(tx, after=after.place, before=_before(tx, before))
    if len(entries) < FEWEST:
        return 0
    cut = _cut(entries, owner=cause.owner)
    kept = [head for head in heads.kept(cause.owner) if head.place <= cut.place]
    fits = partial(_fits, cut=cut, kept=kept)
    if not archive.holds(cut.file, fits):
        header = Header(
            owner=cause.owner, exported=now, after=after, count=cut.count, head=cut.head
        )
        archive.write(cut.file, chain(map(written, [header]), map(written, entries)), fits)
    try:
        with store.begin(cause) as tx:
            return cut.count if tx.cut_audit(cut, after=after.place) else 0
    except Conflict as error:
        log.info("somebody else archives the audit: %s", error)
        return 0


def _newest_cut(tx: Tx) -> Head:
    cuts = tx.audit_cuts()
    for cut in cuts:
        if isinstance(cut, Fault):
            raise NotArchived(cut.why)
    newest = newest_of(cut for cut in cuts if isinstance(cut, AuditCut))
    return newest.head if newest else Head()


def _before(tx: Tx, before: datetime) -> datetime:
    """Return when what is old ends. Recovery reads in the audit what was kept since it began."""
    mode = tx.mode()
    since = mode.since if mode.mode is Mode.RECOVERY else None
    return min(before, since) if since else before


def _old(tx: Tx, *, after: int, before: datetime) -> Sequence[AuditEntry]:
    """Return the oldest entries up to the first that is not old, but for the newest of all."""
    entries: list[AuditEntry] = []
    while len(entries) < MOST:
        page = tx.placed(after=after, limit=min(_PAGE, MOST - len(entries)))
        for entry in page:
            if isinstance(entry, Fault):
                raise NotArchived(f"the entry in place {entry.place}: {entry.why}")
            if entry.at is None or entry.at >= before:
                return entries
            entries.append(entry)
        if not page:
            return entries[:-1]  # the next entry is linked to it
        after = entries[-1].place or 0
    return entries if tx.placed(after=after, limit=1) else entries[:-1]


def _cut(entries: Sequence[AuditEntry], *, owner: str) -> AuditCut:
    first, last = entries[0], entries[-1]
    return AuditCut(
        place=last.place or 0,
        hash=last.hash,
        count=len(entries),
        newest=max(time for entry in entries for time in _times(entry)),
        file=f"{owner}-{first.place:010}-{last.place:010}.jsonl",
    )


def _times(entry: AuditEntry) -> Iterator[datetime]:
    """Yield when it was written, and what its call's row has too, which can be a moment later."""
    of_call = (entry.began, entry.ended) if entry.kind.startswith("call.") else ()
    yield from filter(None, (entry.at, *of_call))


def _fits(lines: Iterable[str], *, cut: AuditCut, kept: Sequence[Head]) -> bool:
    """Whether a file holds the entries of a cut, all and unchanged. The last hash tells that."""
    try:
        found = verify_lines(lines, kept=kept)
    except BadArguments:
        return False
    return found.fault is None and (found.count, found.head) == (cut.count, cut.head)
