"""An approval: the question to a person about one call, and the person's answer."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls.call import Reach
from assistant.domain.governance.modes import SIGNAL
from assistant.domain.policy.decisions import MODEL


class ApprovalState(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    VOID = "void"


def approval_name(state: ApprovalState) -> str:
    """What people call a state."""
    return "cancelled" if state is ApprovalState.VOID else state.value


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


GRACE = timedelta(hours=1)
"""How long after its approval expired a call may still begin that was approved in time.

A slow queue must not void a yes that was given in time.
"""
NO_GRACE = frozenset({Reach.EXECUTES, Reach.GOVERNS})
"""Reaches of calls that never begin after their approval expired."""


class Verb(StrEnum):
    """What a button does. Only the first two answer a call; the third leads to the second."""

    APPROVE = "approve"
    DENY = "deny"
    DENY_WHY = "deny and say why"
    """Ask for a reason, and deny with it."""
    EDIT = "edit"
    TAKE = "take another time"
    """Edit a call so that it has a time that its card offers."""
    DETAILS = "details"
    MORE = "more"
    """Show the rarer answers: similar, plan, snooze, why."""
    SIMILAR = "similar"
    TITLES = "titles"
    """Approve a read of the owner's own titles, and those to come for 30 days."""
    PLAN = "plan"
    DENY_ALL = "deny all"
    """Deny all that waits together."""
    SNOOZE = "snooze"
    REMIND_LATER = "remind later"
    """Tell a reminder again later; its terms say when."""
    REMINDER_DONE = "reminder done"
    WHY = "why"
    ASK_AGAIN = "ask again"
    UNDO = "undo"
    UNDO_ALL = "undo all"
    """Undo all that was done in answer to the same words of the owner."""
    MODE = "mode"
    """Enter a mode, after a second step."""
    SHOW = "show"
    """Show a whole mail."""
    ASK = "ask"
    """Ask something about a mail."""
    ASK_ABOUT = "ask about"
    """Ask something about a message of the channel, whose words are kept in the terms."""
    FORGET = "forget"
    """Delete a mail's words for good."""
    SCHEDULE = "schedule"
    """Propose an event at the time that a mail names."""
    REVEAL = "reveal"
    """Show the paired person alone what others in the place must not read."""
    PAIR = "pair"
    """Pair a person with the owner."""


class Approval(BaseModel):
    """The approval of one call as it was shown. Leaves ``open`` once, by compare-and-set."""

    model_config = ConfigDict(frozen=True)
    id: str
    call: str
    owner: str
    binding: str
    """``Call.binding`` when the card was made; see ``Call.is_bound_by``."""
    card: str
    """Digest of the card that was made for it."""
    state: ApprovalState = ApprovalState.OPEN
    expires: datetime
    created: datetime
    decided: datetime | None = None
    remind: datetime | None = None
    """When to remind the owner, once; None when that is done or of no use."""
    word: str = ""
    """What the owner must type to approve; empty where a press is enough."""
    policy: int = 0
    """The version of the policy that asked."""
    unseen: int = 0
    """How many arguments only the details show whole, which its owner must open first; 0 once they
    did, and where words of others were not in view."""
    by: str = ""
    """Who answered, by the id of their channel: never a name or a role."""
    reason: str = ""


def why_too_late(approval: Approval, *, reach: Reach, moot: datetime | None, now: datetime) -> str:
    """Say why an approved call may not begin any more; empty if it may.

    Args:
        approval: given in time, which is checked when it is given.
        reach: what the call can touch.
        moot: from when on nobody needs the call; None if it stays useful.
        now: by the clock that never goes back.
    """
    if moot is not None and approval.created < moot <= now:
        return "what it is about has begun"
    in_time = approval.decided is not None and approval.decided < approval.expires
    grace = GRACE if in_time and reach not in NO_GRACE else timedelta(0)
    return "its approval has expired" if now >= approval.expires + grace else ""


def is_person(by: str) -> bool:
    """Return whether a person answered: not nobody, a model or a signal."""
    return bool(by.strip()) and by != MODEL and not by.startswith(SIGNAL)


class ApprovedCall(BaseModel):
    """An approved call, and when it runs."""

    model_config = ConfigDict(frozen=True)
    handle: str
    after: tuple[str, ...] = ()
    """Handles of the calls that it waits for; if empty, it runs at once."""

    def say(self, at_once: str) -> str:
        when = f"runs after {', '.join(self.after)}" if self.after else at_once
        return f"{self.handle} is approved and {when}."


class ApprovalAnswer(BaseModel):
    """The result of a press; ``text`` says it in words for a person."""

    model_config = ConfigDict(frozen=True)
    accepted: bool
    text: str
    word: str = ""
    """What to type so that the press counts; empty where that was not the problem."""
    call: str = ""
    """Id of the new call that the press made, if any."""
    look: str = Field(default="", exclude=True)
    """Id of the call whose details must be shown first; empty where that was not the problem."""
    at: datetime | None = None
    """The moment that the text names, for channels that can show it in the reader's own zone."""
    approved: tuple[ApprovedCall, ...] = Field(default=(), exclude=True)
    """The approved calls, in the order they run in."""
    also: str = Field(default="", exclude=True)
    """What ``text`` says after the approved calls."""

    @classmethod
    def yes(cls, approved: Sequence[ApprovedCall], *, also: str = "") -> Self:
        said = cls(accepted=True, text="", approved=tuple(approved), also=also)
        return said.model_copy(update={"text": said.told(at_once="runs now")})

    def told(self, *, at_once: str) -> str:
        """Return the text, with the words ``at_once`` for a call that runs at once."""
        if not self.approved:
            return self.text
        return " ".join(filter(None, [*(one.say(at_once) for one in self.approved), self.also]))
