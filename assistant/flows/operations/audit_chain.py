"""Chain, verify and export the audit."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from assistant.domain.audit.chain import MOST, Fault, Head, Verified, verify
from assistant.domain.audit.cuts import AuditCut, archived_until, misfits_of_cuts, newest_of
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import Header, written
from assistant.domain.audit.ports import AuditTx, KeptHeads
from assistant.domain.audit.recorded import misfits, misfits_in_all
from assistant.domain.conversation.deliveries import Home, Shown, ShownKind
from assistant.domain.jobs.job import Cause
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from assistant.domain.time.moments import zone_of
from assistant.flows.operations.upkeep import Interval
from assistant.flows.render import cards

log = logging.getLogger(__name__)

_PAGE = 500
_LOG_EVERY = 24 * 3600.0
"""Seconds between two log lines with the heads."""
_LOG_AFTER = 1000
"""Entries after which the heads are logged earlier."""
_BATCHES = 4
_POSTED = "audit-head-"
"""Begins the id of a delivery of a head; its place follows."""
_KEEP_EVERY = 10.0
"""Seconds between two heads in the file, so that it does not grow with each entry."""


@dataclass
class AuditChainer:
    """Chains new audit entries at each tick, and keeps the heads apart from the database.

    A head that is kept elsewhere shows later that no entry before it was removed or replaced. They
    are kept in a file soon after the entries were chained, and logged once a day or 1,000 entries.
    """

    store: Store
    monotonic: Callable[[], float]
    now: Callable[[], datetime]
    heads: KeptHeads | None = None
    _kept: Mapping[str, Head] = field(default_factory=dict)
    _kept_at: float | None = None
    _unlogged: int = 0
    _logged: float | None = None

    def tick(self) -> int:
        """Chain new entries; return how many. It never raises: a tick has other work."""
        try:
            chained = chain_all(self.store, batches=_BATCHES)
            self._unlogged += chained
            if self._kept_at is None or self.monotonic() - self._kept_at >= _KEEP_EVERY:
                self.keep_heads()
            if self._unlogged and self._due():
                self._log_heads()
        except Exception:  # the entries stay unchained, and the next tick tries again
            log.exception("could not chain the audit")
            return 0
        return chained

    def keep_heads(self) -> None:
        """Keep the heads that are new; also whoever ends does, as no tick of its own follows."""
        heads = self.store.heads()
        new = {owner: head for owner, head in heads.items() if self._kept.get(owner) != head}
        if self.heads is not None and new:
            self.heads.keep(new, at=self.now())
        self._kept, self._kept_at = heads, self.monotonic()

    def _due(self) -> bool:
        if self._logged is None or self._unlogged >= _LOG_AFTER:
            return True
        return self.monotonic() - self._logged >= _LOG_EVERY

    def _log_heads(self) -> None:
        for owner, head in self.store.heads().items():
            log.info("the audit of %s stands at place %d: %s", owner, head.place, head.hash)
        self._unlogged, self._logged = 0, self.monotonic()


@dataclass
class HeadNotice:
    """Posts the head of the audit to the owner, once a day if there are entries of an earlier day.

    What is posted stays where the database is not, so a later check can ask for it.
    """

    store: Store
    clock: Clock
    home: Home
    zone: str
    every: Interval

    def tick(self, cause: Cause) -> bool:
        """Post it if it is time to; return whether it was. It never raises."""
        if not self.every.due():
            return False
        try:
            return post_head(
                store=self.store, clock=self.clock, home=self.home, zone=self.zone, cause=cause
            )
        except Exception:  # another tick posts it
            log.exception("could not post the head of the audit")
            return False


def post_head(*, store: Store, clock: Clock, home: Home, zone: str, cause: Cause) -> bool:
    """Post the head, unless that was done today or nothing of an earlier day is new.

    Two processes may do so at once: a row decides which of them does.
    """
    today = clock.now().astimezone(zone_of(zone)).date()
    head = store.heads().get(cause.owner, Head())
    with store.read(cause) as tx:
        before = tx.deliveries(prefix=_POSTED, limit=1)
        posted = int(before[0].id.removeprefix(_POSTED)) if before else 0
        first = next(iter(tx.placed(after=posted, limit=1)), None)
    at = first.at if isinstance(first, AuditEntry) else None
    if head.place <= posted or (at is not None and at.astimezone(zone_of(zone)).date() >= today):
        return False
    text = f"Audit up to entry {head.place}: {head.hash}"
    shown = Shown(kind=ShownKind.NOTICE, text=text, quiet=True)
    with store.begin(cause) as tx:
        if not tx.first_sight("audit", f"head {today}"):
            return False
        tx.want(cards.at(home, cause.owner, f"{_POSTED}{head.place}", shown))
    return True


def chain_all(store: Store, *, batches: int) -> int:
    """Chain new entries in ``batches`` steps at the most; return how many were chained."""
    chained = 0
    for _ in range(batches):
        step = store.chain(limit=_PAGE)
        chained += step
        if step < _PAGE:
            break
    return chained


def verify_stored(
    *, store: Store, cause: Cause, held: str = "", kept: Sequence[Head] = ()
) -> Verified:
    """Verify an owner's chain in the database, and compare it with the rows it is about.

    All is read in one transaction, so what happens meanwhile is no fault.

    Args:
        store: the database.
        cause: on whose behalf.
        held: a head that was noted down before.
        kept: heads that were kept beside the database.
    """
    with store.read(cause) as tx:
        read = tx.audit_cuts()
        cuts = [cut for cut in read if isinstance(cut, AuditCut)]
        newest = newest_of(cuts)
        if held in {cut.hash for cut in cuts}:
            held = ""
        after = newest.head if newest else Head()
        found = verify(_stored(tx), after=after, held=held, kept=kept)
        found = found.having(
            [
                *tx.unplaced(),
                *(cut for cut in read if isinstance(cut, Fault)),
                *misfits_of_cuts(cuts, tx.entries_of_cuts()),
                *_compared(tx, archived_until(cuts)),
            ]
        )
        archived = {
            "archived": sum(cut.count for cut in cuts),
            "archives": tuple(cut.file for cut in cuts),
        }
        return found.model_copy(update={"loose": tx.chain_extent().loose, **archived})


def _cuts(tx: AuditTx) -> Sequence[AuditCut]:
    return [cut for cut in tx.audit_cuts() if isinstance(cut, AuditCut)]


def _compared(tx: AuditTx, archived: datetime | None) -> Iterator[Fault]:
    """Yield where the rows of calls and effects and the audit differ.

    The audit is younger than the first schema: the calls before the first that it knows are none
    of its own, unless it knows no call at all. What changed last at ``archived`` or before may
    have no entries left.
    """
    yield from misfits_in_all(tx.recorded_in_all())
    after, known = 0, archived is not None
    before: list[Fault] = []
    while page := tx.recorded_calls(after=after):
        for call in page:
            known = known or bool(call.told or call.told_effects)
            if known:
                yield from misfits(call, archived=archived)
            elif len(before) < MOST:
                before += misfits(call)
        after = page[-1].number
    if not known:
        yield from before


def export(
    *, store: Store, cause: Cause, now: datetime, since: datetime | None = None
) -> Iterator[str]:
    """Write the chained entries, all or since a time, as lines that can be verified elsewhere.

    What was archived is not among them.
    """
    with store.read(cause) as tx:
        newest = newest_of(_cuts(tx))
        begins = newest.head if newest else Head()
        after = begins if since is None else _before(tx, since)
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


def _pages(tx: AuditTx, *, after: int) -> Iterator[list[AuditEntry]]:
    while page := list(tx.chained(after=after, limit=_PAGE)):
        yield page
        after = page[-1].place or 0


def _stored(tx: AuditTx) -> Iterator[AuditEntry | Fault]:
    """Yield every entry by place, and a fault in place of each that cannot be read."""
    after = 0
    while page := tx.placed(after=after):
        yield from page
        after = page[-1].place or after + 1
