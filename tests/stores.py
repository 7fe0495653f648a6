"""Empty stores on each kind of database, for stories, proofs and the contract of the store."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection, Engine, QueuePool, delete, text, update
from sqlmodel import SQLModel

from assistant.adapters.sql.driver import Engines, make_engines
from assistant.adapters.sql.store import SqlStore
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.governance import ModeRow
from assistant.adapters.system_clock import SystemClock
from assistant.domain.governance.modes import Mode, ModeRecord
from assistant.domain.ids import new_id
from assistant.domain.jobs.ports import Bell
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from workers import migrate

MakeStore = Callable[[Bell, Clock], Store]
Fresh = Callable[[], MakeStore]


@contextmanager
def sqlite_engines() -> Iterator[Engines]:
    """Engines on a migrated SQLite database with its owners, as fresh as on the first day.

    The file is a copy of one that each process migrates once. It lies in shared memory where the
    machine has some (``/dev/shm``), so that a flush costs nothing there. The engines are used again
    by later tests, because each of them keeps the statements that it has compiled.
    """
    engines = _idle.pop() if _idle else _engines_on_a_new_file()
    file = Path(engines.write.url.database or "")
    for name in (f"{file}-wal", f"{file}-shm"):
        Path(name).unlink(missing_ok=True)
    file.write_bytes(_migrated_sqlite())
    try:
        yield engines
    finally:
        in_use = [
            engine
            for engine in (engines.write, engines.durable, engines.unflushed, engines.read)
            if _is_used(engine)
        ]
        engines.dispose()
        if not in_use:
            _idle.append(engines)


def _is_used(engine: Engine) -> bool:
    """Whether somebody still holds a connection, as a thread that a test has left behind."""
    assert isinstance(engine.pool, QueuePool)
    return engine.pool.checkedout() > 0


_idle: list[Engines] = []
_SHARED_MEMORY = Path("/dev/shm")


def _engines_on_a_new_file() -> Engines:
    return make_engines(f"sqlite:///{_folder() / new_id()}.sqlite3")


@cache
def _folder() -> Path:
    """Where the databases of this process lie until it ends."""
    there = _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="assistant-tests-", dir=there)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def _migrated_sqlite() -> bytes:
    file = _folder() / "template.sqlite3"
    prepared(make_engines(f"sqlite:///{file}")).dispose()
    return file.read_bytes()


@contextmanager
def opened(kind: str, request: pytest.FixtureRequest) -> Iterator[MakeStore]:
    """What makes stores on an empty database of a kind: sqlite or postgres."""
    if kind == "sqlite":
        with sqlite_stores() as make:
            yield make
    else:
        assert kind == "postgres"
        shared = emptied(request.getfixturevalue("migrated_postgres"))
        yield lambda bell, clock: sql_store(shared, bell, clock)


@contextmanager
def sqlite_stores() -> Iterator[MakeStore]:
    with sqlite_engines() as engines:
        yield lambda bell, clock: sql_store(engines, bell, clock)


@contextmanager
def one_after_another(kind: str, request: pytest.FixtureRequest) -> Iterator[Fresh]:
    """What opens an empty database of a kind; the one that it opened before is gone then."""
    held = ExitStack()

    def fresh() -> MakeStore:
        held.close()
        return held.enter_context(opened(kind, request))

    with held:
        yield fresh


def no_store(_bell: Bell, _clock: Clock) -> Store:
    """For a world that is asked for its tools alone."""
    return cast("Store", object())


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
    with engines.write.begin() as connection, unguarded(connection):
        for rows in reversed(SQLModel.metadata.sorted_tables):
            if rows.name not in ("owner", "mode"):
                connection.execute(delete(rows))
        connection.execute(
            text("UPDATE owner SET calls = 0, grants = 0, chosen_zone = '', acted = NULL")
        )
    _be_normal(engines)
    return engines


@contextmanager
def unguarded(connection: Connection) -> Iterator[None]:
    """Let audit entries and cuts be changed and deleted, as whoever has the database can."""
    if connection.dialect.name == "postgresql":
        for name in ("audit", "audit_cut"):
            connection.execute(text(f"ALTER TABLE {name} DISABLE TRIGGER USER"))
        yield
        for name in ("audit", "audit_cut"):
            connection.execute(text(f"ALTER TABLE {name} ENABLE TRIGGER USER"))
        return
    found = text(
        "SELECT name, sql FROM sqlite_master"
        " WHERE type = 'trigger' AND tbl_name IN ('audit', 'audit_cut')"
    )
    guards = connection.execute(found).all()
    for name, _ in guards:
        connection.execute(text(f"DROP TRIGGER {name}"))
    yield
    for _, statement in guards:
        connection.exec_driver_sql(statement)


def sql_store(engines: Engines, bell: Bell, clock: Clock) -> SqlStore:
    return SqlStore(engines=engines, bell=bell, clock=clock)
