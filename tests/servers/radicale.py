"""A real CalDAV server for the tests, prepared the way the product prepares its own."""

import socket
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Self

from workers.embedded.radicale import RadicaleFiles, command, ensure_calendar, prepare

PATIENCE = 60.0


class RadicaleServer:
    """Runs between enter and exit; its data stays in ``root``, so that it can be entered again."""

    files: RadicaleFiles
    _process: subprocess.Popen[bytes]

    def __init__(self, root: Path) -> None:
        self._root = root

    def __enter__(self) -> Self:
        self.files = prepare(self._root, port=free_port())
        self._process = subprocess.Popen(command(self.files))
        try:
            self._wait()
            ensure_calendar(self.files.url, self.files.username, self.files.password)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not _answers(self.files.url):
            if self._process.poll() is not None:
                raise RuntimeError(f"Radicale ended with {self._process.returncode}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"Radicale did not answer within {PATIENCE} s")
            time.sleep(0.02)


def free_port() -> int:
    """A loopback port nobody listens on right now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(url: str) -> bool:
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    with closing(socket.socket()) as probe:
        return probe.connect_ex((host, int(port))) == 0
