from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores import sql_store, sqlite_engines
from tests.world import Weather, World


@pytest.fixture(params=[Weather(), Weather(deliveries=2), Weather(shuffled=True)], ids=str)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    engines = sqlite_engines(tmp_path)
    yield World(lambda bell, clock: sql_store(engines, bell, clock), request.param)
    engines.dispose()
