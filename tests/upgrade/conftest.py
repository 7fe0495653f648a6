from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from assistant.adapters.sql.driver import Engines
from tests.servers.postgres import PostgresServer
from tests.upgrade.left import Left, opened_left, postgres_left, upgraded_sqlite
from tests.world import Weather


@pytest.fixture(scope="session")
def filled_postgres(
    postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[PostgresServer, str]:
    """A database that others are copied from."""
    return postgres, postgres_left(tmp_path_factory.mktemp("left"), postgres)


_copies = count()


def copied(server: PostgresServer, name: str) -> Engines:
    copy = f"{name}_{next(_copies)}"
    with psycopg.connect(server.uri, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {copy} TEMPLATE {name}")
    return server.engines(copy)


@pytest.fixture
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Left]:
    """What the older revision left; every message is delivered twice."""
    if getattr(request, "param", "sqlite") == "sqlite":
        engines = upgraded_sqlite(tmp_path)
    else:
        server, name = request.getfixturevalue("filled_postgres")
        engines = copied(server, name)
    yield opened_left(engines, weather=Weather(deliveries=2))
    engines.dispose()
