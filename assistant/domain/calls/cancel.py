"""The word to stop, as a running tool hears it."""

from collections.abc import Callable
from threading import Event, Lock

from assistant.domain.calls.tool_errors import Cancelled, TimedOut
from assistant.domain.errors import Permanent


class Cancel:
    """Said once, from any thread, and heard wherever a tool looks up from its work.

    A thread cannot be stopped from outside: a tool that may take long calls ``raise_if`` between
    its steps, waits with ``wait`` and not with a sleep, and has ``when`` end what it waits for,
    such as a process. It looks up only where nothing is half done.
    """

    def __init__(self) -> None:
        self._event = Event()
        self._lock = Lock()
        self._then: dict[int, Callable[[], None]] = {}
        self._error: type[Permanent] = Cancelled
        self._words = ""

    @property
    def cancelled(self) -> bool:
        """True once it is to stop, a time-out included."""
        return self._event.is_set()

    def cancel(self, why: str = "") -> None:
        """Stop, because somebody said so. The first word counts."""
        self._stop(Cancelled, why)

    def time_out(self, why: str = "") -> None:
        """Stop, because it takes too long. The first word counts."""
        self._stop(TimedOut, why)

    def raise_if(self) -> None:
        """Raises ``Cancelled`` or ``TimedOut`` once it is to stop."""
        if self.cancelled:
            raise self._error(self._words) if self._words else self._error()

    def wait(self, seconds: float) -> bool:
        """Wait so long at the most; True at once when it is to stop."""
        return self._event.wait(seconds)

    def when(self, act: Callable[[], None]) -> Callable[[], None]:
        """Have ``act`` called, once, when it is to stop, or now if it is; the call forgets it.

        ``act`` runs in the thread of whoever says stop, so it must be quick.
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
        """Have another one stop with this one, for the same reason; the call lets it go."""
        return self.when(lambda: other._stop(self._error, self._words))  # noqa: SLF001 (its own kind)

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
