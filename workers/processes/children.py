"""Child processes: started with their log, ended together, known again after a restart."""

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
    """Returns once it works; raises ``Unreachable``."""
    deaths: list[float] = field(default_factory=list)


def start_process(
    name: str, command: Sequence[str], data_folder: DataFolder
) -> "subprocess.Popen[bytes]":
    """Start a child that goes by the settings of this process, wherever they came from."""
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
    """End these together; what does not end in time, and what they leave behind, is killed."""
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
    """The process of this pid if it is the one that began then, and not a later one."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        if abs(process.create_time() - began) < 1.0:
            return process
    return None
