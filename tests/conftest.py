"""One server of a kind for all suites."""

from collections.abc import Iterator

import pytest

from assistant.adapters.sql.driver import Engines
from tests.servers.postgres import PostgresServer, postgres_server
from tests.stores import prepared


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_postgres(postgres: PostgresServer) -> Iterator[Engines]:
    """A migrated database with its owners; whoever takes it empties it first."""
    engines = prepared(postgres.engines(postgres.make_database()))
    yield engines
    engines.dispose()
