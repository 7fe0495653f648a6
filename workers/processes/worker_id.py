"""Tell one worker process from every other, on this machine and on others."""

import contextlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Self

import psutil

from workers.processes.process_start import boot_id, start_of

_VERSION = "w1"
_NOTHING = "-"
_NAMES = 4
"""How many parts there are beside the pid."""
_PROC = Path("/proc")


@dataclass(frozen=True, kw_only=True)
class WorkerId:
    """A process that claims jobs. A name of the machine is no part of it: two may have one name."""

    installation: str
    """The data folder, by its own random id."""
    boot: str
    """This run of the operating system."""
    pid_namespace: str
    """Where the pid counts; empty where there is only one such place."""
    pid: int
    start: str
    """When the process began; empty where that cannot be told."""

    @classmethod
    def of_this_process(cls, installation: str) -> Self:
        """Return the id of the process that asks: after a fork it is another one."""
        pid = os.getpid()
        return cls(
            installation=installation,
            boot=boot_id(),
            pid_namespace=_pid_namespace(),
            pid=pid,
            start=start_of(pid),
        )

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the id that was written so; None for what is none, as older versions wrote."""
        match text.split():
            case [version, *parts, pid, start] if version == _VERSION and pid.isdecimal():
                given = ["" if part == _NOTHING else part for part in (*parts, start)]
            case _:
                return None
        if len(given) != _NAMES:
            return None
        installation, boot, pid_namespace, start = given
        return cls(
            installation=installation,
            boot=boot,
            pid_namespace=pid_namespace,
            pid=int(pid),
            start=start,
        )

    def __str__(self) -> str:
        parts = (self.installation, self.boot, self.pid_namespace, str(self.pid), self.start)
        return " ".join([_VERSION, *(part or _NOTHING for part in parts)])

    def is_beside(self, other: Self) -> bool:
        """Whether both are of one installation, one boot and one space of pids."""
        return bool(self.installation and self.boot) and (
            (self.installation, self.boot, self.pid_namespace)
            == (other.installation, other.boot, other.pid_namespace)
        )

    def lives(self) -> bool:
        """Whether this process lives still. Ask only of a process beside one's own."""
        if not psutil.pid_exists(self.pid):
            return False
        began = start_of(self.pid)
        return not (self.start and began) or began == self.start


def claims_of_the_dead(holders: Mapping[str, str], *, here: WorkerId) -> list[str]:
    """Return the claims of workers beside ``here`` that have ended.

    Args:
        holders: each claim and the worker that made it.
        here: the process that asks.
    """
    workers = {claim: WorkerId.parse(worker) for claim, worker in holders.items() if worker}
    return [
        claim
        for claim, worker in workers.items()
        if worker is not None and worker.is_beside(here) and not worker.lives()
    ]


def _pid_namespace() -> str:
    """Return the space that our pids count in; one that is like no other where Linux hides it."""
    with contextlib.suppress(OSError):
        return str((_PROC / "self/ns/pid").stat().st_ino)
    return token_hex(8) if sys.platform == "linux" else ""
