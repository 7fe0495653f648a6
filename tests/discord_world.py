"""The whole assistant with people on Discord: the real desk, no wire."""

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from assistant.adapters.audit_folder import AuditFolder
from assistant.adapters.head_file import HeadFile
from assistant.adapters.policy_yaml import advise, read_policy, write_rule
from assistant.commands.context import CalendarSettings, Question
from assistant.domain.approvals.approval import Verb
from assistant.domain.audit.ports import AuditArchive, KeptHeads
from assistant.domain.calendar.connecting.connection import CalendarAccounts
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.week import Week
from assistant.domain.calls.call import Reach
from assistant.domain.conversation.conversation import Quoted
from assistant.domain.conversation.deliveries import Home, Shown
from assistant.domain.credentials.credential import SecretBox
from assistant.domain.errors import Unreachable
from assistant.domain.files.ports import Blobs
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import ConversationLimits, MailLimits
from assistant.domain.mail.attached import AttachmentTexts
from assistant.domain.messages import Queue
from assistant.domain.policy.decide import Policy
from assistant.domain.policy.problems import Problem
from assistant.domain.policy.rules import Rule
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.context import Context
from assistant.flows.conversation.people import PeopleContext
from assistant.tools.contract.toolbox import Toolbox
from tests.world import LIMITS, OWNER, ZONE, World
from workers.command_parts import CommandParts
from workers.discord.desk import Desk
from workers.discord.interaction import MARK, Interaction, Kind, Reply, Way
from workers.discord.said import Heard, Said
from workers.mail_parts import MailParts
from workers.policy_file import PolicyFile
from workers.settings import Settings, only
from workers.status import status_facts

if TYPE_CHECKING:
    from workers.parts import Assistant

ME, MALLORY = "42", "666"
_ids = itertools.count(1000)


HOME = Home(channel="discord", place="home")


@dataclass(frozen=True, kw_only=True)
class WorldParts:
    """What commands use, from a world's parts; see ``workers.command_parts``."""

    world: World
    named: frozenset[str]
    store: Store
    limits: ConversationLimits = field(default_factory=ConversationLimits)
    home: Home = HOME
    zone: str = ZONE
    home_zone: str = ZONE
    owner: str = OWNER

    @property
    def clock(self) -> Clock:
        return self.world.clock

    @property
    def flows(self) -> Context:
        return replace(self.world.ctx, store=self.store)

    @property
    def toolbox(self) -> Toolbox:
        return self.world.toolbox

    @property
    def blobs(self) -> Blobs:
        return self.world.blobs

    @property
    def audit_heads(self) -> KeptHeads:
        return HeadFile(Path(os.devnull))

    @property
    def audit_archive(self) -> AuditArchive:
        return AuditFolder(Path(os.devnull))

    @property
    def calendar(self) -> Calendar:
        return self.world.calendar

    @property
    def calendar_accounts(self) -> CalendarAccounts:
        raise NotImplementedError

    @property
    def calendar_settings(self) -> CalendarSettings:
        return CalendarSettings()

    @property
    def secret_box(self) -> SecretBox:
        raise NotImplementedError

    @property
    def people(self) -> PeopleContext:
        return PeopleContext(
            store=self.store,
            clock=self.world.clock,
            channel="discord",
            owner=self.owner,
            named=self.named,
        )

    @property
    def attachment_texts(self) -> AttachmentTexts:
        return self.world.parts.texts

    @property
    def mails(self) -> MailParts:
        return MailParts(cast("Assistant", self))

    def read_policy(self, text: str) -> Policy:
        return read_policy(text)

    def advise(self, text: str) -> Sequence[Problem]:
        changing = {tool.name for tool in self.toolbox.list() if tool.reach is not Reach.READS}
        return advise(text, changing=changing)

    def write_rule(self, rule: Rule) -> str:
        return write_rule(rule)

    def when_free(self, words: str) -> Question | None:
        return CommandParts.when_free(cast("CommandParts", self), words)

    def draw_week(self, week: Week) -> bytes:
        return CommandParts.draw_week(cast("CommandParts", self), week)

    def status(self, cause: Cause) -> Mapping[str, Any]:
        return status_facts(cast("Assistant", self), cause)

    def refuse_pairing(self) -> None:
        """There is a bot."""

    # What else the real parts have, for what is bound to them.

    @property
    def mail_limits(self) -> MailLimits:
        return LIMITS

    @property
    def listening(self) -> PeopleContext:
        return self.people

    @property
    def settings(self) -> Settings:
        return only(discord_token="token", broker_url="memory://", timezone=ZONE)

    @property
    def policy_file(self) -> PolicyFile:
        settings = self.settings
        return PolicyFile(settings.policy_file, read=read_policy, store=self.store, home=self.home)


@dataclass
class Discord:
    """What people do there, and what they see."""

    world: World
    named: frozenset[str] = frozenset({ME})
    desk: Desk = field(init=False)
    _looked: dict[tuple[str, str], str] = field(init=False, default_factory=dict)
    """What the buttons of the steps of plans carry, of those that were looked at."""

    def __post_init__(self) -> None:
        self.desk = self.make_desk()

    def make_desk(self, *, store: Store | None = None) -> Desk:
        """Another one beside it, as a second bot has it."""
        parts = WorldParts(world=self.world, named=self.named, store=store or self.world.store)
        return Desk(parts=parts, lately=timedelta(minutes=1))

    # What people do.

    def says(
        self,
        text: str,
        *,
        user: str = ME,
        thread: str = "",
        mentioned: bool = False,
        quoted: tuple[Quoted, ...] = (),
        settle: bool = True,
    ) -> Heard:
        heard = self.desk.hear(
            Said(
                id=str(next(_ids)),
                user=user,
                channel=thread or ("9" if mentioned else "7"),
                parent="9" if thread else "",
                guild="5" if thread or mentioned else "",
                private=not (thread or mentioned),
                text=text,
                mentioned=mentioned,
                threadable=mentioned and not thread,
                quoted=quoted,
            )
        )
        if settle:
            self.world.settle()
        return heard

    def slash(
        self,
        command: str,
        /,
        *,
        user: str = ME,
        thread: str = "",
        channel: str = "",
        **options: Any,
    ) -> Reply:
        """In the direct messages; or in a thread, or in a channel of a server."""
        return self._acts(
            Kind.COMMAND,
            user=user,
            name=command,
            options=options,
            channel=thread or channel or "7",
            parent="9" if thread else "",
            private=not (thread or channel),
        )

    def asks_about(self, about: Quoted, *, user: str = ME) -> Reply:
        """``Ask about this`` on the menu of a message that says this."""
        return self._acts(
            Kind.COMMAND, user=user, name="Ask about this", target="1234", about=about
        )

    def types(self, name: str, option: str, text: str = "", *, user: str = ME) -> Reply:
        """Half an option, and what is offered for it."""
        return self._acts(
            Kind.AUTOCOMPLETE, user=user, name=name, options={option: text}, focused=option
        )

    def presses(
        self,
        verb: Verb,
        subject: str,
        *,
        user: str = ME,
        message: str = "",
        desk: Desk | None = None,
    ) -> Reply:
        """The newest button of this verb about this; ``message`` is where it is pressed.

        What has no button on its message is behind its *More*, or is a command.
        """
        tokens = self.world.far.tokens
        if verb is Verb.DETAILS and (verb, subject) not in tokens:
            return self.slash("details", call=self.world.call_of(subject).handle)
        if (verb, subject) not in tokens and ("reveal", f"card-{subject}") in tokens:
            for one, token in self.looks_at(subject, user=user).items():
                self._looked[one, subject] = token
            return self.presses_token(self._looked[verb, subject], user=user, desk=desk)
        return self.presses_token(tokens[verb, subject], user=user, message=message, desk=desk)

    def looks_at(self, call: str, *, user: str = ME) -> Mapping[str, str]:
        """Choose a step of a plan; what its own card's buttons carry, by their verbs."""
        token = self.world.far.tokens[Verb.REVEAL, f"card-{call}"]
        reply = self.presses_token(token, user=user)
        with self.world.store.read(self.world.cause) as tx:
            actions = tx.delivery(f"card-{call}").wanted.actions
        carried = buttons(reply)
        return {one.verb: carried[one.label] for one in actions}

    def presses_token(
        self, token: str, *, user: str = ME, message: str = "", desk: Desk | None = None
    ) -> Reply:
        return self._acts(
            Kind.PRESS, user=user, custom_id=f"{MARK}{token}", message=message, desk=desk
        )

    def press_quietly(self, token: str, desk: Desk) -> Reply:
        """As one of many at the same time: nobody works meanwhile."""
        it = Interaction(id=str(next(_ids)), kind=Kind.PRESS, user=ME, custom_id=f"{MARK}{token}")
        return desk.answer(it)

    def submits(self, form: Reply, *, user: str = ME, **fields: str) -> Reply:
        """A form that was answered, filled in; what is not named stays as it was."""
        assert form.way is Way.MODAL, said(form)
        assert form.modal is not None
        return self._acts(
            Kind.MODAL,
            user=user,
            custom_id=str(form.modal["custom_id"]),
            fields=held(form) | fields,
        )

    def follows(self, reply: Reply, label: str, *, user: str = ME) -> Reply:
        """A button of an answer that only its reader sees."""
        return self.presses_token(buttons(reply)[label], user=user)

    def _acts(self, kind: Kind, *, desk: Desk | None = None, **given: Any) -> Reply:
        it = Interaction(id=str(next(_ids)), kind=kind, **given)
        reply = (desk or self.desk).answer(it)
        self.world.settle()
        return reply

    # What can be seen.

    def shown(self, place: str = f"dm:{ME}") -> list[Shown]:
        far = self.world.far
        return [far.shown[key] for key, where in far.places.items() if where == place]

    def works(self) -> None:
        """Canaries cross all queues."""
        store = self.world.store
        for queue in Queue:
            bell = store.sent_canary(queue)
            store.passed_canary(bell.job, queue)


def said(reply: Reply) -> str:
    """All the words of an answer, without the escapes."""
    if reply.message is None:
        return ""
    parts = [reply.message.content]
    for embed in reply.message.embeds:
        parts += [embed["author"]["name"]] if "author" in embed else []
        parts += [embed.get("title", ""), embed.get("description", "")]
        parts += [embed["footer"]["text"]] if "footer" in embed else []
        parts += [f"{one['name']}: {one['value']}" for one in embed.get("fields", ())]
    parts += [content.decode() for _, content in reply.message.files]
    return "\n".join(parts).replace("\\", "")


def buttons(reply: Reply) -> dict[str, str]:
    """What the buttons and the choices of an answer carry, by label."""
    assert reply.message is not None
    parts = [one for row in reply.message.components for one in row["components"]]
    pressed = {one["label"]: one["custom_id"] for one in parts if "label" in one}
    chosen = {it["label"]: it["value"] for one in parts for it in one.get("options", ())}
    return {label: held.removeprefix(MARK) for label, held in (pressed | chosen).items()}


def held(form: Reply) -> dict[str, str]:
    """What a form holds before anybody types."""
    assert form.modal is not None
    inputs = [row.get("component") or row["components"][0] for row in form.modal["components"]]
    return {one["custom_id"]: one.get("value", "") for one in inputs}


class Broken:
    """A store whose database cannot be reached while ``down``."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.down = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def begin(self, cause: Cause) -> Iterator[Tx]:
        self._check()
        with self._store.begin(cause) as tx:
            yield tx

    def read(self, cause: Cause) -> AbstractContextManager[Tx]:
        self._check()
        return self._store.read(cause)

    def whose(self, channel: str, person: str) -> str:
        self._check()
        return self._store.whose(channel, person)

    def _check(self) -> None:
        if self.down:
            raise Unreachable("the database")
