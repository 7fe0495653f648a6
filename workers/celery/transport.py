"""Kombu's Redis transport with less work for each message.

A worker tells the broker twice about each message: that it has taken it, and that it is done. Kombu
makes a new redis-py client each time, which costs more than the command it sends. Here threads
share one client: it keeps no connection, but takes one from its pool for each command.

Each time, Kombu sends two commands in a transaction. Here they are sent in one pipeline without a
transaction. A broker that dies between the two may lose a bell, and the relay rings that again.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection
from kombu.transport import redis


class _QoS(redis.QoS):
    @contextmanager
    def pipe_or_acquire(self, pipe: Any = None, client: Any = None) -> Generator[Any]:
        """Yield the given pipeline, or a new one."""
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
        """Yield the given client, or the channel's own."""
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
    def get_transport_cls(self) -> Any:
        untyped: Any = super()
        found = untyped.get_transport_cls()
        return _Transport if found is redis.Transport else found


class Broker(AMQP):  # type: ignore[misc]  # Celery has no types
    """The AMQP part of a Celery application, with this transport."""

    Connection = _Connection
