"""Everything that travels on the queue, in the order the work meets it.

A message is an order with exactly one handler. It carries one id, never a body, and its name on the
queue is its kind and that id: ordering the same thing twice is ordering it once.
"""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class Queue(StrEnum):
    INTERACTIVE = "interactive"
    INGEST = "ingest"
    TOOLS = "tools"
    SLOW = "slow"


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    queue: ClassVar[Queue]
    kind: str
    id: str

    @property
    def name(self) -> str:
        """What its job is called: one job row for one name."""
        return f"{self.kind}:{self.id}"


class ReadMail(Message):
    """Parse a stored mail: facts to SQL, body and attachments to blobs. ``id`` is the mail's."""

    queue = Queue.INGEST
    kind: Literal["read_mail"] = "read_mail"


class SummariseMail(Message):
    """Have one summary made of a mail that was read. ``id`` is the mail's."""

    queue = Queue.SLOW
    kind: Literal["summarise_mail"] = "summarise_mail"


class EraseMail(Message):
    """See that nothing is left of a mail that was forgotten. ``id`` is the mail's."""

    queue = Queue.INGEST
    kind: Literal["erase_mail"] = "erase_mail"


class Think(Message):
    """Let the model take the next step of a conversation. ``id`` is the conversation's."""

    queue = Queue.INTERACTIVE
    kind: Literal["think"] = "think"


class Run(Message):
    """Carry out a cleared call. ``id`` is the call's."""

    queue = Queue.TOOLS
    kind: Literal["run"] = "run"


class Expire(Message):
    """Remind of a call that waits, or end its waiting. ``id`` is the call's."""

    queue = Queue.INTERACTIVE
    kind: Literal["expire"] = "expire"


class Repropose(Message):
    """Look again at what a call is about and ask about it as it is now. ``id`` is the call's."""

    queue = Queue.TOOLS
    kind: Literal["ask_anew"] = "ask_anew"


class Deliver(Message):
    """Make a channel show what it should. ``id`` is the delivery's."""

    queue = Queue.INTERACTIVE
    kind: Literal["deliver"] = "deliver"


AnyMessage = ReadMail | SummariseMail | EraseMail | Think | Run | Expire | Repropose | Deliver
KINDS: dict[str, type[Message]] = {
    kind.model_fields["kind"].default: kind for kind in get_args(AnyMessage)
}

_PARSER: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="kind")])


def parse(name: str) -> Message:
    """The message a job is named for. Raises pydantic's ``ValidationError`` for an unknown kind."""
    kind, _, subject = name.partition(":")
    return _PARSER.validate_python({"kind": kind, "id": subject})
