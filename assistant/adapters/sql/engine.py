"""Connections that behave the same every time: one pair of engines a process.

SQLite: write-ahead log, ``synchronous=FULL`` (a commit is on the disk), writes in ``BEGIN
IMMEDIATE`` (a deferred transaction that reads and then writes fails under load, whatever the busy
timeout), reads on connections that refuse to write.

Text that one of the databases could not hold is made sound on its way into either.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url

from assistant.domain.errors import Misconfigured
from assistant.domain.sound import sound

BUSY_SECONDS = 30
_NETWORK = frozenset(
    {"9p", "afpfs", "cifs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs", "webdav", "fuse.s3fs"}
)


@dataclass(frozen=True)
class Engines:
    """``write`` for transactions, ``single`` for lone statements, ``read`` for looking."""

    write: Engine
    single: Engine
    read: Engine

    def dispose(self) -> None:
        self.write.dispose()
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
    raise Misconfigured(f"DATABASE_URL names {parsed.get_backend_name()}; use SQLite or Postgres")


def _postgres(url: str, pool: int) -> Engines:
    if make_url(url).drivername == "postgresql":
        url = url.replace("postgresql:", "postgresql+psycopg:", 1)
    common: dict[str, Any] = {"pool_size": pool, "max_overflow": pool, "pool_pre_ping": True}
    write = create_engine(url, **common)
    event.listen(write, "before_cursor_execute", _make_sound, retval=True)
    return Engines(
        write=write,
        single=write.execution_options(isolation_level="AUTOCOMMIT"),
        read=write.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True),
    )


def _sqlite(url: str, file: Path, pool: int) -> Engines:
    _refuse_network(file)
    common: dict[str, Any] = {"pool_size": pool, "max_overflow": pool}
    write = create_engine(url, pool_size=1, max_overflow=0)
    read = create_engine(url, **common)
    for engine, pragmas in (
        (write, ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")),
        (read, ("query_only=ON",)),
    ):
        event.listen(engine, "connect", _on_connect(pragmas))
        event.listen(engine, "before_cursor_execute", _make_sound, retval=True)
    event.listen(write, "begin", _begin("BEGIN IMMEDIATE"))
    event.listen(read, "begin", _begin("BEGIN"))
    return Engines(write=write, single=write.execution_options(single=True), read=read)


def _on_connect(pragmas: tuple[str, ...]) -> Any:
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun by hand, in `_begin`
        for pragma in (f"busy_timeout={BUSY_SECONDS * 1000}", *pragmas):
            connection.execute(f"PRAGMA {pragma}")

    return on_connect


def _begin(statement: str) -> Any:
    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get("single"):
            connection.exec_driver_sql(statement)

    return begin


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
            "keep DATA_DIR on a local disk or set DATABASE_URL to Postgres"
        )
