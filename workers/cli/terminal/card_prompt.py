"""The prompt below a card: letters typed there answer the card that was printed last, and no other.

Code draws the prompt. What is typed at it counts only if that card still was the newest thing on
the screen, from the first letter to the last; a letter at any other prompt is words.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from assistant.domain.policy.decide import WORD

PLAIN = "you "
READ_SECONDS = 0.7
"""A card stands so long on the screen before a letter counts: what was typed blindly is no yes."""
_YES, _NO, _EDIT = frozenset({"y", "yes"}), frozenset({"n", "no"}), frozenset({"e", "edit"})
_BARE = frozenset({"/approve", "/deny", "/details", "/edit"})
"""Commands that mean the card at whose prompt they are typed."""


@dataclass(frozen=True, kw_only=True)
class PromptedCard:
    """A card that was printed, and of which nothing newer stands on the screen."""

    call: str
    """Id."""
    handle: str
    digest: str
    word: str = ""
    """What must be typed with the yes that was given; empty where none was asked for."""

    @property
    def shown(self) -> Mapping[str, str]:
        return {self.call: self.digest}


class PromptReply(Enum):
    """What a line is that was typed where no card is answered."""

    WORDS = auto()
    """Words for the assistant, or a whole command."""
    TOO_LATE = auto()
    """It was to answer a card, and something newer was printed meanwhile."""


class CardPrompt:
    """Which card the prompt asks about; the screen tells it what is printed. Not thread-safe."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._asked: PromptedCard | None = None
        self._since = 0.0
        self._drawn: PromptedCard | None = None
        """What the prompt showed when it was drawn last."""
        self._begun: PromptedCard | None = None
        """What it showed when the line that stands there was begun."""
        self._early = False

    def printed(self, asked: PromptedCard | None) -> None:
        """Something was printed: a card that can be answered, or anything else."""
        self._asked, self._since = asked, self._monotonic()

    @property
    def asks(self) -> bool:
        """Whether letters answer a card now."""
        return self._asked is not None

    def label(self) -> str:
        """Draw the prompt."""
        self._drawn = asked = self._asked
        if asked is None:
            return PLAIN
        return f"{asked.handle} [{asked.word}/n] " if asked.word else f"{asked.handle} [y/n/e] "

    def begun(self) -> None:
        """Note that the first letter of a line was typed."""
        self._begun = self._drawn
        self._early = self._monotonic() < self._since + READ_SECONDS

    def command(self, text: str) -> tuple[str, PromptedCard] | PromptReply:
        """Return the command that a line means, and the card that it answers."""
        asked, begun, early = self._asked, self._begun, self._early
        self._begun = None
        if begun is None or (said := _command(text, begun)) is None:
            return PromptReply.WORDS
        if begun is not asked or early:
            return PromptReply.TOO_LATE
        return said, begun


def _command(text: str, asked: PromptedCard) -> str | None:
    letter = text.lower()
    if letter in _YES:
        return f"/approve {asked.handle}"
    if letter in _NO:
        return f"/deny {asked.handle}"
    if letter in _EDIT:
        return f"/edit {asked.handle}"
    if text in _BARE:
        return f"{text} {asked.handle}"
    return f"/approve {asked.handle} {text}" if text in (WORD, asked.word) else None
