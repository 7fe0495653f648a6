"""The token of a button: a random word, and the row that says what a press of it does."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from secrets import token_urlsafe

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.approvals.approval import Verb

_BYTES = 32


class Token(BaseModel):
    """The row of a single-use token. It keeps only the hash of the word."""

    model_config = ConfigDict(frozen=True)
    hash: str
    owner: str = ""
    verb: Verb
    subject: str
    """What the button acts on: a call's id, a mail's id, a mode's name."""
    card: str = ""
    """Digest of what the button was shown with (``Shown.digest``)."""
    delivery: str = ""
    """Id of the delivery with the button; empty for an answer that one person alone sees."""
    terms: Mapping[str, str] = Field(default_factory=dict)
    """What else a press agrees to, by name: a grant's scope, the cards of a plan."""
    actor: str = ""
    """The only person who may press; empty for any person of the owner."""
    expires: datetime
    used: datetime | None = None
    by: str = ""
    """Who used it."""


def mint(
    verb: Verb,
    subject: str,
    *,
    expires: datetime,
    card: str = "",
    delivery: str = "",
    terms: Mapping[str, str] | None = None,
    actor: str = "",
    word: str = "",
) -> tuple[str, Token]:
    """Return a new word of 256 random bits, or ``word``, and its row."""
    word = word or token_urlsafe(_BYTES)
    return word, Token(
        hash=hashed(word),
        verb=verb,
        subject=subject,
        card=card,
        delivery=delivery,
        terms=dict(terms or {}),
        actor=actor,
        expires=expires,
    )


def hashed(word: str) -> str:
    """Return the hash by which a word is found. The word is random, so a plain hash is safe."""
    return sha256(word.encode("utf-8", "surrogatepass")).hexdigest()
