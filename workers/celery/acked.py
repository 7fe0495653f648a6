"""Acknowledge an answered bell, and reconnect if the broker is gone."""

import logging
from typing import Any

from celery.worker.request import Request
from kombu.asynchronous import get_event_loop

log = logging.getLogger(__name__)


class AckedRequest(Request):  # type: ignore[misc]  # Celery has no types
    """A request that makes Celery reconnect when an acknowledgement fails.

    Celery only logs such a failure, and goes on counting the message as unacknowledged. Once these
    are as many as it may prefetch, it asks for no more messages, never notices that its connection
    is gone, and waits for ever. Runs in the consuming process, the parent of a pool of processes.
    """

    acknowledged: bool

    def acknowledge(self) -> None:
        if not self.acknowledged:
            try:
                self._on_ack(log, ())
            except self._connection_errors as error:
                log.warning("the broker is gone (%s); reconnecting", error)
                _fail_the_loop(error)
            self.acknowledged = True


def _fail_the_loop(error: Exception) -> None:
    """Raise an error in the consumer's loop, which then reconnects and counts from 0."""
    loop: Any = get_event_loop()
    if loop is None:
        return

    def fail() -> None:
        raise error

    loop.call_soon(fail)
