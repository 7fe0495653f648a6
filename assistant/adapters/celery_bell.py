"""Ring doorbells over Celery, with one push for each queue of a batch.

Our Celery messages (protocol 2) differ only in their ids. So the envelope of each kind is made once
and pushed with LPUSH; a standard worker runs it. ``app.send_task`` costs six times as much.
``tests/contract/test_bell.py`` compares the two.
"""

import base64
import json
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from time import monotonic
from uuid import uuid4

from redis import Redis
from redis.exceptions import RedisError

from assistant.domain.errors import BROKER, Misconfigured, Outage
from assistant.domain.jobs.job import Doorbell

TASK = "assistant.{kind}"
_BACKOFF = 1.0
"""Seconds without another attempt after the broker failed."""


class CeleryBell:
    """Implements ``assistant.domain.jobs.ports.Bell`` with Redis.

    Raises ``Misconfigured`` when ``broker_url`` is no Redis address.
    """

    def __init__(self, broker_url: str, *, timeout: float = 2.0) -> None:
        try:
            self._redis = Redis.from_url(
                broker_url, socket_timeout=timeout, socket_connect_timeout=timeout
            )
        except ValueError as error:
            raise Misconfigured(f"ASSISTANT_BROKER_URL: {error}") from error
        self._silent_until = 0.0

    def check(self) -> None:
        """Raise ``Outage`` when the broker does not answer."""
        try:
            self._redis.ping()
        except RedisError as error:
            raise Outage(f"the broker: {error}", part=BROKER) from error

    def ring(self, bells: Sequence[Doorbell]) -> None:
        if monotonic() < self._silent_until:
            raise Outage("the broker: it failed a moment ago", part=BROKER)
        by_queue: dict[str, list[str]] = defaultdict(list)
        for bell in bells:
            by_queue[bell.queue.value].append(_envelope(bell))
        try:
            if len(by_queue) == 1:  # the usual case; a pipeline would cost more than the push
                [(queue, messages)] = by_queue.items()
                self._redis.lpush(queue, *messages)
                return
            with self._redis.pipeline(transaction=False) as pipe:
                for queue, messages in by_queue.items():
                    pipe.lpush(queue, *messages)
                pipe.execute()
        except RedisError as error:
            # A broker that hangs costs a door its time-out once, not with every mail.
            self._silent_until = monotonic() + _BACKOFF
            raise Outage(f"the broker: {error}", part=BROKER) from error


def _envelope(bell: Doorbell) -> str:
    """Return one message as kombu's Redis transport stores it (Celery message protocol 2)."""
    arguments = f"[[{json.dumps(bell.job)}, {json.dumps(bell.queue.value)}], {{}}, {_EMBED}]"
    return _blank(bell.kind, bell.queue.value) % {
        "id": uuid4(),
        "body": base64.b64encode(arguments.encode()).decode(),
        "args": json.dumps(repr([bell.job]))[1:-1],
    }


@cache
def _blank(kind: str, queue: str) -> str:
    """Return the envelope of a kind, with ``%`` placeholders where its bells differ."""
    id = "%(id)s"
    return json.dumps(
        {
            "body": "%(body)s",
            "content-encoding": "utf-8",
            "content-type": "application/json",
            "headers": {
                "lang": "py",
                "task": TASK.format(kind=kind),
                "id": id,
                "root_id": id,
                "parent_id": None,
                "group": None,
                "retries": 0,
                "timelimit": [None, None],
                "ignore_result": True,
                "origin": "assistant",
                "argsrepr": "%(args)s",
                "kwargsrepr": "{}",
            },
            "properties": {
                "correlation_id": id,
                "reply_to": "",
                "delivery_mode": 2,
                "delivery_info": {"exchange": "", "routing_key": queue},
                "priority": 0,
                "body_encoding": "base64",
                "delivery_tag": id,
            },
        }
    )


_EMBED = json.dumps({"callbacks": None, "errbacks": None, "chain": None, "chord": None})
