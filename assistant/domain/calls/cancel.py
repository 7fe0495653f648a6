"""A token by which a running tool is stopped."""

from collections.abc import Callable
from threading import Event, Lock

from assistant.domain.calls.tool_errors import Cancelled, TimedOut
from assistant.domain.errors import Permanent


class Cancel:
    """Set once, from any thread; the tool checks it between its steps.

    A thread cannot be stopped from outside. So a tool that may take long calls ``raise_if`` between
    its steps, waits with ``wait`` and not with a sleep, and uses ``when`` to end what it waits for,
    such as a process. It checks only where nothing is half done.
    """

    def __init__(self) -> None:
        self._event = Event()
        self._lock = Lock()
        self._then: dict[int, Callable[[], None]] = {}
        self._error: type[Permanent] = Cancelled
        self._words = ""

    @property
    def cancelled(self) -> bool:
        """Whether the tool must stop, a time-out included."""
        return self._event.is_set()

    def cancel(self, why: str = "") -> None:
        """Stop on request. Only the first ``cancel`` or ``time_out`` counts."""
        self._stop(Cancelled, why)

    def time_out(self, why: str = "") -> None:
        """Stop after a time-out. Only the first ``cancel`` or ``time_out`` counts."""
        self._stop(TimedOut, why)

    def raise_if(self) -> None:
        """Raise ``Cancelled`` or ``TimedOut`` once the tool must stop."""
        if self.cancelled:
            raise self._error(self._words) if self._words else self._error()

    def wait(self, seconds: float) -> bool:
        """Wait at most so many seconds; return True at once when the tool must stop."""
        return self._event.wait(seconds)

    def when(self, act: Callable[[], None]) -> Callable[[], None]:
        """Call ``act`` once, when the tool must stop or now if it must; return its unregistering.

        ``act`` runs in the thread that calls ``cancel`` or ``time_out``, so it must be quick.
        """
        with self._lock:
            if not self._event.is_set():
                key = id(act)
                while key in self._then:
                    key += 1
                self._then[key] = act
                return lambda: self._forget(key)
        act()
        return lambda: None

    def tell(self, other: "Cancel") -> Callable[[], None]:
        """Stop another token with this one, with its error; return what unregisters it."""
        return self.when(lambda: other._stop(self._error, self._words))  # noqa: SLF001 (its own class)

    def _stop(self, error: type[Permanent], words: str) -> None:
        with self._lock:
            if self._event.is_set():
                return
            self._error, self._words = error, words
            self._event.set()
            then = list(self._then.values())
            self._then.clear()
        for act in then:
            act()

    def _forget(self, key: int) -> None:
        with self._lock:
            self._then.pop(key, None)
