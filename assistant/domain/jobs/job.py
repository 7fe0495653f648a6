"""What a worker holds while it works, and on whose behalf."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from assistant.domain.messages import Message, Queue

CANARY = "canary"
"""The kind of a bell that no job stands behind: it shows that its queue moves."""


EXPECTED = "expected"
"""The kind of a bell that is rung while its job is still being written."""


class Cause(BaseModel):
    """For whom something happens, and the trace that leads back to where it began."""

    model_config = ConfigDict(frozen=True)
    owner: str
    trace: str


class Job(Cause):
    """A claimed job row. ``claim`` is this attempt's alone: it opens no other attempt's door."""

    message: Message
    claim: str
    attempts: int
    """How often this job has been claimed, this time included."""


class Doorbell(BaseModel):
    """What Celery carries: which job, and where its workers listen."""

    model_config = ConfigDict(frozen=True)
    job: str
    kind: str
    queue: Queue


class JobFacts(BaseModel):
    """A job row as people read it in ``assistant status``."""

    model_config = ConfigDict(frozen=True)
    id: str
    owner: str
    trace: str
    queue: str
    """Usually a ``Queue``; another where a newer version of the program wrote the row."""
    due: datetime
    attempts: int
    claimed: bool
    failed: bool
    error: str
