"""Start child processes with a log each, end them together, find them again after a restart."""

import contextlib
import logging
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeAlias

import psutil

from workers.configuration.prefix import PREFIX
from workers.data_folder import RunFolder, Started
from workers.processes.process_start import boot_id, start_of

log = logging.getLogger(__name__)

MARK = "STARTED_BY_ASSISTANT_UP"
"""In the environment of every child, and of what it starts: the folder that it works on."""
STOP_SECONDS = 10.0
LOG_LIMIT = 5 * 1024 * 1024
LONGEST_PAUSE = 3.0


class Adopted:
    """A child that this process started before it went on as another program."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code; None while it runs."""
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else has waited for it
                self.returncode = 1
            else:
                self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises ``subprocess.TimeoutExpired``."""
        give_up = time.monotonic() + timeout if timeout is not None else None
        while (code := self.poll()) is None:
            if give_up is not None and time.monotonic() > give_up:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            time.sleep(0.02)
        return code

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


Running: TypeAlias = "subprocess.Popen[bytes] | Adopted"


@dataclass
class Child:
    name: str
    command: Sequence[str]
    process: "Running"
    prepare: Callable[[], object] = lambda: None
    """Makes the files that it starts from, where they are missing; raises ``OSError``."""
    ready: Callable[[], None] = lambda: None
    """Returns once the part works; raises ``Unreachable``."""
    longest_pause: float = LONGEST_PAUSE
    """The most seconds before it is started again."""
    deaths: list[float] = field(default_factory=list)
    """When it ended or could not be started in the last minute, on the monotonic clock."""
    restart_at: float | None = None
    """When it is to be started again, on the monotonic clock; None while it runs."""


def start_process(
    name: str, command: Sequence[str], data_folder: RunFolder
) -> "subprocess.Popen[bytes]":
    """Start a child with the settings of this process, wherever they came from.

    A log that cannot be opened does not keep it from starting.
    """
    with contextlib.ExitStack() as stack:
        output: Any = subprocess.DEVNULL
        try:
            output = stack.enter_context(_opened_log(name, data_folder))
        except OSError as error:
            log.warning("%s runs without a log: %s", name, error)
        return subprocess.Popen(
            list(command),
            cwd=data_folder.run,
            env=environment_with(data_folder.settings_file) | _mark(data_folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def _opened_log(name: str, data_folder: RunFolder) -> IO[bytes]:
    file = data_folder.logs / f"{name}.log"
    if file.exists() and file.stat().st_size > LOG_LIMIT:
        file.replace(file.with_suffix(".log.1"))
    return file.open("ab")


def environment_with(config: Path) -> dict[str, str]:
    """Make the environment of a child that takes all its settings from ``config``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    own = {"PYTHONPATH": source_path(), "PYTHONUNBUFFERED": "1"}
    return {**kept, f"{PREFIX}CONFIG": str(config), **own}


def source_path() -> str:
    """Return the ``PYTHONPATH`` under which a child finds this program, wherever it starts."""
    source = str(Path(__file__).parents[2])
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join([source, *(one for one in given if one not in ("", source))])


def end_all(processes: "Sequence[Running]") -> None:
    """End processes together; kill those that do not end in time, and the children they leave."""
    alive = [process for process in processes if process.poll() is None]
    left = [child for process in alive for child in descendants(psutil.Process(process.pid))]
    for process in alive:
        process.terminate()
    give_up = time.monotonic() + STOP_SECONDS
    for process in alive:
        try:
            process.wait(max(0.1, give_up - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for child in left:
        with contextlib.suppress(psutil.Error):
            child.kill()


def descendants(process: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def noted(process: "Running") -> Started | None:
    """Return what finds this process again; None if it has ended."""
    with contextlib.suppress(psutil.Error):
        began = psutil.Process(process.pid).create_time()
        return Started(pid=process.pid, began=began, start=_start(process.pid))
    return None


def same_process(started: Started) -> psutil.Process | None:
    """Return the process that was noted so; None if it has ended, or its pid is another's now."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(started.pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        start = _start(started.pid)
        if started.start and start:
            return process if started.start == start else None
        if abs(process.create_time() - started.began) < 1.0:
            return process
    return None


def left_behind(data_folder: RunFolder) -> list[psutil.Process]:
    """Return the children of an earlier start that live, and what they started.

    On a full disk not all of them could be noted, so each process is asked for its mark as well.
    """
    found = [same_process(child) for child in data_folder.children.values()]
    noted = [one for one in found if one is not None and _works_in(one, data_folder)]
    families = [one for process in noted for one in [*descendants(process), process]]
    if start_of(os.getpid()):  # else the pids that are listed may be those of another name space
        families += [one for one in psutil.process_iter() if _is_marked(one, data_folder)]
    return list({one.pid: one for one in families if one.pid != os.getpid()}.values())


def _works_in(process: psutil.Process, data_folder: RunFolder) -> bool:
    """Whether a process works in this folder, which may be a copy with notes of another's."""
    with contextlib.suppress(psutil.Error, OSError):
        return Path(process.cwd()).is_relative_to(data_folder.root.resolve())
    return True


def _mark(data_folder: RunFolder) -> dict[str, str]:
    return {MARK: str(data_folder.root)}


def _is_marked(process: psutil.Process, data_folder: RunFolder) -> bool:
    with contextlib.suppress(psutil.Error, OSError):
        if process.status() != psutil.STATUS_ZOMBIE:
            return process.environ().get(MARK) == str(data_folder.root)
    return False


def _start(pid: int) -> str:
    """Return when a process began, as no process of another boot did; empty if unknown."""
    start = start_of(pid)
    return f"{boot_id()} {start}" if start else ""
