"""Kombu's Redis transport with less work for each message: one client, and no transactions.

It saves 15% of a worker's CPU for a job, and 10 to 13% when the worker was idle before
(``docs/benchmarks.md``). Delete it when it saves less than a tenth, but for
``_Connection.ensure_connection``.

A worker tells the broker twice of each message: that it has taken it, and that it is done. For each
of these, Kombu makes a new client of redis-py, which costs more than what is sent with it. Threads
may share a client, because it takes a connection from its pool for each command.

Kombu also wraps the two commands of each in a transaction. Without one, a broker that dies between
the two loses the second. The relay rings again for what is lost then.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection
from kombu.transport import redis

_WAITS = {"interval_start": 0.5, "interval_step": 0.5, "interval_max": 1.5}
"""Seconds between two tries to reach the broker."""


class _QoS(redis.QoS):
    @contextmanager
    def pipe_or_acquire(self, pipe: Any = None, client: Any = None) -> Generator[Any]:
        """The given pipeline, else a new one without a transaction."""
        if pipe is not None:
            yield pipe
            return
        with self.channel.conn_or_acquire(client) as found:
            yield found.pipeline(transaction=False)


class _Channel(redis.Channel):
    QoS = _QoS
    _shared: Any = None

    @contextmanager
    def conn_or_acquire(self, client: Any = None) -> Generator[Any]:
        """The given client, else the one that the channel keeps."""
        if client is not None:
            yield client
        elif self._shared is not None and self._shared.connection_pool is self.pool:
            yield self._shared
        else:  # a new connection has a new pool
            untyped: Any = super()
            with untyped.conn_or_acquire() as self._shared:
                yield self._shared


class _Transport(redis.Transport):
    Channel = _Channel


class _Connection(Connection):
    def ensure_connection(self, *given: Any, **more: Any) -> Any:
        """As Kombu does, but try every few seconds, and not more and more seldom up to 30."""
        untyped: Any = super()
        return untyped.ensure_connection(*given, **{**_WAITS, **more})

    def get_transport_cls(self) -> Any:
        untyped: Any = super()
        found = untyped.get_transport_cls()
        return _Transport if found is redis.Transport else found


class Broker(AMQP):  # type: ignore[misc]  # Celery has no types
    """What a Celery application talks to its broker through."""

    Connection = _Connection
