"""A broker is spoken with through one client for many messages, and another after a break."""

from pathlib import Path
from queue import Queue as Inbox
from subprocess import DEVNULL, Popen
from typing import Any, cast

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from kombu.exceptions import OperationalError
from redis import Redis

from assistant.adapters.celery_bell import CeleryBell
from assistant.domain.jobs.job import CANARY, EXPECTED, Doorbell
from assistant.domain.messages import Queue
from tests.logs import own_logging
from tests.servers.radicale import free_port
from workers.celery.app import make_app, serve
from workers.embedded import valkey


def client_of(channel: Any) -> Any:
    with channel.conn_or_acquire() as client:
        return client


def test_all_messages_of_a_channel_share_a_client_and_those_that_wait_have_their_own(
    broker: str,
) -> None:
    with make_app(broker) as app, app.connection() as connection:
        channel = connection.default_channel
        assert client_of(channel) is client_of(channel)
        assert client_of(channel).ping()
        assert channel.client is not client_of(channel)
        given = object()
        with channel.conn_or_acquire(given) as client:
            assert client is given


def test_after_a_break_the_client_is_one_of_the_new_pool(broker: str) -> None:
    with make_app(broker) as app, app.connection() as connection:
        channel = connection.default_channel
        before = client_of(channel)
        channel._disconnect_pools()
        after = client_of(channel)
        assert after is not before
        assert after.ping()
        assert after.connection_pool is channel.pool


def test_a_broker_that_is_away_for_long_is_tried_every_two_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kombu.utils.functional.sleep", lambda _seconds: None)
    waits: list[float] = []
    with make_app("redis://127.0.0.1:1/0") as app, app.connection_for_write() as connection:
        with pytest.raises(OperationalError):
            connection.ensure_connection(lambda _error, wait: waits.append(wait), 30)
        assert len(waits) == 30
        assert max(waits) <= 2


@pytest.mark.parametrize("address", ["redis://127.0.0.1:1/0", "rediss://127.0.0.1:1/0"])
def test_addresses_mean_what_they_mean_to_celery(address: str) -> None:
    with make_app(address) as ours, Celery(broker=address, set_as_current=False) as theirs:
        assert _told(ours.connection()) == _told(theirs.connection())
        assert _told(ours.connection().clone()) == _told(theirs.connection())


def _told(connection: Any) -> Any:
    info = connection.info()
    info.pop("transport_options")  # which are ours
    return connection.as_uri(), info


def test_neither_a_client_nor_a_transaction_is_made_for_each_message(
    broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    init = Redis.__init__

    def counted(self: Redis, *args: Any, **kwargs: Any) -> None:
        made.append(1)
        init(self, *args, **kwargs)

    def transactions() -> int:
        return sum(
            stats["calls"]
            for name, stats in asking.info("commandstats").items()
            if name == "cmdstat_multi"
        )

    asking = Redis.from_url(broker)
    before = transactions()
    monkeypatch.setattr(Redis, "__init__", counted)
    answered: Inbox[str] = Inbox()

    def think(job: str, _queue: str) -> None:
        answered.put(job)

    with make_app(broker) as app:
        app.task(think, name="assistant.think", shared=False)
        bell = CeleryBell(broker)
        with own_logging(), start_worker(app, perform_ping_check=False, shutdown_timeout=30):
            for number in range(40):
                bell.ring([Doorbell(job=f"think:{number}", kind="think", queue=Queue.INTERACTIVE)])
            got = {answered.get(timeout=30) for _ in range(40)}
    assert got == {f"think:{number}" for number in range(40)}
    assert len(made) < 20
    assert transactions() - before < 20
    assert asking.hlen("unacked") == asking.zcard("unacked_index") == 0
    asking.close()


@pytest.mark.parametrize("kind", ["think", EXPECTED, CANARY])
def test_a_worker_whose_every_message_the_broker_dies_under_connects_anew(
    kind: str, tmp_path: Path
) -> None:
    files = valkey.prepare(tmp_path, port=free_port(), password="bell")
    processes: list[Popen[bytes]] = []
    came: Inbox[str] = Inbox()

    def start() -> None:
        processes.append(Popen(valkey.command(files), stdout=DEVNULL))
        valkey.wait_until_ready(files.url)

    def stop() -> None:
        processes[-1].kill()
        processes[-1].wait(20)

    class Rooms:
        @property
        def bus(self) -> "Rooms":
            return self

        @property
        def store(self) -> "Rooms":
            return self

        def answer(self, job: str) -> None:
            if len(processes) == 1:
                stop()
            came.put(job)

        def expect(self, job: str) -> None:
            self.answer(job)

        def passed_canary(self, bell: str, _queue: Queue) -> None:
            self.answer(bell)

    def ring(job: str) -> None:
        bell = Doorbell(job=job, kind=kind, queue=Queue.INTERACTIVE)
        CeleryBell(files.url).ring([bell])

    start()
    with make_app(files.url) as app:
        serve(app, cast("Any", Rooms))
        with own_logging(), start_worker(app, perform_ping_check=False, shutdown_timeout=30):
            ring("think:before")
            assert came.get(timeout=30) == "think:before"
            start()
            ring("think:after")
            assert came.get(timeout=20) == "think:after"
    stop()
