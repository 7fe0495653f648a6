"""Bound how long one document may take."""

from collections.abc import Callable

_STEPS = 256
"""How many steps pass between two looks at the clock."""


class CpuBudget:
    """So many CPU seconds. ``spend`` raises ``TimeoutError`` once they are over."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._steps = _STEPS

    def spend(self, steps: int = 1) -> None:
        """Count some steps of work, each of about a microsecond."""
        self._steps -= steps
        if self._steps < 0:
            self._steps = _STEPS
            self.check()

    def check(self) -> None:
        if self._clock() > self._end:
            raise TimeoutError("it took too long")
