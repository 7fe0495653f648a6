"""``assistant up``: start every part, keep all of them running, stop them in order.

Each child runs in a session of its own, so that Ctrl-C reaches only this process, which stops the
children in order. Their pids are on disk: the next start ends the children that a SIGKILL of this
process left behind.
"""

import contextlib
import fcntl
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from types import FrameType

import psutil

from assistant.domain.errors import AssistantError, InUse, NoSpace, Unreachable
from assistant.domain.messages import Queue
from workers.configuration.faults import WrongSettings
from workers.data_folder import SQLITE, DataFolder, Endpoints, not_written
from workers.embedded import radicale, valkey
from workers.embedded.calendar import free_port, wait_for
from workers.http_probe import http_answer
from workers.parts import Assistant, silent_assistant
from workers.processes.children import (
    LONGEST_PAUSE,
    STOP_SECONDS,
    Child,
    end_all,
    left_behind,
    noted,
    start_process,
)
from workers.processes.installations import SAY_SECONDS, Installation
from workers.processes.watch import Say, Watch
from workers.processes.worker_id import WorkerId, claims_of_the_dead
from workers.settings import OWNER, PREFIX, Settings, faults_of_models

log = logging.getLogger(__name__)

START_SECONDS = 60.0
THREADED = (Queue.INTERACTIVE.value, Queue.INGEST.value, Queue.SLOW.value)
_BOT_SECONDS = 10.0
"""How long `up` waits for Discord before it goes on without the bot."""
_BOT_PAUSE = 30.0
"""The most seconds before the bot is started again: Discord counts how often it comes."""
_LEAVE_SECONDS = 3.0
_SERVERS = frozenset({"valkey", "radicale"})
_LEAST = 1024 * 1024
"""Bytes; with less free, no part starts."""
_MIB = 1024 * 1024


class Supervisor:
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
        self._given = settings
        self._keep_database = keep_database
        self._data_folder = data_folder or DataFolder(settings)
        self._say = say
        self._children: list[Child] = []
        self._endpoints: Endpoints | None = None
        self._watch = Watch(
            self._children,
            start=self._start_again,
            note=self._note_children,
            say=say,
            give_up=self._given_up,
        )
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None
        self._place: Installation | None = None
        self._lock: int | None = None
        self._unkept = ""
        """Why the notes could not be written when that was last tried; empty if they could."""
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

    def stop(self) -> bool:
        """Stop every part, the servers last. Return False if none ran."""
        ran = bool(self._children)
        self._stopping.set()
        if self._watcher is not None:
            self._watcher.join()  # it may be starting a part again
        ours = [child.process for child in self._children if child.name not in _SERVERS]
        servers = [child.process for child in self._children if child.name in _SERVERS]
        if ours:
            names = (child.name for child in self._children if child.process in ours)
            self._say("stopping", f"waits for {', '.join(names)}")
        end_all(ours)
        end_all(servers)
        if self._children:
            self._say("stopped", f"{len(self._children)} parts")
        self._children.clear()
        self._leave()
        if self._lock is not None:
            self._data_folder.forget_endpoints()
            self._data_folder.forget_children()
            os.close(self._lock)
            self._lock = None
        return ran

    def catch_signals(self) -> None:
        """Let the first SIGINT, SIGTERM or SIGHUP end a wait or a start in order; ignore others.

        A second Ctrl-C would otherwise interrupt the stopping, and leave parts behind.
        """

        def told(_number: int, _frame: FrameType | None) -> None:
            if not self._stopping.is_set():
                self._stopping.set()
                raise KeyboardInterrupt

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, told)

    def ending(self) -> bool:
        """Whether it is being stopped, or nothing watches over the parts any more."""
        return self._stopping.is_set() or self._unwatched()

    def wait(self) -> None:
        """Wait for SIGINT, SIGTERM, SIGHUP, ``stop``, or the end of the watch."""
        with contextlib.suppress(KeyboardInterrupt):
            while not self.ending():
                self._stopping.wait(0.5)

    def check_watch(self) -> None:
        """Raise ``AssistantError`` if the watch over the parts ended by itself."""
        if not self._stopping.is_set() and self._unwatched():
            raise AssistantError(
                "nothing watches over the parts any more, so all of them are stopped; "
                "what was accepted is kept, and `assistant up` goes on with it"
            )

    def _unwatched(self) -> bool:
        return self._watcher is not None and not self._watcher.is_alive()

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
        endpoints = endpoints.model_copy(update={"broker_url": broker, "caldav_url": calendar})
        self._endpoints = endpoints
        self._write_addresses(endpoints)
        self._prepare_database()
        self._start_processes(endpoints)
        self._watch_over()
        self._say("ready", f"after {time.monotonic() - began:.1f} s")
        return endpoints

    def _take_lock(self) -> None:
        try:
            lock = os.open(self._data_folder.up_lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise not_written(self._data_folder.root, error) from error
        try:
            _lock_exclusively(lock)
        except BlockingIOError as error:
            os.close(lock)
            raise InUse(
                f"an assistant runs on {self._data_folder.root} already; "
                "talk to it with `assistant chat`"
            ) from error
        os.set_inheritable(lock, False)
        self._lock = lock

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
        return Installation(
            engines=self.assistant.engines,
            id=self._data_folder.installation(),
            private_calendar=not self._given.own_calendar,
        )

    def _choose_ports(self) -> Endpoints:
        given = self._given
        ports: dict[str, int] = {
            "smtp_port": given.smtp_port or free_port(),
            "http_port": given.http_port or free_port(),
        }
        if given.lmtp_port is not None:
            ports["lmtp_port"] = given.lmtp_port or free_port()
        for name, port in ports.items():
            _check_free(given.bind_host, port, name)
        return Endpoints.model_validate(ports)

    def _start_broker(self) -> str:
        if self._given.broker_url:
            self._say("broker", f"yours, by {PREFIX}BROKER_URL")
            return ""
        prepare = partial(
            valkey.prepare,
            self._data_folder.valkey,
            port=free_port(),
            password=self._data_folder.secret("valkey"),
        )
        files = prepare()
        self._spawn(
            "valkey",
            valkey.command(files),
            prepare=prepare,
            ready=lambda: valkey.wait_until_ready(files),
        )
        self._say("broker", "Valkey, append-only, private to this directory")
        return files.url

    def _start_calendar(self) -> str:
        if self._given.own_calendar:
            self._say("calendar", f"yours, by {PREFIX}CALDAV_URL or {PREFIX}CALDAV_PROVIDER")
            return ""
        prepare = partial(radicale.prepare, self._data_folder.radicale, port=free_port())
        files = prepare()

        def ready() -> None:
            wait_for(files.url, self._process("radicale"))
            name, password = radicale.credentials(self._data_folder.radicale)
            radicale.ensure_calendar(files.url, name, password)

        self._spawn("radicale", radicale.command(files), prepare=prepare, ready=ready)
        self._say("calendar", "Radicale, private to this directory")
        return files.url

    def _prepare_database(self) -> None:
        prepare_database(self.assistant, say=self._say, keep=self._keep_database)
        self._place = self._installation()
        self._place.take()
        threading.Thread(target=self._say_alive, args=(self._place,), daemon=True).start()
        released = self._release_dead_workers()
        kind = "SQLite" if self.assistant.engines.sqlite else "Postgres"
        more = f"; {released} interrupted jobs are run again" if released else ""
        self._say("database", f"{kind}, migrated{more}")

    def _say_alive(self, place: Installation) -> None:
        """Keep the place on the database while this runs, in a thread: a database may hang."""
        heard = True
        while not self._stopping.wait(SAY_SECONDS):
            try:
                place.say_alive()
                heard = True
            except Exception as error:  # noqa: BLE001 (said again soon, and no work rests on it)
                if heard:
                    log.warning("could not say in the database that this one lives: %s", error)
                heard = False

    def _leave(self) -> None:
        """Give up the place on the database, without waiting for one that hangs."""
        if self._place is None:
            return
        leaving = threading.Thread(target=_left, args=(self._place,), daemon=True)
        leaving.start()
        leaving.join(_LEAVE_SECONDS)
        self._place = None

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

    def _spawn(
        self,
        name: str,
        command: Sequence[str],
        *,
        prepare: Callable[[], object] = lambda: None,
        ready: Callable[[], None] = lambda: None,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        process = start_process(name, command, self._data_folder)
        self._children.append(
            Child(name, command, process, prepare, ready, longest_pause=longest_pause)
        )
        self._watch.changed()
        ready()

    def _write_addresses(self, endpoints: Endpoints) -> None:
        """Write what the processes read when they start: settings, and where the servers are."""
        self._data_folder.write_endpoints(endpoints)
        self._data_folder.write_settings(self._given.model_copy(update=ports_of(endpoints)))

    def _start_again(self, child: Child) -> None:
        """Start a child that ended, with all that it needs. Waits for nothing."""
        try:
            self._start_with_files(child)
        except OSError as error:
            raise not_written(Path(error.filename or self._data_folder.root), error) from error
        if child.name in _SERVERS:
            threading.Thread(
                target=self._see_ready, args=(child, child.process), daemon=True
            ).start()

    def _start_with_files(self, child: Child) -> None:
        self._data_folder.open()
        if self._endpoints is not None and self._data_folder.addresses_missing():
            self._write_addresses(self._endpoints)
        child.prepare()
        child.process = start_process(child.name, child.command, self._data_folder)

    def _see_ready(self, child: Child, process: "subprocess.Popen[bytes]") -> None:
        """Try until a server that was started again is ready, or has ended."""
        while process.poll() is None and not self._stopping.wait(0.5):
            try:
                child.ready()
            except (AssistantError, OSError) as error:
                log.warning("%s is not ready yet: %s", child.name, error)
            else:
                return

    def _process(self, name: str) -> "subprocess.Popen[bytes]":
        return next(child.process for child in self._children if child.name == name)

    def _note_children(self) -> None:
        found = {child.name: noted(child.process) for child in self._children}
        self._data_folder.write_children({name: one for name, one in found.items() if one})

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

    def _watch_over(self) -> None:
        self._watcher = threading.Thread(
            target=self._watch_until_stopped, name="supervisor", daemon=True
        )
        self._watcher.start()

    def _watch_until_stopped(self) -> None:
        try:
            while not self._stopping.wait(0.5):
                self._keep_notes()
                self._watch.look()
        except BaseException:
            log.exception("nothing watches over the parts any more")

    def _keep_notes(self) -> None:
        """Make the lock and the notes anew if somebody removed them.

        Without the lock another one would start here and end the parts of this one.
        """
        try:
            if not self._holds_lock():
                before = self._lock
                self._data_folder.open()
                self._take_lock()
                if before is not None:
                    os.close(before)
                self._watch.changed()
            if self._endpoints is not None and (
                self._data_folder.addresses_missing()
                or self._data_folder.endpoints != self._endpoints
            ):
                self._write_addresses(self._endpoints)
        except (AssistantError, OSError) as error:
            if self._unkept != str(error):
                log.warning("could not write the notes in %s: %s", self._data_folder.run, error)
            self._unkept = str(error)
        else:
            self._unkept = ""

    def _holds_lock(self) -> bool:
        """Whether the lock that this one holds is the one that another would look at."""
        if self._lock is None:
            return False
        try:
            there = self._data_folder.up_lock.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(os.fstat(self._lock), there)

    def _given_up(self, child: Child) -> str | None:
        """Say so of the bot, which need not run. Any other part is started again."""
        if child.name != "bot":
            return None
        log_file = self._data_folder.logs / "bot.log"
        return f"not on Discord, as its settings do not work; see {log_file}"


def _left(place: Installation) -> None:
    with contextlib.suppress(AssistantError):
        place.leave()


def _lock_exclusively(descriptor: int) -> None:
    """Lock a file, also when somebody just looks whether it is locked."""
    for _ in range(4):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(0.05)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
