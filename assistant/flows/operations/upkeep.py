"""Tick: ring bells again, release jobs of dead workers, and send canaries through the queues."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from assistant.domain.errors import Outage, Transient
from assistant.domain.jobs.ports import Bell
from assistant.domain.messages import Queue
from assistant.domain.store import Store

log = logging.getLogger(__name__)


@dataclass
class LeaseWatch:
    """Finds claimed jobs that have stopped beating, on this process's own monotonic clock.

    A lease is lost when its beat counter has stood still for one lease as seen from here, so that
    a stepped wall clock takes no job away.
    """

    lease: float
    monotonic: Callable[[], float]
    _seen: dict[str, tuple[str, int, float]] = field(default_factory=dict)

    def still(self, held: dict[str, tuple[str, int]]) -> list[str]:
        """Return the lost claims. ``held``: the claim and beat counter of each job claimed now."""
        now = self.monotonic()
        self._seen = {job: self._note(job, claim, beat, now) for job, (claim, beat) in held.items()}
        return [claim for claim, _, since in self._seen.values() if now - since >= self.lease]

    def look_away(self) -> None:
        """Begin anew: while the database was away nobody could beat, and nothing was seen."""
        self._seen = {}

    def _note(self, job: str, claim: str, beat: int, now: float) -> tuple[str, int, float]:
        seen = self._seen.get(job)
        if seen is not None and seen[:2] == (claim, beat):
            return seen
        return (claim, beat, now)


@dataclass
class Interval:
    """Tells when a task is due that is done every ``seconds`` of ``monotonic``."""

    seconds: float
    monotonic: Callable[[], float]
    _last: float | None = None

    def due(self) -> bool:
        """Return True at the first call, and then once in ``seconds``."""
        now = self.monotonic()
        if self._last is not None and now - self._last < self.seconds:
            return False
        self._last = now
        return True


def queues_move(store: Store, *, since: datetime) -> bool:
    """Whether a canary has come out of every queue since then."""
    seen = store.canaries()
    return all(queue in seen and seen[queue] > since for queue in Queue)


def tick(
    *, store: Store, bell: Bell, watch: LeaseWatch, canaries: Interval, queues: Iterable[Queue]
) -> int:
    """Release lost jobs and ring the bells that are due; return how many. Safe to repeat."""
    try:
        store.raise_high_water()
        lost = watch.still(store.held())
    except Outage:
        watch.look_away()
        raise
    if lost:
        log.warning("released %d jobs of workers that are gone", store.release(lost))
    bells = list(store.due())
    if canaries.due():
        bells += [store.sent_canary(queue) for queue in queues]
    if not bells:
        return 0
    try:
        bell.ring(bells)
    except Transient as error:
        log.warning("could not ring the bells: %s", error)
        return 0
    return len(bells)
