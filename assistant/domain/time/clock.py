"""The clock."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back within one process."""
        ...
