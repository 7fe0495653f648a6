"""The part of a transaction that handles jobs, and the bell."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.jobs.job import Doorbell, Job
from assistant.domain.messages import Message


class Bell(Protocol):
    def ring(self, bells: Sequence[Doorbell]) -> None:
        """Notify the workers, in one batch. Raises ``Unreachable``; the tick rings again later."""
        ...


class JobTx(Protocol):
    """The queue, seen from a transaction."""

    def emit(self, message: Message, *, due: datetime | None = None) -> None:
        """Put a job on the queue, due now or at ``due``; its bell is rung after the commit.

        Emitting a job that already waits adds no second one and never delays the first. Emitting a
        job that a worker holds has it done once more afterwards. Emitting a failed job starts it
        afresh.
        """
        ...

    def done(self, job: Job) -> None:
        """Delete the job with this commit. Raises ``LeaseLost`` if another worker holds it now."""
        ...

    def beat(self, job: Job) -> None:
        """Record a heartbeat in this transaction. Raises ``LeaseLost`` as ``done`` does."""
        ...

    def fail(self, job: Job, error: str) -> None:
        """Give up the job with this commit; its row stays, with the error. Raises ``LeaseLost``."""
        ...
