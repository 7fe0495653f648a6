"""Start child processes with a log each, end them together, find them again after a restart."""

import contextlib
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psutil

from workers.data_folder import DataFolder
from workers.settings import environment_with

STOP_SECONDS = 10.0
LOG_LIMIT = 5 * 1024 * 1024


@dataclass
class Child:
    name: str
    command: Sequence[str]
    process: "subprocess.Popen[bytes]"
    ready: Callable[[], None]
    """Returns once the part works; raises ``Unreachable``."""
    deaths: list[float] = field(default_factory=list)
    """When it ended by itself in the last minute, on the monotonic clock."""


def start_process(
    name: str, command: Sequence[str], data_folder: DataFolder
) -> "subprocess.Popen[bytes]":
    """Start a child with the settings of this process, wherever they came from."""
    log = data_folder.logs / f"{name}.log"
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".log.1"))
    with log.open("ab") as stream:
        return subprocess.Popen(
            list(command),
            cwd=data_folder.run,
            env=environment_with(data_folder.settings_file),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )


def end_all(processes: "Sequence[subprocess.Popen[bytes]]") -> None:
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


def same_process(pid: int, began: float) -> psutil.Process | None:
    """Return the process of a pid if it began at that time; None if the pid is another's now."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        if abs(process.create_time() - began) < 1.0:
            return process
    return None
