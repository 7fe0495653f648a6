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
    FILE = "file"
    """Nothing is opened where a file is given; otherwise it must be there."""


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
        name="ask",
        takes="WORDS",
        help="Ask me something, in your own words.",
        body="everyday.talking:ASK",
        channels=frozenset({Channel.DISCORD, Channel.PAGE}),
    ),
    Command(
        name="search",
        takes="WORDS",
        help="Find mails; all words must occur in subject, sender or summary.",
        body="everyday.mails:SEARCH",
        line="mail search",
    ),
    Command(
        name="read",
        takes="MAIL",
        help="One mail: what is known of it, and its text.",
        body="everyday.mails:READ",
        line="mail show",
    ),
    Command(
        name="forget",
        takes="MAIL",
        help="Take a mail's words away for good: subject, text, attachments, summary.",
        body="everyday.mails:FORGET",
        line="mail forget",
    ),
    Command(
        name="free",
        takes="[WHEN]",
        help="Whether you are free, such as: tomorrow afternoon.",
        body="everyday.calendar:FREE",
        channels=CHATS,
    ),
    Command(
        name="status",
        help="What runs, what waits, and what failed.",
        body="everyday.status:STATUS",
        line="status",
        channels=ANYONE,
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
    Command(
        name="mail add",
        help="Add one mail, as if it had been forwarded.",
        body="everyday.mails:ADD",
        line="mail add",
        channels=SHELL,
        data=Data.MADE,
    ),
    Command(
        name="mail list",
        help="The newest mails.",
        body="everyday.mails:LIST",
        line="mail list",
        channels=SHELL,
    ),
    Command(
        name="mail retry",
        help="Try once more to read a mail that is held.",
        body="everyday.mails:RETRY",
        line="mail retry",
        channels=SHELL,
    ),
    Command(
        name="policy check",
        help="Say what is wrong with a policy, with its line and what mends it. Needs no database.",
        body="governance.policy:CHECK",
        line="policy check",
        channels=SHELL,
        data=Data.FILE,
    ),
    Command(
        name="policy explain",
        help="What would become of a call, each layer's line in order. Nothing is done.",
        body="governance.policy:EXPLAIN",
        line="policy explain",
        channels=SHELL,
    ),
    Command(
        name="policy replay",
        help="Judge recorded calls again, and list every decision that would be another one.",
        body="governance.policy:REPLAY",
        line="policy replay",
        channels=SHELL,
    ),
    Command(
        name="policy suggest",
        help="What you always said yes to, and the rule or grant that would spare the questions.",
        body="governance.policy:SUGGEST",
        line="policy suggest",
        channels=SHELL,
    ),
    Command(
        name="policy show",
        help="A policy as it was written.",
        body="governance.policy:SHOW",
        line="policy show",
        channels=SHELL,
    ),
    Command(
        name="policy history",
        help="The policies there have been, the newest first.",
        body="governance.policy:HISTORY",
        line="policy history",
        channels=SHELL,
    ),
    Command(
        name="audit list",
        help="The newest entries, oldest first.",
        body="governance.audit:LIST",
        line="audit list",
        channels=SHELL,
    ),
    Command(
        name="audit show",
        help="One entry, or everything that happened to a call or a grant.",
        body="governance.audit:SHOW",
        line="audit show",
        channels=SHELL,
    ),
    Command(
        name="audit verify",
        help="Check that every entry is there as it was written, and name the first that is not.",
        body="governance.audit:VERIFY",
        line="audit verify",
        channels=SHELL,
        data=Data.FILE,
    ),
    Command(
        name="audit export",
        help="Write what is chained as JSON Lines, to be checked anywhere by `audit verify FILE`.",
        body="governance.audit:EXPORT",
        line="audit export",
        channels=SHELL,
    ),
    Command(
        name="pair",
        help="A code that makes whoever gives it back on Discord somebody it listens to.",
        body="governance.people:PAIR",
        line="pair",
        channels=SHELL,
        data=Data.MADE,
    ),
    Command(
        name="people list",
        help="Whose messages, presses and commands count on Discord.",
        body="governance.people:LIST",
        line="people list",
        channels=SHELL,
    ),
    Command(
        name="people forget",
        help="Listen to somebody no longer.",
        body="governance.people:FORGET",
        line="people forget",
        channels=SHELL,
    ),
    Command(
        name="tools list",
        help="The tools on offer, by name.",
        body="everyday.tools:LIST",
        line="tools list",
        channels=SHELL,
    ),
    Command(
        name="tools show",
        help="One tool: everything that it declares, and what it takes.",
        body="everyday.tools:SHOW",
        line="tools show",
        channels=SHELL,
    ),
    Command(
        name="files ls",
        help="What is stored.",
        body="everyday.files:LS",
        line="files ls",
        channels=SHELL,
    ),
    Command(
        name="files get",
        help="What a file holds, on standard output or in a file.",
        body="everyday.files:GET",
        line="files get",
        channels=SHELL,
    ),
    Command(
        name="files put",
        help="Store a file.",
        body="everyday.files:PUT",
        line="files put",
        channels=SHELL,
        data=Data.MADE,
    ),
    Command(
        name="files rm",
        help="Delete a file; its versions are kept.",
        body="everyday.files:RM",
        line="files rm",
        channels=SHELL,
    ),
    Command(
        name="events list",
        help="Events that touch a range of days.",
        body="everyday.calendar:EVENTS",
        line="events list",
        channels=SHELL,
    ),
)

COMMANDS: dict[str, Command] = {one.name: one for one in _TABLE}
"""By name, in the order in which help lists them."""


def given_in(channel: Channel) -> Mapping[str, Command]:
    """The commands of a channel, by name."""
    return {name: one for name, one in COMMANDS.items() if channel in one.channels}
