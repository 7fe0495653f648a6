"""Beat for the jobs of this process, and put a job's trace on its log lines."""

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
    """Beats for claimed jobs from one thread a process, started with the first job.

    Beats stop at a job's deadline, so that a handler that hangs does not keep its job for ever.

    Args:
        store: where beats are counted.
        every: seconds between beats; a third of a lease or less.
        deadline: seconds after which a job gets no more beats.
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
        """Beat for a job, and put its trace on log lines, while this lasts."""
        with self._lock:
            self._held[job.claim] = self._monotonic()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._beat, name="job-heartbeat", daemon=True
                )
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
            except Exception as error:  # noqa: BLE001 (without this thread the process loses all its jobs)
                log.warning("could not beat for jobs: %s", error)
