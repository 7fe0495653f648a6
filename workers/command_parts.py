"""What commands use, from the real parts: each is made when a command first asks for it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assistant.commands.context import CalendarSettings, MailPorts, Question
from assistant.domain.audit.ports import AuditArchive, KeptHeads
from assistant.domain.calendar.connecting.connection import CalendarAccounts
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.week import Week
from assistant.domain.calls.call import Reach
from assistant.domain.conversation.deliveries import Home
from assistant.domain.credentials.credential import SecretBox
from assistant.domain.errors import Misconfigured
from assistant.domain.files.ports import Blobs
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import ConversationLimits
from assistant.domain.policy.decide import Policy
from assistant.domain.policy.problems import Problem
from assistant.domain.policy.rules import Rule
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from assistant.domain.time.moments import zone_of
from assistant.flows.context import Context as FlowContext
from assistant.flows.conversation.people import PeopleContext
from assistant.tools.contract.toolbox import Toolbox
from workers.configuration.prefix import PREFIX
from workers.policy_file import reader
from workers.status import status_facts

if TYPE_CHECKING:
    from workers.parts import Assistant


class CommandParts:
    """See ``assistant.commands.context.CommandPorts``."""

    def __init__(self, assistant: "Assistant") -> None:
        self._assistant = assistant

    @property
    def store(self) -> Store:
        return self._assistant.store

    @property
    def clock(self) -> Clock:
        return self._assistant.clock

    @property
    def zone(self) -> str:
        return self._assistant.zone

    @property
    def home_zone(self) -> str:
        return self._assistant.settings.timezone

    @property
    def flows(self) -> FlowContext:
        return self._assistant.ctx

    @property
    def toolbox(self) -> Toolbox:
        return self._assistant.toolbox

    @property
    def blobs(self) -> Blobs:
        return self._assistant.blobs

    @property
    def calendar(self) -> Calendar:
        return self._assistant.calendar

    @property
    def calendar_accounts(self) -> CalendarAccounts:
        return self._assistant.calendar_accounts

    @property
    def calendar_settings(self) -> CalendarSettings:
        settings = self._assistant.settings
        by_url = bool(settings.caldav_url)
        return CalendarSettings(
            named=settings.caldav_url or settings.caldav_provider,
            provider=settings.caldav_provider,
            setting=f"{PREFIX}CALDAV_{'URL' if by_url else 'PROVIDER'}",
        )

    @property
    def secret_box(self) -> SecretBox:
        return self._assistant.secret_box

    @property
    def audit_heads(self) -> KeptHeads:
        return self._assistant.audit_heads

    @property
    def audit_archive(self) -> AuditArchive:
        return self._assistant.audit_archive

    @property
    def home(self) -> Home:
        return self._assistant.home

    @property
    def people(self) -> PeopleContext:
        return self._assistant.listening

    @property
    def limits(self) -> ConversationLimits:
        return self._assistant.conversation_limits

    @property
    def mails(self) -> MailPorts:
        from workers.mail_parts import MailParts  # noqa: PLC0415 (only where mail is asked for)

        return MailParts(self._assistant)

    def read_policy(self, text: str) -> Policy:
        return reader(self._assistant.schemas)(text)

    def advise(self, text: str) -> Sequence[Problem]:
        from assistant.adapters.policy_yaml import advise  # noqa: PLC0415 (only where one is checked)

        changing = {tool.name for tool in self.toolbox.list() if tool.reach is not Reach.READS}
        return advise(text, changing=changing)

    def write_rule(self, rule: Rule) -> str:
        from assistant.adapters.policy_yaml import write_rule  # noqa: PLC0415 (only where one is)

        return write_rule(rule)

    def when_free(self, words: str) -> Question | None:
        from assistant.adapters.offline.grammar import Reader  # noqa: PLC0415 (as above)
        from assistant.domain.time.said.almanac import Almanac  # noqa: PLC0415 (few ask)

        zone = zone_of(self.zone)
        almanac = Almanac(now=self.clock.now().astimezone(zone), zone=zone)
        reader = Reader(almanac=almanac, last_mail="")
        asked = (f"am I free {words}?", f"next free {words}")
        readings = (reading for each in asked if (reading := reader.read(each)) and reading.wants)
        reading = next(readings, None)
        if reading is None:
            return None
        [want] = reading.wants
        return Question(text=reading.text, tool=want.tool, args=want.args)

    def draw_week(self, week: Week) -> bytes:
        from assistant.adapters.pictures.png import week_picture  # noqa: PLC0415 (few ask)

        return week_picture(week)

    def status(self, cause: Cause) -> Mapping[str, Any]:
        return status_facts(self._assistant, cause)

    def refuse_pairing(self) -> None:
        settings = self._assistant.settings
        if not (settings.on_discord or settings.discord_public_key):
            raise Misconfigured(
                "ASSISTANT_DISCORD_TOKEN is not set, so there is no bot to pair with"
            )
