"""The prompt below a card: letters typed there answer the card that was printed last, and no other.

Code draws the prompt. What is typed at it counts only if that card still was the newest thing on
the screen, from the first letter to the last; a letter at any other prompt is words.
"""

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from assistant.commands.answer import Card
from assistant.commands.buttons import plan_name
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Shown
from assistant.domain.policy.decide import WORD

PLAIN = "you "
READ_SECONDS = 0.7
"""A card stands so long on the screen before a letter counts: what was typed blindly is no yes."""
_NAMED = 3
"""Handles in a prompt; the others are counted."""
_YES, _NO, _EDIT = frozenset({"y", "yes"}), frozenset({"n", "no"}), frozenset({"e", "edit"})
_BARE = frozenset({"/approve", "/deny", "/details", "/edit"})
"""Commands that mean the card at whose prompt they are typed, or the only one on the screen."""
_WITH_MORE = frozenset({"/deny", "/edit"})
"""Those behind which a reason or names are typed: neither is a yes."""
_NAMES_A_CALL = re.compile(r"(?:all|#?[aA]?[0-9]{1,9}|[0-9a-f]{16})(?:\s|$)")


@dataclass(frozen=True, kw_only=True)
class PromptedCard:
    """A card, or the steps of a plan, that was printed last."""

    call: str
    """Id; of a plan that of its first step that waits."""
    handle: str
    digest: str = ""
    steps: Mapping[str, str] = field(default_factory=dict)
    """Of a plan: by call the digest of its card, of what an answer covers."""
    names: str = ""
    """Of a plan: ``A4–A6``."""
    word: str = ""
    """What must be typed with the yes that was given; empty where none was asked for."""

    @property
    def shown(self) -> Mapping[str, str]:
        if self.steps:
            return {**self.steps, plan_name(self.call): " ".join(self.steps)}
        return {self.call: self.digest}


def asked_below(call: str, shown: Shown) -> PromptedCard | None:
    """Return what the prompt asks about below this; None where it can say no yes to it.

    It asks about a plan only where one yes covers all of it.
    """
    actions = {action.verb: action for action in shown.actions}
    plan, none = actions.get(Verb.PLAN), actions.get(Verb.DENY_ALL)
    if plan and none and plan.terms.keys() == none.terms.keys():
        names = shown.small.partition(" · ")[0]
        return PromptedCard(call=plan.subject, handle=plan.handle, steps=plan.terms, names=names)
    approve = actions.get(Verb.APPROVE)
    if not call or approve is None:
        return None
    return PromptedCard(call=call, handle=approve.handle, digest=shown.digest)


def asked_below_all(cards: Sequence[Card]) -> PromptedCard | None:
    """Return what the prompt asks about below these cards: a lone one, or the steps of a plan."""
    asked = [asked_below(card.call, card.shown) for card in cards]
    if len(asked) == 1:
        return asked[0]
    plans = {card.shown.within for card in cards}
    waiting = [one for one in asked if one is not None]
    if not waiting or len(waiting) < len(cards) or len(plans) > 1 or not any(plans):
        return None
    named = ", ".join(one.handle for one in waiting[:_NAMED])
    return PromptedCard(
        call=waiting[0].call,
        handle=waiting[0].handle,
        steps={one.call: one.digest for one in waiting},
        names=named + (f" and {len(waiting) - _NAMED} more" if len(waiting) > _NAMED else ""),
    )


class PromptReply(Enum):
    """What a line is that was typed where no card is answered."""

    WORDS = auto()
    """Words for the assistant, or a whole command."""


@dataclass(frozen=True, kw_only=True)
class NotCounted:
    """A line that was to answer a card and does not count."""

    asked: PromptedCard
    early: bool
    """It was begun before anybody could read the card; else something newer was printed."""

    def why(self, typed: str) -> str:
        """Say why it does not count, and what is to be typed instead."""
        name = self.asked.names or self.asked.handle
        look = f"/{'plan' if self.asked.steps else 'look'} {self.asked.handle}"
        if self.early:
            return (
                f"“{typed}” did not count: it was typed as {name}'s card came. "
                f"Read the card, then type it again, or {look}."
            )
        return (
            f"“{typed}” did not count: something newer was printed below {name}'s card. "
            f"Look at that first; then {look} shows the card with its prompt."
        )


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
        self._on_screen: dict[str, PromptedCard] = {}
        """By call, or name of a plan's message: what was printed and can be answered."""
        self._alone: PromptedCard | None = None
        """The one card on the screen when the line that stands there was begun."""

    def printed(self, asked: PromptedCard | None, *, name: str = "") -> None:
        """Note that something was printed: what can be answered, or anything else.

        ``name``: that of the message which is a plan's, as ``holds`` knows it.
        """
        self._asked, self._since = asked, self._monotonic()
        if asked is not None and (name or not asked.steps):
            self._on_screen[name or asked.call] = asked

    def holds(self, cards: Mapping[str, PromptedCard | None]) -> None:
        """Note how cards stand on the screen, by call; None for one that cannot be answered.

        A plan is one too, by the name of its message; without a handle where no letter answers it.
        """
        for call, asked in cards.items():
            if asked is None:
                self._on_screen.pop(call, None)
            elif self._on_screen.get(call) != asked:
                self._on_screen[call] = asked

    def only_waiting(self, calls: Collection[str]) -> None:
        """Let go of cards whose call waits no more; the message of a plan says that itself."""
        self._on_screen = {
            name: one
            for name, one in self._on_screen.items()
            if one.steps or not one.handle or name in calls
        }

    @property
    def asks(self) -> bool:
        """Whether letters answer a card now."""
        return self._asked is not None

    def label(self) -> str:
        """Draw the prompt."""
        self._drawn = asked = self._asked
        if asked is None:
            return PLAIN
        letters = f"{asked.word}/n" if asked.word else "y/n" if asked.steps else "y/n/e"
        return f"{asked.names or asked.handle} [{letters}] "

    def begun(self) -> None:
        """Note that the first letter of a line was typed."""
        self._begun = self._drawn
        self._alone = self._only()
        self._early = self._monotonic() < self._since + READ_SECONDS

    def command(self, text: str) -> tuple[str, PromptedCard] | NotCounted | PromptReply:
        """Return the command that a line means, and the card that it answers."""
        asked, begun, early, alone = self._asked, self._begun, self._early, self._alone
        self._begun = self._alone = None
        if begun is None and alone is not None and (said := _with_handle(text, alone)):
            if early or alone is not self._only():
                return NotCounted(asked=alone, early=early)
            return said, alone
        if begun is None or (said := _command(text, begun)) is None:
            return PromptReply.WORDS
        if begun is not asked or early:
            return NotCounted(asked=begun, early=early and begun is asked)
        return said, begun

    def _only(self) -> PromptedCard | None:
        """The card on the screen, where it is the only one."""
        cards = list(self._on_screen.values())
        return cards[0] if len(cards) == 1 and cards[0].handle else None


def _command(text: str, asked: PromptedCard) -> str | None:
    letter = text.lower()
    if letter in _YES:
        return _with_handle("/approve", asked)
    if letter in _NO:
        return _with_handle("/deny", asked)
    if letter in _EDIT:
        return _with_handle("/edit", asked)
    if text in (WORD, asked.word):
        return _with_handle(f"/approve {text}", asked)
    return _with_handle(text, asked)


def lacks_a_call(text: str) -> bool:
    """Whether a reason or names stand behind a command, and no call."""
    name, _, rest = text.partition(" ")
    return name in _WITH_MORE and bool(rest.strip()) and not _NAMES_A_CALL.match(rest.strip())


def _with_handle(text: str, asked: PromptedCard) -> str | None:
    """Return a command that names no call as one about this card; None if it is no such command."""
    name, _, rest = text.partition(" ")
    more = rest.strip()
    fits = not more or name in _WITH_MORE or (name == "/approve" and more in (WORD, asked.word))
    if name not in _BARE or not fits or _NAMES_A_CALL.match(more):
        return None
    if not asked.steps:
        return " ".join(filter(None, (name, asked.handle, more)))
    of_a_plan = {"/approve": f"/plan {asked.handle} yes", "/deny": f"/deny all {asked.handle}"}
    return " ".join(filter(None, (of_a_plan[name], more))) if name in of_a_plan else None
