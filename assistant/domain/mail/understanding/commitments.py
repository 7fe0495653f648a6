"""The ledger of what others ask of the owner, and of what the owner promised.

Code makes its rows of a checked understanding. Words and quotes are outside text.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.errors import IllegalStep
from assistant.domain.mail.understanding.quotes import plain_words
from assistant.domain.mail.understanding.understood import Ask, Promise, Understood


class CommitmentKind(StrEnum):
    ASKED = "asked"
    """Somebody asks the owner for something."""
    PROMISED = "promised"
    """The owner promised it, in their own words."""


class CommitmentState(StrEnum):
    OPEN = "open"
    DONE = "done"
    """The owner says that it is done."""
    DROPPED = "dropped"
    """The owner will not do it, or was never asked."""


_S = CommitmentState
NEXT_COMMITMENT: Mapping[CommitmentState, frozenset[CommitmentState]] = {
    _S.OPEN: frozenset({_S.DONE, _S.DROPPED}),
    _S.DONE: frozenset({_S.OPEN}),
    _S.DROPPED: frozenset({_S.OPEN}),
}


class Commitment(BaseModel):
    """One row of the ledger."""

    model_config = ConfigDict(frozen=True)
    id: str
    """Made of owner, mail, kind and quote, so that a mail read twice gives one row."""
    number: int = 0
    """What people type for it; the store gives it, and 0 stands for none yet."""
    owner: str
    mail: str
    kind: CommitmentKind
    who: str = ""
    """Who asks, or to whom it was promised: the address of the mail's sender. Not verified."""
    words: str
    quote: str
    due: datetime | date | None = None
    state: CommitmentState = CommitmentState.OPEN
    made: datetime
    """When the row was made; aware."""
    told: datetime | None = None
    """When the owner was last reminded of it."""

    def step(self, to: CommitmentState) -> Self:
        """Return it one step on. Raises ``IllegalStep`` where ``NEXT_COMMITMENT`` has none."""
        if to not in NEXT_COMMITMENT[self.state]:
            raise IllegalStep(f"what is {self.state} cannot become {to}")
        return self.model_copy(update={"state": to})


def commitments_of(
    understood: Understood, *, owner: str, mail: str, who: str, made: datetime
) -> tuple[Commitment, ...]:
    """Return the rows that follow from a checked understanding, each quote once for a kind."""
    rows = (
        Commitment(
            id=_id(owner, mail, kind, fact.quote),
            owner=owner,
            mail=mail,
            kind=kind,
            who=who,
            words=fact.words,
            quote=fact.quote,
            due=fact.due,
            made=made,
        )
        for kind, fact in _facts(understood)
    )
    return tuple({row.id: row for row in rows}.values())


def _facts(understood: Understood) -> Iterator[tuple[CommitmentKind, Ask | Promise]]:
    yield from ((CommitmentKind.ASKED, ask) for ask in understood.asks)
    yield from ((CommitmentKind.PROMISED, promise) for promise in understood.promises)


def _id(owner: str, mail: str, kind: CommitmentKind, quote: str) -> str:
    told = "\0".join((owner, mail, kind, plain_words(quote)))
    return sha256(told.encode("utf-8", "replace")).hexdigest()[:16]
