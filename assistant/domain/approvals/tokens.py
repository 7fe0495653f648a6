"""What a button carries: a random word that means something only together with its row."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from secrets import token_urlsafe

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.approvals.approval import Verb

_BYTES = 32


class Token(BaseModel):
    """One button, once. Of the word itself only the hash is kept."""

    model_config = ConfigDict(frozen=True)
    hash: str
    owner: str = ""
    verb: Verb
    subject: str
    """What it is about: a call's id, a mail's, a mode's name."""
    card: str = ""
    """Digest of what was shown with it (``Shown.digest``)."""
    delivery: str = ""
    """Id of the delivery it was shown with; empty for an answer that nobody else can see."""
    terms: Mapping[str, str] = Field(default_factory=dict)
    """What else a press agrees to: a grant's scope, the cards of a plan; by name."""
    actor: str = ""
    """The one person who may use it, where that is not any of the owner's."""
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
    """A new word of 256 random bits, or ``word``, and the row that gives it its meaning."""
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
    """By what a word is found. It is random, so that a plain hash gives nothing away."""
    return sha256(word.encode("utf-8", "surrogatepass")).hexdigest()
