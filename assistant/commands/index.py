"""Every command in a line: its name, its help, where it is given, where its body is.

This is light, so that help and a shell's listing load nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from assistant.commands.channel import ANYONE, CHATS, PEOPLE, SHELL, Channel

if TYPE_CHECKING:
    from assistant.commands.body import Body

_BODIES = "assistant.commands"


class Data(Enum):
    """What a command line needs of the folder in which everything is kept."""

    THERE = "there"
    """It must be there: a misspelt folder would look like a new one."""
    MADE = "made"
    """It is made where it is not there."""
    UNUSED = "unused"
    """Nothing is opened before the command asks for it."""


@dataclass(frozen=True, kw_only=True)
class Command:
    name: str
    """The one name that it has in every chat."""
    help: str
    body: str
    """Where its body is: ``module:name`` below this package."""
    takes: str = ""
    """What is typed behind its name in a chat, as help has it: ``A17 [reason]``."""
    line: str = ""
    """Its words on the command line; empty where it is not given there."""
    channels: frozenset[Channel] = PEOPLE
    data: Data = Data.THERE

    def load(self) -> "Body[Any]":
        module, _, name = self.body.partition(":")
        found: Body[Any] = getattr(import_module(f"{_BODIES}.{module}"), name)
        return found


GROUPS: Mapping[str, str] = {
    "mail": "Mails: add, list, show, search, retry, forget.",
    "approvals": "What waits for you: list, show, approve, deny, edit, again.",
    "grants": "What runs without asking, by your yes: list, show, revoke.",
    "policy": "Your rules: check, explain, replay, suggest, show, history.",
    "mode": "How careful the house is: show, set, review, keep.",
    "calls": "What the assistant asked for and what became of it.",
    "audit": "What was decided and done: list, show, verify, export.",
    "people": "Whom it listens to on Discord: list, forget.",
    "tools": "What the assistant can be asked for: list, show.",
    "files": "What is stored: ls, get, put, rm.",
    "events": "What is in the calendar.",
}
"""The first words of a command line that have others below them, each with its help."""

_TABLE = (
    Command(
        name="pending",
        help="What waits for you.",
        body="calls.approvals:PENDING",
        line="approvals list",
        channels=ANYONE,
    ),
    Command(
        name="approve",
        takes="A17 [word]",
        help="Say yes to exactly what is shown, once.",
        body="calls.approvals:APPROVE",
        line="approvals approve",
    ),
    Command(
        name="details",
        takes="A17",
        help="Everything that a yes covers, uncut.",
        body="calls.approvals:DETAILS",
        line="approvals show",
        channels=ANYONE,
    ),
    Command(
        name="similar",
        takes="A17",
        help="What a yes to calls like it would cover; `/similar A17 yes [word]` gives it.",
        body="calls.together:SIMILAR",
        channels=CHATS,
    ),
    Command(
        name="plan",
        takes="A17",
        help="All that waits together with it; `/plan A17 yes [word]` approves all of it.",
        body="calls.together:PLAN",
        channels=CHATS,
    ),
    Command(
        name="deny",
        takes="A17 [reason]",
        help="Say no; the model is told the reason.",
        body="calls.approvals:DENY",
        line="approvals deny",
    ),
    Command(
        name="edit",
        takes='A17 {"title": "..."}',
        help="Change what it wants; the new call waits for your yes.",
        body="calls.changes:EDIT",
        line="approvals edit",
    ),
    Command(
        name="again",
        takes="A17",
        help="Be asked again about what expired, failed or became void.",
        body="calls.changes:AGAIN",
        line="approvals again",
    ),
    Command(
        name="undo",
        takes="A17",
        help="Take back what it did.",
        body="calls.undo:UNDO",
        line="undo",
    ),
    Command(
        name="why",
        takes="A17",
        help="Why it was decided as it was.",
        body="calls.owned:WHY",
        channels=CHATS,
    ),
    Command(
        name="calls list",
        help="The newest calls.",
        body="calls.owned:CALLS",
        line="calls list",
        channels=SHELL,
    ),
    Command(
        name="calls show",
        help="One call: its arguments, the decision's reasons, its effects and its outcome.",
        body="calls.owned:ONE",
        line="calls show",
        channels=SHELL,
    ),
    Command(
        name="call",
        help="Call a tool yourself. Ends with 6 while it waits for your yes, with 5 if refused.",
        body="calls.owned:CALL",
        line="call",
        channels=SHELL,
        data=Data.MADE,
    ),
    Command(
        name="grants",
        help="What runs without asking, because you said so.",
        body="calls.grants:GRANTS",
        line="grants list",
    ),
    Command(
        name="grants show",
        help="One grant: everything that it covers.",
        body="calls.grants:GRANT",
        line="grants show",
        channels=SHELL,
    ),
    Command(
        name="revoke",
        takes="G3",
        help="End a grant: what it covered asks again.",
        body="calls.grants:REVOKE",
        line="grants revoke",
    ),
    Command(
        name="stop",
        help="Stop what is going on.",
        body="everyday.talking:STOP",
        channels=CHATS,
    ),
    Command(
        name="lockdown",
        takes="[reason]",
        help="Only reading goes on; all that waits is void.",
        body="governance.modes:LOCKDOWN",
        channels=CHATS,
    ),
    Command(
        name="mode",
        takes="[NAME] [reason]",
        help="How careful the assistant is; with a name, enter that mode.",
        body="governance.modes:MODE",
        line="mode set",
        data=Data.MADE,
    ),
    Command(
        name="mode show",
        help="The mode, since when and why; in recovery, what was done that is to be looked at.",
        body="governance.modes:SHOW",
        line="mode show",
        channels=SHELL,
    ),
    Command(
        name="review",
        help="In recovery: what was done that is still to be looked at.",
        body="governance.modes:REVIEW",
        line="mode review",
    ),
    Command(
        name="keep",
        takes="A17",
        help="In recovery: leave what this call did as it is.",
        body="governance.modes:KEEP",
        line="mode keep",
    ),
    Command(
        name="new",
        help="Begin a new conversation; the old one is kept.",
        body="everyday.talking:NEW",
        channels=CHATS,
    ),
    Command(
        name="help",
        help="List the commands.",
        body="everyday.talking:HELP",
        channels=CHATS,
    ),
)

COMMANDS: dict[str, Command] = {one.name: one for one in _TABLE}
"""By name, in the order in which help lists them."""


def given_in(channel: Channel) -> Mapping[str, Command]:
    """The commands of a channel, by name."""
    return {name: one for name, one in COMMANDS.items() if channel in one.channels}
