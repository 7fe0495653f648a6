"""What a channel should show and what it shows; ``Deliver`` makes the two equal."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from assistant.domain.canonical import digest
from assistant.domain.time.moments import say_moment


class ShownKind(StrEnum):
    WORDS = "words"
    """What the model said."""
    CARD = "card"
    """A call that waits for a person, with its buttons."""
    RECEIPT = "receipt"
    """What was changed, from an effect row."""
    MAIL = "mail"
    """A mail came in."""
    NOTICE = "notice"
    """Something the owner must know: an expiry, a failure."""
    PROGRESS = "progress"
    """What is being done meanwhile; without a text it is taken away again."""


class Action(BaseModel):
    """A button, or its command in a terminal."""

    model_config = ConfigDict(frozen=True)
    verb: str
    label: str
    subject: str
    """What it is about: a call's id."""
    handle: str = ""
    """How people name that: ``A17``."""


class Line(BaseModel):
    """A labelled line of a card."""

    model_config = ConfigDict(frozen=True)
    label: str
    value: str
    at: datetime | None = None
    """The moment that the value names, for channels that can show it in the reader's own zone."""
    until: datetime | None = None
    """Where the value names a span of time: when it ends."""

    @model_serializer(mode="wrap")
    def _kept(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """What was shown before lines had moments keeps its digest."""
        said: dict[str, Any] = write(self)
        for later in ("at", "until"):
            if getattr(self, later) is None:
                said.pop(later, None)
        return said


def moment(label: str, at: datetime, zone: str, *, by: str = "") -> Line:
    """A line that says when, in the IANA zone ``zone``; ``by`` stands before it."""
    return Line(label=label, value=f"{by}{say_moment(at, zone)}", at=at)


class Shown(BaseModel):
    """A piece of what a person sees, rendered by code. Channels lay it out; they add no facts."""

    model_config = ConfigDict(frozen=True)
    kind: ShownKind
    title: str = ""
    text: str = ""
    ledger: str = ""
    """What was done and what waits, told by code below a model's words."""
    fields: tuple[Line, ...] = ()
    actions: tuple[Action, ...] = ()
    outside: bool = False
    """True where title and text may be the words of others: they are shown without any markup."""

    @property
    def digest(self) -> str:
        said = self.model_dump(mode="json")
        for later in ("ledger", "outside"):  # what was shown before there were any keeps its digest
            if not said[later]:
                del said[later]
        return digest(said)


class Home(BaseModel):
    """Where the owner is told what they did not ask for just now: mail, notices."""

    model_config = ConfigDict(frozen=True)
    channel: str
    place: str


class Delivery(BaseModel):
    """``shown`` is the digest of what the channel shows now, empty while it shows nothing."""

    model_config = ConfigDict(frozen=True)
    id: str
    """Made from what it is about, so that wanting the same thing twice is wanting it once."""
    owner: str
    channel: str
    place: str
    wanted: Shown
    shown: str = ""
    handle: str = ""
    """The channel's own name for what it shows, for editing it."""
    revision: int = 1
    """Grows each time something else is wanted."""
    tried: datetime | None = None
    """When the channel was first asked to show it, while nobody knows whether it does."""
    note: str = ""
    """What the owner should know of how it is shown: that it went somewhere else."""
    trace: str = ""
    created: datetime | None = None

    @property
    def settled(self) -> bool:
        return self.shown == self.wanted.digest


class Attempt(BaseModel):
    """One try at showing a delivery, as a channel is told of it."""

    model_config = ConfigDict(frozen=True)
    key: str
    """The delivery's, the same at each try: the same key twice shows once."""
    handle: str = ""
    """The channel's own name for what it shows already; it is edited then."""
    tokens: tuple[str, ...] = ()
    """What each of ``Shown.actions`` carries, in that order, where the channel has buttons."""
    reveal: str = ""
    """What a button carries that shows it to one person alone, where it must not be shown."""
    since: datetime | None = None
    """When it was first tried before; since then it may be there, whatever became of that try."""
    minted: frozenset[str] = frozenset()
    """Hashes of all tokens ever made for it: what carries one of them is this delivery."""
    note: str = ""
    """The delivery's, of how it is shown where ``handle`` says."""


class Posted(BaseModel):
    """What came of a try."""

    model_config = ConfigDict(frozen=True)
    handle: str
    note: str = ""
