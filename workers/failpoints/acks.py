"""Celery's acknowledgement of a task with places around it. See ``places``."""

from typing import Any

from celery import Celery
from celery.signals import task_postrun

from workers.celery.acked import AckedRequest
from workers.failpoints.places import hit

_REQUEST = f"{__name__}:FailpointRequest"


class FailpointRequest(AckedRequest):
    """A request with a place after its acknowledgement."""

    def acknowledge(self) -> None:
        super().acknowledge()
        hit("ack.after", kind=_kind(str(self.name)))


def install(app: Celery) -> None:
    """Put places around the acknowledgement of each of the application's tasks."""
    for name, task in app.tasks.items():
        if name.startswith("assistant."):
            task.Request = _REQUEST
    task_postrun.connect(_returning, weak=False)


def _returning(sender: Any, **_: object) -> None:
    """Hit the place where a task has run, and Celery is not told yet."""
    hit("ack.before", kind=_kind(str(sender.name)))


def _kind(task: str) -> str:
    return task.rpartition(".")[2]
