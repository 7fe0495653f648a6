"""What a channel should show and what it shows; ``Deliver`` makes the two equal."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from assistant.domain.canonical import digest
from assistant.domain.time.moments import say_moment


class ShownKind(StrEnum):
    WORDS = "words"
    """The model's words."""
    CARD = "card"
    """A call that waits for a person, with its buttons."""
    RECEIPT = "receipt"
    """A change that was made, rendered from an effect row."""
    MAIL = "mail"
    """A new mail."""
    NOTICE = "notice"
    """Something that the owner must know: an expiry, a failure."""
    PROGRESS = "progress"
    """What the assistant is doing; removed from the channel when it has no text."""


class Action(BaseModel):
    """A button, or its command in a terminal."""

    model_config = ConfigDict(frozen=True)
    verb: str
    label: str
    subject: str
    """What the button acts on: a call's id."""
    handle: str = ""
    """What is typed for it: the call's handle, ``A17``, or the name of a mode."""
    choice: str = ""
    """The question that this is one choice of, such as ``Show a mail``. Neighbours with the same
    question make one list; empty for a button of its own."""
    detail: str = ""
    """What a list says of it below the label, such as a mail's subject."""
    terms: Mapping[str, str] = Field(default_factory=dict)
    """What else a press agrees to: by call the digest of its card, for a plan."""

    @model_serializer(mode="wrap")
    def _kept(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out newer fields that are empty, so that earlier cards keep their digest."""
        said: dict[str, Any] = write(self)
        return {name: value for name, value in said.items() if value or name not in _NEWER}


_NEWER = frozenset({"choice", "detail", "terms"})


class Line(BaseModel):
    """A labelled line of a card."""

    model_config = ConfigDict(frozen=True)
    label: str
    value: str
    at: datetime | None = None
    """The moment that the value names, for channels that can show it in the reader's own zone."""
    until: datetime | None = None
    """The end of a time span, where the value names one."""

    @model_serializer(mode="wrap")
    def _kept(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out empty moments, so that lines from before this field keep their digest."""
        said: dict[str, Any] = write(self)
        for later in ("at", "until"):
            if getattr(self, later) is None:
                said.pop(later, None)
        return said


class Tone(StrEnum):
    """What has become of what is shown: channels choose the accent colour by it."""

    WAITS = "waits"
    DONE = "done"
    DENIED = "denied"
    """Denied, cancelled or expired: nothing was done."""
    REPLACED = "replaced"
    FAILED = "failed"
    DANGER = "danger"
    """It waits, and a stranger led here or something would be gone."""


class Row(BaseModel):
    """A row below the title of a card: ``2 Move “Dentist”:``, what was, what would be."""

    model_config = ConfigDict(frozen=True)
    text: str
    was: str = ""
    """What ``text`` takes the place of, shown before it as no longer so."""
    name: str = ""
    """What the row is about."""


def moment(label: str, at: datetime, zone: str, *, by: str = "") -> Line:
    """Return a line with a moment in the IANA zone ``zone``, preceded by ``by``."""
    return Line(label=label, value=f"{by}{say_moment(at, zone)}", at=at)


class Shown(BaseModel):
    """Something that a person sees, rendered by code. Channels lay it out and add no facts."""

    model_config = ConfigDict(frozen=True)
    kind: ShownKind
    title: str = ""
    text: str = ""
    ledger: str = ""
    """The changes done and waiting, which code adds below a model's words."""
    fields: tuple[Line, ...] = ()
    actions: tuple[Action, ...] = ()
    outside: bool = False
    """True where title and text may be outside text: they are shown without markup."""
    quiet: bool = False
    """True where nobody need be notified."""
    warning: str = ""
    """The first line, in red: whose words led here."""
    rows: tuple[Row, ...] = ()
    """What follows ``text``, each in a row of its own."""
    small: str = ""
    """The last line, in small letters: ``A4 · can be undone · answer by Thu 09:00``."""
    tone: Tone | None = None
    """Set where it is laid out to be read at a glance."""
    within: str = ""
    """Id of the delivery that shows it as one of its rows. Then no channel shows it by itself."""

    @property
    def digest(self) -> str:
        said = self.model_dump(mode="json")
        # Newer fields: what was shown before keeps its digest.
        for later in (
            "ledger",
            "outside",
            "quiet",
            "warning",
            "rows",
            "small",
            "tone",
            "within",
        ):
            if not said[later]:
                del said[later]
        return digest(said)


def in_lines(shown: Shown) -> tuple[Line, ...]:
    """Write all that is shown as labelled lines, for where there is no room to lay it out."""
    rows = (
        " ".join(filter(None, (row.name, row.was and f"{row.was} →", row.text)))
        for row in shown.rows
    )
    parts = (
        ("Warning", shown.warning),
        ("Title", shown.title),
        ("Text", shown.text),
        ("Further", "\n".join(rows)),
        ("Small", shown.small),
        ("Record", shown.ledger),
    )
    said = (Line(label=label, value=value) for label, value in parts if value)
    return (*said, *shown.fields)


class Home(BaseModel):
    """Where the owner gets mail and notices, which belong to no conversation."""

    model_config = ConfigDict(frozen=True)
    channel: str
    place: str


class Delivery(BaseModel):
    """What a channel should show. ``shown`` is the digest of what it shows; empty for nothing."""

    model_config = ConfigDict(frozen=True)
    id: str
    """Derived from the subject, so that wanting a thing twice makes one delivery."""
    owner: str
    channel: str
    place: str
    wanted: Shown
    shown: str = ""
    handle: str = ""
    """The channel's id of the message it shows, for editing."""
    revision: int = 1
    """Grows each time ``wanted`` changes."""
    tried: datetime | None = None
    """The first attempt whose result is not known."""
    note: str = ""
    """What the owner should know of how it is shown, such as in another place."""
    trace: str = ""
    created: datetime | None = None

    @property
    def settled(self) -> bool:
        return self.shown == self.wanted.digest


class Attempt(BaseModel):
    """One attempt of a channel to show a delivery."""

    model_config = ConfigDict(frozen=True)
    key: str
    """The delivery's key, equal in every attempt: the channel shows one key once."""
    handle: str = ""
    """The channel's id of the message to edit; empty for a new message."""
    tokens: tuple[str, ...] = ()
    """The tokens of ``Shown.actions``, in that order, where the channel has buttons."""
    reveal: str = ""
    """The token of the button that shows the delivery to one person, where others could read."""
    since: datetime | None = None
    """The first earlier attempt; the message may be there since then."""
    minted: frozenset[str] = frozenset()
    """Hashes of all tokens of the delivery: a message that carries one of them shows it."""
    note: str = ""
    """The delivery's note on the message that ``handle`` names."""


class Posted(BaseModel):
    """The result of an attempt."""

    model_config = ConfigDict(frozen=True)
    handle: str
    note: str = ""
