"""Keep what ``assistant up`` started running, and stop it in order.

This is all that is left of ``up`` once everything runs, so it loads the standard library, psutil
and the data folder, and nothing that the parts themselves are made of.
"""

import contextlib
import fcntl
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Self
from urllib.parse import urlsplit

from assistant.domain.errors import AssistantError, InUse
from workers.data_folder import Endpoints, RunFolder, not_written
from workers.embedded import radicale, valkey
from workers.embedded.http_probe import wait_for
from workers.processes.children import (
    LONGEST_PAUSE,
    STOP_SECONDS,
    Adopted,
    Child,
    Running,
    end_all,
    noted,
    source_path,
    start_process,
)
from workers.processes.watch import Say, Watch

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LEAVE = (sys.executable, "-m", "workers.processes.installations")
_LEAVE_SECONDS = 20.0
"""On a busy machine the process that leaves takes seconds to start, and half a minute would pass
before another installation may use the database if it were stopped before."""
_SERVERS = frozenset({"valkey", "radicale"})


class AlreadyRuns(InUse):
    """Already in use."""


class Keeper:
    """The children of one data folder, its lock and its notes."""

    def __init__(self, data_folder: RunFolder, *, say: Say) -> None:
        self._data_folder = data_folder
        self._say = say
        self._children: list[Child] = []
        self._endpoints: Endpoints | None = None
        self._settings = ""
        """What the children read: the settings, as they are written down."""
        self._watch = Watch(
            self._children,
            start=self._start_again,
            note=self._note_children,
            say=say,
            give_up=self._given_up,
        )
        self._stopping = threading.Event()
        self._handing_over = threading.Event()
        self._watcher: threading.Thread | None = None
        self._shares_database = False
        """Whether it has a place on a database that others may want to use."""
        self._lock: int | None = None
        self._unkept = ""
        """Why the notes could not be written when that was last tried; empty if they could."""

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
            said = f"waits until {', '.join(names)} ended what they do, {STOP_SECONDS:g} s at most"
            self._say("stopping", said)
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

        for number in SIGNALS:
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

    def _take_lock(self) -> None:
        try:
            lock = os.open(self._data_folder.up_lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise not_written(self._data_folder.root, error) from error
        try:
            _lock_exclusively(lock)
        except BlockingIOError as error:
            os.close(lock)
            raise AlreadyRuns(
                f"an assistant runs on {self._data_folder.root} already; "
                "talk to it with `assistant chat`"
            ) from error
        os.set_inheritable(lock, False)
        self._lock = lock

    def _valkey(self, port: int) -> Callable[[], valkey.ValkeyFiles]:
        """Return what writes the files of the private broker."""
        folder, password = self._data_folder.valkey, self._data_folder.secret("valkey")
        return partial(valkey.prepare, folder, port=port, password=password)

    def _radicale(self, port: int) -> Callable[[], radicale.RadicaleFiles]:
        """Return what writes the files of the private calendar server."""
        return partial(radicale.prepare, self._data_folder.radicale, port=port)

    def _await_radicale(self, url: str) -> None:
        wait_for(url, self._process("radicale"))
        radicale.see_to_calendar(self._data_folder.radicale, url)

    def _leave(self) -> None:
        """Give up the place on a shared database, without waiting for one that hangs.

        A short-lived process does it, as this one has no driver of a database.
        """
        if not self._shares_database:
            return
        self._shares_database = False
        try:
            leaving = start_process("leave", LEAVE, self._data_folder)
        except OSError as error:
            log.warning("the place on the database was not given up: %s", error)
            return
        try:
            leaving.wait(_LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            log.warning("the place on the database was not given up in time")
            end_all([leaving])

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
        self._data_folder.write_settings(self._settings)

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

    def _see_ready(self, child: Child, process: Running) -> None:
        """Try until a server that was started again is ready, or has ended."""
        while process.poll() is None and not self._stopping.wait(0.5):
            try:
                child.ready()
            except (AssistantError, OSError) as error:
                log.warning("%s is not ready yet: %s", child.name, error)
            else:
                return

    def _process(self, name: str) -> Running:
        return next(child.process for child in self._children if child.name == name)

    def _note_children(self) -> None:
        found = {child.name: noted(child.process) for child in self._children}
        self._data_folder.write_children({name: one for name, one in found.items() if one})

    def _watch_over(self) -> None:
        self._watcher = threading.Thread(
            target=self._watch_until_stopped, name="supervisor", daemon=True
        )
        self._watcher.start()

    def _watch_until_stopped(self) -> None:
        try:
            while not (self._stopping.wait(0.5) or self._handing_over.is_set()):
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

    # Going on as a small program

    def hand_over(self, *, began: float, quiet: bool) -> None:
        """Go on as this module alone, in the same process: what a start needs takes much memory.

        Children stay children, and the lock stays held. Returns only where that fails; then this
        program goes on keeping them.

        Args:
            began: when ``up`` began, on the monotonic clock.
            quiet: whether standard output is for programs, so that people are told on the other.
        """
        self._pause_watch()
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            with tempfile.TemporaryFile() as file:
                file.write(json.dumps(self._as_plan(began=began, quiet=quiet)).encode())
                file.seek(0)
                for descriptor in (file.fileno(), self._lock or 0):
                    os.set_inheritable(descriptor, True)
                # -P: no module is taken from the folder in which `up` was started.
                program = [sys.executable, "-P", "-m", "workers.processes.keeper"]
                environment = {**os.environ, "PYTHONPATH": source_path()}
                sys.stdout.flush()
                os.execve(sys.executable, [*program, str(file.fileno())], environment)  # noqa: S606 (our own)
        except OSError as error:
            log.warning("the supervisor stays as large as a start makes it: %s", error)
        if self._lock is not None:
            os.set_inheritable(self._lock, False)
        self._handing_over.clear()
        self._watch_over()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def _pause_watch(self) -> None:
        self._handing_over.set()
        if self._watcher is not None:
            self._watcher.join()
            self._watcher = None

    def _as_plan(self, *, began: float, quiet: bool) -> dict[str, Any]:
        children = [
            {
                "name": child.name,
                "command": list(child.command),
                "pid": child.process.pid,
                "longest_pause": child.longest_pause,
                "deaths": child.deaths,
                "restart_at": child.restart_at,
            }
            for child in self._children
        ]
        return {
            "root": str(self._data_folder.root),
            "endpoints": asdict(self._endpoints or Endpoints()),
            "settings": self._settings,
            "shares_database": self._shares_database,
            "lock": self._lock,
            "children": children,
            "began": began,
            "quiet": quiet,
        }

    @classmethod
    def of_plan(cls, plan: dict[str, Any], *, say: Say) -> Self:
        """Take over what ``hand_over`` gave on, in the same process."""
        made = cls(RunFolder(Path(plan["root"])), say=say)
        made._endpoints = Endpoints(**plan["endpoints"])
        made._settings = plan["settings"]
        made._shares_database = plan["shares_database"]
        made._lock = plan["lock"]
        os.set_inheritable(plan["lock"], False)
        made._children += [made._adopted(**child) for child in plan["children"]]
        return made

    def _adopted(self, *, name: str, command: list[str], pid: int, **more: Any) -> Child:
        child = Child(name, command, Adopted(pid), **more)
        endpoints = self._endpoints or Endpoints()
        if name == "valkey":
            url = endpoints.broker_url
            child.prepare = self._valkey(urlsplit(url).port or 0)
            child.ready = partial(valkey.wait_until_ready, url)
        elif name == "radicale":
            url = endpoints.caldav_url
            child.prepare = self._radicale(urlsplit(url).port or 0)
            child.ready = partial(self._await_radicale, url)
        return child

    def keep(self) -> None:
        """Keep all running until told to stop. Raises ``AssistantError`` if the watch ends."""
        self._watch_over()
        self.wait()
        self.check_watch()


def _lock_exclusively(descriptor: int) -> None:
    """Lock a file, also when somebody just looks whether it is locked."""
    for _ in range(4):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(0.05)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def printer(*, began: float, quiet: bool) -> Say:
    """Make what tells people of a part, with the seconds since ``began``."""

    def say(part: str, words: str) -> None:
        with contextlib.suppress(OSError):  # a full disk, or nobody who reads: the parts run on
            line = f"{time.monotonic() - began:5.1f} s  {part:<10} {words}"
            print(line, file=sys.stderr if quiet else sys.stdout, flush=True)

    return say


class _JsonLines(logging.Formatter):
    """Lines as the other processes write them, without structlog, which is large."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        line = {
            "event": record.getMessage(),
            "process": "up",
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": at,
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def _configure_logs(settings: str) -> None:
    given = json.loads(settings)
    handler = logging.StreamHandler(sys.stderr)
    wanted = given.get("log_format", "auto")
    if wanted == "json" or (wanted == "auto" and not sys.stderr.isatty()):
        handler.setFormatter(_JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s [%(levelname)s] %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=given.get("log_level", "info").upper())


def main(descriptor: int) -> None:
    """Go on from the plan in an opened file."""
    os.umask(0o077)
    with os.fdopen(descriptor, encoding="utf-8") as file:
        plan = json.load(file)
    _configure_logs(plan["settings"])
    say = printer(began=plan["began"], quiet=plan["quiet"])
    keeper = Keeper.of_plan(plan, say=say)
    keeper.catch_signals()
    try:
        with contextlib.suppress(KeyboardInterrupt):  # to be told to stop is no error
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            keeper.keep()
    except AssistantError as error:
        print(f"assistant: {' '.join(str(error).split())}", file=sys.stderr)  # noqa: T201 (people read it)
        sys.exit(1)
    finally:
        keeper.stop()
        say("", f"everything is kept in {plan['root']}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
