from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.ports import Bell, Clock, Store
from tests.memory_store import MemoryStore
from tests.servers.postgres import PostgresServer
from tests.stores import postgres_engines, sql_store, sqlite_engines
from tests.world import MakeStore, Weather, World

WEATHERS = {
    "memory-calm": Weather(),
    "memory-twice": Weather(deliveries=2),
    "memory-shuffled": Weather(shuffled=True),
    "sqlite-calm": Weather(),
    "postgres-calm": Weather(),
}


@pytest.fixture(params=WEATHERS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """The stories run in three weathers in memory, and in the calm on each database."""
    with make_store(request, tmp_path) as make:
        yield World(make, WEATHERS[request.param])


@contextmanager
def make_store(request: pytest.FixtureRequest, folder: Path) -> Iterator[MakeStore]:
    kind = request.param.partition("-")[0]
    if kind == "memory":
        yield memory_store
    elif kind == "sqlite":
        engines = sqlite_engines(folder)
        yield lambda bell, clock: sql_store(engines, bell, clock)
        engines.dispose()
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        with postgres_engines(server, request.getfixturevalue("migrated")) as engines:
            yield lambda bell, clock: sql_store(engines, bell, clock)


def memory_store(bell: Bell, clock: Clock) -> Store:
    return MemoryStore(bell=bell, clock=clock)
