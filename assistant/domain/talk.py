"""A conversation, its append-only entries, and what a model says in it."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.call_states import CallState


class Origin(StrEnum):
    """Who wrote a text. Outside is the default: nothing becomes the owner's by accident."""

    OWNER = "owner"
    ASSISTANT = "assistant"
    OUTSIDE = "outside"


class Role(StrEnum):
    """What part an entry plays."""

    OWNER = "owner"
    ASSISTANT = "assistant"
    OUTCOME = "outcome"
    """What became of a call: appended by code, never in the owner's role."""


class Entry(BaseModel):
    """One line of a conversation. ``seq`` is its place, given by the store."""

    model_config = ConfigDict(frozen=True)
    role: Role
    text: str
    origin: Origin = Origin.OUTSIDE
    source: str = ""
    """Where words from outside come from: ``mail 1a2b3c4d from Ann <ann@example.org>``."""
    call: str = ""
    seq: int = 0
    trace: str = ""
    at: datetime | None = None


class Quoted(BaseModel):
    """Words of others that the owner pointed at: quoted, forwarded or attached."""

    model_config = ConfigDict(frozen=True)
    source: str
    """Such as ``a message of ann on Discord``."""
    text: str


class Conversation(BaseModel):
    """A talk in one place of one channel.

    ``heard`` is the seq of the last entry that deserves an answer, ``thought`` the one up to which
    the model has answered; ``turns`` counts the model's turns since the owner last spoke.
    """

    model_config = ConfigDict(frozen=True)
    id: str
    owner: str
    channel: str
    place: str
    heard: int = 0
    thought: int = 0
    turns: int = 0
    tainted: bool = False
    aside: str = ""
    """Where the owner alone reads, if others can read this place; in the same channel."""
    began: datetime
    spoke: datetime
    """When the owner last spoke here."""

    @property
    def owed(self) -> bool:
        """True while something was said that the model has not answered."""
        return self.heard > self.thought


class Want(BaseModel):
    """One call as the model asked for it, before it has a row.

    ``trouble`` says why the arguments could not even be read (not JSON, not an object).
    """

    model_config = ConfigDict(frozen=True)
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    trouble: str = ""


class Outcome(StrEnum):
    """How asking a model went."""

    ANSWERED = "answered"
    FAILED = "failed"
    """This one gave no answer; another was asked next."""
    UNANSWERED = "unanswered"
    """None of those that are configured gave one: the offline one stood in, or nobody did."""


class Usage(BaseModel):
    """What a model's answer cost. Tokens are the provider's own count, 0 where it gives none."""

    model_config = ConfigDict(frozen=True)
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    milliseconds: int = 0
    outcome: Outcome = Outcome.ANSWERED


class Asked(BaseModel):
    """When a model was asked, and whether one answered."""

    model_config = ConfigDict(frozen=True)
    at: datetime
    answered: bool


class Turn(BaseModel):
    """What came back from a model: words, calls, or both."""

    model_config = ConfigDict(frozen=True)
    text: str = ""
    wants: tuple[Want, ...] = ()
    usage: tuple[Usage, ...] = ()
    """One for each provider that was paid for this turn, failed attempts included."""
    stood_in: bool = False
    """True when the offline model gave it in the place of one that is configured."""


class Summary(BaseModel):
    """A mail in few words. ``extractive`` means its own sentences, no model having read it."""

    model_config = ConfigDict(frozen=True)
    text: str
    extractive: bool
    usage: tuple[Usage, ...] = ()
    stood_in: bool = False
    """True when the offline model gave it in the place of one that is configured."""


class ViewCall(BaseModel):
    """A call as the model is reminded of it."""

    model_config = ConfigDict(frozen=True)
    id: str
    handle: str
    """What people call it, such as ``A17``."""
    tool: str
    args: dict[str, Any]
    outcome: str
    """What the model is told of it; text from outside is already fenced and labelled."""
    end: bool = False
    """True when ``outcome`` is the call's last word."""
    state: CallState | None = None
    """Where the call stands by now; None where that is not known."""


class ViewEntry(BaseModel):
    """One step of the conversation in the model's view."""

    model_config = ConfigDict(frozen=True)
    role: Role
    text: str = ""
    calls: tuple[ViewCall, ...] = ()
    """Of an assistant's entry: the calls it asked for. Of an outcome: the call it is about."""


class View(BaseModel):
    """Everything the model sees, made by one function (``flows/view.py``)."""

    model_config = ConfigDict(frozen=True)
    instructions: str
    now: datetime
    """Aware, in the owner's zone."""
    zone: str
    entries: tuple[ViewEntry, ...]
    tainted: bool = False


class ToolSchema(BaseModel):
    """A tool as a model is told of it. ``parameters`` is JSON Schema of an object."""

    model_config = ConfigDict(frozen=True)
    name: str
    description: str
    parameters: dict[str, Any]
