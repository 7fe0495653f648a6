"""The machine's clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Implements ``assistant.domain.time.clock.Clock``."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()
