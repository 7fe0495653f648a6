"""Make the Celery application, which only carries doorbells and imports no handler."""

import os
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from celery import Celery
from kombu.entity import Queue as KombuQueue

from assistant.adapters.celery_bell import TASK
from assistant.domain.jobs.job import CANARY, EXPECTED
from assistant.domain.limits import TOOL_SECONDS
from assistant.domain.messages import KINDS, Queue, Run

if TYPE_CHECKING:
    from workers.parts import Assistant

TICK = "assistant.tick"
_BROKER = "workers.celery.transport:Broker"
_REQUEST = "workers.celery.acked:AckedRequest"
HARD_LIMIT = 120
"""Seconds after which a process that answers a bell is killed."""
RUN_LIMIT = TOOL_SECONDS + HARD_LIMIT
"""The same where a tool may be executed. One that hangs is ended sooner, see ``JobHeartbeat``."""

GetAssistant = Callable[[], "Assistant"]
"""Returns the parts of this process."""


def make_app(broker_url: str) -> Celery:
    """Make a Celery application for a broker, without tasks."""
    app = Celery("assistant", broker=broker_url, amqp=_BROKER, set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        broker_connection_max_retries=None,
        broker_connection_retry_on_startup=True,
        broker_transport_options={"socket_timeout": 30, "socket_keepalive": True},
        task_acks_late=True,
        task_create_missing_queues=False,
        task_default_queue=Queue.INTERACTIVE.value,
        task_ignore_result=True,
        task_queues=[_queue(queue.value) for queue in Queue],
        task_reject_on_worker_lost=True,
        task_time_limit=HARD_LIMIT,
        worker_hijack_root_logger=False,
        worker_prefetch_multiplier=1,
        worker_redirect_stdouts=False,
        worker_enable_remote_control=False,  # a writer to the broker can only ring bells
        worker_cancel_long_running_tasks_on_connection_loss=False,
    )
    return app


def _queue(name: str) -> Any:
    untyped: Any = KombuQueue
    return untyped(name, routing_key=name)


def serve(app: Celery, get_assistant: GetAssistant) -> None:
    """Register one task for each kind of message, so that logs and dashboards name the kind.

    Tasks are plain functions: a bound method loses its message at the first retry (Celery 5.7).
    """

    def answer(job: str, _queue: str) -> None:
        get_assistant().bus.answer(job)

    def expected(job: str, _queue: str) -> None:
        get_assistant().bus.expect(job)

    def canary(bell: str, queue: str) -> None:
        get_assistant().store.passed_canary(bell, Queue(queue))

    def tick() -> None:
        get_assistant().tick()

    for kind in KINDS:
        limit = RUN_LIMIT if KINDS[kind] is Run else HARD_LIMIT
        task = TASK.format(kind=kind)
        app.task(answer, name=task, shared=False, Request=_REQUEST, time_limit=limit)
    task = TASK.format(kind=EXPECTED)
    app.task(expected, name=task, shared=False, Request=_REQUEST, time_limit=RUN_LIMIT)
    app.task(canary, name=TASK.format(kind=CANARY), shared=False, Request=_REQUEST)
    app.task(tick, name=TICK, shared=False, Request=_REQUEST)


def schedule(app: Celery, *, every: float) -> None:
    """Schedule the tick; a tick that no worker took in time expires."""
    app.conf.beat_schedule = {
        "tick": {
            "task": TICK,
            "schedule": timedelta(seconds=every),
            "options": {"queue": Queue.INTERACTIVE.value, "expires": max(10.0, 3 * every)},
        }
    }


def once_a_process(make: GetAssistant) -> GetAssistant:
    """Make the parts when first needed, once a process: connections do not survive a fork."""
    made: dict[int, Assistant] = {}
    lock = threading.Lock()

    def get_assistant() -> "Assistant":
        with lock:
            if os.getpid() not in made:
                made.clear()
                made[os.getpid()] = make()
            return made[os.getpid()]

    return get_assistant
