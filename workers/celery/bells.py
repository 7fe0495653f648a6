"""Bells for processes: the real one, and none where nobody would hear it."""

from collections.abc import Sequence

from assistant.domain.jobs.job import Doorbell


class NoBell:
    """See ``assistant.ports.Bell``. The job rows wait for whoever looks at them."""

    def ring(self, bells: Sequence[Doorbell]) -> None:
        """Nobody hears."""
