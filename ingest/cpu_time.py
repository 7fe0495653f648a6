"""Stop work in this process that has used up its computing time.

A signal comes when the time is up, and raises in Python code. Code in C does not notice it until it
returns; the kernel ends the process if that takes ``STUBBORN`` seconds more.
"""

import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from time import process_time
from types import FrameType
from typing import TypeVar

from ingest.child import MAKE_WAY, ChildOrder, ChildReply

STUBBORN = 1.0
"""CPU seconds for code in C to return to Python."""
_AGAIN = 0.05
"""CPU seconds between two signals: a library may catch what the first one raised."""

T = TypeVar("T")


class OutOfTimeError(BaseException):
    """The time is up. No ``Exception``, as libraries catch those."""


class CpuTime:
    """Runs work within the CPU seconds of its order. One per process, in the main thread."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._share = 0.0
        self._most = 0.0
        signal.signal(signal.SIGPROF, self._stop)
        signal.signal(MAKE_WAY, self._make_way)

    def run(self, order: ChildOrder, work: Callable[[], ChildReply]) -> ChildReply:
        """Do the work; return what it returns, or ``unfinished``, with the seconds it took."""
        began = process_time()
        self._share = order.share
        self._most = min(order.seconds, order.share) if order.crowded else order.seconds
        _end_at(began + order.seconds + STUBBORN)
        try:
            try:
                self._began = began
                _ring_after(self._most)
                reply = work()
            finally:
                self._began = None
                _silence()
        except OutOfTimeError:
            self._began = None
            _silence()
            return ChildReply(unfinished=True, seconds=process_time() - began)
        return reply._replace(seconds=process_time() - began)

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        if self._began is None:
            return
        left = self._most - (process_time() - self._began)
        if left <= 0:
            raise OutOfTimeError
        _ring_after(left)  # the timer counts coarsely

    def _make_way(self, _signal: int, _frame: FrameType | None) -> None:
        """Let this work end when it has had its share."""
        if self._began is not None:
            self._most = min(self._most, self._share)
            self._stop(_signal, _frame)


def limit_html(seconds: float, work: Callable[[str], T], source: str) -> T:
    """Return ``work(source)``. Raises ``TimeoutError`` after these seconds of CPU."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return work(source)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def ring(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("it took too long")


def _ring_after(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001), _AGAIN)


def _silence() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)


def _end_at(seconds: float) -> None:
    """Have the kernel end this process when it has used that much CPU time in all."""
    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        most = int(seconds) + 1
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
