"""Chain, verify and export the audit."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.audit.chain import Fault, Head, Verified, verify
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import Header, written
from assistant.domain.audit.ports import AuditTx
from assistant.domain.jobs.job import Cause
from assistant.domain.store import Store

log = logging.getLogger(__name__)

_PAGE = 500
_LOG_EVERY = 24 * 3600.0
"""Seconds between two log lines with the heads."""
_LOG_AFTER = 1000
"""Entries after which the heads are logged earlier."""
_BATCHES = 4


@dataclass
class AuditChainer:
    """Chains new audit entries at each tick, and logs the heads once a day or 1,000 entries.

    A head in a log that is kept elsewhere shows later that no entry before it was removed or
    replaced.
    """

    store: Store
    monotonic: Callable[[], float]
    _unlogged: int = 0
    _logged: float | None = None

    def tick(self) -> int:
        """Chain new entries; return how many. It never raises: a tick has other work."""
        try:
            chained = chain_all(self.store, batches=_BATCHES)
            self._unlogged += chained
            if self._unlogged and self._due():
                self._log_heads()
        except Exception:  # the entries stay unchained, and the next tick tries again
            log.exception("could not chain the audit")
            return 0
        return chained

    def _due(self) -> bool:
        if self._logged is None or self._unlogged >= _LOG_AFTER:
            return True
        return self.monotonic() - self._logged >= _LOG_EVERY

    def _log_heads(self) -> None:
        for owner, head in self.store.heads().items():
            log.info("the audit of %s stands at place %d: %s", owner, head.place, head.hash)
        self._unlogged, self._logged = 0, self.monotonic()


def chain_all(store: Store, *, batches: int) -> int:
    """Chain new entries in ``batches`` steps at the most; return how many were chained."""
    chained = 0
    for _ in range(batches):
        step = store.chain(limit=_PAGE)
        chained += step
        if step < _PAGE:
            break
    return chained


def verify_stored(*, store: Store, cause: Cause, held: str = "") -> Verified:
    """Verify an owner's chain in the database. ``held`` is a head that was noted down before."""
    with store.read(cause) as tx:
        found = verify(_stored(tx, after=0), held=held)
        return found.model_copy(update={"loose": tx.chain_extent().loose})


def export(
    *, store: Store, cause: Cause, now: datetime, since: datetime | None = None
) -> Iterator[str]:
    """Write the chained entries, all or since a time, as lines that can be verified elsewhere."""
    with store.read(cause) as tx:
        after = Head() if since is None else _before(tx, since)
        extent = tx.chain_extent(after=after.place)
        yield written(
            Header(
                owner=cause.owner,
                exported=now,
                after=after,
                count=extent.count,
                head=extent.head,
                loose=extent.loose,
            )
        )
        for page in _pages(tx, after=after.place):
            yield from map(written, page)


def _before(tx: AuditTx, since: datetime) -> Head:
    """Return the head of the chain just before its first entry since then."""
    first = next(iter(tx.chained(since=since, limit=1)), None)
    if first is None or first.place is None:
        return tx.chain_extent().head
    return Head(place=first.place - 1, hash=first.previous)


def _pages(tx: AuditTx, *, after: int, size: int = _PAGE) -> Iterator[list[AuditEntry]]:
    while page := list(tx.chained(after=after, limit=size)):
        yield page
        after = page[-1].place or 0


def _stored(tx: AuditTx, *, after: int) -> Iterator[AuditEntry | Fault]:
    """Yield every entry by place, and a fault in place of the first that cannot be read."""
    try:
        for page in _pages(tx, after=after):
            yield from page
            after = page[-1].place or 0
    except ValueError:
        try:
            for [entry] in _pages(tx, after=after, size=1):
                yield entry
                after = entry.place or 0
        except ValueError:
            yield Fault(why=f"what follows place {after} cannot be read")
