"""Xandikos, a CalDAV server that keeps calendars in git. It asks for no password over http."""

import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.servers.radicale import PATIENCE, free_port
from workers.embedded.http_probe import wait_for

USERNAME = "owner"


class XandikosServer:
    """Runs between enter and exit. Its account has one calendar, called ``calendar``."""

    url: str
    _process: subprocess.Popen[bytes]

    def __init__(self, root: Path) -> None:
        self._root = root

    def __enter__(self) -> Self:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "xandikos", "serve", "--defaults"),
                *("--directory", str(self._root / "data")),
                *("--state-dir", str(self._root / "state")),
                *("--listen-address", "127.0.0.1", "--port", str(port), "--no-detect-systemd"),
                *("--current-user-principal", f"/{USERNAME}/"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(self.url, self._process)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
