"""One server of a kind for all contract suites, and a store of each kind."""

from collections.abc import Iterator
from subprocess import DEVNULL, Popen

import pytest

from tests.bed import Bed
from tests.contract.calendar_benches import (
    bench,
    icloud,
    like_icloud,
    meddled,
    meddler,
    memory,
    on_icloud,
    radicale,
    real,
    server,
    xandikos,
    xandikos_server,
)
from tests.servers.radicale import free_port
from tests.servers.s3 import S3Server
from tests.stores import opened
from workers.embedded import valkey

__all__ = [
    "bench",
    "icloud",
    "like_icloud",
    "meddled",
    "meddler",
    "memory",
    "on_icloud",
    "radicale",
    "real",
    "server",
    "xandikos",
    "xandikos_server",
]


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """Whoever kills it starts it again."""
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Valkey."""
    files = valkey.prepare(tmp_path_factory.mktemp("valkey"), port=free_port(), password="bell")
    process = Popen(valkey.command(files), stdout=DEVNULL)
    valkey.wait_until_ready(files.url)
    yield files.url
    process.terminate()
    process.wait(20)


@pytest.fixture(params=["sqlite", "postgres"])
def bed(request: pytest.FixtureRequest) -> Iterator[Bed]:
    """A store of each kind, empty."""
    with opened(request.param, request) as make:
        yield Bed(make)
