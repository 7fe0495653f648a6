"""Lines that were typed faster than they are answered: each has its turn, in order."""

import threading
import time
from collections import deque
from collections.abc import Callable

_PATIENCE = 5.0
"""Seconds that a line waits for the answer to the one before it, at the most."""


class TypedLines:
    """What typed lines do; each is begun when the one before it is answered.

    The offline model answers words by a grammar, one message after the other. A model that reads
    sees all that was said, so with one no line waits: a correction reaches it while it thinks.
    """

    def __init__(
        self,
        answered: Callable[[], bool],
        *,
        wait: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._answered = answered
        self._wait = wait
        self._monotonic = monotonic
        self._lines: deque[Callable[[], None]] = deque()
        self._begun = 0.0
        self._turn = threading.Lock()

    def add(self, line: Callable[[], None], *, at_once: bool = False) -> None:
        """Carry out a line in its turn; ``at_once`` for one that must not wait."""
        if at_once:
            line()
            return
        self._lines.append(line)
        self.go_on()

    def go_on(self) -> None:
        """Begin the lines whose turn has come. Another thread that does so already goes on."""
        while self._lines and self._turn.acquire(blocking=False):
            try:
                if self._lines and not self._may_begin():
                    return
                self._begin_next()
            finally:
                self._turn.release()

    def finish(self) -> None:
        """Begin all that is left, without waiting for answers: what is said is kept."""
        with self._turn:
            while self._lines:
                self._begin_next()

    def _begin_next(self) -> None:
        if self._lines:
            self._begun = self._monotonic()
            self._lines.popleft()()

    def _may_begin(self) -> bool:
        late = self._monotonic() > self._begun + _PATIENCE
        return not self._wait or late or self._answered()
