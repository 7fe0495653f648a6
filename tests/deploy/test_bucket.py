"""The one-shot that makes the bucket, run as the container runs it, against a real S3 server."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.s3 import S3Server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


def run(server: S3Server, **more: str) -> subprocess.CompletedProcess[str]:
    settings = {
        "ASSISTANT_BLOBS": "s3://letters",
        "ASSISTANT_S3_ENDPOINT": server.endpoint,
        "ASSISTANT_S3_ACCESS_KEY": server.access_key,
        "ASSISTANT_S3_SECRET_KEY": server.secret_key,
    }
    return subprocess.run(
        [sys.executable, str(ROOT / "deploy" / "bucket.py")],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **settings, **more},
        cwd=ROOT / "deploy",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_makes_the_bucket_and_leaves_it_alone_the_next_time(s3: S3Server) -> None:
    first, second = run(s3), run(s3)
    assert (first.returncode, first.stdout) == (0, "the bucket letters was made\n"), first.stderr
    assert (second.returncode, second.stdout) == (0, "the bucket letters is there\n")


def test_a_wrong_secret_makes_it_fail(s3: S3Server) -> None:
    said = run(s3, ASSISTANT_S3_SECRET_KEY="wrong")
    assert said.returncode == 1
    assert "403" in said.stderr


def test_it_says_when_no_bucket_is_named(s3: S3Server) -> None:
    said = run(s3, ASSISTANT_BLOBS="file:///letters")
    assert said.returncode == 3
    assert "names no bucket" in said.stderr
