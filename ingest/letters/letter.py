"""A letter: what one author wrote. A mail holds one, and one for each message in it."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

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


class PieceKind(StrEnum):
    WORDS = "words"
    HEADING = "heading"
    """What a program wrote above a letter: a marker, a header, a line like "On ... wrote:"."""
    SIGNATURE = "signature"


class LetterPiece(NamedTuple):
    """Lines that follow each other and belong to one letter, exactly as they stood."""

    letter: int
    """The place of its letter."""
    kind: PieceKind
    text: str


class Letters(NamedTuple):
    """The letters in one text, outermost first. The texts of ``pieces`` add up to that text."""

    letters: tuple[Letter, ...]
    pieces: tuple[LetterPiece, ...]


TOP = Letter(kind=LetterKind.MAIL)
