"""A conversation, its append-only entries, the model's view of it and the model's answers."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls.states import CallState
from assistant.domain.limits import ARGUMENTS
from assistant.domain.mail.understanding.understood import Understood
from assistant.domain.text.invisible import Visible, VisibleJson


class Origin(StrEnum):
    """Who wrote a text. The default is outside, so that no text becomes the owner's by accident."""

    OWNER = "owner"
    ASSISTANT = "assistant"
    OUTSIDE = "outside"


class Role(StrEnum):
    """Who speaks in an entry."""

    OWNER = "owner"
    ASSISTANT = "assistant"
    OUTCOME = "outcome"
    """The outcome of a call: code appends it, never in the owner's role."""
    NOTE = "note"
    """What the owner did beside the model, told to it by code. Nobody else is shown it."""


class Entry(BaseModel):
    """One entry of a conversation. The store gives its place, ``seq``."""

    model_config = ConfigDict(frozen=True)
    role: Role
    text: str
    origin: Origin = Origin.OUTSIDE
    source: str = ""
    """Where outside text comes from: ``mail 1a2b3c4d from Ann <ann@example.org>``."""
    call: str = ""
    seq: int = 0
    trace: str = ""
    at: datetime | None = None


class Quoted(BaseModel):
    """Outside text that the owner quoted, forwarded or attached."""

    model_config = ConfigDict(frozen=True)
    source: str
    """For example ``a message of ann on Discord``."""
    text: str


class Conversation(BaseModel):
    """A conversation in one place of one channel.

    ``heard`` is the seq of the last entry that needs an answer, ``thought`` the seq up to which the
    model has answered; ``turns`` counts the model's turns since the owner last spoke or answered a
    card.
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
    """Where in the channel the owner alone reads, if others can read this place."""
    began: datetime
    spoke: datetime
    """When the owner last spoke here."""

    @property
    def owed(self) -> bool:
        """Whether an entry needs an answer of the model."""
        return self.heard > self.thought


class Want(BaseModel):
    """One call as the model asked for it, before it has a row.

    ``trouble`` says why the arguments could not be parsed (not JSON, not an object).
    """

    model_config = ConfigDict(frozen=True)
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    trouble: str = ""
    id: str = ""
    """The id that the model gave it; empty where it gives none. A row has an id of our own."""


class Outcome(StrEnum):
    """The outcome of a question to a model."""

    ANSWERED = "answered"
    FAILED = "failed"
    """This model gave no answer; the next one was asked."""
    UNANSWERED = "unanswered"
    """No configured model gave an answer: the offline model replaced it, or nothing did."""


class Usage(BaseModel):
    """What a model's answer cost. Tokens are the provider's count, 0 where it gives none."""

    model_config = ConfigDict(frozen=True)
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    milliseconds: int = 0
    outcome: Outcome = Outcome.ANSWERED


class ModelQuestion(BaseModel):
    """A question to the models: when, and whether one answered."""

    model_config = ConfigDict(frozen=True)
    at: datetime
    answered: bool


class Tell(StrEnum):
    """What code adds to an answer of the offline model, from rows."""

    NEWS = "news"
    """What waits for the owner, and which mails are new."""
    WAITING = "waiting"
    """What waits for the owner."""
    CARDS = "cards"
    """Where to say yes or no, as words approve nothing."""


class Turn(BaseModel):
    """A model's answer: words, calls, or both."""

    model_config = ConfigDict(frozen=True)
    text: str = ""
    wants: tuple[Want, ...] = ()
    usage: tuple[Usage, ...] = ()
    """One for each provider that was paid for this turn, failed attempts included."""
    stood_in: bool = False
    """True when the offline model answered in place of a configured one."""
    tells: Tell | None = None
    """What code shows with the words. It is no entry of the conversation, so no model sees it."""


class Summary(BaseModel):
    """What a model makes of a mail. No model wrote an ``extractive`` one: code fills it."""

    model_config = ConfigDict(frozen=True)
    understood: Understood = Understood()
    """As the model says it, not compared with the mail yet."""
    malformed: int = 0
    """The parts of the model's answer that have no right form; they were dropped."""
    extractive: bool
    usage: tuple[Usage, ...] = ()
    stood_in: bool = False
    """True when the offline model answered in place of a configured one."""


class ViewCall(BaseModel):
    """A call in the model's view."""

    model_config = ConfigDict(frozen=True)
    id: str
    handle: str
    """For example ``A17``."""
    tool: Visible
    args: VisibleJson
    outcome: Visible
    """The outcome for the model; outside text in it is fenced and labelled."""
    end: bool = False
    """True when ``outcome`` is final."""
    state: CallState | None = None
    """The call's present state; None where it is not known."""
    shown: bool = False
    """True when a card or a receipt tells the owner what became of it."""


class ViewEntry(BaseModel):
    """One step of the conversation in the model's view."""

    model_config = ConfigDict(frozen=True)
    role: Role
    text: Visible = ""
    calls: tuple[ViewCall, ...] = ()
    """The calls that an assistant's entry asked for, or the call of an outcome."""
    unanswered: bool = False
    """Whether the owner said it and the model has not answered it yet."""


class View(BaseModel):
    """Everything the model sees, made by one function (``flows/conversation/view.py``).

    Whatever text enters it, here or in its parts, loses its invisible characters by its type.
    """

    model_config = ConfigDict(frozen=True)
    instructions: Visible
    now: datetime
    """Aware, in the owner's zone."""
    zone: str
    entries: tuple[ViewEntry, ...]
    tainted: bool = False


class ToolSchema(BaseModel):
    """A tool as the model sees it. ``parameters`` is a JSON Schema of an object."""

    model_config = ConfigDict(frozen=True)
    name: str
    description: Visible
    parameters: VisibleJson
    largest: int = Field(ARGUMENTS, exclude=True)
    """The most bytes of its arguments as a JSON text; a longer one is not parsed."""
