"""Kill real Celery workers: aimed at the process that holds a running call."""

import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from assistant.domain.errors import AssistantError
from tests.process.rig import Rig
from tests.prove.clerk import ProveClerk
from tests.prove.holders import holders
from tests.prove.invariants import gather, live, quiet_within, violations
from tests.prove.outcome import Outcome, keep, outcome, say, tell
from tests.prove.sink import PLUGIN, Sink, install
from tests.prove.traffic import Traffic, quietly

LEASE = 3.0
ROLES = ("processes", "threads", "beat")
_BETWEEN_KILLS = 1.2
"""Seconds, on average."""
_LONGEST = 900.0


class ProveRig(Rig):
    """Celery workers, Valkey, a calendar, and the sink's tools."""

    def __init__(self, root: Path, *, database_url: str) -> None:
        super().__init__(root, roles=ROLES, database_url=database_url)
        self.clerk = ProveClerk()  # type: ignore[assignment]  # another script
        self.site = root / "site"
        install(self.site)

    def _make_settings(self) -> dict[str, Any]:
        return {
            **super()._make_settings(),
            "tools": PLUGIN,
            "lease_seconds": LEASE,
            "calendar_timeout": 1.0,
            "disk_free_mib": 0,
            "memory_free_mib": 0,
            "log_level": "warning",
        }

    def environment_of(self, role: str) -> dict[str, str]:
        found = super().environment_of(role)
        return {**found, "PYTHONPATH": os.pathsep.join((found["PYTHONPATH"], str(self.site)))}

    def dead(self) -> Sequence[str]:
        return [name for name in ROLES if not self.alive(name)]

    def family(self) -> dict[int, str]:
        """The pids of all workers, each with the role it belongs to."""
        found: dict[int, str] = {}
        for role in ROLES:
            with suppress(psutil.Error):
                process = self.process(role)
                pids = [process.pid, *(child.pid for child in process.children(recursive=True))]
                found.update(dict.fromkeys(pids, role))
        return found


class CeleryKiller:
    """One rig, and whoever kills its workers."""

    def __init__(self, rig: ProveRig, traffic: Traffic, lot: random.Random) -> None:
        self._rig = rig
        self._traffic = traffic
        self._random = lot
        self.faults: Counter[str] = Counter()

    def kill_while_busy(self, name: str) -> None:
        give_up, told, next_kill = time.monotonic() + _LONGEST, time.monotonic(), 0.0
        while not self._traffic.done and time.monotonic() < give_up:
            self._revive()
            quietly(self._traffic)
            if time.monotonic() > next_kill and self._kill():
                pause = self._random.expovariate(1 / _BETWEEN_KILLS)
                next_kill = time.monotonic() + pause
            if time.monotonic() - told > 15:
                told = time.monotonic()
                asked, faults = len(self._traffic.asked), sum(self.faults.values())
                say(f"  {name}: {asked} of {self._traffic.total} calls, {faults} faults")
            time.sleep(0.005)

    def settle(self) -> tuple[float, list[str]]:
        """Kill nobody any more, and wait until all is at rest; seconds, and what is still live."""
        self._revive()
        self._rig.wait_until_live()
        last = time.monotonic()
        while left := self._live():
            if time.monotonic() - last > quiet_within():
                break
            quietly(self._traffic)
            time.sleep(0.05)
        return time.monotonic() - last, left

    def _live(self) -> list[str]:
        try:
            return live(self._rig.assistant)
        except AssistantError as error:
            return [str(error)]

    def _revive(self) -> None:
        for role in self._rig.dead():
            self._rig.kill(role)
            self._rig.start(role)

    def _kill(self) -> bool:
        """Kill whoever holds a running call; now and then a whole role. False if nobody does."""
        drawn = self._random.random()
        if drawn < 0.05:
            role = self._random.choice(ROLES)
            self.faults[f"{role} killed"] += 1
            self._rig.kill(role)
            self._rig.start(role)
            return True
        held = holders(self._rig.assistant, kind="run")
        family = self._rig.family()
        at_work = sorted({pid for _, pid in held.values() if pid in family})
        if not at_work:
            return False
        time.sleep(self._random.uniform(0, 0.05))
        with suppress(ProcessLookupError):
            pid = self._random.choice(at_work)
            os.kill(pid, signal.SIGKILL)
            self.faults[f"holder in {family[pid]} killed"] += 1
        return True


def kill_celery_workers(
    name: str, folder: Path, *, database_url: str, calls: int, seed: int
) -> Outcome:
    began = time.monotonic()
    folder.mkdir(parents=True)
    lot = random.Random(seed)
    sys.path.append(str(folder / "site"))
    try:
        with ProveRig(folder, database_url=database_url) as rig:
            sink = Sink(folder / "sink")
            traffic = Traffic(rig.assistant, sink.file, lot, calls, slow=0.1, open=24)
            killer = CeleryKiller(rig, traffic, lot)
            killer.kill_while_busy(name)
            quiet, left = killer.settle()
            dead = rig.dead()
            found = gather(rig.assistant, sink.lines(), asked=traffic.asked, live=left, dead=dead)
    finally:
        sys.path.remove(str(folder / "site"))
    broken = violations(found)
    if broken:
        keep(folder, found, broken)
    done = outcome(name, [found], broken, began=began, faults=dict(killer.faults), quiet=quiet)
    say(done.line())
    tell(done.violations)
    return done
