"""What a command says, for any channel to render."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from assistant.domain.approvals.approval import ApprovalAnswer as Pressed
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Line, Shown


class CommandOutcome(StrEnum):
    """How a command ended: an exit code in a shell, a colour on Discord, a status on a page."""

    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    WAITING = "waiting"
    """Something waits for the owner: a call for a yes, or this command for a word."""
    STALE = "stale"
    """It counts for nothing: it was answered already, or has changed since it was shown."""
    UNREACHABLE = "unreachable"
    """What it set going did not end in time."""


@dataclass(frozen=True, kw_only=True)
class Button:
    """A command with its arguments bound. A channel stores it behind a random single-use token."""

    label: str
    command: str
    args: Mapping[str, Any] = field(default_factory=dict)
    verb: Verb | None = None
    """What a stored button is called that carries this out."""
    subject: str = ""
    """What the stored button is about: the id of a call, a delivery or a mail."""
    choice: str = ""
    """The question that this is one choice of, see ``Action.choice``; empty for none."""
    detail: str = ""
    """What a list says of it below the label."""


@dataclass(frozen=True, kw_only=True)
class Words:
    text: str
    at: datetime | None = None
    """The moment that they name, for channels that can show it in the reader's own zone."""
    until: datetime | None = None
    """Where they name a span of time: when it ends."""
    outside: bool = False
    """True for a text of others that stands alone: each line of it is set off as such."""


@dataclass(frozen=True, kw_only=True)
class Fields:
    lines: tuple[Line, ...]
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A card as its owner is shown it; whoever renders it has shown it."""

    call: str
    """Id of the call that it asks about; empty for what asks about none."""
    handle: str
    shown: Shown
    state: str = ""
    """How the call stands, where that is said beside the card."""


@dataclass(frozen=True, kw_only=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str
    """What is said where there are no rows."""
    cards: tuple[Card, ...] = ()
    """The rows as cards, for a channel that shows these and no table."""
    title: str = ""
    """What stands above the rows where there are no columns."""
    lines: tuple[Line, ...] = ()
    """The rows as labelled lines, for a channel that has no room for columns."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """What a file holds, as it is, for whoever wants exactly that."""

    chunks: Iterable[bytes]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture beside the words, for a channel that can show one; the words say the same."""

    name: str
    """Of the file, with its ending."""
    content: bytes
    alt: str
    """What it shows, in words, for whoever cannot see it."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """What a channel with forms asks for before it carries a command out."""

    argument: str
    """Name of the argument that is typed into it."""
    title: str
    next: Button
    """What is carried out with what was typed."""
    label: str = ""
    placeholder: str = ""
    required: bool = True
    """False where the command can do without: then only a button asks."""
    long: bool = False
    most: int = 4_000
    """Characters that can be typed."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of an argument that is a JSON object, each of whose properties is typed."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The object as it is now."""


Block = Words | Fields | Card | Table | Content | Picture


@dataclass(frozen=True, kw_only=True)
class Waits:
    """What a command set going. A shell waits until it rests and then says what came of it."""

    trace: str
    calls: tuple[str, ...] = ()
    """Ids."""
    soon: float = 0.0
    """Seconds that a chat waits too, as what comes of it is the answer."""
    about: Any = None
    """What the command itself keeps in mind of it."""
    rested: bool = True
    """False once somebody has waited in vain for as long as they had patience."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a command says. Its blocks are rendered in their order."""

    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()
    """What is said aside, such as a hint: on standard error in a shell."""
    outcome: CommandOutcome = CommandOutcome.DONE
    buttons: tuple[Button, ...] = ()
    """What can be done next."""
    next: Button | None = None
    """The command that goes on with this one, such as its second step."""
    word: str = ""
    """What must be typed for the command to count; empty where nothing must."""
    question: str = ""
    """Of a preview: what must be confirmed before the command is carried out."""
    step: str = ""
    """Of a preview: the second step that a yes takes, said in words; empty where it takes none."""
    final: bool = False
    """Of a preview: True where it cannot be taken back, so that only an explicit yes is one."""
    shown: Mapping[str, str] = field(default_factory=dict)
    """What this answer shows beside its cards and what a yes can be bound to: digests by a name."""
    waits: Waits | None = None
    follow: str = ""
    """Id of the conversation in which more is to be said."""
    said: Pressed | None = None
    """What the flows answered, where channels may say it in words of their own."""
    data: Callable[[], Any] = lambda: None
    """For programs: what ``--json`` prints. Called where it is wanted."""

    @property
    def text(self) -> str:
        """Its words alone."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, Words))

    @property
    def cards(self) -> tuple[Card, ...]:
        inner = (block.cards for block in self.blocks if isinstance(block, Table))
        own = (block for block in self.blocks if isinstance(block, Card))
        return (*own, *(card for cards in inner for card in cards))

    @property
    def digests(self) -> Mapping[str, str]:
        """What whoever has rendered it has shown: by call the digest of its card, and ``shown``."""
        cards = {card.call: card.shown.digest for card in self.cards if card.call}
        return {**cards, **self.shown}


def say(*lines: str, outcome: CommandOutcome = CommandOutcome.DONE, **more: Any) -> Answer:
    """An answer of plain words."""
    return Answer(blocks=(Words(text="\n".join(lines)),), outcome=outcome, **more)


def fields(values: Mapping[str, str], *, title: str = "") -> Fields:
    """Labelled values; those that are empty are left out."""
    lines = (Line(label=label, value=value) for label, value in values.items() if value)
    return Fields(lines=tuple(lines), title=title)
