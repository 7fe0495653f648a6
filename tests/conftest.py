"""What every suite shares: one server of a kind, an empty store, and the world of the stories."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from assistant.adapters.sql.driver import Engines
from tests.logs import own_logging
from tests.servers.postgres import PostgresServer, postgres_server
from tests.stores import Fresh, one_after_another, opened, prepared
from tests.world import Weather, World

_UNDER_LOAD = (HealthCheck.too_slow,)
_AS_MEANT = (HealthCheck.function_scoped_fixture,)  # `fresh` is called for each example
settings.register_profile(
    "fast",
    max_examples=60,
    derandomize=True,
    deadline=None,
    suppress_health_check=[*_UNDER_LOAD, *_AS_MEANT],
)
settings.register_profile("thorough", settings.get_profile("fast"), max_examples=300)
settings.register_profile(
    "random", settings.get_profile("fast"), max_examples=300, derandomize=False
)
settings.load_profile("fast")


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """A command that runs within a test sets logging up, and the next test reads what is logged."""
    with own_logging():
        yield


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


@pytest.fixture
def kind() -> str:
    """The database that ``fresh`` opens; a suite or a test may name another."""
    return "sqlite"


@pytest.fixture
def fresh(kind: str, request: pytest.FixtureRequest) -> Iterator[Fresh]:
    """Opens an empty database; the one that it opened before is gone then."""
    with one_after_another(kind, request) as fresh:
        yield fresh


@pytest.fixture(
    params=[
        pytest.param(("sqlite", Weather()), id="calm"),
        pytest.param(("sqlite", Weather(deliveries=2)), id="twice", marks=pytest.mark.weather),
        pytest.param(("sqlite", Weather(shuffled=True)), id="shuffled", marks=pytest.mark.weather),
        pytest.param(("postgres", Weather()), id="postgres", marks=pytest.mark.weather),
    ]
)
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """The assistant of a story: in the calm, and by the marker `weather` in the others."""
    kind, weather = request.param
    with opened(kind, request) as make:
        yield World(make, weather)
