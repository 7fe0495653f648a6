"""Open the connections of a process: one pool for each way they are used.

On SQLite: a write-ahead log, ``synchronous=FULL`` (a commit is on the disk), writes in
``BEGIN IMMEDIATE`` (a deferred transaction that reads and then writes fails under load, whatever
the busy timeout), and reads on connections that refuse to write.

Text that one of the databases cannot hold is made sound on its way into either.
"""

import sqlite3
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DisconnectionError

from assistant.adapters.sql.driver.autocommit import (
    IDLE_SECONDS,
    KEPT_CONNECTIONS,
    UNFLUSHED,
    Autocommit,
)
from assistant.adapters.sql.driver.busy_retry import BUSY_SECONDS, retry_while_busy
from assistant.adapters.sql.driver.errors import dbapi_error
from assistant.domain.errors import Misconfigured
from assistant.domain.sound import sound

_NETWORK = frozenset(
    {"9p", "afpfs", "cifs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs", "webdav", "fuse.s3fs"}
)


@dataclass(frozen=True, eq=False)
class Engines:
    """``write`` and ``read`` for transactions, ``durable`` and ``unflushed`` for single statements.

    A power cut may undo what ``unflushed`` commits, until a later ``write`` has committed; the end
    of the process does not. It is for claims and heartbeats, which nothing rests on alone.
    """

    write: Engine
    durable: Engine
    unflushed: Engine
    read: Engine

    @cached_property
    def autocommit(self) -> Autocommit:
        return Autocommit(durable=self.durable, unflushed=self.unflushed, read=self.read)

    def dispose(self) -> None:
        self.autocommit.close()
        self.write.dispose()
        self.durable.dispose()
        self.unflushed.dispose()
        self.read.dispose()

    @property
    def sqlite(self) -> bool:
        return self.write.dialect.name == "sqlite"


def make_engines(url: str, *, pool: int = 10) -> Engines:
    """Engines for ``sqlite:///file`` or ``postgresql+psycopg://...``.

    Raises:
        Misconfigured: another database, or an SQLite file on a network file system.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(url, Path(parsed.database or ""), pool)
    if parsed.get_backend_name() == "postgresql":
        return _postgres(url, pool)
    raise Misconfigured(
        f"ASSISTANT_DATABASE_URL names {parsed.get_backend_name()}; use SQLite or Postgres"
    )


def _postgres(url: str, pool: int) -> Engines:
    if make_url(url).drivername == "postgresql":
        url = url.replace("postgresql:", "postgresql+psycopg:", 1)
    write = create_engine(url, pool_size=pool, max_overflow=pool, hide_parameters=True)
    event.listen(write, "before_cursor_execute", _make_sound, retval=True)
    _test_idle_connections(write)
    # Pools of their own: switching a connection to autocommit and back costs as much as a claim.
    single: dict[str, Any] = {
        "isolation_level": "AUTOCOMMIT",
        "pool_size": KEPT_CONNECTIONS,
        "max_overflow": pool,
        "hide_parameters": True,
    }
    durable = create_engine(url, **single)
    without_flush = {"options": "-c synchronous_commit=off"}
    unflushed = create_engine(url, connect_args=without_flush, **single)
    for engine in (durable, unflushed):
        event.listen(engine, "before_cursor_execute", _make_sound, retval=True)
        _test_idle_connections(engine)
    return Engines(
        write=write,
        durable=durable,
        unflushed=unflushed,
        read=write.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True),
    )


def _sqlite(url: str, file: Path, pool: int) -> Engines:
    _refuse_network(file)
    # Parameters are somebody's mail, and errors go to logs.
    common: dict[str, Any] = {"hide_parameters": True, "pool_size": pool, "max_overflow": pool}
    # One writer at a time: the pool lends the connection to the next when the last gives it back.
    write = create_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
    unflushed = create_engine(url, pool_size=1, max_overflow=pool, hide_parameters=True)
    read = create_engine(url, **common)
    patient = f"busy_timeout={BUSY_SECONDS * 1000}"
    for engine, pragmas in (
        (write, ("busy_timeout=0", "foreign_keys=ON", "synchronous=FULL")),
        (unflushed, (patient, "foreign_keys=ON", "synchronous=NORMAL")),
        (read, (patient, "query_only=ON")),
    ):
        if engine is not read:
            event.listen(engine, "connect", _use_wal)
        event.listen(engine, "connect", _on_connect(pragmas))
        event.listen(engine, "before_cursor_execute", _make_sound, retval=True)
    event.listen(write, "connect", _open_unflushed(file))
    event.listen(write, "close", _close_unflushed)
    event.listen(write, "begin", _begin_writing)
    event.listen(read, "begin", _begin_reading)
    return Engines(write=write, durable=write, unflushed=unflushed, read=read)


def _on_connect(pragmas: tuple[str, ...]) -> Any:
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun by hand
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    return on_connect


def _use_wal(connection: Any, _record: Any) -> None:
    """Switch the file to a write-ahead log; SQLite's busy timeout does not wait for that lock."""
    retry_while_busy(lambda: connection.execute("PRAGMA journal_mode=WAL"))


def _open_unflushed(file: Path) -> Any:
    """Give each writer a second connection, for commits that need not be flushed."""

    def on_connect(_connection: Any, record: Any) -> None:
        unflushed = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        unflushed.execute("PRAGMA busy_timeout=0")
        unflushed.execute("PRAGMA synchronous=NORMAL")
        record.info[UNFLUSHED] = unflushed

    return on_connect


def _close_unflushed(_connection: Any, record: Any) -> None:
    record.info.pop(UNFLUSHED).close()


def _begin_writing(connection: Connection) -> None:
    if _has_begun(connection):
        return
    driver: Any = connection.connection.driver_connection
    try:
        retry_while_busy(lambda: driver.execute("BEGIN IMMEDIATE"))
    except sqlite3.Error as error:
        raise dbapi_error(error, "BEGIN IMMEDIATE", connection.dialect, broken=False) from error


def _begin_reading(connection: Connection) -> None:
    if not _has_begun(connection):
        connection.exec_driver_sql("BEGIN")


def _has_begun(connection: Connection) -> bool:
    """Whether the transaction was begun on the driver already (see ``LazyTransaction``)."""
    driver: Any = connection.connection.driver_connection
    return bool(driver.in_transaction)


def _test_idle_connections(engine: Engine) -> None:
    """Test a connection that was idle; ``pool_pre_ping`` costs a round trip a transaction."""

    def checkin(_connection: Any, record: Any) -> None:
        record.info["idle_since"] = time.monotonic()

    def checkout(connection: Any, record: Any, _proxy: Any) -> None:
        if time.monotonic() - record.info.get("idle_since", float("inf")) < IDLE_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError(str(error)) from error

    event.listen(engine, "checkin", checkin)
    event.listen(engine, "checkout", checkout)


def _make_sound(  # the shape is SQLAlchemy's
    _connection: Connection,
    _cursor: Any,
    statement: str,
    parameters: Any,
    _context: Any,
    executemany: bool,  # noqa: FBT001
) -> tuple[str, Any]:
    if executemany:
        return statement, [_sound_values(row) for row in parameters]
    return statement, _sound_values(parameters)


def _sound_values(values: Any) -> Any:
    if isinstance(values, dict):
        return {name: _sound_value(value) for name, value in values.items()}
    return tuple(_sound_value(value) for value in values)


def _sound_value(value: Any) -> Any:
    return sound(value) if isinstance(value, str) else value


def _refuse_network(file: Path) -> None:
    """SQLite's locks do not hold on network file systems, and its log needs shared memory."""
    place = file.absolute().parent
    mounts = [
        part for part in psutil.disk_partitions(all=True) if place.is_relative_to(part.mountpoint)
    ]
    nearest = max(mounts, key=lambda part: len(part.mountpoint), default=None)
    if nearest is not None and nearest.fstype in _NETWORK:
        raise Misconfigured(
            f"{place} is on a network file system ({nearest.fstype}), where SQLite loses data; "
            "keep ASSISTANT_DATA_DIR on a local disk or set ASSISTANT_DATABASE_URL to Postgres"
        )
