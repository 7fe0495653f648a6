"""Watch over calls that take long: they beat, they tell how far they are, they hear a stop."""

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
"""Characters of what a call says of how far it is."""


@dataclass
class _Held:
    job: Job
    call: Call
    cancel: Cancel
    began: float
    said: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def hear(self, words: str) -> None:
        line = next((line for line in reversed(words.splitlines()) if line.strip()), "")
        with self.lock:
            self.said = "".join(char if char.isprintable() else " " for char in line)[:LINE]


class CallHeartbeat:
    """One thread a process, made when the first call is held, looks at them all.

    Args:
        store: where calls beat, and where a stop is asked for.
        every: seconds between looks; what ends sooner costs nothing.
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
        held = _Held(job, call, Cancel(), self._monotonic())
        with self._lock:
            self._held[call.id] = held
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="vigil", daemon=True)
                self._thread.start()
        log.info("%s begins: %s", call.handle, call.tool)
        try:
            yield Watched(cancel=held.cancel, update=held.hear)
        finally:
            with self._lock:
                self._held.pop(call.id, None)
            log.info("%s ended after %.1f s", call.handle, self._monotonic() - held.began)

    def _look(self) -> None:
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
                stop = tx.beat_call(held.call.id, progress=held.said)
        except AssistantError as error:
            log.warning("%s could not beat: %s", held.call.handle, error)
            return
        log.info("%s goes on for %.0f s", held.call.handle, self._monotonic() - held.began)
        if stop:
            held.cancel.cancel("the owner stopped it")
