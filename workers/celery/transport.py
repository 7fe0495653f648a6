"""Kombu's Redis transport, leaner where every message passes through.

A worker tells the broker of each message twice: that it has taken it, and that it is done. Kombu
makes a new client of redis-py for either, which costs more than what is sent with it. A client
keeps no connection but takes one of its pool for each command, so that threads may share it.

Either is two commands, which Kombu wraps in a transaction. Sent together they are carried out
together but for a broker that dies in between, and what is lost then the relay rings for again.
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
        """This pipeline; without one, a new one."""
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
        """This client; without one, the channel's own."""
        if client is not None:
            yield client
        elif self._shared is not None and self._shared.connection_pool is self.pool:
            yield self._shared
        else:  # after a break the pool is another
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
    """What a Celery application speaks with its broker through."""

    Connection = _Connection
