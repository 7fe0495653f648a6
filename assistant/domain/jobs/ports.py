"""What jobs need of a transaction, and the bell."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.jobs.job import Doorbell, Job
from assistant.domain.messages import Message


class Bell(Protocol):
    def ring(self, bells: Sequence[Doorbell]) -> None:
        """Tell the workers, in one batch. Raises ``Unreachable``: the relay rings again later."""
        ...


class JobTx(Protocol):
    """The queue of record, seen from a transaction."""

    def emit(self, message: Message, *, due: datetime | None = None) -> None:
        """See that this gets done: now, or at ``due``. Rung after the commit.

        Emitting what is already waiting adds nothing, but never delays it; emitting what a worker
        holds has it done once more afterwards; emitting what had failed gives it a fresh start.
        """
        ...

    def done(self, job: Job) -> None:
        """Strike the job off with this commit; it raises ``LeaseLost`` if it is another's now."""
        ...

    def hold(self, job: Job) -> None:
        """Beat for this job in this transaction. Raises ``LeaseLost`` when it is another's now."""
        ...

    def fail(self, job: Job, error: str) -> None:
        """Give the job up with this commit; its row stays and says why. ``LeaseLost`` as above."""
        ...
