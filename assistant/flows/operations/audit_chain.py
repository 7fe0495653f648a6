"""The audit goes on, is checked and is handed out."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.audit.chain import Fault, Head, Verified, verify
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import Header, written
from assistant.domain.jobs.job import Cause
from assistant.domain.store import Store, Tx

log = logging.getLogger(__name__)

_PAGE = 500
_TOLD_EVERY = 24 * 3600.0
_TOLD_AFTER = 1000
_AT_ONCE = 4


@dataclass
class Chaining:
    """Chains at each tick what was written since, and now and then tells the log how far it is.

    A head in a log that is kept elsewhere is what shows later that nothing was cut off or made anew
    before it.
    """

    store: Store
    monotonic: Callable[[], float]
    _untold: int = 0
    _told: float | None = None

    def tick(self) -> int:
        """How many entries were chained. It never raises: a tick has more to do than this."""
        try:
            chained = chain_all(self.store, batches=_AT_ONCE)
            self._untold += chained
            if self._untold and self._due():
                self._tell()
        except Exception:  # the entries stay where they are, and the next tick tries again
            log.exception("the audit could not be chained")
            return 0
        return chained

    def _due(self) -> bool:
        if self._told is None or self._untold >= _TOLD_AFTER:
            return True
        return self.monotonic() - self._told >= _TOLD_EVERY

    def _tell(self) -> None:
        for owner, head in self.store.heads().items():
            log.info("the audit of %s stands at place %d: %s", owner, head.place, head.hash)
        self._untold, self._told = 0, self.monotonic()


def chain_all(store: Store, *, batches: int) -> int:
    """Chain what is there, in so many steps at the most; how many entries."""
    chained = 0
    for _ in range(batches):
        step = store.chain(limit=_PAGE)
        chained += step
        if step < _PAGE:
            break
    return chained


def verify_stored(*, store: Store, cause: Cause, held: str = "") -> Verified:
    """Check an owner's chain where it is kept. ``held`` is a head that was noted down before."""
    with store.read(cause) as tx:
        found = verify(_stored(tx, after=0), held=held)
        return found.model_copy(update={"loose": tx.chain_extent().loose})


def export(
    *, store: Store, cause: Cause, now: datetime, since: datetime | None = None
) -> Iterator[str]:
    """The lines of a file that can be checked anywhere: all that is chained, or since a time."""
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


def _before(tx: Tx, since: datetime) -> Head:
    """Where the chain was before its first entry since then."""
    first = next(iter(tx.chained(since=since, limit=1)), None)
    if first is None or first.place is None:
        return tx.chain_extent().head
    return Head(place=first.place - 1, hash=first.previous)


def _pages(tx: Tx, *, after: int, size: int = _PAGE) -> Iterator[list[AuditEntry]]:
    while page := list(tx.chained(after=after, limit=size)):
        yield page
        after = page[-1].place or 0


def _stored(tx: Tx, *, after: int) -> Iterator[AuditEntry | Fault]:
    """Every entry by place, and a fault for the first that the database cannot even read."""
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
