"""Make the real parts from settings. A server that is not set is replaced by an embedded one."""

import logging
import os
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import psutil

from assistant.adapters.audit_folder import AuditFolder
from assistant.adapters.discord.places import HOME
from assistant.adapters.head_file import HeadFile
from assistant.adapters.sql.driver import Engines, make_engines
from assistant.adapters.sql.store import SqlStore
from assistant.adapters.sql_screen import SqlScreen
from assistant.adapters.system_clock import SystemClock
from assistant.domain.audit.entries import RETENTION
from assistant.domain.calendar.connecting.connection import CREDENTIAL, CalendarAccounts, Login
from assistant.domain.calendar.connecting.providers import Provider, provider_of
from assistant.domain.calendar.connecting.stored import connection_of, password_of
from assistant.domain.calendar.copies.changes import Expand, ServerCalendar
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import Expanded
from assistant.domain.canonical import digest
from assistant.domain.conversation.deliveries import Home
from assistant.domain.conversation.ports import Channel, Model
from assistant.domain.credentials.credential import Credential, SecretBox
from assistant.domain.errors import AssistantError, Permanent
from assistant.domain.files.ports import Blobs
from assistant.domain.ids import new_trace
from assistant.domain.jobs.job import Cause
from assistant.domain.jobs.ports import Bell
from assistant.domain.limits import ConversationLimits
from assistant.domain.mail.attached import AttachmentTexts
from assistant.domain.messages import Queue
from assistant.domain.time.quiet_hours import clock_time
from assistant.flows.calendar.copied_calendar import CopiedCalendar
from assistant.flows.calendar.keeping import CopyKeeper
from assistant.flows.calendar.syncing import SyncStarter
from assistant.flows.context import Context
from assistant.flows.conversation.people import PeopleContext
from assistant.flows.operations.audit_archive import AuditArchiver
from assistant.flows.operations.audit_chain import AuditChainer, HeadNotice
from assistant.flows.operations.brief_clock import BriefClock
from assistant.flows.operations.held_mail import HeldMailNotice
from assistant.flows.operations.reminders import ReminderWatch
from assistant.flows.operations.retention import RetentionSweep
from assistant.flows.operations.silence import Heartbeat, LateNotice
from assistant.flows.operations.upkeep import Interval, LeaseWatch, tick
from assistant.tools.contract.toolbox import Toolbox
from ingest.extract.attachments import AttachmentReader
from ingest.extract.process import ExtractProcess
from ingest.reader import ParseProcess
from workers.calendars.connected import ConnectedCalendar
from workers.celery.bells import NoBell
from workers.data_folder import DataFolder
from workers.discord.place import CHANNEL as DISCORD
from workers.embedded.calendar import EmbeddedCalendar
from workers.expanding.process import ExpandProcess
from workers.policy_file import PolicyFile, reader
from workers.processes.call_heartbeat import CallHeartbeat
from workers.processes.job_heartbeat import JobHeartbeat
from workers.processes.worker_id import WorkerId
from workers.settings import OWNER, PREFIX, Settings

if TYPE_CHECKING:
    from assistant.adapters.discord.api import DiscordApi
    from assistant.bus import Around, Bus
    from assistant.flows.governance.signals import SignalWatcher
    from workers.wiring import Parts

log = logging.getLogger(__name__)

_DELIVERIES = 1_000
"""How many of the newest deliveries are searched for a message."""
_SWEEP = 3600.0
_LOOKS_FOR_SYNC = 600.0
"""Seconds between two sweeps of expired tokens."""
_LOOKS_FOR_HELD_MAIL = 300.0
_LOOKS_WHAT_IS_DUE = 15.0
"""Seconds between two looks at the brief, at what came late and at the heartbeat."""
_KEPT = timedelta(days=7)
"""How long an expired token is kept, so that its button is told from an unknown one."""


class Assistant:
    """All parts that one process needs; each is made when it is first used.

    Args:
        settings: of the installation.
        bell: notifies workers.
        one_job_at_a_time: whether this process may be ended for the sake of a job that hangs.
    """

    def __init__(self, settings: Settings, *, bell: Bell, one_job_at_a_time: bool = False) -> None:
        self._one_job_at_a_time = one_job_at_a_time
        self.settings = settings
        self.data_folder = DataFolder(settings)
        self.clock = SystemClock()
        self.bell = bell
        self.mail_limits = settings.mail_limits
        self.conversation_limits = ConversationLimits()
        self._watch = LeaseWatch(lease=settings.lease_seconds, monotonic=time.monotonic)
        self._canaries = Interval(settings.canary_seconds, monotonic=time.monotonic)
        self._sweeps = Interval(_SWEEP, monotonic=time.monotonic)

    def cause(self) -> Cause:
        """Begin a new trace for the owner."""
        return Cause(owner=OWNER, trace=new_trace())

    @property
    def zone(self) -> str:
        """The zone that the owner is in: the one they chose, or that of the settings."""
        with self.store.read(self.cause()) as tx:
            return tx.zone() or self.settings.timezone

    @cached_property
    def engines(self) -> Engines:
        return make_engines(self.data_folder.database_url)

    @cached_property
    def store(self) -> SqlStore:
        return SqlStore(engines=self.engines, bell=self.bell, clock=self.clock)

    @cached_property
    def _audit_chainer(self) -> AuditChainer:
        return AuditChainer(
            store=self.store,
            monotonic=time.monotonic,
            now=self.clock.now,
            heads=self.audit_heads,
        )

    @cached_property
    def _head_notice(self) -> HeadNotice:
        return HeadNotice(
            store=self.store,
            clock=self.clock,
            home=self.home,
            zone=self.settings.timezone,
            every=Interval(_SWEEP, monotonic=time.monotonic),
        )

    @cached_property
    def _held_mail(self) -> HeldMailNotice:
        return HeldMailNotice(
            store=self.store,
            clock=self.clock,
            home=self.home,
            every=Interval(_LOOKS_FOR_HELD_MAIL, monotonic=time.monotonic),
        )

    @cached_property
    def _reminder_watch(self) -> ReminderWatch:
        return ReminderWatch(
            store=self.store, clock=self.clock, home=self.home, zone=self.settings.timezone
        )

    @cached_property
    def _brief_clock(self) -> BriefClock | None:
        """None where the owner wants no brief."""
        if not self.settings.brief_at:
            return None
        return BriefClock(
            store=self.store,
            clock=self.clock,
            zone=self.settings.timezone,
            at=clock_time(self.settings.brief_at),
            every=Interval(_LOOKS_WHAT_IS_DUE, monotonic=time.monotonic),
        )

    @cached_property
    def _late_notice(self) -> LateNotice:
        return LateNotice(
            store=self.store,
            clock=self.clock,
            home=self.home,
            zone=self.settings.timezone,
            every=Interval(_LOOKS_WHAT_IS_DUE, monotonic=time.monotonic),
        )

    @cached_property
    def _heartbeat(self) -> Heartbeat | None:
        """None where nobody waits for one."""
        url = self.settings.heartbeat_url.get_secret_value()
        if not url:
            return None
        from assistant.adapters.heartbeat_url import HeartbeatUrl  # noqa: PLC0415 (requests is heavy)

        return Heartbeat(
            store=self.store,
            clock=self.clock,
            call=HeartbeatUrl(url).call,
            every=Interval(_LOOKS_WHAT_IS_DUE, monotonic=time.monotonic),
            lives=self._bot_lives,
        )

    def _bot_lives(self) -> bool:
        """Whether the bot is connected, where there is to be one."""
        if not self.settings.on_discord:
            return True
        seen = self.data_folder.bot()
        return seen is not None and self.clock.now() - seen[1] <= self.settings.lately

    @cached_property
    def audit_heads(self) -> HeadFile:
        return HeadFile(self.data_folder.audit_heads)

    @cached_property
    def audit_archive(self) -> AuditFolder:
        return AuditFolder(self.data_folder.audit_archive)

    @cached_property
    def _audit_archiver(self) -> AuditArchiver:
        return AuditArchiver(
            store=self.store,
            archive=self.audit_archive,
            heads=self.audit_heads,
            clock=self.clock,
            monotonic=time.monotonic,
            days=self.settings.retention.audit,
        )

    @cached_property
    def _retention(self) -> RetentionSweep:
        return RetentionSweep(
            store=self.store,
            clock=self.clock,
            monotonic=time.monotonic,
            keep=self.settings.retention,
            forget_mail=partial(_forget_old_mail, self.store),
        )

    @cached_property
    def screen(self) -> SqlScreen:
        return SqlScreen(engines=self.engines, clock=self.clock)

    @cached_property
    def home(self) -> Home:
        if self.settings.on_discord:
            return Home(channel=DISCORD, place=HOME)
        return Home(channel=self.screen.name, place=OWNER)

    @cached_property
    def discord_api(self) -> "DiscordApi | None":
        """Discord's REST API; None if no token is set."""
        return make_discord_api(self.settings)

    @cached_property
    def discord(self) -> Channel | None:
        """The Discord channel; None if no token is set."""
        if self.discord_api is None:
            return None
        from assistant.adapters.discord.channel import DiscordChannel  # noqa: PLC0415 (heavy)

        return DiscordChannel(
            self.discord_api,
            people=lambda: self.listening.everybody(OWNER),
            channel=self.settings.discord_channel_id,
            clock=self.clock,
            known=self._delivered,
        )

    def _delivered(self, wanted: Collection[str]) -> Collection[str]:
        """Return those of these messages, each ``<channel>/<message>``, that show a delivery."""
        from assistant.adapters.discord.channel import Handle  # noqa: PLC0415 (as above)

        with self.store.read(self.cause()) as tx:
            shown = tx.deliveries(channel=DISCORD, limit=_DELIVERIES)
        handles = [Handle.of(delivery.handle) for delivery in shown]
        there = {f"{one.channel}/{id}" for one in handles for id in one.messages}
        return there.intersection(wanted)

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        return {one.name: one for one in (self.screen, self.discord) if one is not None}

    @cached_property
    def blobs(self) -> Blobs:
        return make_blobs(self.settings, self.data_folder)

    @cached_property
    def server_calendar(self) -> ServerCalendar:
        return make_calendar(
            self.settings,
            self.data_folder,
            stored=self.stored_calendar,
            password=partial(password_of, owner=OWNER, box=self.secret_box),
            expand=self.expand_process,
        )

    @cached_property
    def expand_process(self) -> ExpandProcess:
        return ExpandProcess()

    def stored_calendar(self) -> Credential | None:
        """Return the credential of the calendar that was connected, whatever the settings say."""
        with self.store.read(self.cause()) as tx:
            return tx.credential(CREDENTIAL)

    def calendar_source(self) -> str:
        """Name what leads to the calendar that is used, without a secret."""
        if self.settings.own_calendar:
            return self.settings.calendar_source
        stored = self.stored_calendar()
        return digest({"connected": stored.sealed}) if stored else self.settings.calendar_source

    def calendar_provider(self) -> Provider | None:
        """Return the provider of the calendar that is used; None of the private one."""
        if self.settings.own_calendar:
            return provider_of(self.settings.caldav_provider)
        stored = self.stored_calendar()
        return provider_of(connection_of(stored).login.provider) if stored else None

    @cached_property
    def calendar_accounts(self) -> CalendarAccounts:
        from assistant.adapters.calendar.caldav_account import CalDavAccounts  # noqa: PLC0415 (caldav is heavy)

        return CalDavAccounts(timeout=self.settings.calendar_timeout, zone=self.settings.timezone)

    @cached_property
    def secret_box(self) -> SecretBox:
        from assistant.adapters.secrets.box import AesBox  # noqa: PLC0415 (only where it is needed)
        from assistant.adapters.secrets.key import Key  # noqa: PLC0415 (as above)

        return AesBox(
            Key(
                given=self.settings.secret_key.get_secret_value(),
                file=self.data_folder.credentials_key,
                setting=f"{PREFIX}SECRET_KEY",
            )
        )

    @cached_property
    def copy_keeper(self) -> CopyKeeper:
        return CopyKeeper(
            server=self.server_calendar,
            store=self.store,
            clock=self.clock,
            expand=make_expand(self.expand_process, self.settings.timezone),
            source=self.calendar_source,
            zone=self.settings.timezone,
        )

    @cached_property
    def calendar(self) -> Calendar:
        return CopiedCalendar(
            keeper=self.copy_keeper, cause=self.cause, timeout=self.settings.calendar_timeout
        )

    @cached_property
    def _sync_starter(self) -> SyncStarter:
        return SyncStarter(
            store=self.store,
            clock=self.clock,
            source=self.calendar_source,
            every=Interval(_LOOKS_FOR_SYNC, monotonic=time.monotonic),
        )

    @cached_property
    def offline(self) -> Model:
        from assistant.adapters.offline.model import OfflineModel  # noqa: PLC0415 (as below)

        return OfflineModel()

    @cached_property
    def model(self) -> Model:
        return make_model(self.settings, self.offline)

    @cached_property
    def parse_process(self) -> ParseProcess:
        return ParseProcess(self.mail_limits)

    @cached_property
    def extract_process(self) -> ExtractProcess:
        return ExtractProcess(self.mail_limits)

    @cached_property
    def attachment_texts(self) -> AttachmentTexts:
        return AttachmentReader(blobs=self.blobs, extract=self.extract_process)

    @cached_property
    def parts(self) -> "Parts":
        return self._parts(self.model)

    @cached_property
    def _parts_without_model(self) -> "Parts":
        """For what asks no model, so that it works where the settings of one are wrong."""
        return self._parts(self.offline)

    def _parts(self, model: Model) -> "Parts":
        from workers.wiring import Parts  # noqa: PLC0415 (heavy; a command may do without)

        return Parts(
            store=self.store,
            blobs=self.blobs,
            calendar=self.calendar,
            model=model,
            offline=self.offline,
            channels=self.channels,
            clock=self.clock,
            read=self.parse_process.read,
            texts=self.attachment_texts,
            home=self.home,
            zone=self.settings.timezone,
            lease=self.settings.lease_seconds,
            calendar_timeout=self.settings.calendar_timeout,
            working_hours=self.settings.office_hours,
            watch=CallHeartbeat(store=self.store).watching,
            hold=self.job_heartbeat.extend,
            conversation=self.conversation_limits,
            autorun=self.settings.autorun,
            enabled_tools=self.settings.enabled_tools,
            calls=self.settings.call_limits,
            budget=self.settings.budget,
            signals=self.settings.signal_limits,
            disk=lambda: shutil.disk_usage(self.data_folder.root).free,
            memory=lambda: psutil.virtual_memory().available,
            copy_keeper=self.copy_keeper,
            group_mails=self.home.channel == DISCORD,
            quiet=self.settings.quiet,
            addresses=self.settings.addresses,
        )

    @cached_property
    def signal_watcher(self) -> "SignalWatcher":
        from workers.wiring import make_signal_watcher  # noqa: PLC0415 (as above)

        return make_signal_watcher(self.parts)

    @cached_property
    def toolbox(self) -> Toolbox:
        from workers.wiring import make_toolbox  # noqa: PLC0415 (as above)

        return make_toolbox(self._parts_without_model)

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """The JSON Schema of each tool's arguments, by the tool's name."""
        return {tool.name: tool.schema.parameters for tool in self.toolbox.list()}

    @cached_property
    def policy_file(self) -> PolicyFile:
        return PolicyFile(
            self.settings.policy_file,
            read=reader(self.schemas),
            store=self.store,
            home=self.home,
        )

    @cached_property
    def ctx(self) -> Context:
        from workers.wiring import make_context  # noqa: PLC0415 (as above)

        return make_context(self._parts_without_model, self.toolbox)

    @cached_property
    def listening(self) -> PeopleContext:
        """The people whom the assistant listens to on Discord."""
        return PeopleContext(
            store=self.store,
            clock=self.clock,
            channel=DISCORD,
            owner=OWNER,
            named=self.settings.discord_owners,
        )

    @cached_property
    def job_heartbeat(self) -> JobHeartbeat:
        return JobHeartbeat(
            store=self.store,
            every=self.settings.lease_seconds / 4,
            deadline=max(self.settings.model_timeout * 3, self.settings.lease_seconds * 2),
            at_deadline=_end_process if self._one_job_at_a_time else lambda: None,
        )

    @cached_property
    def around(self) -> "Around":
        """Keep a job's lease while it is carried out."""
        return self.job_heartbeat.holding

    @cached_property
    def bus(self) -> "Bus":
        from workers.wiring import wire  # noqa: PLC0415 (as above)

        return wire(
            self.parts,
            worker=str(WorkerId.of_this_process(self.data_folder.installation())),
            tries=self.settings.tries,
            backoff=backoff(self.settings.retry_seconds),
            around=self.around,
        )

    def warm_up(self) -> None:
        """Make the parts that the first job would otherwise wait for."""
        _ = self.bus

    def close(self) -> None:
        """Close the connections and processes that were made."""
        if "parse_process" in self.__dict__:
            self.parse_process.close()
        if "extract_process" in self.__dict__:
            self.extract_process.close()
        if "expand_process" in self.__dict__:
            self.expand_process.close()
        if isinstance(calendar := self.__dict__.get("server_calendar"), ConnectedCalendar):
            calendar.close()
        if api := self.__dict__.get("discord_api"):
            api.close()
        if chainer := self.__dict__.get("_audit_chainer"):
            with suppress(AssistantError):
                chainer.keep_heads()
        if "engines" in self.__dict__:
            self.engines.dispose()

    def tick(self) -> int:
        """Do the periodic work; return how many bells were rung."""
        rung = tick(
            store=self.store,
            bell=self.bell,
            watch=self._watch,
            canaries=self._canaries,
            queues=tuple(Queue),
        )
        self._audit_chainer.tick()
        self._head_notice.tick(self.cause())
        self._held_mail.tick(self.cause())
        self._reminder_watch.tick(self.cause())
        if self._brief_clock:
            self._brief_clock.tick(self.cause())
        self._late_notice.tick(self.cause())
        if self._heartbeat:
            self._heartbeat.tick(self.cause())
        if self._sweeps.due():
            self.store.drop_tokens(before=self.clock.now() - _KEPT)
        self._retention.tick(self.cause())
        self._audit_archiver.tick(self.cause())
        self._sync_starter.tick(self.cause())
        self._check_signals_and_policy()
        return rung

    def _check_signals_and_policy(self) -> None:
        try:
            watcher, policy = self.signal_watcher, self.policy_file
        except Permanent as error:  # a setting is wrong: the tick goes on, and `doctor` says which
            log.warning("could not check signals and policy: %s", error)
            return
        watcher.look(self.cause())
        policy.look(self.cause())


def _forget_old_mail(store: SqlStore, id: str, cause: Cause) -> None:
    from ingest.forget import forget_mail  # noqa: PLC0415 (only where mail is kept for a time)

    forget_mail(id, by=RETENTION, cause=cause, store=store)


def rung_assistant(settings: Settings, *, one_job_at_a_time: bool = False) -> Assistant:
    """Make the parts with the broker's bell, which workers hear."""
    from assistant.adapters.celery_bell import CeleryBell  # noqa: PLC0415 (only where it is heard)

    bell = CeleryBell(DataFolder(settings).broker_url)
    if settings.failpoints:
        from workers.failpoints.parts import FailpointAssistant  # noqa: PLC0415 (for tests only)

        return FailpointAssistant(settings, bell=bell, one_job_at_a_time=one_job_at_a_time)
    return Assistant(settings, bell=bell, one_job_at_a_time=one_job_at_a_time)


def silent_assistant(settings: Settings) -> Assistant:
    """Make the parts without a bell, for a process beside which no worker may run."""
    return Assistant(settings, bell=NoBell())


def _end_process() -> None:
    """End this process, whose only job hangs; its pool starts another in its place."""
    log.error("the job of this process hangs past its deadline; the process ends")
    os._exit(1)


def backoff(first: float) -> Callable[[int], float]:
    """Make the wait after the n-th try, in seconds: doubling, full jitter, at most five minutes."""
    from celery.utils.time import get_exponential_backoff_interval  # noqa: PLC0415 (heavy)

    def wait(tries: int) -> float:
        whole: int = get_exponential_backoff_interval(
            factor=1000, retries=tries - 1, maximum=300_000, full_jitter=True
        )
        return first * max(0.1, whole / 1000)

    return wait


def make_blobs(settings: Settings, data_folder: DataFolder) -> Blobs:
    if settings.blobs.startswith("s3://"):
        from assistant.adapters.blobs.s3_blobs import S3Blobs  # noqa: PLC0415 (boto3 is heavy)

        return S3Blobs(
            bucket=settings.blobs.removeprefix("s3://").strip("/"),
            endpoint=settings.s3_endpoint,
            region=settings.s3_region,
            access_key=settings.s3_access_key,
            secret_key=settings.s3_secret_key.get_secret_value(),
        )
    from assistant.adapters.blobs.dir_blobs import DirBlobs  # noqa: PLC0415 (only one of the two)

    return DirBlobs(data_folder.blobs)


def make_discord_api(settings: Settings) -> "DiscordApi | None":
    if not settings.on_discord:
        return None
    from assistant.adapters.discord.api import DiscordApi  # noqa: PLC0415 (discord.py is heavy)

    token = settings.discord_token.get_secret_value()
    return DiscordApi(token, base=settings.discord_api_base, gateway=settings.discord_gateway)


def make_expand(process: ExpandProcess, zone: str) -> Expand:
    """Make what lists the times of events, in a process that may be killed."""

    def expanded(objects: Sequence[bytes], start: datetime, end: datetime) -> Sequence[Expanded]:
        from assistant.adapters.calendar.copying.times import times_of  # noqa: PLC0415 (icalendar is heavy)

        return times_of(objects, start, end, zone=ZoneInfo(zone), expand=process)

    return expanded


def make_calendar(
    settings: Settings,
    data_folder: DataFolder,
    *,
    stored: Callable[[], Credential | None],
    password: Callable[[Credential], str],
    expand: ExpandProcess,
) -> ServerCalendar:
    """Make the calendar that the settings name; without one, that which is stored or private.

    Args:
        settings: of the installation.
        data_folder: where the private calendar is.
        stored: returns the credential of the calendar that was connected, if one was.
        password: decrypts it.
        expand: expands series.
    """

    def reach(login: Login, password: str, calendar: str) -> ServerCalendar:
        from assistant.adapters.calendar.caldav_account import open_calendar  # noqa: PLC0415 (caldav is heavy)

        return open_calendar(
            login,
            password,
            calendar=calendar,
            timeout=settings.calendar_timeout,
            zone=settings.timezone,
            expand=expand,
        )

    def of_settings(url: str, username: str, password: str, provider: str) -> ServerCalendar:
        login = Login(provider=provider, url=url, username=username)
        return reach(login, password, settings.caldav_calendar)

    def of_stored(credential: Credential) -> ServerCalendar:
        connection = connection_of(credential)
        return reach(connection.login, password(credential), connection.calendar)

    if settings.own_calendar:
        return of_settings(
            settings.caldav_url,
            settings.caldav_username,
            settings.caldav_password.get_secret_value(),
            settings.caldav_provider,
        )
    private = EmbeddedCalendar(
        root=data_folder.radicale,
        running=lambda: data_folder.endpoints.caldav_url,
        connect=partial(of_settings, provider="radicale"),
    )
    return ConnectedCalendar(stored=stored, connect=of_stored, private=private)


def make_model(settings: Settings, offline: Model) -> Model:
    """Chain the configured models, with the offline one last; only that if none is configured."""
    if not settings.models:
        return offline
    from assistant.adapters.models.chain import ModelChain  # noqa: PLC0415 (only where needed)

    providers = [
        make_provider(settings, name, timeout=settings.model_timeout) for name in settings.models
    ]
    return ModelChain([*providers, offline])


def make_provider(settings: Settings, name: str, *, timeout: float) -> Model:
    """Make one configured model, without a fallback. ``timeout`` in seconds."""
    from assistant.adapters.models.provider import ProviderModel  # noqa: PLC0415 (very heavy)

    return ProviderModel(
        name=name,
        base_url=settings.model_base_url,
        api_key=settings.model_api_key.get_secret_value(),
        timeout=timeout,
    )
