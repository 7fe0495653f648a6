"""What it weighs: memory and processes of an idle ``assistant up``, and CPU time of a start.

Beside each stands its promise. CPU time is of user and system, of every process that takes part, so
that it says the same on a busy machine, within a third. Linux alone tells the memory.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.bench.comparison import Aim, Comparison
from workers.settings import PREFIX

WITHIN = Aim(most=1.0)
MEMORY = 320.0
"""MiB that an idle installation may take, the bot apart."""
PROCESSES = 7.0
READY = 3.0
"""Seconds of CPU from the command to the last part that works."""
HELP = 0.25
STATUS = 0.6
_IDLE = 15.0
"""Seconds of rest, in which canaries cross every queue."""
_ASSISTANT = (sys.executable, "-m", "workers.cli")
_REPOSITORY = Path(__file__).parents[2]


def bench_weight(folder: Path, *, size: int, rounds: int) -> list[Comparison]:
    """Medians over starts on a fresh folder, and over commands beside the last of them."""
    del size
    weighed = [_weigh(folder / f"start-{number}") for number in range(min(rounds, 3))]
    memory, processes, ready = zip(*(one[:3] for one in weighed), strict=True)
    helped = [_cpu_of("--help") for _ in range(rounds)]
    status = [one[3] for one in weighed]
    return [
        _beside(f"idle memory of up, beside {MEMORY:g} MiB", "MiB", memory, MEMORY),
        _beside(f"idle processes of up, beside {PROCESSES:g}", "", processes, PROCESSES),
        _beside(f"CPU until up is ready, beside {READY:g} s", "s", ready, READY),
        _beside(f"CPU of --help, beside {HELP:g} s", "s", helped, HELP),
        _beside(f"CPU of status, beside {STATUS:g} s", "s", status, STATUS),
    ]


def _beside(name: str, unit: str, measured: Sequence[float], promise: float) -> Comparison:
    return Comparison(
        name=name,
        unit=unit,
        ours=sorted(measured)[len(measured) // 2],
        beside=promise,
        ratios=tuple(one / promise for one in measured),
        aim=WITHIN,
    )


def _weigh(data: Path) -> tuple[float, float, float, float]:
    """Memory in MiB, processes, and seconds of CPU until ready and of ``status``."""
    with running(data) as up:
        ready = sum(sum(one.cpu_times()[:4]) for one in up.family())
        time.sleep(_IDLE)
        idle = up.family()
        memory = sum(_pss(one.pid) for one in idle)
        return memory, len(idle), ready, _cpu_of("status", "--data", str(data))


class Running(NamedTuple):
    """An ``assistant up`` that is ready."""

    pid: int
    smtp_port: int

    def family(self) -> list[psutil.Process]:
        first = psutil.Process(self.pid)
        return [first, *first.children(recursive=True)]


@contextmanager
def running(data: Path) -> Iterator[Running]:
    """Start everything on a folder, and stop it in the end."""
    ports = ("--smtp-port", "0", "--http-port", "0")
    command = [*_ASSISTANT, "up", "--no-chat", "--json", "--data", str(data), *ports]
    out, log = subprocess.PIPE, subprocess.DEVNULL
    up = subprocess.Popen(command, cwd=_REPOSITORY, env=_environment(), stdout=out, stderr=log)
    try:
        assert up.stdout is not None
        said = json.loads(up.stdout.readline())
        assert said["ready"]
        yield Running(up.pid, said["smtp_port"])
    finally:
        up.terminate()
        up.wait(60)
        if up.stdout is not None:
            up.stdout.close()


def _cpu_of(*words: str) -> float:
    """Seconds of CPU that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*_ASSISTANT, *words], cwd=_REPOSITORY, env=_environment(), check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


def _pss(pid: int) -> float:
    """MiB of a process; what several share is divided among them."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    [line] = [line for line in lines if line.startswith("Pss:")]
    return int(line.split()[1]) / 1024
