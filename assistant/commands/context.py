"""What a command may use: who asks, where, what they were shown there, and the parts."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

from assistant.commands.channel import CommandChannel
from assistant.commands.index import COMMANDS
from assistant.commands.prompts import Prompts
from assistant.domain.approvals.tokens import Token
from assistant.domain.audit.ports import AuditArchive, KeptHeads
from assistant.domain.calendar.connecting.connection import CalendarAccounts
from assistant.domain.calendar.events import When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.week import Week
from assistant.domain.conversation.deliveries import Action, Home, Line
from assistant.domain.credentials.credential import SecretBox
from assistant.domain.files.ports import Blobs
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import ConversationLimits
from assistant.domain.mail.attached import AttachmentTexts
from assistant.domain.mail.held import Retried
from assistant.domain.mail.mail import Mail, Received
from assistant.domain.policy.decide import Policy
from assistant.domain.policy.problems import Problem
from assistant.domain.policy.rules import Rule
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.approvals.buttons import PressedButton
from assistant.flows.context import Context as FlowContext
from assistant.flows.conversation.people import PeopleContext
from assistant.tools.contract.toolbox import Toolbox


class MailPorts(Protocol):
    """What its owner does with mail, bound to what takes it in."""

    @property
    def largest(self) -> int:
        """Bytes of a message, at the most."""

    @property
    def texts(self) -> AttachmentTexts:
        """Reads what is attached to it."""

    def add(self, raw: bytes, *, cause: Cause) -> Received:
        """Take in a raw message, as if it had been forwarded."""

    def retry(self, id: str, *, cause: Cause) -> Mail:
        """Read a held mail once more. Raises ``NotFound``, ``IllegalStep``."""

    def retry_all(self, words: str, *, cause: Cause) -> Retried:
        """Read held mails once more: those whose reason has these words, or all."""

    def reread(self, id: str, *, cause: Cause) -> Mail:
        """Read a mail again that was announced. Raises ``NotFound``, ``IllegalStep``."""

    def forget(self, id: str, *, by: str, cause: Cause) -> Mail:
        """Take its words away. Raises ``NotFound``."""

    def whole(self, mail: Mail, *, as_it_stands: bool = False) -> Sequence[Line]:
        """Everything there is to read of it, told apart by who wrote what or in one piece."""

    def when(self, mail: Mail) -> When | None:
        """The first time to come that it names; None where it names none."""

    def actions(self, mail: Mail) -> Sequence[Action]:
        """What can be done about it."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A call that answers a question, and the question as it was understood."""

    text: str
    tool: str
    args: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class CalendarSettings:
    """What the settings say of the calendar. Where they name a server, no stored one is used."""

    named: str = ""
    """The server, as they name it; empty where they name none."""
    provider: str = ""
    setting: str = ""
    """The name of the setting that names it."""


class CommandPorts(Protocol):
    """The parts of the assistant, each made when it is first asked for.

    So a command that needs no tools works where these cannot be made, and starts quickly.
    """

    @property
    def store(self) -> Store: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def zone(self) -> str:
        """The one that the owner is in, an IANA name."""

    @property
    def home_zone(self) -> str:
        """That of the settings."""

    @property
    def flows(self) -> FlowContext:
        """What judging, asking and answering use. Raises ``Misconfigured``."""

    @property
    def toolbox(self) -> Toolbox:
        """Raises ``Misconfigured``."""

    @property
    def blobs(self) -> Blobs: ...
    @property
    def calendar(self) -> Calendar: ...
    @property
    def calendar_accounts(self) -> CalendarAccounts:
        """Reaches accounts that have calendars."""

    @property
    def calendar_settings(self) -> CalendarSettings:
        """What the settings say of the calendar."""

    @property
    def secret_box(self) -> SecretBox: ...
    @property
    def audit_heads(self) -> KeptHeads:
        """The heads of the audit that were kept beside the database."""

    @property
    def audit_archive(self) -> AuditArchive:
        """The files with entries that the database no longer keeps."""

    @property
    def home(self) -> Home: ...
    @property
    def people(self) -> PeopleContext:
        """Whom we listen to on Discord."""

    @property
    def limits(self) -> ConversationLimits: ...
    @property
    def mails(self) -> MailPorts: ...
    def read_policy(self, text: str) -> Policy:
        """A policy for the tools that there are. Raises ``BadPolicy``."""

    def advise(self, text: str) -> Sequence[Problem]:
        """What to think about in a sound policy, each with its line."""

    def write_rule(self, rule: Rule) -> str:
        """A rule as an entry of a policy file's ``rules``."""

    def when_free(self, words: str) -> Question | None:
        """What answers when the owner is free; None where the words name no time."""

    def draw_week(self, week: Week) -> bytes:
        """A PNG of a week. Raises ``AssistantError`` where it cannot be drawn."""

    def status(self, cause: Cause) -> Mapping[str, Any]:
        """How everything is: what ``assistant status --json`` prints."""

    def refuse_pairing(self) -> None:
        """Raises ``Misconfigured`` where there is nobody on Discord to give a code to."""


@dataclass(frozen=True, kw_only=True)
class CommandContext:
    """Who gives a command, where, and what it may use."""

    by: str
    """Who, by the channel's own id of them: ``terminal:ada``."""
    channel: CommandChannel
    conversations: str
    """The stored name of the channel whose conversation is meant: ``terminal``, ``discord``."""
    place: str
    """The place of that conversation."""
    aside: str = ""
    """Where whoever gives it reads alone, if others read that place."""
    event: str = field(default_factory=new_id)
    """The channel's own name for this very act, so that one that comes twice counts once."""
    answers_in: str = "here"
    """Where an answer comes that is not there at once."""
    cause: Cause
    parts: CommandPorts
    shown: Mapping[str, str] = field(default_factory=dict)
    """By call: the digest of the card that this very channel showed. A yes covers that alone."""
    prompts: Prompts | None = None
    """Where more can be asked before the command has ended; None where nobody answers."""
    button: PressedButton | None = None
    """The button that was pressed; None where the command was typed."""

    @property
    def store(self) -> Store:
        return self.parts.store

    @cached_property
    def zone(self) -> str:
        return self.parts.zone

    @cached_property
    def flows(self) -> FlowContext:
        return self.parts.flows.located(self.cause)

    @property
    def alone(self) -> str:
        """The place where whoever gives it reads alone."""
        return self.aside or self.place

    @property
    def token(self) -> Token | None:
        """What an answer that counts uses up."""
        return self.button.token if self.button else None

    def now(self) -> datetime:
        return self.parts.clock.now()

    def read(self) -> AbstractContextManager[Tx]:
        return self.store.read(self.cause)

    def having_shown(self, digests: Mapping[str, str]) -> "CommandContext":
        """The context once the channel has shown these as well."""
        return replace(self, shown={**self.shown, **digests})

    def typed(self, command: str, *words: str) -> str:
        """A command as it is given here: ``/keep A17``, ``assistant mode keep A17``."""
        entry = COMMANDS[command]
        in_shell = self.channel is CommandChannel.COMMAND_LINE or self.channel not in entry.channels
        shell = in_shell and entry.line
        name = f"assistant {entry.line}" if shell else f"/{entry.called(self.channel)}"
        return " ".join((name, *words))
