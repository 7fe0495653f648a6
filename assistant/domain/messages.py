"""Every message on the queue, in the order of the work.

A message is an order with exactly one handler. It carries one id, never a body. Its kind and that
id name its job, so that emitting a message twice makes one job.
"""

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from assistant.domain.queues import Queue as Queue  # noqa: PLC0414 (found here by those who emit)


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    queue: ClassVar[Queue]
    kind: str
    id: str

    @property
    def name(self) -> str:
        """Return the name of its job; each name has one row."""
        return f"{self.kind}:{self.id}"


class ReadMail(Message):
    """Parse a stored mail: write facts to SQL, body and attachments to blobs. ``id``: the mail."""

    queue = Queue.INGEST
    kind: Literal["read_mail"] = "read_mail"


class SummariseMail(Message):
    """Summarise a mail that was read. ``id``: the mail."""

    queue = Queue.SLOW
    kind: Literal["summarise_mail"] = "summarise_mail"


class EraseMail(Message):
    """Delete everything that is left of a forgotten mail. ``id``: the mail."""

    queue = Queue.INGEST
    kind: Literal["erase_mail"] = "erase_mail"


class Think(Message):
    """Ask the model for the next step of a conversation. ``id``: the conversation."""

    queue = Queue.INTERACTIVE
    kind: Literal["think"] = "think"


class Run(Message):
    """Run a cleared call. ``id``: the call."""

    queue = Queue.TOOLS
    kind: Literal["run"] = "run"


class Expire(Message):
    """Remind the owner of a call that waits, or let it expire. ``id``: the call."""

    queue = Queue.INTERACTIVE
    kind: Literal["expire"] = "expire"


class Repropose(Message):
    """Inspect again what a call would change, and ask about its newest state. ``id``: the call."""

    queue = Queue.TOOLS
    kind: Literal["ask_anew"] = "ask_anew"


class MakeBrief(Message):
    """Make the morning brief of a day, such as ``2026-11-23``. ``id``: the day."""

    queue = Queue.TOOLS
    kind: Literal["make_brief"] = "make_brief"


class FollowInvitation(Message):
    """Ask the owner about what an invitation changes, or withdraw that. ``id``: its row."""

    queue = Queue.TOOLS
    kind: Literal["follow_invitation"] = "follow_invitation"


class Deliver(Message):
    """Make a channel show what it should show. ``id``: the delivery."""

    queue = Queue.INTERACTIVE
    kind: Literal["deliver"] = "deliver"


class SyncCalendar(Message):
    """Make the copy of the calendar as the calendar is now. ``id``: the owner."""

    queue = Queue.SLOW
    kind: Literal["sync_calendar"] = "sync_calendar"


AnyMessage = (
    ReadMail
    | SummariseMail
    | EraseMail
    | Think
    | Run
    | Expire
    | Repropose
    | FollowInvitation
    | MakeBrief
    | Deliver
    | SyncCalendar
)
KINDS: dict[str, type[Message]] = {
    kind.model_fields["kind"].default: kind for kind in get_args(AnyMessage)
}

PERIODIC = frozenset({"sync_calendar"})
"""Kinds of jobs that order themselves again, so that nobody waits until none is left."""

_PARSER: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="kind")])


def parse(name: str) -> Message:
    """Return the message of a job's name. Raises pydantic's ``ValidationError`` if unknown."""
    kind, _, subject = name.partition(":")
    return _PARSER.validate_python({"kind": kind, "id": subject})
