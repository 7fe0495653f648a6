"""Our doorbells are what Celery's own publisher would have sent, and its workers run them."""

import base64
import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue as Inbox
from socket import socket
from subprocess import DEVNULL, Popen
from typing import Any, cast

import pytest
from celery.contrib.testing.worker import start_worker
from redis import Redis

from assistant.adapters.celery_bell import CeleryBell
from assistant.domain.errors import Unreachable
from assistant.domain.jobs.job import EXPECTED, Doorbell
from assistant.domain.messages import Queue
from tests.logs import own_logging
from tests.servers.radicale import free_port
from workers.celery.app import make_app, serve
from workers.embedded import valkey

THINK = Doorbell(job="think:1", kind="think", queue=Queue.INTERACTIVE)
RUN = Doorbell(job="run:2", kind="run", queue=Queue.TOOLS)


@pytest.fixture
def redis(broker: str) -> Iterator[Redis]:
    with Redis.from_url(broker) as client:
        client.flushall()
        yield client


def test_a_doorbell_is_what_celery_itself_would_have_sent(broker: str, redis: Redis) -> None:
    CeleryBell(broker).ring([THINK])
    with make_app(broker) as app:
        app.send_task("assistant.think", args=[THINK.job, THINK.queue.value], queue="interactive")
    theirs, ours = (json.loads(raw) for raw in redis.lrange("interactive", 0, -1))
    assert _body(ours) == _body(theirs)
    assert ours.keys() == theirs.keys()
    for field in ("content-type", "content-encoding"):
        assert ours[field] == theirs[field]
    for field in ("task", "lang", "retries", "group", "parent_id", "timelimit"):
        assert ours["headers"][field] == theirs["headers"][field]
    assert ours["headers"].keys() <= theirs["headers"].keys()
    assert ours["properties"].keys() == theirs["properties"].keys()
    for field in ("delivery_info", "delivery_mode", "priority", "body_encoding"):
        assert ours["properties"][field] == theirs["properties"][field]
    assert ours["headers"]["id"] == ours["properties"]["correlation_id"]


def test_a_stock_worker_runs_a_doorbell_as_it_runs_celerys_own(broker: str, redis: Redis) -> None:
    answered: Inbox[tuple[str, str]] = Inbox()
    with make_app(broker) as app:

        def think(job: str, queue: str) -> None:
            answered.put((job, queue))

        app.task(think, name="assistant.think", shared=False)
        with own_logging(), start_worker(app, perform_ping_check=False, shutdown_timeout=30):
            CeleryBell(broker).ring([THINK])
            app.send_task("assistant.think", args=["think:theirs", "interactive"])
            got = {answered.get(timeout=30), answered.get(timeout=30)}
    assert got == {("think:1", "interactive"), ("think:theirs", "interactive")}
    assert redis.llen("interactive") == 0
    assert redis.hlen("unacked") == 0


def test_a_bell_rung_ahead_goes_to_whoever_waits_for_its_job(broker: str) -> None:
    waited: Inbox[str] = Inbox()

    class Rooms:
        @property
        def bus(self) -> "Rooms":
            return self

        def expect(self, job: str) -> None:
            waited.put(job)

    with make_app(broker) as app:
        serve(app, cast("Any", Rooms))
        with own_logging(), start_worker(app, perform_ping_check=False, shutdown_timeout=30):
            CeleryBell(broker).ring([THINK.model_copy(update={"kind": EXPECTED})])
            assert waited.get(timeout=30) == "think:1"


def test_a_batch_over_two_queues_is_one_round_trip(broker: str, redis: Redis) -> None:
    bell = CeleryBell(broker)
    bell.ring([THINK])
    before = _reads(redis)
    bell.ring([THINK, RUN, THINK.model_copy(update={"job": "think:3"})])
    assert (redis.llen("interactive"), redis.llen("tools")) == (3, 1)
    asked_in_between = 3  # _reads, llen, llen: one each
    assert _reads(redis) - before == asked_in_between + 1


def test_nothing_to_ring_is_nothing(broker: str, redis: Redis) -> None:
    CeleryBell(broker).ring([])
    assert redis.keys() == []


def test_a_broker_that_is_away_is_told_at_once() -> None:
    began = time.monotonic()
    with pytest.raises(Unreachable):
        CeleryBell(f"redis://127.0.0.1:{free_port()}/0").ring([THINK])
    assert time.monotonic() - began < 20


def test_a_broker_that_hangs_is_told_within_seconds() -> None:
    with closing(socket()) as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        bell = CeleryBell(f"redis://127.0.0.1:{silent.getsockname()[1]}/0", timeout=0.5)
        began = time.monotonic()
        with pytest.raises(Unreachable):
            bell.ring([THINK])
        assert time.monotonic() - began < 20


def test_a_bell_rings_again_once_its_broker_is_back(tmp_path: Path) -> None:
    files = valkey.prepare(tmp_path, port=free_port(), password="bell")
    bell = CeleryBell(files.url)
    for _ in range(2):
        process = Popen(valkey.command(files), stdout=DEVNULL)
        valkey.wait_until_ready(files.url)
        bell.ring([THINK])
        process.kill()
        process.wait()
    with pytest.raises(Unreachable):
        bell.ring([THINK])


def _body(message: dict[str, Any]) -> Any:
    return json.loads(base64.b64decode(message["body"]))


def _reads(redis: Redis) -> int:
    """How often the server has read from any client."""
    return int(redis.info("stats")["total_reads_processed"])
