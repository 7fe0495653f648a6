"""Kill forked bus workers at random moments and places, and stop some for longer than a lease."""

import math
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from assistant.domain.errors import AssistantError
from tests.prove.bus_worker import BusAssistant, OwnBell, work
from tests.prove.holders import holders
from tests.prove.invariants import Invariant, gather, live, quiet_within, violations
from tests.prove.outcome import Outcome, keep, outcome, say, tell
from tests.prove.sabotage import Twin
from tests.prove.sink import PLUGIN, Kind, Sink, install
from tests.prove.traffic import OPEN, Asking, Traffic, quietly
from workers.processes.supervisor import prepare_database
from workers.settings import Settings

WORKERS = 4
LEASE = 3.0
_TICK = 0.3
_BETWEEN_KILLS = 1.0
"""Seconds, on average, on a machine with nothing else to do."""
_STOPPED = 2 * LEASE
"""Seconds after which a stopped worker goes on although nobody has taken its job."""
_LATE = 0.4
_LONGEST = 1800.0
_MANY = 50
_FORKS = get_context("forkserver")
_PRELOADED = (
    "tests.prove.bus_worker",
    "tests.prove.sink",
    "assistant.adapters.calendar.caldav_calendar",
    "assistant.adapters.policy_yaml",
    "celery.utils.time",
)
"""What workers share, so that a new one is at work at once."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is asked for, and how hard it is made."""

    calls: int
    twin: Twin = Twin.NONE
    kinds: Sequence[Kind] = tuple(Kind)
    slow: float = 0.03
    least: float = 0.0
    """Seconds that a tool works before its line, at the most and at the least."""
    open: int = OPEN
    """Calls that are under way at the same time."""
    between: float = 1.0
    """Multiplies the seconds between kills from outside."""
    deaths: float = 1.0
    """Multiplies the odds that a worker dies at a place."""
    stops: float = 1.0
    """Multiplies the odds that a worker stops for longer than its lease."""


def sabotaged(twin: Twin, *, calls: int) -> Plan:
    """Workers are at work for long enough to be robbed, or to come too late."""
    return Plan(
        calls=calls,
        twin=twin,
        kinds=(*Kind, *[Kind.NEITHER if twin is Twin.UNCLEAR else Kind.SETTLES] * 4),
        slow=0.8,
        least=0.4,
        open=16,
        deaths=3.0 if twin is Twin.UNCLEAR else 1.0,
        stops=15.0 if twin is Twin.FENCE else 1.0,
    )


@dataclass
class _Stopped:
    """A worker that stands still."""

    goes_on: float
    """When it goes on, on the monotonic clock."""
    claims: dict[str, str]
    late_by: float
    """Seconds for which another has had its job by then; infinite where that is not waited for."""
    taken: bool = False


@dataclass
class BusKiller:
    """One database, its workers, and whoever kills them."""

    folder: Path
    database_url: str
    plan: Plan
    random: random.Random
    workers: list[BaseProcess] = field(default_factory=list)
    stopped: dict[int, _Stopped] = field(default_factory=dict)
    """By pid."""
    faults: Counter[str] = field(default_factory=Counter)
    ended: list[str] = field(default_factory=list)
    """What ended although nobody killed it."""
    last_fault: float = 0.0

    def __post_init__(self) -> None:
        install(self.folder / "site")
        self.given: dict[str, Any] = {
            "data_dir": str(self.folder),
            "database_url": self.database_url,
            "tools": PLUGIN,
            "calendar_timeout": 1.0,
            "lease_seconds": LEASE,
            "retry_seconds": 0.2,
            "canary_seconds": 3600.0,
            "disk_free_mib": 0,
            "memory_free_mib": 0,
            "log_level": "warning",
        }

    def run(self, name: str) -> Outcome:
        began = time.monotonic()
        sink = Sink(self.folder / "sink")
        with self._assistant() as assistant:
            plan = self.plan
            traffic = Traffic(
                assistant,
                sink.file,
                self.random,
                plan.calls,
                slow=plan.slow,
                least=plan.least,
                open=plan.open,
                kinds=plan.kinds,
            )
            with self._waking(assistant):
                self._kill_while_busy(assistant, traffic, name)
            quiet, left = self._settle(assistant, traffic)
            found = gather(assistant, sink.lines(), asked=traffic.asked, live=left, dead=self.ended)
        broken = violations(found)
        if broken:
            keep(self.folder, found, broken)
        return outcome(
            name,
            [found],
            broken,
            began=began,
            faults=dict(self.faults),
            quiet=quiet,
            wanted=Invariant.ONCE if self.plan.twin else None,
        )

    @contextmanager
    def _assistant(self) -> Generator[BusAssistant]:
        """The parts of this process, which asks, answers and ticks; and the workers."""
        sys.path.append(str(self.folder / "site"))
        assistant = BusAssistant(Settings(_env_file=None, **self.given), bell=OwnBell())
        try:
            prepare_database(assistant)
            yield assistant
        finally:
            for worker in self.workers:
                worker.kill()
                worker.join()
            assistant.close()
            sys.path.remove(str(self.folder / "site"))

    def _kill_while_busy(self, assistant: BusAssistant, traffic: Asking, name: str) -> None:
        give_up, told = time.monotonic() + _LONGEST, time.monotonic()
        next_kill, next_tick = 0.0, 0.0
        while not traffic.done and time.monotonic() < give_up:
            self._keep_workers(odds=(self.plan.deaths, self.plan.stops))
            now = time.monotonic()
            if now > next_kill:
                self._kill_one()
                pause = self.random.expovariate(1 / _BETWEEN_KILLS)
                next_kill = now + pause * self.plan.between * _slowness()
            if now > next_tick:
                self._tick(assistant)
                next_tick = now + _TICK
            if now - told > 15:
                told = now
                faults = sum(self.faults.values())
                say(f"  {name}: {len(traffic.asked)} of {traffic.total} calls, {faults} faults")
            quietly(traffic)
            time.sleep(0.002)

    def _settle(self, assistant: BusAssistant, traffic: Asking) -> tuple[float, list[str]]:
        """Kill nobody any more, and wait until all is at rest; seconds, and what is still live."""
        for pid in list(self.stopped):
            self._wake(pid)
        for worker in self.workers:  # those that are left would go on dying
            worker.kill()
            worker.join()
        self.faults["SIGKILL"] += len(self.workers)
        self.workers.clear()
        self.last_fault = time.monotonic()
        while left := live(assistant):
            if time.monotonic() - self.last_fault > quiet_within():
                break
            self._keep_workers(odds=(0.0, 0.0))
            self._tick(assistant)
            quietly(traffic)
            time.sleep(0.05)
        return time.monotonic() - self.last_fault, left

    def _tick(self, assistant: BusAssistant) -> None:
        assistant.tick()
        if self.plan.twin is Twin.RELEASE:
            claims = [claim for claim, _ in assistant.store.held().values()]
            assistant.store.release([one for one in claims if self.random.random() < 0.5])

    def _keep_workers(self, *, odds: tuple[float, float]) -> None:
        for worker in [one for one in self.workers if not one.is_alive()]:
            self.workers.remove(worker)
            if worker.exitcode == -signal.SIGKILL:
                self.faults["SIGKILL"] += 1
            else:
                self.ended.append(f"a worker ended by itself with {worker.exitcode}")
            if len(self.ended) > _MANY:
                raise RuntimeError(f"{self.ended[0]}, over and over: see {self.folder}")
            self.last_fault = time.monotonic()
        while len(self.workers) - len(self.stopped) < WORKERS:
            seed = self.random.randrange(2**32)
            given = (self.given, str(self.folder), seed, self.plan.twin.value)
            worker = _FORKS.Process(target=work, args=given, kwargs={"odds": odds})
            worker.start()
            self.workers.append(worker)

    def _kill_one(self) -> None:
        awake = [one for one in self.workers if one.pid not in self.stopped]
        if awake:
            self.random.choice(awake).kill()

    @contextmanager
    def _waking(self, assistant: BusAssistant) -> Generator[None]:
        """Look after stopped workers from a thread: they come too late by a little only."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(0.01):
                with suppress(AssistantError):
                    self._wake_some(assistant)

        thread = threading.Thread(target=look, name="waker")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _wake_some(self, assistant: BusAssistant) -> None:
        """Let stopped workers go on: once another has their job, or later."""
        for mark in self.folder.glob("stopped-*"):
            pid = int(mark.name.removeprefix("stopped-"))
            mark.unlink()
            mine = {job: claim for job, (claim, by) in holders(assistant).items() if by == pid}
            late_by = self.random.uniform(0, _LATE) if self.random.random() < 0.8 else math.inf
            self.stopped[pid] = _Stopped(time.monotonic() + _STOPPED, mine, late_by)
            self.faults["SIGSTOP"] += 1
        held = holders(assistant) if self.stopped else {}
        for pid, one in list(self.stopped.items()):
            if not one.taken and any(
                job in held and held[job][0] != claim for job, claim in one.claims.items()
            ):
                one.taken = True
                one.goes_on = min(one.goes_on, time.monotonic() + one.late_by)
            if time.monotonic() > one.goes_on:
                self._wake(pid)

    def _wake(self, pid: int) -> None:
        self.last_fault = time.monotonic()
        self.stopped.pop(pid, None)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _slowness() -> float:
    """How many processes want a core: workers that die before they begin prove nothing."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def kill_bus_workers(
    name: str, folder: Path, plan: Plan, *, database_url: str, seed: int
) -> Outcome:
    """Run a plan on a database; an empty URL is SQLite in ``folder``."""
    folder.mkdir(parents=True)
    _FORKS.set_forkserver_preload(list(_PRELOADED))
    done = BusKiller(folder, database_url, plan, random.Random(seed)).run(name)
    say(done.line())
    tell(done.violations)
    return done
