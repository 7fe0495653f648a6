"""A job as a worker holds it, and the cause it belongs to."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from assistant.domain.messages import PERIODIC, Message, Queue

CANARY = "canary"
"""The kind of a bell without a job: it shows that its queue moves."""


EXPECTED = "expected"
"""The kind of a bell that is rung while its job is still being written."""


class Cause(BaseModel):
    """The owner for whom something happens, and the trace back to where it began."""

    model_config = ConfigDict(frozen=True)
    owner: str
    trace: str


class Job(Cause):
    """A claimed job row. ``claim`` identifies this attempt; no other attempt can use it."""

    message: Message
    claim: str
    attempts: int
    """How often this job was claimed, this time included; without those that an outage ended."""
    waits_for: str = ""
    """The part of the assistant that was away when it was tried last; empty if none was."""
    waits_since: datetime | None = None


class Doorbell(BaseModel):
    """What Celery carries: the job's name, and the queue of its workers."""

    model_config = ConfigDict(frozen=True)
    job: str
    kind: str
    queue: Queue


class Sizes(BaseModel):
    """How much the database holds for an owner, and how large it is."""

    model_config = ConfigDict(frozen=True)
    database: int
    """Bytes, of all owners."""
    blobs: int
    """Bytes of mails as they came, their attachments and files, as their rows have them."""
    mails: int
    conversations: int
    calls: int
    audit: int


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
    waits_for: str = ""
    """The part of the assistant that it waits for, since it was away at the last try."""
    waits_since: datetime | None = None

    @property
    def periodic(self) -> bool:
        """Whether it orders itself again, so that nobody waits for its end."""
        return self.id.partition(":")[0] in PERIODIC
