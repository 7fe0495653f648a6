"""A mail as it is kept: facts in SQL, words in blobs."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.errors import IllegalStep


class MailState(StrEnum):
    STORED = "stored"
    """The raw message is durable."""
    READ = "read"
    """Its facts are in SQL, its body and attachments in blobs."""
    SUMMARISED = "summarised"
    ANNOUNCED = "announced"
    """The owner was told of it. It is read once more where a model is to summarise it after all."""
    HELD = "held"
    """It could not be understood; the reason is kept, and it can be retried."""
    FORGOTTEN = "forgotten"
    """Its words are gone for good. What is left knows the same bytes when they come again."""


_S = MailState
NEXT: Mapping[MailState, frozenset[MailState]] = {
    _S.STORED: frozenset({_S.READ, _S.HELD, _S.FORGOTTEN}),
    _S.READ: frozenset({_S.SUMMARISED, _S.HELD, _S.FORGOTTEN}),
    _S.SUMMARISED: frozenset({_S.ANNOUNCED, _S.HELD, _S.FORGOTTEN}),
    _S.ANNOUNCED: frozenset({_S.READ, _S.HELD, _S.FORGOTTEN}),
    _S.HELD: frozenset({_S.STORED, _S.FORGOTTEN}),
    _S.FORGOTTEN: frozenset(),
}


class Attachment(BaseModel):
    """A part of a mail that is not its text. ``blob`` names its bytes."""

    model_config = ConfigDict(frozen=True)
    name: str
    content_type: str
    size: int
    sha256: str
    blob: str


class Mail(BaseModel):
    """Identity is the owner and the SHA-256 of the received bytes; Message-ID is a hint."""

    model_config = ConfigDict(frozen=True)
    id: str
    owner: str
    sha256: str
    size: int
    door: str
    """By which door it came: smtp, lmtp, http, file."""
    raw: str
    """The blob with the bytes as they were received; empty when they are forgotten."""
    received: datetime
    state: MailState = MailState.STORED
    reason: str = ""
    """Why it is held, or who had it forgotten."""
    message_id: str = ""
    sender: str = ""
    """The From header as people read it: ``Name <address>``."""
    sender_address: str = ""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = None
    body: str = ""
    """The blob with its text, UTF-8; empty when it has none."""
    attachments: tuple[Attachment, ...] = ()
    defects: tuple[str, ...] = ()
    """What was wrong with its form, although it could be read."""
    summary: str = ""
    summarised_by: str = ""
    """The model's name, or ``extract`` when no model read it."""
    provisional: bool = False
    """True while its own sentences stand in for a summary that a model is still to be asked for."""
    bundle: str = ""
    """The delivery it shares with mails of the same minute; empty while it has one of its own."""
    trace: str = ""

    def step(self, to: MailState, **changes: Any) -> Self:
        """The mail one step on. Raises ``IllegalStep`` where ``NEXT`` has no such step."""
        if to not in NEXT[self.state]:
            raise IllegalStep(f"mail {self.id} cannot go from {self.state} to {to}")
        return self.model_copy(update={"state": to, **changes})


class Received(BaseModel):
    """What a door may tell the sender. ``known`` means the very same bytes came before."""

    model_config = ConfigDict(frozen=True)
    id: str
    known: bool


class ParsedPart(BaseModel):
    """An attachment as it came out of the message, before it has a blob."""

    model_config = ConfigDict(frozen=True)
    name: str
    content_type: str
    data: bytes


class Parsed(BaseModel):
    """What parsing found. Every string is a stranger's."""

    model_config = ConfigDict(frozen=True)
    message_id: str = ""
    sender: str = ""
    sender_address: str = ""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = None
    text: str = ""
    attachments: tuple[ParsedPart, ...] = ()
    defects: tuple[str, ...] = ()


class MailQuery(BaseModel):
    """What to look for. ``words`` are looked up in subject, sender and summary; all must occur.

    What is forgotten is found only where its ``state`` is asked for.
    """

    model_config = ConfigDict(frozen=True)
    words: str = ""
    sender: str = ""
    """Part of the sender's name or address."""
    after: datetime | None = None
    before: datetime | None = None
    state: MailState | None = None
    provisional: bool = False
    """Only those whose summary a model is still to be asked for."""
    bundle: str = ""
    """Only those that share this delivery."""
    limit: int = 20


def how_known(address: str, earlier: int) -> str:
    """How well the writer of a mail is known, from rows alone.

    An address proves nothing, as anybody can write it.

    Args:
        address: the sender's; empty where there is none.
        earlier: how many mails came from it before.
    """
    return f"{how_seen(address, earlier)}; sender not verified"


def how_seen(address: str, earlier: int) -> str:
    """The same without a word of what it proves, for where that is said of many at once."""
    if not address:
        return "no address to know it by"
    if earlier:
        return f"{earlier:,} earlier mail{'' if earlier == 1 else 's'} from this address"
    return "first mail from this address"
