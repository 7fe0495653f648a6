"""The durable path and the idle latency, each beside bare Celery on the same broker."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import psycopg

from tests.bench.comparison import Aim, Comparison, compare
from tests.bench.ground import WAIT, Ground, ground
from tests.servers.postgres import postgres_server

DURABLE = Aim(least=0.6)
LATENCY = Aim(most=1.3)
BATCH = 20
"""Jobs of one transaction in the batch variants, as a turn of many calls would have."""
PAUSE = 0.03
"""Seconds of rest before each idle call."""

Produce = Callable[[], None]
Measure = Callable[[Ground, int, Produce], float]


@contextmanager
def databases() -> Generator[dict[str, str]]:
    """The two databases by name, each durable: a commit that was reported is on the disk."""
    with postgres_server() as server:
        with psycopg.connect(server.uri, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM RESET fsync")
            connection.execute("SELECT pg_reload_conf()")
        yield {"SQLite": "", "Postgres": server.url(server.make_database())}


def bench_calls(folder: Path, *, size: int, rounds: int) -> list[Comparison]:
    """Calls a second over ``size`` calls, and seconds from call to handler over ``size / 5``."""
    found: list[Comparison] = []
    with databases() as urls:
        for name, url in urls.items():
            with ground(folder / name, database_url=url) as here:
                found.extend(_bench(name, here, size, rounds))
                here.check_all_struck_off()
    return found


def _bench(name: str, here: Ground, size: int, rounds: int) -> list[Comparison]:
    each = partial(_each, here.emit, size)
    batches = partial(_batches, here, size)
    bare = partial(_each, here.delay, size)

    def rates(what: str, measure: Measure, ours: Produce, aim: Aim | None = None) -> Comparison:
        return compare(
            f"{what}, {name}",
            "calls/s",
            ours=partial(measure, here, size, ours),
            beside=partial(measure, here, size, bare),
            rounds=rounds,
            aim=aim,
        )

    return [
        rates("durable path", _whole, each, DURABLE),
        rates(f"durable path, {BATCH} a commit", _whole, batches),
        rates("producing alone", _producing, each),
        rates("draining alone", _draining, each),
        compare(
            f"idle latency, {name}",
            "ms",
            ours=partial(_latency, here, here.emit, max(1, size // 5)),
            beside=partial(_latency, here, here.delay, max(1, size // 5)),
            rounds=rounds,
            aim=LATENCY,
        ),
    ]


def _each(one: Callable[[], None], count: int) -> None:
    for _ in range(count):
        one()


def _batches(here: Ground, count: int) -> None:
    for begin in range(0, count, BATCH):
        here.emit(min(BATCH, count - begin))


def _whole(here: Ground, size: int, produce: Produce) -> float:
    """Calls a second from the first one made to the last one done, made and done at once."""
    here.clear()
    began = time.monotonic()
    produce()
    return size / (here.ended.wait_for(size, seconds=WAIT) - began)


def _producing(here: Ground, size: int, produce: Produce) -> float:
    """Calls a second, made while no worker runs."""
    here.clear()
    with here.paused():
        began = time.monotonic()
        produce()
        took = time.monotonic() - began
    here.ended.wait_for(size, seconds=WAIT)
    return size / took


def _draining(here: Ground, size: int, produce: Produce) -> float:
    """Calls a second, done from a backlog that was made while no worker ran."""
    here.clear()
    with here.paused():
        produce()
    began = time.monotonic()
    return size / (here.ended.wait_for(size, seconds=WAIT) - began)


def _latency(here: Ground, produce: Produce, times: int) -> float:
    """Milliseconds from before a call is made until its handler runs; the median."""
    return median(_once(here, produce) for _ in range(times)) * 1000


def _once(here: Ground, produce: Produce) -> float:
    here.clear()
    time.sleep(PAUSE)
    began = time.monotonic()
    produce()
    here.ended.wait_for(1, seconds=WAIT)
    return here.entered.wait_for(1, seconds=WAIT) - began
