"""One server of a kind for all contract suites, and a store of each kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bed import Bed
from tests.servers.s3 import S3Server
from tests.stores import opened


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """Whoever kills it starts it again."""
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def bed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bed]:
    """A store of each kind, empty."""
    with opened(request.param, folder=tmp_path, request=request) as make:
        yield Bed(make)
