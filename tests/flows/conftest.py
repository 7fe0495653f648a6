from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores import opened
from tests.world import Weather, World

WEATHERS = {
    "memory-calm": Weather(),
    "memory-twice": Weather(deliveries=2),
    "memory-shuffled": Weather(shuffled=True),
    "sqlite-calm": Weather(),
    "postgres-calm": Weather(),
}


@pytest.fixture(params=WEATHERS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """The stories run in three weathers in memory, and in the calm on each database."""
    kind = request.param.partition("-")[0]
    with opened(kind, folder=tmp_path, request=request) as make:
        yield World(make, WEATHERS[request.param])
