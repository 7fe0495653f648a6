"""One server of a kind for all contract suites."""

from collections.abc import Iterator

import pytest

from tests.servers.s3 import S3Server


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """Whoever kills it starts it again."""
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server
