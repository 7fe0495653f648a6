from collections.abc import Iterator
from itertools import count

import psycopg
import pytest

from assistant.adapters.sql.driver import Engines
from tests.servers.postgres import PostgresServer
from tests.upgrade.left import Left, opened_left, postgres_left, upgraded_sqlite
from tests.world import Weather


@pytest.fixture(scope="session")
def filled_postgres(postgres: PostgresServer) -> tuple[PostgresServer, str]:
    """A database that others are copied from."""
    return postgres, postgres_left(postgres)


_copies = count()


def copied(server: PostgresServer, name: str) -> Engines:
    copy = f"{name}_{next(_copies)}"
    with psycopg.connect(server.uri, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {copy} TEMPLATE {name}")
    return server.engines(copy)


@pytest.fixture
def left(request: pytest.FixtureRequest) -> Iterator[Left]:
    """What the older revision left; every message is delivered twice."""
    twice = Weather(deliveries=2)
    if getattr(request, "param", "sqlite") == "sqlite":
        with upgraded_sqlite() as engines:
            yield opened_left(engines, weather=twice)
    else:
        engines = copied(*request.getfixturevalue("filled_postgres"))
        yield opened_left(engines, weather=twice)
        engines.dispose()
