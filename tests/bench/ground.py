"""What the queue benchmarks stand on: Valkey, a database, a worker of each kind. All real."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import Any

from assistant.domain.ids import new_id, new_trace
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Think
from tests.bench.marks import Marks
from tests.bench.worker import BARE, OURS, bare_app, bare_task, ended, entered
from workers.embedded import valkey
from workers.embedded.http_probe import free_port
from workers.parts import Assistant, rung_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import OWNER, Settings

WAIT = 120.0
"""Seconds after which something must be wrong."""


@dataclass
class Ground:
    """``emit`` and ``delay`` produce, ``ended`` counts what was carried out, of either kind."""

    folder: Path
    assistant: Assistant
    workers: list["subprocess.Popen[bytes]"]

    @cached_property
    def entered(self) -> Marks:
        return entered(self.folder)

    @cached_property
    def ended(self) -> Marks:
        return ended(self.folder)

    @cached_property
    def _bare(self) -> Any:
        def do_nothing(_id: str) -> None:
            """Done in the worker."""

        return bare_task(bare_app(self.assistant.settings.broker_url), do_nothing)

    def emit(self, count: int = 1) -> None:
        """So many jobs, in one transaction."""
        with self.assistant.store.begin(Cause(owner=OWNER, trace=new_trace())) as tx:
            for _ in range(count):
                tx.emit(Think(id=new_id()))

    def delay(self) -> None:
        self._bare.delay(new_id())

    def warm_up(self) -> None:
        """One call through each worker."""
        for produce in (self.emit, self.delay):
            self.clear()
            produce()
            self.ended.wait_for(1, seconds=WAIT)

    def clear(self) -> None:
        self.entered.clear()
        self.ended.clear()

    @contextmanager
    def paused(self) -> Generator[None]:
        """The workers stand still meanwhile, and wake up afterwards."""
        for worker in self.workers:
            worker.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            for worker in self.workers:
                worker.send_signal(signal.SIGCONT)

    def check_all_struck_off(self) -> None:
        left = self.assistant.store.jobs()
        if left:
            raise AssertionError(f"{len(left)} jobs were never struck off: {left[0]}")


@contextmanager
def ground(folder: Path, *, database_url: str = "") -> Generator[Ground]:
    """Everything up and warm; SQLite in ``folder`` unless a database is named."""
    folder.mkdir()
    files = valkey.prepare(folder / "valkey", port=free_port(), password=token_hex(8))
    with running(valkey.command(files), folder / "valkey.log"):
        valkey.wait_until_ready(files.url)
        settings = Settings(
            data_dir=folder, database_url=database_url, broker_url=files.url, log_level="warning"
        )
        assistant = rung_assistant(settings)
        try:
            prepare_database(assistant)
            with worker(OURS, folder, settings) as ours, worker(BARE, folder, settings) as bare:
                made = Ground(folder, assistant, [ours, bare])
                made.warm_up()
                yield made
        finally:
            assistant.close()


@contextmanager
def worker(kind: str, folder: Path, settings: Settings) -> Generator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "tests.bench.worker", kind, str(folder)]
    given = settings.model_dump_json(exclude_unset=True)
    with running([*command, given], folder / f"{kind}.log") as process:
        yield process


@contextmanager
def running(
    command: list[str], log: Path, environment: Mapping[str, str] = os.environ
) -> Generator["subprocess.Popen[bytes]"]:
    with log.open("ab") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream, env=environment)
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
