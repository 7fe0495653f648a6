"""Tell when a process began, so that it is not taken for a later one of the same pid."""

import contextlib
import os
from functools import cache
from pathlib import Path

import psutil

_PROC = Path("/proc")
_START_FIELD = 19
"""Of ``/proc/<pid>/stat`` behind the name: ticks from the boot to the start of the process."""


@cache
def boot_id() -> str:
    """Return what no other boot of any machine has; on Linux it is random."""
    with contextlib.suppress(OSError):
        return (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{psutil.boot_time():.0f}"


def start_of(pid: int) -> str:
    """Return when a process began; empty if that cannot be told.

    On Linux in ticks since the boot, which no step of the clock changes.
    """
    if not (_PROC / "self").is_symlink():
        with contextlib.suppress(psutil.Error):
            return f"{psutil.Process(pid).create_time():.2f}"
        return ""
    if not _is_proc_ours():
        return ""
    with contextlib.suppress(OSError):
        stat = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        return stat.rpartition(")")[2].split()[_START_FIELD]
    return ""


def _is_proc_ours() -> bool:
    """Whether ``/proc`` counts pids as this process does; a new name space may show the old one."""
    with contextlib.suppress(OSError):
        return (_PROC / "self").readlink().name == str(os.getpid())
    return False
