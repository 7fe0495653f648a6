"""Every command in a line: its name, its help, where it is given, where its body is.

This is light, so that help and a shell's listing load nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from assistant.commands.channel import ANYONE, CHATS, PEOPLE, SHELL, CommandChannel

if TYPE_CHECKING:
    from assistant.commands.body import Body

_BODIES = "assistant.commands"


GOVERNS = frozenset(
    {
        "approve",
        "deny",
        "edit",
        "again",
        "similar",
        "plan",
        "undo",
        "call",
        "grants",
        "titles",
        "revoke",
        "mode",
        "lockdown",
        "keep",
        "policy",
        "people",
        "pair",
        "pairing",
        "snooze",
        "forget",
        "schedule",
        "calendar",
    }
)
"""First words of what no program may be given: it approves, governs, or cannot be taken back."""


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
    channels: frozenset[CommandChannel] = PEOPLE
    data: Data = Data.THERE
    typed: bool = True
    """False for one that only buttons give."""
    below: str = ""
    """Its name on Discord, where it stands below another there: ``grants revoke``."""
    menu: str = ""
    """Its name on a message's menu on Discord, where it is about that message."""

    def __post_init__(self) -> None:
        if CommandChannel.AGENT in self.channels and self.name.split()[0] in GOVERNS:
            raise ValueError(f"{self.name} is for people alone")

    def called(self, channel: CommandChannel) -> str:
        """The name that is typed there."""
        return self.below if channel is CommandChannel.DISCORD and self.below else self.name

    def load(self) -> "Body[Any]":
        module, _, name = self.body.partition(":")
        found: Body[Any] = getattr(import_module(f"{_BODIES}.{module}"), name)
        return found


GROUPS: Mapping[str, str] = {
    "mail": "Mails: add, list, show, attachment, search, retry, forget.",
    "approvals": "What waits for you: list, show, approve, deny, edit, again.",
    "grants": "What runs without asking, by your yes: list, show, revoke.",
    "policy": "Your rules: check, explain, replay, suggest, show, history.",
    "mode": "How careful the assistant is: show, set, review, keep.",
    "calls": "What the assistant asked for and what became of it.",
    "audit": "What was decided and done: list, show, verify, export.",
    "people": "Whom it listens to on Discord: list, forget.",
    "tools": "What the assistant can be asked for: list, show.",
    "reminder": "One reminder: cancel, later, done.",
    "files": "What is stored: ls, get, put, rm.",
    "calendar": "Your calendar: connect, show, disconnect.",
}
"""The first words of a command line that have others below them, each with its help."""


def _everywhere(
    typed: str,
    line: str,
    help: str,
    body: str,
    *,
    channels: frozenset[CommandChannel] = PEOPLE,
    data: Data = Data.THERE,
    below: str = "",
) -> Command:
    """A command of the chats and of the command line. ``typed``: its name, and what it takes."""
    name, _, takes = typed.partition(" ")
    return Command(
        name=name,
        takes=takes,
        line=line,
        help=help,
        body=body,
        channels=channels,
        data=data,
        below=below,
    )


def _chat(
    typed: str, help: str, body: str, *, channels: frozenset[CommandChannel] = CHATS
) -> Command:
    """A command of the chats alone."""
    name, _, takes = typed.partition(" ")
    return Command(name=name, takes=takes, help=help, body=body, channels=channels)


def _shell(line: str, help: str, body: str, *, data: Data = Data.THERE) -> Command:
    """A command of the command line alone, which is its name."""
    return Command(name=line, line=line, help=help, body=body, channels=SHELL, data=data)


_TABLE = (
    _everywhere(
        "pending",
        "approvals list",
        "What waits for you.",
        "calls.approvals:PENDING",
        channels=ANYONE,
    ),
    _everywhere(
        "approve A17 [word]",
        "approvals approve",
        "Say yes to exactly what is shown, once.",
        "calls.approvals:APPROVE",
    ),
    _everywhere(
        "details A17 [all]",
        "approvals show",
        "Everything that a yes covers, uncut. With all, also its ids and hashes.",
        "calls.approvals:DETAILS",
        channels=ANYONE,
    ),
    _chat(
        "look A17",
        "The card of one call that waits, with what answers it.",
        "calls.approvals:LOOK",
        channels=frozenset({CommandChannel.TERMINAL}),
    ),
    _chat(
        "similar A17 [yes] [word]",
        "Say yes to calls like it, too. It shows first what that would cover.",
        "calls.together:SIMILAR",
    ),
    _chat(
        "plan [A17] [yes] [word]",
        "Say yes to all that waits with it. It shows all of it first.",
        "calls.together:PLAN",
    ),
    Command(
        name="more",
        help="Show the rarer answers. To calls like it, to all that waits with it, later.",
        body="calls.offers:MORE",
        channels=CHATS,
        typed=False,
    ),
    _everywhere(
        "deny [all] A17 [--why words]",
        "approvals deny",
        "Say no. With all, to what waits with it too; with --why the assistant is told why.",
        "calls.approvals:DENY",
    ),
    Command(
        name="deny why",
        help="Say no, and say why.",
        body="calls.approvals:DENY_WHY",
        channels=CHATS,
        typed=False,
    ),
    _everywhere(
        "edit A17 title=... start=14:15",
        "approvals edit",
        "Change what it wants; the new call waits for your yes.",
        "calls.changes:EDIT",
    ),
    _everywhere(
        "again A17",
        "approvals again",
        "Be asked again about what expired, failed or was cancelled.",
        "calls.changes:AGAIN",
    ),
    _chat(
        "snooze A17 [evening]",
        "Be reminded of it: in an hour, this evening, tomorrow 9:00.",
        "calls.offers:SNOOZE",
    ),
    _everywhere(
        "undo [[all] A17]",
        "undo",
        "Take back what it did. With all, what was done with it too; alone: what can be undone.",
        "calls.undo:UNDO",
    ),
    _chat("why A17", "Why it was decided as it was.", "calls.owned:WHY"),
    _shell("calls list", "The newest calls.", "calls.owned:CALLS"),
    _shell(
        "calls show",
        "One call and why it was decided so. Also its arguments, effects and outcome.",
        "calls.owned:ONE",
    ),
    _shell(
        "call",
        "Call a tool yourself. Ends with 6 while it waits for your yes, with 5 if refused.",
        "calls.owned:CALL",
        data=Data.MADE,
    ),
    _everywhere(
        "grants",
        "grants list",
        "What runs without asking, because you said so.",
        "calls.grants:GRANTS",
        below="grants list",
    ),
    _shell("grants show", "One grant: everything that it covers.", "calls.grants:GRANT"),
    _everywhere(
        "titles [A17]",
        "grants titles",
        "Let me read your own titles for 30 days without asking.",
        "calls.grants:TITLES",
    ),
    _everywhere(
        "revoke G3",
        "grants revoke",
        "End a grant: what it covered asks again.",
        "calls.grants:REVOKE",
        below="grants revoke",
    ),
    Command(
        name="ask",
        takes="WORDS",
        help="Ask me something, in your own words.",
        body="everyday.talking:ASK",
        channels=CHATS,
        menu="Ask about this",
    ),
    Command(
        name="show",
        help="What could not be shown where others read.",
        body="everyday.shown:SHOW",
        channels=CHATS,
        typed=False,
    ),
    _everywhere(
        "search WORDS",
        "mail search",
        "Find mails by words. All must occur in subject, sender or summary.",
        "everyday.mails:SEARCH",
    ),
    _everywhere(
        "read MAIL [whole]",
        "mail show",
        "One mail: what is known of it, and who wrote what in it.",
        "everyday.mails:READ",
    ),
    _everywhere(
        "attachment MAIL [NAME]",
        "mail attachment",
        "What is attached to a mail. With a number or name, the text of that one.",
        "everyday.attachments:ATTACHMENT",
    ),
    _everywhere(
        "forget MAIL",
        "mail forget",
        "Take a mail's words away for good. Its text, attachments and summary go.",
        "everyday.mails:FORGET",
    ),
    _everywhere(
        "commitments [all] [done 3]",
        "commitments",
        "What mails ask of you, and what you promised. Done, drop or open one by its number.",
        "everyday.commitments:COMMITMENTS",
    ),
    _everywhere(
        "brief",
        "brief",
        "The day at a glance. Agenda, what is due, what waits, what is new.",
        "reminders.brief:BRIEF",
    ),
    _everywhere(
        "remind WORDS",
        "remind",
        "Be reminded of something at a time. Such as: call Bob tomorrow at 9.",
        "reminders.setting:REMIND",
        data=Data.MADE,
    ),
    _everywhere(
        "reminders [all]",
        "reminders",
        "The reminders that wait, the next one first.",
        "reminders.listing:REMINDERS",
        below="reminders list",
    ),
    Command(
        name="reminder cancel",
        takes="R3",
        line="reminder cancel",
        help="Cancel a reminder, with all its repetitions.",
        body="reminders.listing:CANCEL",
        below="reminders cancel",
    ),
    Command(
        name="reminder later",
        takes="R3 [hour]",
        line="reminder later",
        help="Tell a reminder again later. In ten minutes, in an hour, tomorrow at 9:00.",
        body="reminders.listing:LATER",
        below="reminders later",
    ),
    Command(
        name="reminder done",
        takes="R3",
        line="reminder done",
        help="Say that what you were reminded of is done.",
        body="reminders.listing:DONE",
        below="reminders done",
    ),
    _chat(
        "schedule MAIL",
        "Put a day or time that a mail names into the calendar. It asks first.",
        "everyday.schedule:SCHEDULE",
    ),
    _everywhere(
        "agenda [WHEN]",
        "agenda",
        "What is on and what is proposed. This week, tomorrow, next week, a day.",
        "everyday.calendar:AGENDA",
    ),
    _chat(
        "free [WHEN]",
        "When you are free: tomorrow afternoon. The next time: for 45 minutes.",
        "everyday.calendar:FREE",
    ),
    _everywhere(
        "status [details]",
        "status",
        "What runs, what waits, and what failed.",
        "everyday.status:STATUS",
        channels=ANYONE,
    ),
    _everywhere(
        "log [DAYS]",
        "log",
        "What was done, denied or failed, today or in so many days.",
        "everyday.log:LOG",
    ),
    _everywhere(
        "zone [NAME]",
        "zone",
        "The time zone you are in. With a name, that of where you travel.",
        "everyday.zone:ZONE",
    ),
    _chat("stop", "Stop what is going on.", "everyday.talking:STOP"),
    _chat(
        "lockdown [reason]",
        "Allow only reading, and cancel all that waits.",
        "governance.modes:LOCKDOWN",
    ),
    _everywhere(
        "mode [NAME] [reason]",
        "mode set",
        "How careful the assistant is. With a name, enter that mode.",
        "governance.modes:MODE",
        data=Data.MADE,
        below="mode set",
    ),
    Command(
        name="mode show",
        line="mode show",
        help="The mode, since when and why. In recovery also what is to be looked at.",
        body="governance.modes:SHOW",
        below="mode show",
    ),
    _everywhere(
        "review",
        "mode review",
        "In recovery: what was done that is still to be looked at.",
        "governance.modes:REVIEW",
        below="review list",
    ),
    _everywhere(
        "keep A17",
        "mode keep",
        "In recovery: leave what this call did as it is.",
        "governance.modes:KEEP",
        below="review keep",
    ),
    _chat("new", "Begin a new conversation; the old one is kept.", "everyday.talking:NEW"),
    _chat("help [all]", "Show the first commands. With all, every one.", "everyday.talking:HELP"),
    _shell(
        "mail add",
        "Add one mail, as if it had been forwarded.",
        "everyday.mails:ADD",
        data=Data.MADE,
    ),
    _shell("mail list", "The newest mails.", "everyday.mails:LIST"),
    _shell(
        "mail retry",
        "Read a mail again that could not be read, or all with --all.",
        "everyday.mails:RETRY",
    ),
    _shell(
        "mail reread",
        "Read a mail again, as a newer version finds more in it.",
        "everyday.mails:REREAD",
    ),
    _shell(
        "policy check",
        "Say what is wrong with a policy, and what mends it. Needs no database.",
        "governance.policy:CHECK",
        data=Data.FILE,
    ),
    _shell(
        "policy explain",
        "What would become of a call, each layer's line in order. Nothing is done.",
        "governance.policy:EXPLAIN",
    ),
    _shell(
        "policy replay",
        "Judge recorded calls again. Lists every decision that would be another one.",
        "governance.policy:REPLAY",
    ),
    _shell(
        "policy suggest",
        "What you always said yes to. With the rule or grant that spares the questions.",
        "governance.policy:SUGGEST",
    ),
    _shell("policy show", "A policy as it was written.", "governance.policy:SHOW"),
    _shell(
        "policy history",
        "The policies there have been, the newest first.",
        "governance.policy:HISTORY",
    ),
    _shell("audit list", "The newest entries, oldest first.", "governance.audit:LIST"),
    _shell(
        "audit show",
        "One entry, or all that happened to a call or a grant.",
        "governance.audit:SHOW",
    ),
    _shell(
        "audit verify",
        "Check that every entry is as it was written. Names the first that is not.",
        "governance.audit:VERIFY",
        data=Data.FILE,
    ),
    _shell(
        "audit export",
        "Write what is chained as JSON Lines. `audit verify FILE` checks them anywhere.",
        "governance.audit:EXPORT",
    ),
    _chat(
        "pair CODE",
        "Make yourself known here. With the code that `assistant pair` printed.",
        "governance.people:PAIR",
        channels=frozenset({CommandChannel.DISCORD}),
    ),
    Command(
        name="pairing code",
        line="pair",
        help="Print a code for Discord. Whoever gives it back there is listened to.",
        body="governance.people:CODE",
        channels=SHELL,
        data=Data.MADE,
    ),
    _shell(
        "people list",
        "Whose messages, presses and commands count on Discord.",
        "governance.people:LIST",
    ),
    _shell("people forget", "Listen to somebody no longer.", "governance.people:FORGET"),
    _shell("tools list", "The tools on offer, by name.", "everyday.tools:LIST"),
    _shell(
        "tools show",
        "One tool: everything that it declares, and what it takes.",
        "everyday.tools:SHOW",
    ),
    _shell("files ls", "What is stored.", "everyday.files:LS"),
    _shell(
        "files get", "What a file holds, on standard output or in a file.", "everyday.files:GET"
    ),
    _shell("files put", "Store a file.", "everyday.files:PUT", data=Data.MADE),
    _shell("files rm", "Delete a file; its versions are kept.", "everyday.files:RM"),
    _everywhere(
        "calendar",
        "calendar show",
        "Which calendar is used, and whose it is.",
        "connecting.shown:SHOW",
    ),
    _shell(
        "calendar connect",
        "Connect a calendar of yours. It is tried with a test event.",
        "connecting.connect:CONNECT",
        data=Data.MADE,
    ),
    _shell(
        "calendar disconnect",
        "End that, and delete its password here.",
        "connecting.shown:DISCONNECT",
    ),
)

COMMANDS: dict[str, Command] = {one.name: one for one in _TABLE}
"""By name, in the order in which help lists them."""


def given_in(channel: CommandChannel, *, pressed: bool = False) -> Mapping[str, Command]:
    """The commands of a channel, by name; with ``pressed`` also those that only buttons give."""
    return {
        name: one
        for name, one in COMMANDS.items()
        if channel in one.channels and (one.typed or pressed)
    }
