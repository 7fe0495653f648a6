"""Answer one doorbell: claim the job, call its handler, and retry or end it if that raised."""

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from assistant.domain.errors import AssistantError, LeaseLost, Permanent, Transient
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Message
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock

log = logging.getLogger(__name__)

PATIENCE = 0.1
"""Seconds to wait for a job whose bell was rung before the job was written."""
_POLL = 0.0002
"""Seconds between two looks for such a job."""

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
        tries: how often a job is tried before it is given up.
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
        self._store.retry(job, due=self._clock.now() + timedelta(seconds=wait), error=words)

    def _give_up(self, route: Route, job: Job, reason: str) -> None:
        try:
            route.gave_up(job.message, job, reason)
        except Permanent as error:
            # Its subject is gone, so nobody can be told. The job must end all the same.
            log.warning("could not tell anybody that %s was given up: %s", job.message.name, error)
            with self._store.begin(job) as tx:
                tx.fail(job, reason)
