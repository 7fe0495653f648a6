"""Keep the lease of what this process holds, and say whose trace a log line belongs to."""

import logging
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import structlog

from assistant.domain.jobs.job import Job
from assistant.domain.store import Store

log = logging.getLogger(__name__)


class JobHeartbeat:
    """Beats for held jobs from one thread a process, made when the first job is held.

    Beats stop at a job's deadline: a handler that hangs keeps nothing for ever.

    Args:
        store: where beats are counted.
        every: seconds between beats; a third of a lease or less.
        deadline: seconds a job may be held at the most.
        monotonic: this process's clock.
    """

    def __init__(
        self,
        *,
        store: Store,
        every: float,
        deadline: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._every = every
        self._deadline = deadline
        self._monotonic = monotonic
        self._held: dict[str, float] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def holding(self, job: Job) -> Generator[None]:
        """While this lasts, the job's claim beats and log lines carry its trace."""
        with self._lock:
            self._held[job.claim] = self._monotonic()
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="pulse", daemon=True)
                self._thread.start()
        try:
            with structlog.contextvars.bound_contextvars(trace=job.trace, job=job.message.name):
                yield
        finally:
            with self._lock:
                self._held.pop(job.claim, None)

    def _beat(self) -> None:
        while True:
            time.sleep(self._every)
            now = self._monotonic()
            with self._lock:
                claims = [
                    claim for claim, since in self._held.items() if now - since < self._deadline
                ]
            try:
                self._store.beat(claims)
            except Exception as error:  # noqa: BLE001 (without beats this process loses all it holds)
                log.warning("could not beat: %s", error)
