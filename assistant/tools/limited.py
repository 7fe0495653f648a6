"""The word to stop, said by the clock."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic

from assistant.domain.calls.cancel import Cancel


class Limited(Cancel):
    """Stops by itself when its time is over.

    Mostly a tool only looks up now and then, and is told by looking at the clock. A thread that
    waits for the end is started for those who want to be woken: it takes longer to start than most
    of what happens before a tool begins.

    Args:
        seconds: until it stops.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._over = f"{seconds:g} s are over"
        self._ends = monotonic() + seconds
        self._timer: Timer | None = None

    @property
    def cancelled(self) -> bool:
        if self._left() <= 0:
            self.time_out(self._over)
        return super().cancelled

    def wait(self, seconds: float) -> bool:
        left = self._left()
        if seconds < left:
            return super().wait(seconds)
        if not super().wait(max(0.0, left)):
            self.time_out(self._over)
        return True

    def when(self, act: Callable[[], None]) -> Callable[[], None]:
        if self._timer is None:
            self._timer = Timer(max(0.0, self._left()), self.time_out, (self._over,))
            self._timer.daemon = True
            self._timer.start()
        return super().when(act)

    def let_go(self) -> None:
        """Nobody is woken by the clock any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _left(self) -> float:
        return self._ends - monotonic()


@contextmanager
def limited(cancel: Cancel, seconds: float) -> Iterator[Cancel]:
    """One that stops with another, and when the time is over."""
    own = Limited(seconds)
    let_go = cancel.tell(own)
    try:
        yield own
    finally:
        own.let_go()
        let_go()
