"""The whole program on a data folder of its own: ``assistant up``, and a second host beside it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from redis import Redis

from assistant.domain.messages import Queue
from tests.prove.clerk import ProveClerk
from tests.prove.sink import PLUGIN
from tests.servers.openai_api import KEY
from tests.servers.radicale import free_port
from workers.embedded import valkey
from workers.parts import Assistant, silent_assistant
from workers.settings import PREFIX, load

LEASE = 3.0
_REPOSITORY = Path(__file__).parents[2]
_ASSISTANT = (sys.executable, "-m", "workers.cli")
_MARK = "PROVE_HOUSE"
"""In the environment of every process of a house, whoever started it."""
_START = 120.0
"""Seconds; a loaded machine needs a multiple of what it takes."""
EXPECTED = frozenset({"worker", "tools", "doors", "radicale"})


class NotUp(Exception):
    """`assistant up` did not start."""


class House:
    """One installation.

    Args:
        root: for logs, marks and the second host.
        data: its ``DATA_DIR``.
        site: where the plugin is installed.
        clerk: its provider of models.
        database_url: empty for SQLite in ``data``.
        own_broker: whether ``up`` runs the broker; else it runs here, for two hosts.
    """

    def __init__(
        self,
        root: Path,
        data: Path,
        *,
        site: Path,
        clerk: ProveClerk,
        database_url: str,
        own_broker: bool,
    ) -> None:
        self.root, self.data, self._site = root, data, site
        self._up: subprocess.Popen[bytes] | None = None
        self._second: subprocess.Popen[bytes] | None = None
        self._broker: subprocess.Popen[bytes] | None = None
        self._broker_files: valkey.ValkeyFiles | None = None
        self.own_broker = own_broker
        self.smtp_port = free_port()
        self._settings: dict[str, Any] = {
            "database_url": database_url,
            "tools": PLUGIN,
            "lease_seconds": LEASE,
            "calendar_timeout": 1.0,
            "tick_seconds": 0.3,
            "canary_seconds": 0.5,
            "retry_seconds": 0.2,
            "disk_free_mib": 0,
            "memory_free_mib": 0,
            "model": "openai:clerk",
            "model_base_url": clerk.base_url,
            "model_api_key": KEY,
            "smtp_port": self.smtp_port,
            "http_port": free_port(),
            "timezone": "UTC",
        }
        if not own_broker:
            self._broker_port = free_port()
            self.start_broker()

    def assistant(self) -> Assistant:
        """Parts for whoever asks and looks from outside; nobody hears its bell."""
        given = {name: value for name, value in self._settings.items() if value != ""}
        return silent_assistant(load(_env_file=None, data_dir=self.data, **given))

    # ``assistant up``

    def up(self) -> None:
        """Start it, and wait until it is ready. Raises ``NotUp``."""
        out = self.root / "up.out"
        with (self.root / "up.log").open("ab") as log, out.open("wb") as said:
            self._up = subprocess.Popen(
                [*_ASSISTANT, "up", "--no-chat", "--json"],
                cwd=self.root,
                env=self._environment(self.data, self._settings),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=log,
                start_new_session=True,
            )
        give_up = time.monotonic() + _START
        while not _is_json(out):
            if self._up.poll() is not None or time.monotonic() > give_up:
                raise NotUp((self.root / "up.log").read_text()[-2000:])
            time.sleep(0.05)

    @property
    def is_up(self) -> bool:
        return self._up is not None and self._up.poll() is None

    def kill_up(self) -> None:
        assert self._up is not None
        self._up.kill()
        self._up.wait()

    def children(self) -> dict[str, int]:
        """The pids of what ``up`` started, as it noted them."""
        try:
            noted = json.loads((self.data / "run" / "children.json").read_text())
        except (OSError, ValueError):
            return {}
        return {name: int(child["pid"]) for name, child in noted.items()}

    def dead(self) -> list[str]:
        """What should run and does not."""
        if not self.is_up:
            return ["up"]
        mine = {process.pid for process in psutil.Process(self._pid).children()}
        noted = self.children()
        wanted = EXPECTED | ({"valkey"} if self.own_broker else set())
        return sorted(name for name in wanted if not _runs(noted.get(name), mine))

    @property
    def _pid(self) -> int:
        assert self._up is not None
        return self._up.pid

    def kill_child(self, name: str) -> bool:
        pid = self.children().get(name)
        with suppress(ProcessLookupError):
            if pid is not None and pid in self._mine():
                os.kill(pid, signal.SIGKILL)
                return True
        return False

    # The broker

    def start_broker(self, *, empty: bool = False) -> None:
        """Start the broker that both hosts use."""
        folder = self.root / "valkey"
        if self._broker is not None:
            self._broker.kill()
            self._broker.wait()
        if empty:
            _remove_log_of(folder)
        files = valkey.prepare(folder, port=self._broker_port, password="prove")
        with (self.root / "valkey.log").open("ab") as log:
            self._broker = subprocess.Popen(valkey.command(files), stdout=log, stderr=log)
        valkey.wait_until_ready(files.url)
        self._settings["broker_url"] = files.url

    def wipe_broker(self) -> None:
        """Empty it while it runs, and let it die without what it had on the disk."""
        if not self.own_broker:
            self.start_broker(empty=True)
            return
        with suppress(Exception):  # it may be down just now
            url = self.assistant().data_folder.broker_url
            Redis.from_url(url, socket_timeout=2).flushall()
        self.kill_child("valkey")
        _remove_log_of(self.data / "valkey")

    # A second host

    def start_second_host(self) -> None:
        """Start workers as on another host of the same name: its pids mean nothing here."""
        url = str(self._settings["database_url"]) or f"sqlite:///{self.data / 'assistant.sqlite3'}"
        settings = {
            **self._settings,
            "database_url": url,
            "blobs": f"file://{self.data / 'blobs'}",
        }
        elsewhere = self.root / "second"
        elsewhere.mkdir(exist_ok=True)
        apart = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
        queues = [Queue.TOOLS.value, "--pool", "processes", "--concurrency", "2"]
        with (self.root / "second.log").open("ab") as log:
            self._second = subprocess.Popen(
                [*apart, *_ASSISTANT, "worker", *queues],
                cwd=self.root,
                env=self._environment(elsewhere, settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    # Its end

    def close(self) -> None:
        """End all that was started, whatever state it is in."""
        if self._up is not None and self._up.poll() is None:
            self._up.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._up.wait(30)
        for process in (self._up, self._second, self._broker):
            if process is not None:
                process.kill()
                process.wait()
        for pid in self._mine():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _mine(self) -> set[int]:
        """The pids of all processes of this house."""
        found: set[int] = set()
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.environ().get(_MARK) == str(self.root):
                    found.add(process.pid)
        return found

    def _environment(self, data: Path, settings: Mapping[str, Any]) -> dict[str, str]:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(PREFIX)}
        mine = {f"{PREFIX}{key.upper()}": str(value) for key, value in settings.items()}
        path = os.pathsep.join((str(_REPOSITORY), str(self._site)))
        own = {_MARK: str(self.root), f"{PREFIX}DATA_DIR": str(data), "PYTHONPATH": path}
        return {**inherited, **mine, **own}


def _is_json(file: Path) -> bool:
    try:
        return bool(json.loads(file.read_text())["ready"])
    except (OSError, ValueError):
        return False


def _runs(pid: int | None, mine: set[int]) -> bool:
    if pid is None or pid not in mine:
        return False
    with suppress(psutil.Error):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


def _remove_log_of(valkey: Path) -> None:
    for file in (valkey / "appendonlydir").glob("*"):
        with suppress(OSError):
            file.unlink()
