"""The tick: ring what was lost, take jobs from the dead, and see that the queues move."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from assistant.domain.errors import Transient
from assistant.domain.jobs.ports import Bell
from assistant.domain.messages import Queue
from assistant.domain.store import Store

log = logging.getLogger(__name__)


@dataclass
class Watch:
    """Which held jobs have stopped beating, on this process's own monotonic clock.

    A stepped wall clock steals nothing: a lease is lost when its counter has stood still for one
    lease as seen from here.
    """

    lease: float
    monotonic: Callable[[], float]
    _seen: dict[str, tuple[str, int, float]] = field(default_factory=dict)

    def still(self, held: dict[str, tuple[str, int]]) -> list[str]:
        """The claims that are lost, given what is held now."""
        now = self.monotonic()
        self._seen = {job: self._note(job, claim, beat, now) for job, (claim, beat) in held.items()}
        return [claim for claim, _, since in self._seen.values() if now - since >= self.lease]

    def _note(self, job: str, claim: str, beat: int, now: float) -> tuple[str, int, float]:
        seen = self._seen.get(job)
        if seen is not None and seen[:2] == (claim, beat):
            return seen
        return (claim, beat, now)


@dataclass
class Every:
    """Whether something is due again that is done every so many seconds of ``monotonic``."""

    seconds: float
    monotonic: Callable[[], float]
    _last: float | None = None

    def due(self) -> bool:
        """True at first, and then once in so many seconds."""
        now = self.monotonic()
        if self._last is not None and now - self._last < self.seconds:
            return False
        self._last = now
        return True


def queues_move(store: Store, *, since: datetime) -> bool:
    """Whether something has come out of every queue after that."""
    seen = store.canaries()
    return all(queue in seen and seen[queue] > since for queue in Queue)


def tick(
    *, store: Store, bell: Bell, watch: Watch, canaries: Every, queues: Iterable[Queue]
) -> int:
    """One look at the job table; how many bells were rung. Twice in a row does nothing twice."""
    store.raise_high_water()
    lost = watch.still(store.held())
    if lost:
        log.warning("%d jobs are taken from workers that are gone", store.release(lost))
    bells = list(store.due())
    if canaries.due():
        bells += [store.sent_canary(queue) for queue in queues]
    if not bells:
        return 0
    try:
        bell.ring(bells)
    except Transient as error:
        log.warning("the bell is out of order: %s", error)
        return 0
    return len(bells)
