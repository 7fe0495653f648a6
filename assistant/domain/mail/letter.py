"""A letter: what one author wrote. A mail holds one, and one for each message in it."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class LetterKind(StrEnum):
    """Where the words of a letter stood. Nothing here is proof of who wrote them."""

    MAIL = "mail"
    """The mail's own words: of its sender, or of whoever forwarded it."""
    ATTACHED_FORWARD = "attached forward"
    """A message that came as an attachment, with a header of its own."""
    INLINE_FORWARD = "inline forward"
    """A message copied into the text below a line or a header that says so."""
    QUOTED_REPLY = "quoted reply"
    """Earlier words, quoted by whoever answers them."""


FORWARDS = frozenset({LetterKind.ATTACHED_FORWARD, LetterKind.INLINE_FORWARD})


class Letter(BaseModel):
    """What one author wrote, and who that is said to be.

    Only the facts of an attached forward were ever a header. Those of an inline forward and of a
    quoted reply are words in a text: whoever wrote that text can have made them up.
    """

    model_config = ConfigDict(frozen=True)
    kind: LetterKind
    depth: int = 0
    """How many letters it stands inside: 0 for the mail itself, 2 for a forward in a forward."""
    inside: int = -1
    """The place of the letter that it stands inside, or -1 for the first."""
    sender: str = ""
    """``Name <address>``, or what is known of it; empty where the text names nobody."""
    sender_address: str = ""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = None
    """When it was sent, with a zone; None where the words do not say the moment exactly."""
    sent_words: str = ""
    """What the text says of when it was sent, in its own words."""
    text: str = ""
    """What the author wrote, without quote marks and without the signature."""
    signature: str = ""
    defects: tuple[str, ...] = ()
