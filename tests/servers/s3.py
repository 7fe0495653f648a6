"""A real S3 server for tests: it checks signatures, and it can be killed.

``python -m tests.servers.s3 --ensure-venv`` makes its environment, which takes some seconds and
happens otherwise at the first start.
"""

import argparse
import fcntl
import hashlib
import select
import subprocess
import sys
import time
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import TYPE_CHECKING, Self

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from mypy_boto3_s3.client import S3Client

_HERE = Path(__file__).resolve().parent
VENV = _HERE.parent.parent / ".venv-s3"
LOCK = _HERE / "requirements-s3.lock"
_STARTUP_SECONDS = 45.0
_INSTALL_SECONDS = 300.0


def ensure_venv() -> Path:
    """The Python of an environment that holds exactly what the lock says; made when it does not.

    Two processes that call this at once make it once. Raises ``RuntimeError`` with pip's words.
    """
    python, stamp = VENV / "bin" / "python", VENV / "installed"
    wanted = hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()
    with LOCK.open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (python.exists() and stamp.exists() and stamp.read_text() == wanted):
            _run([sys.executable, "-m", "venv", "--clear", str(VENV)])
            _run([str(python), "-m", "pip", "install", "--quiet", *_exactly(LOCK)])
            stamp.write_text(wanted)
    return python


def _exactly(lock: Path) -> list[str]:
    return ["--disable-pip-version-check", "--no-deps", "--require-hashes", "-r", str(lock)]


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


class S3Server:
    """OpenStack Swift with its S3 interface, on a free loopback port, its data below ``root``.

    It ends with whoever started it, however that ends. Path addressing; bucket names have at least
    three characters.
    """

    region = "us-east-1"
    access_key = "test:tester"
    secret_key = "a-secret-of-the-tests"

    def __init__(self, root: Path) -> None:
        self._root = root
        self._log = root / "server.log"
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.endpoint = ""
        """``http://127.0.0.1:port``: chosen at the first start and kept."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start, or start again on the same port and data. Raises ``RuntimeError`` with its log."""
        python = ensure_venv()
        self._root.mkdir(parents=True, exist_ok=True)
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [str(python), "-W", "ignore", str(_HERE / "swift_one.py"), *self._arguments()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.endpoint = self._first_line(self._process)
        self._port = int(self.endpoint.rpartition(":")[2])

    def kill(self) -> None:
        """As ``kill -9`` does; nothing when it is not running."""
        if self._process is None:
            return
        self._process.kill()
        self._process.communicate()
        self._process = None

    def make_bucket(self) -> str:
        """A new, empty bucket; its name."""
        name = f"bucket-{token_hex(4)}"
        self._client.create_bucket(Bucket=name)
        return name

    @cached_property
    def _client(self) -> "S3Client":
        client: S3Client = boto3.session.Session().client(
            "s3",
            endpoint_url=self.endpoint,
            region_name=self.region,
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
            config=Config(s3={"addressing_style": "path"}),
        )
        return client

    def _arguments(self) -> list[str]:
        return [str(self._root), self.access_key, self.secret_key, self.region, str(self._port)]

    def _first_line(self, process: subprocess.Popen[str]) -> str:
        """What it says when it answers: its endpoint."""
        assert process.stdout is not None
        began = time.monotonic()
        readable, _, _ = select.select([process.stdout], [], [], _STARTUP_SECONDS)
        line = process.stdout.readline().strip() if readable else ""
        if not line:
            self.kill()
            seconds = time.monotonic() - began
            log = self._log.read_text(errors="replace")[-4000:]
            raise RuntimeError(f"the S3 server did not start in {seconds:.0f} s; its log:\n{log}")
        return line


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="The S3 server of the tests.")
    arguments.add_argument("--ensure-venv", action="store_true", required=True)
    arguments.parse_args()
    ensure_venv()
