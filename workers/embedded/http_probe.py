"""Reach the servers of this installation, with the standard library alone."""

import contextlib
import socket
import time
from typing import Protocol
from urllib.parse import urlsplit

from assistant.domain.errors import Unreachable

_START_SECONDS = 20.0


class Ending(Protocol):
    """A process that may have ended."""

    returncode: int | None

    def poll(self) -> int | None: ...


def http_answer(url: str, *, timeout: float) -> tuple[int, str]:
    """Return status and text of a GET. Raises ``OSError`` where nothing that is HTTP answers."""
    from http.client import HTTPConnection, HTTPException  # noqa: PLC0415 (loads TLS and mail)

    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=timeout)
    try:
        connection.request("GET", address.path or "/")
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    except HTTPException as error:
        raise OSError(f"{url}: {error!r}") from error
    finally:
        connection.close()


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(url: str, process: Ending) -> None:
    """Wait until a server answers. Raises ``Unreachable`` if it ends or stays silent too long."""
    give_up = time.monotonic() + _START_SECONDS
    while time.monotonic() < give_up:
        with contextlib.suppress(OSError):
            http_answer(url, timeout=1)
            return
        if process.poll() is not None:
            raise Unreachable(f"the private calendar ended at once (exit {process.returncode})")
        time.sleep(0.05)
    raise Unreachable("the private calendar did not start")
