"""How a worker tells the broker that a bell was answered, and what if that is not there."""

import logging
from typing import Any

from celery.worker.request import Request
from kombu.asynchronous import get_event_loop

from assistant.domain.failpoints import hit

log = logging.getLogger(__name__)


class AckedRequest(Request):  # type: ignore[misc]  # Celery has no types
    """Runs in the consuming process, which for a pool of processes is their parent.

    Celery only logs an acknowledgement that the broker did not get, and goes on counting that
    message among those that a consumer holds. With as many of them as it may prefetch it asks for
    no more, so that it never notices that its connection is gone, and waits for ever.
    """

    acknowledged: bool

    def acknowledge(self) -> None:
        if not self.acknowledged:
            try:
                self._on_ack(log, ())
            except self._connection_errors as error:
                log.warning("the broker is gone (%s): the connection is made anew", error)
                _fail_the_loop(error)
            self.acknowledged = True
        hit("ack.after", kind=str(self.name).rpartition(".")[2])


def _fail_the_loop(error: Exception) -> None:
    """Have the consumer's loop meet this error: it connects anew then, and counts from none."""
    loop: Any = get_event_loop()
    if loop is None:
        return

    def fail() -> None:
        raise error

    loop.call_soon(fail)
