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

    Beats stop at a job's deadline, so that a handler that hangs does not keep its job for ever. A
    job that runs a tool has the tool's time-out besides.

    Args:
        store: where beats are counted.
        every: seconds between beats; a third of a lease or less.
        deadline: seconds after which a job gets no more beats.
        at_deadline: called from then on at every beat that finds a job past its deadline.
        monotonic: this process's clock.
    """

    def __init__(
        self,
        *,
        store: Store,
        every: float,
        deadline: float,
        at_deadline: Callable[[], None] = lambda: None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._every = every
        self._deadline = deadline
        self._at_deadline = at_deadline
        self._monotonic = monotonic
        self._held: dict[str, float] = {}
        """The deadline of each claim."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def holding(self, job: Job) -> Generator[None]:
        """Beat for a job, and put its trace on log lines, while this lasts."""
        with self._lock:
            self._held[job.claim] = self._monotonic() + self._deadline
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

    def extend(self, job: Job, seconds: float) -> None:
        """Beat for a held job for this much longer, and for as long as for any job after that."""
        with self._lock:
            if job.claim in self._held:
                ends = self._monotonic() + seconds + self._deadline
                self._held[job.claim] = max(self._held[job.claim], ends)

    def _beat(self) -> None:
        while True:
            time.sleep(self._every)
            now = self._monotonic()
            with self._lock:
                claims = [claim for claim, ends in self._held.items() if now < ends]
                hang = len(claims) < len(self._held)
            if hang:
                self._at_deadline()
            try:
                self._store.beat(claims)
            except Exception as error:  # noqa: BLE001 (without this thread the process loses all its jobs)
                log.warning("could not beat for jobs: %s", error)
