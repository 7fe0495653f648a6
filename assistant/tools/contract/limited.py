"""Cancel a call when its time is over."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic

from assistant.domain.cancel import Cancel


class Limited(Cancel):
    """A ``Cancel`` that stops by itself when its time is over.

    A tool that only asks now and then is answered from the clock. A thread that waits for the end
    is started only for one that wants to be woken: starting it takes longer than most tools do.

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
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _left(self) -> float:
        return self._ends - monotonic()


@contextmanager
def limited(cancel: Cancel, seconds: float) -> Iterator[Cancel]:
    """Make a ``Cancel`` that stops with another one, and when the time is over."""
    own = Limited(seconds)
    let_go = cancel.tell(own)
    try:
        yield own
    finally:
        own.let_go()
        let_go()
