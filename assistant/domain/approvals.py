"""A call that waits for a person, and what a person's answer is worth."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.decisions import MODEL
from assistant.domain.modes import SIGNAL


class ApprovalState(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    VOID = "void"


NEXT: Mapping[ApprovalState, frozenset[ApprovalState]] = {
    ApprovalState.OPEN: frozenset(
        {
            ApprovalState.APPROVED,
            ApprovalState.DENIED,
            ApprovalState.EXPIRED,
            ApprovalState.VOID,
        }
    ),
    ApprovalState.APPROVED: frozenset({ApprovalState.VOID}),
    ApprovalState.DENIED: frozenset(),
    ApprovalState.EXPIRED: frozenset(),
    ApprovalState.VOID: frozenset(),
}


class Verb(StrEnum):
    """What a button is for. Only the first two decide anything by themselves."""

    APPROVE = "approve"
    DENY = "deny"
    EDIT = "edit"
    DETAILS = "details"
    MORE = "more"
    """The rarer answers: similar, plan, snooze, why."""
    SIMILAR = "similar"
    PLAN = "plan"
    SNOOZE = "snooze"
    WHY = "why"
    ASK_AGAIN = "ask again"
    UNDO = "undo"
    MODE = "mode"
    """Enter a mode, after a second step."""
    SHOW = "show"
    """A mail, whole."""
    ASK = "ask"
    """Ask something about a mail."""
    FORGET = "forget"
    """Take a mail's words away for good."""
    REVEAL = "reveal"
    """What could not be shown where others may read, shown to whoever is listened to."""
    PAIR = "pair"
    """Become one whom the assistant listens to."""


class Approval(BaseModel):
    """Bound to one call as it was shown; it leaves ``open`` once, by compare-and-set."""

    model_config = ConfigDict(frozen=True)
    id: str
    call: str
    owner: str
    binding: str
    """``Call.binding`` when the card was made."""
    card: str
    """Digest of the card that was made for it."""
    state: ApprovalState = ApprovalState.OPEN
    expires: datetime
    created: datetime
    decided: datetime | None = None
    remind: datetime | None = None
    """When to remind, once; None when that is done or of no ctx."""
    word: str = ""
    """What must be typed with a yes; empty for a plain button."""
    policy: int = 0
    """The version of the policy that asked."""
    by: str = ""
    """Who answered, by the id of their channel: never a name or a role."""
    reason: str = ""


def is_person(by: str) -> bool:
    """False where whoever answers is nobody, a model, or the house itself."""
    return bool(by.strip()) and by != MODEL and not by.startswith(SIGNAL)


class Yes(BaseModel):
    """A call that was approved, and when it runs."""

    model_config = ConfigDict(frozen=True)
    handle: str
    after: tuple[str, ...] = ()
    """Handles of the calls that it waits for; without any it runs at once."""

    def say(self, at_once: str) -> str:
        when = f"runs after {', '.join(self.after)}" if self.after else at_once
        return f"{self.handle} is approved and {when}."


class Answer(BaseModel):
    """What came of a press. ``text`` says it in the person's words."""

    model_config = ConfigDict(frozen=True)
    accepted: bool
    text: str
    word: str = ""
    """What must be typed with the same press for it to count; empty where that is not why."""
    call: str = ""
    """Id of the call that came of it, where that is another."""
    at: datetime | None = None
    """The moment that the text names, for channels that can show it in the reader's own zone."""
    approved: tuple[Yes, ...] = Field(default=(), exclude=True)
    """What was said yes to, in the order it runs in."""
    also: str = Field(default="", exclude=True)
    """What ``text`` says beside that."""

    @classmethod
    def yes(cls, approved: Sequence[Yes], *, also: str = "") -> Self:
        said = cls(accepted=True, text="", approved=tuple(approved), also=also)
        return said.model_copy(update={"text": said.told(at_once="runs now")})

    def told(self, *, at_once: str) -> str:
        """The text, with these words for what runs at once."""
        if not self.approved:
            return self.text
        return " ".join(filter(None, [*(one.say(at_once) for one in self.approved), self.also]))
