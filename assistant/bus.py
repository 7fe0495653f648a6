"""Answer one doorbell: claim the job, call its handler, and retry or end it if that raised."""

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from secrets import SystemRandom
from typing import Any

from assistant.domain.errors import AssistantError, LeaseLost, Outage, Permanent, Transient
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Message
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock

log = logging.getLogger(__name__)

PATIENCE = 0.1
"""Seconds to wait for a job whose bell was rung before the job was written."""
_POLL = 0.0002
"""Seconds between two looks for such a job."""

OUTAGE_WAITS = (1.0, 12.0)
"""Seconds between two tries while a part of the assistant is away: as long as it has been away
already, but no less and no more than this, and a quarter less or more by chance."""
_WRITE_AGAIN = 1.0
"""Seconds between two tries to write what became of a job, while the database is away."""
_random = SystemRandom()

Handler = Callable[[Any, Job], None]
GaveUp = Callable[[Any, Job, str], None]
Around = Callable[[Job], AbstractContextManager[None]]


@dataclass(frozen=True)
class Route:
    """The handler of a message, and the handler to call when it is given up.

    Both end the job in a transaction of their own: ``run`` with ``tx.done``; ``gave_up`` with
    ``tx.fail``, after it has written the reason where people look for it.
    """

    run: Handler
    gave_up: GaveUp


class Bus:
    """Routes messages to handlers.

    Args:
        routes: the handlers of every kind of message.
        store: where jobs are claimed.
        clock: tells when a retry is due.
        worker: name of the claiming worker, for people who read the job table.
        tries: how often a job is tried before it is given up; an outage is no try.
        backoff: seconds to wait after the n-th try.
        around: keeps a job's lease, its log context and its trace while it runs.
        monotonic: seconds on a clock that never goes back.
        sleep: waits the given number of seconds.
    """

    def __init__(
        self,
        routes: Mapping[type[Message], Route],
        *,
        store: Store,
        clock: Clock,
        worker: str,
        tries: int,
        backoff: Callable[[int], float],
        around: Around,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._routes = routes
        self._store = store
        self._clock = clock
        self._worker = worker
        self._tries = tries
        self._backoff = backoff
        self._around = around
        self._monotonic = monotonic
        self._sleep = sleep

    def answer(self, name: str) -> bool:
        """Claim and carry out the job of this name. Return False if nobody may claim it now."""
        job = self._store.claim(name, worker=self._worker)
        if job is None:
            return False
        with self._around(job):
            self._carry_out(job)
        return True

    def expect(self, name: str) -> bool:
        """Wait ``PATIENCE`` for a job that is still being written, then answer its bell.

        Return False if the job did not appear in time. A later job is not lost: its own bell is
        rung once it is written.
        """
        give_up = self._monotonic() + PATIENCE
        while not self._store.waits(name):
            if self._monotonic() > give_up:
                return False
            self._sleep(_POLL)
        return self.answer(name)

    def _carry_out(self, job: Job) -> None:
        try:
            self._attempt(job)
        except LeaseLost:
            log.warning("another worker took over %s", job.message.name)

    def _attempt(self, job: Job) -> None:
        route = self._routes[type(job.message)]
        if job.attempts > self._tries:
            # Claimed too often without an error: this job kills its workers.
            self._give_up(route, job, f"it was tried {self._tries} times and never ended")
            return
        try:
            route.run(job.message, job)
        except LeaseLost:
            raise
        except Outage as outage:
            self._put_off(job, outage)
        except Permanent as error:
            log.warning("gave up %s: %s", job.message.name, error)
            self._give_up(route, job, str(error))
        except Exception as error:  # noqa: BLE001 (a defect must not lose the job)
            self._try_again(route, job, error)

    def _try_again(self, route: Route, job: Job, error: Exception) -> None:
        expected = isinstance(error, AssistantError)
        words = str(error) if expected else f"{type(error).__name__}: {error}"
        if job.attempts >= self._tries:
            log.error("gave up %s after %d tries: %s", job.message.name, job.attempts, words)
            self._give_up(route, job, words)
            return
        log.warning("%s will be tried again: %s", job.message.name, words, exc_info=not expected)
        wait = self._backoff(job.attempts)
        if isinstance(error, Transient):
            wait = max(wait, error.after)
        due = self._clock.now() + timedelta(seconds=wait)
        self._write(job, lambda: self._store.retry(job, due=due, error=words))

    def _put_off(self, job: Job, outage: Outage) -> None:
        """Have a job wait for a part of the assistant that is away; this was no try."""
        now = self._clock.now()
        since = job.waits_since if job.waits_since and job.waits_for == outage.part else now
        least, most = OUTAGE_WAITS
        wait = min(max((now - since).total_seconds(), least), most) * _random.uniform(0.75, 1.25)
        due = now + timedelta(seconds=max(wait, outage.after))
        log.warning("%s waits for %s: %s", job.message.name, outage.part, outage)
        part, words = outage.part, str(outage)
        self._write(job, lambda: self._store.postpone(job, due=due, part=part, error=words))

    def _write(self, job: Job, write: Callable[[], None]) -> None:
        """Write what became of a job, as soon as the database is there.

        A claim that is not given back would count as a try, and what it ended in would be lost.
        """
        while True:
            try:
                write()
            except Outage as outage:
                log.warning("%s waits to be written: %s", job.message.name, outage)
                self._sleep(_WRITE_AGAIN)
            else:
                return

    def _give_up(self, route: Route, job: Job, reason: str) -> None:
        self._write(job, lambda: self._end(route, job, reason))

    def _end(self, route: Route, job: Job, reason: str) -> None:
        try:
            route.gave_up(job.message, job, reason)
        except Permanent as error:
            # Its subject is gone, so nobody can be told. The job must end all the same.
            log.warning("could not tell anybody that %s was given up: %s", job.message.name, error)
            with self._store.begin(job) as tx:
                tx.fail(job, reason)
