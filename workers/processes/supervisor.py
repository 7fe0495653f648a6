"""``assistant up``: start every part. ``keeper`` keeps them running, and stops them in order.

Each child runs in a session of its own, so that Ctrl-C reaches only this process, which stops the
children in order. Their pids are on disk: the next start ends the children that a SIGKILL of this
process left behind.
"""

import contextlib
import json
import logging
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psutil

from assistant.domain.errors import AssistantError, InUse, NoSpace, Unreachable
from assistant.domain.messages import Queue
from workers.configuration.faults import WrongSettings
from workers.data_folder import SQLITE, DataFolder, Endpoints, not_written
from workers.embedded import radicale, valkey
from workers.embedded.http_probe import free_port, http_answer
from workers.parts import Assistant, silent_assistant
from workers.processes.children import STOP_SECONDS, left_behind
from workers.processes.installations import Installation, installation_of
from workers.processes.keeper import Keeper
from workers.processes.watch import Say
from workers.processes.worker_id import WorkerId, claims_of_the_dead
from workers.settings import OWNER, PREFIX, Settings, as_written, faults_of_models

log = logging.getLogger(__name__)

START_SECONDS = 60.0
THREADED = (Queue.INTERACTIVE.value, Queue.INGEST.value, Queue.SLOW.value)
_BOT_SECONDS = 10.0
"""How long `up` waits for Discord before it goes on without the bot."""
_BOT_PAUSE = 30.0
"""The most seconds before the bot is started again: Discord counts how often it comes."""
_LEAST = 1024 * 1024
"""Bytes; with less free, no part starts."""
_MIB = 1024 * 1024


class Supervisor(Keeper):
    """One running assistant on one data directory.

    Raises from ``start``:
        WrongSettings: a configured model cannot be asked.
        InUse: another assistant runs on the data directory, or a port is taken.
        AssistantError: a part did not start; all parts are stopped again.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        say: Say,
        data_folder: DataFolder | None = None,
        keep_database: bool = True,
    ) -> None:
        super().__init__(data_folder or DataFolder(settings), say=say)
        self._given = settings
        self._keep_database = keep_database
        self.assistant: Assistant

    def start(self) -> Endpoints:
        """Start every part; return once all of them work."""
        if wrong := faults_of_models(self._given):
            raise WrongSettings(wrong)
        self._data_folder.open()
        self._take_lock()
        try:
            return self._start()
        except (AssistantError, OSError) as error:
            self.stop()
            raise self._explained(error) from error
        except BaseException:
            self.stop()
            raise

    def _explained(self, error: AssistantError | OSError) -> AssistantError:
        """Return the error of a start, which may have failed only because the disk is full."""
        with contextlib.suppress(OSError):
            may_be = isinstance(error, (OSError, Unreachable)) and not isinstance(error, NoSpace)
            if may_be and self._data_folder.free < _LEAST:
                return NoSpace(
                    f"{error}; nothing is left in {self._data_folder.root}, "
                    "what was kept is kept, free some space and start again"
                )
        if isinstance(error, AssistantError):
            return error
        return not_written(Path(error.filename or self._data_folder.root), error)

    def _say_space(self) -> None:
        """Say so if less is free than the assistant wants."""
        with contextlib.suppress(OSError):
            free, wanted = self._data_folder.free // _MIB, self._given.disk_free_mib
            if free < wanted:
                self._say(
                    "space",
                    f"only {free} MiB are free in {self._data_folder.root}, less than {wanted} MiB "
                    f"({PREFIX}DISK_FREE_MIB): free some, or mails and files cannot be kept",
                )

    def _start(self) -> Endpoints:
        self._reap()
        self._say_space()
        self._check_named_servers()
        began = time.monotonic()
        endpoints = self._choose_ports()
        broker = self._start_broker()
        calendar = self._start_calendar()
        endpoints = replace(endpoints, broker_url=broker, caldav_url=calendar)
        self._endpoints = endpoints
        written = as_written(self._given.model_copy(update=ports_of(endpoints)))
        self._settings = json.dumps(written, default=str)
        self._write_addresses(endpoints)
        self._prepare_database()
        self._start_processes(endpoints)
        self._watch_over()
        self._say("ready", f"after {time.monotonic() - began:.1f} s")
        return endpoints

    def _reap(self) -> None:
        """End the children that an earlier start left behind when it was killed."""
        left = left_behind(self._data_folder)
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        if left:
            psutil.wait_procs(left, timeout=STOP_SECONDS)
            self._say("reaped", f"{len(left)} processes that an earlier start left behind")
        self._data_folder.forget_endpoints()

    def _check_named_servers(self) -> None:
        """Check the servers that the settings name, before starting parts that need them."""
        from assistant.adapters.celery_bell import CeleryBell  # noqa: PLC0415 (only where named)
        from workers import revision  # noqa: PLC0415 (as above)

        given = self._given
        self.assistant = silent_assistant(given)
        if given.broker_url:
            CeleryBell(given.broker_url).check()
        if given.database_url or (self._data_folder.root / SQLITE).exists():
            revision.refuse_newer(self.assistant.engines)
            self._installation().check()
        if given.blobs:
            self.assistant.blobs.check()

    def _installation(self) -> Installation:
        return installation_of(self.assistant)

    def _choose_ports(self) -> Endpoints:
        given = self._given
        ports: dict[str, Any] = {
            "smtp_port": given.smtp_port or free_port(),
            "http_port": given.http_port or free_port(),
        }
        if given.lmtp_port is not None:
            ports["lmtp_port"] = given.lmtp_port or free_port()
        for name, port in ports.items():
            _check_free(given.bind_host, port, name)
        return Endpoints(**ports)

    def _start_broker(self) -> str:
        if self._given.broker_url:
            self._say("broker", f"yours, by {PREFIX}BROKER_URL")
            return ""
        prepare = self._valkey(free_port())
        files = prepare()
        ready = partial(valkey.wait_until_ready, files.url)
        self._spawn("valkey", valkey.command(files), prepare=prepare, ready=ready)
        self._say("broker", "Valkey, append-only, private to this directory")
        return files.url

    def _start_calendar(self) -> str:
        if self._given.own_calendar:
            self._say("calendar", f"yours, by {PREFIX}CALDAV_URL or {PREFIX}CALDAV_PROVIDER")
            return ""
        prepare = self._radicale(free_port())
        files = prepare()
        ready = partial(self._await_radicale, files.url)
        self._spawn("radicale", radicale.command(files), prepare=prepare, ready=ready)
        self._say("calendar", "Radicale, private to this directory")
        return files.url

    def _prepare_database(self) -> None:
        prepare_database(self.assistant, say=self._say, keep=self._keep_database)
        self._installation().take()  # from now on the worker says that this one lives
        self._shares_database = bool(self._given.database_url)
        released = self._release_dead_workers()
        kind = "SQLite" if self.assistant.engines.sqlite else "Postgres"
        more = f"; {released} interrupted jobs are run again" if released else ""
        self._say("database", f"{kind}, migrated{more}")

    def _release_dead_workers(self) -> int:
        """Release the jobs of our own dead processes, without waiting for their leases."""
        store = self.assistant.store
        here = WorkerId.of_this_process(self._data_folder.installation())
        return store.release(claims_of_the_dead(store.holders(), here=here))

    def _start_processes(self, endpoints: Endpoints) -> None:
        started = self.assistant.clock.now()
        settings = self._given
        own = [sys.executable, "-m", "workers.cli"]
        threads = ["--pool", "threads", "--concurrency", str(settings.threads)]
        processes = ["--pool", "processes", "--concurrency", str(settings.tool_processes)]
        self._spawn("worker", [*own, "worker", *THREADED, *threads, "--beat"])
        self._spawn("tools", [*own, "worker", Queue.TOOLS.value, *processes])
        self._spawn("doors", [*own, "doors"])
        bot = self._start_bot(own)
        host = settings.bind_host
        mail = f"smtp://{host}:{endpoints.smtp_port} for {settings.inbox_address}"
        lmtp = f", lmtp://{host}:{endpoints.lmtp_port}" if endpoints.lmtp_port else ""
        self._await(
            [
                (
                    "doors",
                    f"{mail}{lmtp}, http://{host}:{endpoints.http_port}/mail",
                    lambda: self._doors_open(endpoints.http_port),
                ),
                (
                    "clock",
                    f"Celery beat, every {settings.tick_seconds:g} s",
                    lambda: (at := self.assistant.store.ticked()) is not None and at >= started,
                ),
                (
                    "worker",
                    f"{settings.threads} threads for {', '.join(THREADED)}",
                    lambda: self._crossed(THREADED, started),
                ),
                (
                    "tools",
                    f"{settings.tool_processes} processes, which a time-out can kill",
                    lambda: self._crossed((Queue.TOOLS.value,), started),
                ),
            ]
        )
        if bot:
            self._await_bot()

    def _start_bot(self, own: Sequence[str]) -> bool:
        """Start the bot if a token is set; return whether one is. The start goes on without it."""
        self._data_folder.forget_bot()
        if not self._given.on_discord:
            return False
        self._spawn("bot", [*own, "bot"], longest_pause=_BOT_PAUSE)
        return True

    def _await_bot(self) -> None:
        give_up = time.monotonic() + _BOT_SECONDS
        while self._process("bot").poll() is None:
            if seen := self._data_folder.bot():
                self._say("bot", f"Discord, as {seen[0].name}")
                return
            if time.monotonic() > give_up:
                log = self._data_folder.logs / "bot.log"
                self._say("bot", f"not on Discord yet; it goes on trying, see {log}")
                return
            time.sleep(0.05)

    def _crossed(self, queues: Sequence[str], since: datetime) -> bool:
        """Whether a canary has come out of each of these queues since then."""
        seen = self.assistant.store.canaries()
        return all(queue in seen and seen[queue] >= since for queue in map(Queue, queues))

    def _doors_open(self, port: int) -> bool:
        with contextlib.suppress(OSError):
            status, _ = http_answer(f"http://{self._given.bind_host}:{port}/readyz", timeout=2)
            return status == HTTPStatus.OK
        return False

    def _await(self, parts: Sequence[tuple[str, str, Callable[[], bool]]]) -> None:
        """Wait until every part is up, and report each as soon as it is."""
        give_up = time.monotonic() + START_SECONDS
        left = list(parts)
        while left:
            for part in [part for part in left if part[2]()]:
                self._say(part[0], part[1])
                left.remove(part)
            dead = [
                child
                for child in self._children
                if child.name != "bot" and child.process.poll() is not None
            ]
            if dead:
                log = self._data_folder.logs / f"{dead[0].name}.log"
                raise Unreachable(f"{dead[0].name} ended at once; see {log}")
            if left and time.monotonic() > give_up:
                names = ", ".join(name for name, _, _ in left)
                raise Unreachable(
                    f"{names} did not start in {START_SECONDS:g} s; see {self._data_folder.logs}"
                )
            time.sleep(0.05)


def ports_of(endpoints: Endpoints) -> dict[str, int | None]:
    """Return the ports of the doors as settings."""
    return {
        "smtp_port": endpoints.smtp_port,
        "lmtp_port": endpoints.lmtp_port or None,
        "http_port": endpoints.http_port,
    }


def prepare_database(
    assistant: Assistant, *, say: Say = lambda _part, _words: None, keep: bool = True
) -> None:
    """Bring the schema up to date, and make the owner's row if it is missing.

    Before an upgrade, an SQLite database is kept as it was; where it cannot be, nothing is changed.

    Args:
        assistant: the parts.
        say: told where the database was kept.
        keep: False to upgrade without that.
    """
    from workers import migrate, revision  # noqa: PLC0415 (Alembic is heavy, and seldom needed)

    assistant.data_folder.open()
    found = revision.refuse_newer(assistant.engines)
    if keep and found and found != revision.head() and assistant.engines.sqlite:
        from workers.backup.before_upgrade import keep_database  # noqa: PLC0415 (as above)

        kept = keep_database(assistant.data_folder, revision=found)
        say("backup", f"{kept}: the database as it was before this upgrade")
    migrate.upgrade(assistant.engines)
    migrate.ensure_owner(
        assistant.engines,
        id=OWNER,
        name=assistant.settings.owner_name,
        zone=assistant.settings.timezone,
        clock=assistant.clock,
    )


def _check_free(host: str, port: int, name: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise InUse(
                f"something listens on {host}:{port} ({error.strerror}); "
                f"choose another with --{name.replace('_', '-')} or {PREFIX}{name.upper()}"
            ) from error
