"""The store on each of its databases, for the World and for the contract."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from assistant.adapters.sql.engine import Engines, make_engines
from assistant.adapters.sql.store import SqlStore
from assistant.adapters.system_clock import SystemClock
from assistant.ports import Bell, Clock, Store
from tests.memory_store import MemoryStore
from tests.servers.postgres import PostgresServer
from workers import migrate

MakeStore = Callable[[Bell, Clock], Store]


def sqlite_engines(folder: Path) -> Engines:
    """A fresh, migrated SQLite database with its owners."""
    file = folder / "assistant.sqlite3"
    file.write_bytes(_migrated_sqlite())
    return make_engines(f"sqlite:///{file}")


@cache
def _migrated_sqlite() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.sqlite3"
        prepared(make_engines(f"sqlite:///{file}")).dispose()
        return file.read_bytes()


@contextmanager
def postgres_engines(server: PostgresServer, migrated: str) -> Iterator[Engines]:
    """A fresh Postgres database, a copy of the migrated one."""
    name = server.make_database(template=migrated)
    engines = server.engines(name)
    yield engines
    engines.dispose()
    server.drop_database(name)


@contextmanager
def opened(kind: str, *, folder: Path, request: pytest.FixtureRequest) -> Iterator[MakeStore]:
    """What makes stores of a kind: memory, sqlite or postgres."""
    if kind == "memory":
        yield lambda bell, clock: MemoryStore(bell=bell, clock=clock)
    elif kind == "sqlite":
        engines = sqlite_engines(folder)
        yield lambda bell, clock: sql_store(engines, bell, clock)
        engines.dispose()
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        with postgres_engines(server, request.getfixturevalue("migrated")) as engines:
            yield lambda bell, clock: sql_store(engines, bell, clock)


def prepared(engines: Engines) -> Engines:
    migrate.upgrade(engines)
    for owner in ("owner", "other"):
        migrate.ensure_owner(
            engines, id=owner, name=owner.title(), zone="Europe/Berlin", clock=SystemClock()
        )
    return engines


def sql_store(engines: Engines, bell: Bell, clock: Clock) -> SqlStore:
    return SqlStore(engines=engines, bell=bell, clock=clock)
