"""The store on each of its databases, for the World and for the contract."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from assistant.adapters.sql.engine import Engines, make_engines
from assistant.adapters.sql.store import SqlStore
from assistant.adapters.system_clock import SystemClock
from assistant.ports import Bell, Clock
from tests.servers.postgres import PostgresServer
from workers import migrate


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


def prepared(engines: Engines) -> Engines:
    migrate.upgrade(engines)
    for owner in ("owner", "other"):
        migrate.ensure_owner(
            engines, id=owner, name=owner.title(), zone="Europe/Berlin", clock=SystemClock()
        )
    return engines


def sql_store(engines: Engines, bell: Bell, clock: Clock) -> SqlStore:
    return SqlStore(engines=engines, bell=bell, clock=clock)
