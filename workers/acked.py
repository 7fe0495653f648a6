"""A place to stop a worker at: just after Celery was told that a message is dealt with."""

from celery.worker.request import Request

from assistant.domain.failpoints import hit


class AckedRequest(Request):  # type: ignore[misc]  # Celery has no types
    """Runs in the consuming process, which for a pool of processes is their parent."""

    def acknowledge(self) -> None:
        super().acknowledge()
        hit("ack.after", kind=str(self.name).rpartition(".")[2])
