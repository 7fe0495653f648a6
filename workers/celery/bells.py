"""The bell of a process without a broker."""

from collections.abc import Sequence

from assistant.domain.jobs.job import Doorbell


class NoBell:
    """See ``assistant.domain.jobs.ports.Bell``. Jobs wait in their rows for the next tick."""

    def ring(self, bells: Sequence[Doorbell]) -> None:
        """Do nothing."""
