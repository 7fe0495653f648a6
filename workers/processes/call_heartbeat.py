"""Watch over calls that take long: beat for them, report their progress, pass on a stop."""

import logging
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from assistant.domain.calls.call import Call
from assistant.domain.calls.cancel import Cancel
from assistant.domain.errors import AssistantError
from assistant.domain.jobs.job import Job
from assistant.domain.store import Store
from assistant.flows.calls.run import Watched

log = logging.getLogger(__name__)

LINE = 200
"""Characters of a progress line."""


@dataclass
class _Held:
    job: Job
    call: Call
    cancel: Cancel
    began: float
    progress: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def update(self, text: str) -> None:
        """Keep the last line of a text as the call's progress."""
        line = next((line for line in reversed(text.splitlines()) if line.strip()), "")
        with self.lock:
            self.progress = "".join(char if char.isprintable() else " " for char in line)[:LINE]


class CallHeartbeat:
    """Watches running calls from one thread a process, started with the first call.

    Args:
        store: where calls beat, and where a stop is asked for.
        every: seconds between beats; a call that ends sooner costs nothing.
        monotonic: this process's clock.
    """

    def __init__(
        self, *, store: Store, every: float = 1.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._every = every
        self._monotonic = monotonic
        self._held: dict[str, _Held] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, job: Job, call: Call) -> Generator[Watched]:
        """Watch a call while this lasts."""
        held = _Held(job, call, Cancel(), self._monotonic())
        with self._lock:
            self._held[call.id] = held
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._beat_all, name="call-heartbeat", daemon=True
                )
                self._thread.start()
        log.info("%s begins: %s", call.handle, call.tool)
        try:
            yield Watched(cancel=held.cancel, update=held.update)
        finally:
            with self._lock:
                self._held.pop(call.id, None)
            log.info("%s ended after %.1f s", call.handle, self._monotonic() - held.began)

    def _beat_all(self) -> None:
        while True:
            time.sleep(self._every)
            with self._lock:
                old = [
                    held
                    for held in self._held.values()
                    if self._monotonic() - held.began >= self._every
                ]
            for held in old:
                self._beat(held)

    def _beat(self, held: _Held) -> None:
        try:
            with self._store.begin(held.job) as tx:
                stop = tx.beat_call(held.call.id, progress=held.progress)
        except AssistantError as error:
            log.warning("could not beat for %s: %s", held.call.handle, error)
            return
        log.info("%s has run for %.0f s", held.call.handle, self._monotonic() - held.began)
        if stop:
            held.cancel.cancel("the owner stopped it")
