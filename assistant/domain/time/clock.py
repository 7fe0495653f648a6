"""The clock."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that only grow, within one process."""
        ...
