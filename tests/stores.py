"""The store on each of its databases, for the World and for the contract."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import delete, text, update
from sqlmodel import SQLModel

from assistant.adapters.sql.driver import Engines, make_engines
from assistant.adapters.sql.store import SqlStore
from assistant.adapters.sql.tables import ModeRow, table
from assistant.adapters.system_clock import SystemClock
from assistant.domain.modes import Mode, ModeRecord
from assistant.ports import Bell, Clock, Store
from tests.memory_store import MemoryStore
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
def opened(kind: str, *, folder: Path, request: pytest.FixtureRequest) -> Iterator[MakeStore]:
    """What makes stores of a kind: memory, sqlite or postgres."""
    if kind == "memory":
        yield lambda bell, clock: MemoryStore(bell=bell, clock=clock)
    elif kind == "sqlite":
        engines = sqlite_engines(folder)
        yield lambda bell, clock: sql_store(engines, bell, clock)
        engines.dispose()
    else:
        shared = emptied(request.getfixturevalue("migrated_postgres"))
        yield lambda bell, clock: sql_store(shared, bell, clock)


def prepared(engines: Engines) -> Engines:
    migrate.upgrade(engines)
    for owner in ("owner", "other"):
        migrate.ensure_owner(
            engines, id=owner, name=owner.title(), zone="Europe/Berlin", clock=SystemClock()
        )
    _be_normal(engines)
    return engines


def _be_normal(engines: Engines) -> None:
    """Since before any test's clock began."""
    changes = {
        **ModeRecord(since=datetime(2026, 1, 1, tzinfo=UTC)).model_dump(),
        "mode": Mode.NORMAL.value,
        "before": Mode.NORMAL.value,
    }
    with engines.write.begin() as connection:
        connection.execute(update(table(ModeRow)).values(**changes))


def emptied(engines: Engines) -> Engines:
    """The same database with its owners alone, as if nothing had happened in it."""
    with engines.write.begin() as connection:
        for rows in reversed(SQLModel.metadata.sorted_tables):
            if rows.name not in ("owner", "mode"):
                connection.execute(delete(rows))
        connection.execute(text("UPDATE owner SET calls = 0, grants = 0"))
    _be_normal(engines)
    return engines


def sql_store(engines: Engines, bell: Bell, clock: Clock) -> SqlStore:
    return SqlStore(engines=engines, bell=bell, clock=clock)
