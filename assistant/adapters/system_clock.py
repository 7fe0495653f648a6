"""The machine's clock."""

from datetime import UTC, datetime


class SystemClock:
    """See ``assistant.ports.Clock``."""

    def now(self) -> datetime:
        return datetime.now(UTC)
