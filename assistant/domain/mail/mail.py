"""A mail: its facts are in SQL, its words in blobs."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.calendar.invitations.invitation import Invitation
from assistant.domain.errors import IllegalStep
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.forward import ForwardedMail, ForwardingConfirmation, HowForwarded
from assistant.domain.mail.letter import FORWARDS, Letter
from assistant.domain.mail.understanding.understood import Understood

INSIDE = 2_000
"""The most characters of what is found of the letters inside a mail."""


class MailState(StrEnum):
    STORED = "stored"
    """The raw message is durable."""
    READ = "read"
    """The mail is parsed: its facts are in SQL, its body and attachments in blobs."""
    SUMMARISED = "summarised"
    ANNOUNCED = "announced"
    """The owner was told.

    Goes back to ``read`` when a model is to replace the summary, to ``stored`` to be read again.
    """
    HELD = "held"
    """The mail could not be parsed or summarised; the reason is kept, and it can be retried."""
    FORGOTTEN = "forgotten"
    """The words are deleted for good. The row stays, to recognise equal bytes."""


MAIL_NAMES: Mapping[MailState, str] = {
    MailState.STORED: "not read yet",
    MailState.READ: "not summarised yet",
    MailState.SUMMARISED: "not shown yet",
    MailState.ANNOUNCED: "shown",
    MailState.HELD: "could not be read",
    MailState.FORGOTTEN: "forgotten",
}
"""What people call a state, and may type for it; what is stored, and JSON, keep the state's own."""


def mail_state_called(word: str) -> MailState:
    """The state that a person means by a word: people's name for it, or the stored one.

    Raises ``ValueError``, which says what there is.
    """
    typed = " ".join(word.lower().replace("-", " ").split())
    for state, name in MAIL_NAMES.items():
        if typed in (name, state.value):
            return state
    raise ValueError(f"there is no state {word}; there are {', '.join(MAIL_NAMES.values())}")


_S = MailState
NEXT: Mapping[MailState, frozenset[MailState]] = {
    _S.STORED: frozenset({_S.READ, _S.HELD, _S.FORGOTTEN}),
    _S.READ: frozenset({_S.SUMMARISED, _S.HELD, _S.FORGOTTEN}),
    _S.SUMMARISED: frozenset({_S.ANNOUNCED, _S.HELD, _S.FORGOTTEN}),
    _S.ANNOUNCED: frozenset({_S.STORED, _S.READ, _S.HELD, _S.FORGOTTEN}),
    _S.HELD: frozenset({_S.STORED, _S.FORGOTTEN}),
    _S.FORGOTTEN: frozenset(),
}


class Attachment(BaseModel):
    """An attachment of a mail. ``blob`` names its bytes."""

    model_config = ConfigDict(frozen=True)
    name: str
    content_type: str
    size: int
    sha256: str
    blob: str
    said: str = ""
    """What it is by its content, in words; empty for a mail read before that was looked at."""
    kind: str = ""
    """Its media type by content."""
    doubt: str = ""
    """Where name, declared type and content disagree in a way that deceives."""
    letter: int = 0
    """The place of the letter that it came with."""


class Mail(BaseModel):
    """A mail. The owner and the SHA-256 of the received bytes identify it, never Message-ID."""

    model_config = ConfigDict(frozen=True)
    id: str
    owner: str
    sha256: str
    size: int
    door: str
    """The door it came in by: smtp, lmtp, http, file."""
    envelope: Envelope = Envelope()
    """How it came in first; empty when the mail is forgotten."""
    raw: str
    """The blob with the bytes as they were received; empty when the mail is forgotten."""
    received: datetime
    state: MailState = MailState.STORED
    reason: str = ""
    """Why the mail is held, or who forgot it."""
    message_id: str = ""
    sender: str = ""
    """The From header, decoded: ``Name <address>``."""
    sender_address: str = ""
    more_senders: str = ""
    """Further mailboxes in From."""
    sent_by: str = ""
    """The mailbox in Sender, where it is not the one in From."""
    reply_to: str = ""
    """The mailboxes in Reply-To, where they are not those in From."""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = None
    forward: ForwardedMail = ForwardedMail()
    letters: tuple[Letter, ...] = ()
    """Who wrote what in it, without the words; the first is the mail itself. Empty if it holds no
    other letter."""
    words: str = ""
    """The blob with the letters and their words, a JSON list; empty if it holds no other letter."""
    inside: str = ""
    """Senders and subjects of the letters that were forwarded in it, for searches."""
    confirmation: ForwardingConfirmation | None = None
    """What a provider asks before it forwards mail here."""
    body: str = ""
    """The blob with the text, UTF-8; empty when the mail has none."""
    attachments: tuple[Attachment, ...] = ()
    defects: tuple[str, ...] = ()
    """Defects of its form that did not prevent parsing."""
    hidden_words: int = 0
    """Words of its HTML that nobody sees."""
    hidden: str = ""
    """The blob with those words; empty where there are none."""
    invitations: str = ""
    """The blob with the invitations in it, a JSON list; empty where there are none."""
    understood: Understood = Understood()
    unproved: int = 0
    """The facts that were dropped because their quote does not stand in the mail."""
    summary: str = ""
    summarised_by: str = ""
    """The model's name, or ``extract`` when no model read the mail."""
    provisional: bool = False
    """True while the summary is extractive and a model is still to be asked for one."""
    bundle: str = ""
    """The delivery that announces it with other mails of one minute; empty if it has its own."""
    trace: str = ""

    @property
    def forwarded(self) -> Letter | None:
        """Return the letter that the mail was forwarded for, or None if nobody forwarded one."""
        return forwarded_letter(self.letters, self.forward)

    def step(self, to: MailState, **changes: Any) -> Self:
        """Return the mail one step on. Raises ``IllegalStep`` where ``NEXT`` has no such step."""
        if to not in NEXT[self.state]:
            raise IllegalStep(f"mail {self.id} cannot go from {self.state} to {to}")
        return self.model_copy(update={"state": to, **changes})


def forwarded_letter(letters: Iterable[Letter], forward: ForwardedMail) -> Letter | None:
    """Return the first letter that somebody passed on by hand, or by a rule that writes a mail."""
    if forward.how is HowForwarded.NOT or forward.keeps_sender:
        return None
    return next((letter for letter in letters if letter.kind in FORWARDS), None)


def said_inside(letters: Iterable[Letter]) -> str:
    """Return senders and subjects of forwarded letters, as ``Mail.inside`` keeps them."""
    forwards = (letter for letter in letters if letter.kind in FORWARDS)
    told = " ".join(f"{letter.sender} {letter.subject}".strip() for letter in forwards)
    return told[:INSIDE]


class Received(BaseModel):
    """What a door may tell the sender. ``known`` means that these bytes were received before."""

    model_config = ConfigDict(frozen=True)
    id: str
    known: bool


class ParsedPart(BaseModel):
    """An attachment that was parsed and has no blob yet."""

    model_config = ConfigDict(frozen=True)
    name: str
    content_type: str
    data: bytes
    said: str = ""
    kind: str = ""
    doubt: str = ""
    letter: int = 0


class MailContext(BaseModel):
    """What is known of a mail before it is parsed."""

    model_config = ConfigDict(frozen=True)
    envelope: Envelope = Envelope()
    zone: str = "UTC"
    """The owner's zone, an IANA name: for dates in the text that name none."""
    addresses: frozenset[str] = frozenset()
    """The owner's addresses in small letters; empty where they are not known."""


class Parsed(BaseModel):
    """A parsed message. A stranger wrote every string in it."""

    model_config = ConfigDict(frozen=True)
    message_id: str = ""
    sender: str = ""
    sender_address: str = ""
    more_senders: str = ""
    sent_by: str = ""
    reply_to: str = ""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = None
    forward: ForwardedMail = ForwardedMail()
    letters: tuple[Letter, ...] = ()
    """With their words; empty if the mail holds no letter but its own."""
    confirmation: ForwardingConfirmation | None = None
    text: str = ""
    """All of its text, as it stands in the mail."""
    hidden: tuple[str, ...] = ()
    hidden_words: int = 0
    attachments: tuple[ParsedPart, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    """What its calendar objects say, also of those in mails inside it; 20 at the most."""
    defects: tuple[str, ...] = ()


class MailQuery(BaseModel):
    """A search for mails. All ``words`` must occur in subject, sender, summary or ``inside``.

    Finds forgotten mails only if ``state`` asks for them.
    """

    model_config = ConfigDict(frozen=True)
    words: str = ""
    sender: str = ""
    """Part of the name or address of its sender, or of who wrote what was forwarded in it."""
    after: datetime | None = None
    before: datetime | None = None
    state: MailState | None = None
    provisional: bool = False
    """Only mails whose summary a model is still to write."""
    bundle: str = ""
    """Only mails announced by this delivery."""
    limit: int = 20


def how_known(address: str, earlier: int) -> str:
    """Say how well the writer of a mail is known, from rows alone.

    An address proves nothing, as anybody can write it.

    Args:
        address: the sender's address, or empty.
        earlier: how many mails came from that address before.
    """
    return f"{how_seen(address, earlier)}; sender not verified"


def how_seen(address: str, earlier: int) -> str:
    """Say how many mails came from an address, for lists that say once what an address proves."""
    if not address:
        return "no address to know it by"
    if earlier:
        return f"{earlier:,} earlier mail{'' if earlier == 1 else 's'} from this address"
    return "first mail from this address"
