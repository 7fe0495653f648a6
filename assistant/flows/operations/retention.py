"""Let go of what is older than the settings keep it, a little at a time.

Nothing that waits goes: neither calls nor what they did, nor cards, approvals, grants or the audit.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.domain.errors import Conflict, NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import Retention
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock

log = logging.getLogger(__name__)

FORGOTTEN = "Forgotten."
ROWS = 200
"""Rows of a kind that one sweep deletes at the most; no lock is held for longer than that takes."""
SUBJECTS = 20
"""Mails, and conversations, that one sweep empties at the most."""
EVERY = 60.0
RESTS = 3600.0
"""Seconds between two sweeps while there is something to do, and when there was nothing."""


@dataclass
class RetentionSweep:
    """Sweeps when it is time to. Two processes may do so at once.

    ``forget_mail`` forgets a mail by its id, as its owner can.
    """

    store: Store
    clock: Clock
    monotonic: Callable[[], float]
    keep: Retention
    forget_mail: Callable[[str, Cause], object]

    _rests_until: float = 0.0

    def tick(self, cause: Cause) -> int:
        """Sweep if it is time to; return how much went. It never raises: a tick has other work."""
        if self.monotonic() < self._rests_until:
            return 0
        self._rests_until = self.monotonic() + EVERY
        try:
            gone = sweep(
                store=self.store,
                clock=self.clock,
                keep=self.keep,
                forget_mail=self.forget_mail,
                cause=cause,
            )
        except Exception:  # what is left goes at another time
            log.exception("could not let go of what is old")
            return 0
        if gone:
            log.info("let go of %d rows, mails and conversations that are old", gone)
        else:
            self._rests_until += RESTS - EVERY
        return gone


def sweep(
    *,
    store: Store,
    clock: Clock,
    keep: Retention,
    forget_mail: Callable[[str, Cause], object],
    cause: Cause,
) -> int:
    """Let go of some of what is old; return how much. Call it again until it returns 0."""
    now = clock.now()
    gone = 0
    if before := _before(now, keep.mail):
        gone += _forget_mails(before, store, forget_mail, cause)
    if before := _before(now, keep.conversations):
        gone += _empty_conversations(before, store, cause)
    if before := _before(now, keep.shown):
        gone += store.drop_shown(cause.owner, before=before, limit=ROWS)
    if before := _before(now, keep.settled):
        gone += store.drop_ended(cause.owner, before=before, limit=ROWS)
    return gone


def _before(now: datetime, days: int) -> datetime | None:
    return now - timedelta(days=days) if days else None


def _forget_mails(
    before: datetime, store: Store, forget_mail: Callable[[str, Cause], object], cause: Cause
) -> int:
    with store.read(cause) as tx:
        old = tx.old_mails(before=before, limit=SUBJECTS)
    gone = 0
    for id in old:
        try:
            forget_mail(id, cause)
        except (Conflict, NotFound) as error:  # somebody else is at it
            log.info("could not forget mail %s now: %s", id, error)
        else:
            gone += 1
    return gone


def _empty_conversations(before: datetime, store: Store, cause: Cause) -> int:
    with store.read(cause) as tx:
        old = tx.old_conversations(before=before, limit=SUBJECTS)
    gone = 0
    for id in old:
        with store.begin(cause) as tx:
            gone += tx.empty_conversation(id, before=before, instead=FORGOTTEN)
    return gone
