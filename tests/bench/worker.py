"""The worker processes: ours with a handler that does nothing, and one of stock Celery.

Ours is made of what ``workers.processes.run.run_worker`` is made of; only its table of contents is
another. ``python -m tests.bench.worker KIND FOLDER SETTINGS`` with settings as JSON.
"""

import os
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import worker_process_init, worker_ready

from assistant.adapters.celery_bell import CeleryBell
from assistant.bus import Bus, Route
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Message, Queue, ReadMail, Think
from tests.bench.marks import Marks
from workers import logs
from workers.celery.app import make_app, once_a_process, serve
from workers.data_folder import DataFolder
from workers.parts import Assistant, backoff
from workers.processes.job_heartbeat import JobHeartbeat
from workers.settings import Settings

OURS = "ours"
FORKED = "forked"
"""Ours, with processes as the one for tools has, on a queue of its own."""
BARE = "bare"
"""Stock Celery's worker, its queue, and the name of its task."""


class Idler(Assistant):
    """An assistant whose handlers do nothing but strike their jobs off.

    The one of ``ReadMail`` first writes something to the disk, as a call writes its intent.
    """

    def __init__(self, settings: Settings, *, folder: Path) -> None:
        super().__init__(settings, bell=CeleryBell(DataFolder(settings).broker_url))
        self._entered = entered(folder)
        self._ended = ended(folder)

    @cached_property
    def bus(self) -> Bus:
        settings = self.settings
        pulse = JobHeartbeat(store=self.store, every=settings.lease_seconds / 4, deadline=180)

        @contextmanager
        def around(job: Job) -> Generator[None]:
            with pulse.holding(job):
                yield
            self._ended.note()

        return Bus(
            {
                Think: Route(run=self._do_nothing, gave_up=_gave_up),
                ReadMail: Route(run=self._flush_first, gave_up=_gave_up),
            },
            store=self.store,
            clock=self.clock,
            worker=f"{socket.gethostname()}/{os.getpid()}",
            tries=settings.tries,
            backoff=backoff(settings.retry_seconds),
            around=around,
        )

    def _flush_first(self, message: Message, job: Job) -> None:
        with self.store.begin(job) as tx:
            tx.beat(job)
        self._do_nothing(message, job)

    def _do_nothing(self, _message: Message, job: Job) -> None:
        self._entered.note()
        with self.store.begin(job) as tx:
            tx.done(job)


def _gave_up(message: Message, _job: Job, error: str) -> None:
    raise AssertionError(f"{message.name}: {error}")


def entered(folder: Path) -> Marks:
    """When a handler or a task began."""
    return Marks(folder / "entered")


def ended(folder: Path) -> Marks:
    """When a job was struck off, or a task ended."""
    return Marks(folder / "ended")


def bare_app(url: str) -> Celery:
    """Celery as it comes, with nothing set but the broker."""
    app = Celery(BARE, broker=url, set_as_current=False)
    app.conf.update(task_default_queue=BARE, broker_connection_retry_on_startup=True)
    return app


def bare_task(app: Celery, run: Callable[[str], None]) -> Any:
    return app.task(run, name=BARE, ignore_result=True, shared=False)


def main(kind: str, folder: Path, settings: Settings) -> None:
    logs.configure(settings, process=kind)
    forked = kind == FORKED
    if kind != BARE:
        queue = (Queue.INGEST if forked else Queue.INTERACTIVE).value
        app = make_app(DataFolder(settings).broker_url)
        rooms = once_a_process(lambda: Idler(settings, folder=folder))
        serve(app, rooms)

        def warm(**_: object) -> None:
            rooms().warm_up()

        (worker_process_init if forked else worker_ready).connect(warm, weak=False)
    else:
        app, queue = bare_app(DataFolder(settings).broker_url), BARE
        began, done = entered(folder), ended(folder)

        def do_nothing(_id: str) -> None:
            began.note()
            done.note()

        bare_task(app, do_nothing)
    app.worker_main(
        [
            "worker",
            f"--queues={queue}",
            f"--pool={'prefork' if forked else 'threads'}",
            f"--concurrency={settings.tool_processes if forked else settings.threads}",
            f"--hostname={kind}.{os.getpid()}@%h",
            "--without-gossip",
            "--without-mingle",
            "--loglevel=WARNING",
        ]
    )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Settings.model_validate_json(sys.argv[3]))
