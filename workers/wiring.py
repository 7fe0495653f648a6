"""Bind every handler to its message and its parts. No other file knows all of them.

``wire`` takes the parts; tests give it fakes. ``workers/parts.py`` makes the real ones from
settings.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from assistant.bus import Around, Bus, Route
from assistant.domain import messages
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, WorkingHours
from assistant.domain.calendar.ports import Calendar
from assistant.domain.conversation.deliveries import Delivery, Home
from assistant.domain.conversation.ports import Channel, Model
from assistant.domain.files.ports import Blobs
from assistant.domain.governance.budget import Budget
from assistant.domain.governance.modes import Autorun
from assistant.domain.governance.signals import SignalLimits
from assistant.domain.jobs.job import Job
from assistant.domain.limits import CallLimits, ConversationLimits
from assistant.domain.mail.attached import AttachmentTexts
from assistant.domain.mail.mail import MailContext, Parsed
from assistant.domain.policy.decide import Policy
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.domain.time.quiet_hours import QuietHours
from assistant.flows.approvals import expiry, invited, reproposal
from assistant.flows.calendar import syncing
from assistant.flows.calendar.keeping import CopyKeeper
from assistant.flows.calls import run
from assistant.flows.calls.run import Hold, Watch, unheld, unwatched
from assistant.flows.context import Context
from assistant.flows.conversation import think
from assistant.flows.governance.model_gateway import ModelGateway
from assistant.flows.governance.signals import SignalWatcher
from assistant.flows.operations import brief, brief_clock, deliver, reminders
from assistant.flows.policies import Policies
from assistant.prompts import prose
from assistant.tools.calendar.tools import calendar_tools, calendar_undo_tools
from assistant.tools.contract.plugins import discover
from assistant.tools.contract.toolbox import Toolbox
from assistant.tools.files.tools import file_tools, file_undo_tools
from assistant.tools.mail.tools import mail_tools
from assistant.tools.reminders.tools import reminder_tools, reminder_undo_tools
from ingest import announce, forget, stages
from workers.mail_dates import time_in

log = logging.getLogger(__name__)

_DUE = (reminders.PREFIX, brief_clock.PREFIX)
"""How the ids of deliveries begin that are to be shown by a time."""


def _offline() -> Model:
    from assistant.adapters.offline.model import OfflineModel  # noqa: PLC0415 (only where it is used)

    return OfflineModel()


def _read_policy(text: str) -> Policy:
    from assistant.adapters.policy_yaml import read_policy  # noqa: PLC0415 (only where one is saved)

    return read_policy(text, checked=True)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The store, the models, the channels and other parts, each behind its port; and the limits."""

    store: Store
    blobs: Blobs
    calendar: Calendar
    model: Model
    channels: Mapping[str, Channel]
    clock: Clock
    read: Callable[[bytes, MailContext], Parsed]
    texts: AttachmentTexts
    """Reads what is attached to mails."""
    home: Home
    zone: str
    lease: float
    calendar_timeout: float
    working_hours: WorkingHours = OFFICE_HOURS
    watch: Watch = unwatched
    hold: Hold = unheld
    offline: Model = field(default_factory=_offline)
    """Answers without a provider; where no provider is configured, ``model`` is ``offline``."""
    autorun: Autorun | None = None
    """Autorun of the settings; the stricter of it and the policy's counts."""
    enabled_tools: Collection[str] = ()
    """Names of third parties' tools to offer."""
    policies: Policies = field(default_factory=lambda: Policies(parse=_read_policy))
    conversation: ConversationLimits = field(default_factory=ConversationLimits)
    calls: CallLimits = field(default_factory=CallLimits)
    budget: Budget = field(default_factory=Budget)
    signals: SignalLimits = field(default_factory=SignalLimits)
    disk: Callable[[], int] = lambda: 2**63
    """Free bytes where data is kept."""
    memory: Callable[[], int] = lambda: 2**63
    copy_keeper: CopyKeeper | None = None
    """Keeps the copy of the calendar; None where there is none."""
    group_mails: bool = False
    """Whether many mails that come at once share a notice at home."""
    quiet: QuietHours | None = None
    """When notices wait that nobody asked for."""
    addresses: frozenset[str] = frozenset()
    """The owner's mail addresses in small letters; empty where they are not known."""


def make_toolbox(parts: Parts) -> Toolbox:
    made = Toolbox(
        *mail_tools(store=parts.store, blobs=parts.blobs, texts=parts.texts),
        *file_tools(store=parts.store, blobs=parts.blobs),
        *file_undo_tools(store=parts.store, blobs=parts.blobs),
        *reminder_tools(store=parts.store),
        *reminder_undo_tools(store=parts.store),
        *calendar_tools(
            calendar=parts.calendar,
            store=parts.store,
            blobs=parts.blobs,
            timeout=parts.calendar_timeout,
            working_hours=parts.working_hours,
        ),
        *calendar_undo_tools(
            calendar=parts.calendar,
            store=parts.store,
            blobs=parts.blobs,
            timeout=parts.calendar_timeout,
        ),
    )
    if parts.enabled_tools:
        taken = [tool.name for tool in made.list(internal=True)]
        found = discover(parts.enabled_tools, taken=taken)
        for tool in found.tools:
            made.register(tool)
        for trouble in found.troubles:
            log.warning("a tool is not offered: %s", trouble)
    return made


def make_context(parts: Parts, toolbox: Toolbox) -> Context:
    """Make the context of judging, asking about and answering calls."""
    return Context(
        store=parts.store,
        clock=parts.clock,
        toolbox=toolbox,
        policies=replace(parts.policies, autorun=parts.autorun),
        limits=parts.calls,
        zone=parts.zone,
        channels=frozenset(parts.channels),
    )


def make_model_gateway(parts: Parts) -> ModelGateway:
    return ModelGateway(
        store=parts.store,
        model=parts.model,
        offline=parts.offline,
        clock=parts.clock,
        budget=parts.budget,
        probe=parts.signals.probe,
        zone=parts.zone,
        home=parts.home,
    )


def make_brief_context(parts: Parts, toolbox: Toolbox) -> brief.BriefContext:
    ctx = make_context(parts, toolbox)
    return brief.BriefContext(**vars(ctx), calendar=parts.calendar, home=parts.home)


def make_reminder_watch(parts: Parts) -> reminders.ReminderWatch:
    return reminders.ReminderWatch(
        store=parts.store, clock=parts.clock, home=parts.home, zone=parts.zone
    )


def make_signal_watcher(parts: Parts) -> SignalWatcher:
    """Make the watcher of one ticking process."""
    return SignalWatcher(
        store=parts.store,
        clock=parts.clock,
        models=make_model_gateway(parts),
        limits=parts.signals,
        home=parts.home,
        zone=parts.zone,
        disk=parts.disk,
        memory=parts.memory,
        monotonic=parts.clock.monotonic,
    )


def make_routes(parts: Parts, toolbox: Toolbox) -> dict[type[messages.Message], Route]:
    """Return the handlers of every kind of message."""
    store, clock = parts.store, parts.clock
    notices = announce.Notices(
        home=parts.home,
        zone=parts.zone,
        clock=parts.clock,
        group=parts.group_mails,
        when=partial(time_in, zone=parts.zone, clock=parts.clock),
        quiet=parts.quiet,
    )
    models = make_model_gateway(parts)
    ctx = make_context(parts, toolbox)
    hold_mail = partial(stages.hold_mail, store=store, notices=notices)
    thinking = think.ThinkContext(
        **vars(ctx),
        models=models,
        conversation=parts.conversation,
        instructions=prose("assistant"),
    )
    running = run.RunContext(
        **vars(ctx),
        blobs=parts.blobs,
        lease=parts.lease,
        home=parts.home,
        watch=parts.watch,
        hold=parts.hold,
        ended=invited.note_end,
    )
    expire = _located(expiry.expire, ctx)
    show = partial(
        deliver.deliver,
        store=store,
        channels=parts.channels,
        clock=clock,
        after=_after_shown,
        quiet=parts.quiet,
        zone=parts.zone,
    )
    return {
        messages.ReadMail: Route(
            run=partial(
                stages.read_mail,
                store=store,
                blobs=parts.blobs,
                read=parts.read,
                notices=notices,
                addresses=parts.addresses,
            ),
            gave_up=hold_mail,
        ),
        messages.SummariseMail: Route(
            run=partial(
                stages.summarise_mail,
                store=store,
                blobs=parts.blobs,
                ask=models.summarise,
                author=parts.model.name,
                instructions=prose("report_mail"),
                notices=notices,
                cards=invited.most_waiting(parts.calls.pending),
            ),
            gave_up=hold_mail,
        ),
        messages.EraseMail: Route(
            run=partial(forget.erase_mail, store=store, blobs=parts.blobs, clock=clock),
            gave_up=partial(forget.gave_up_erasing, store=store, clock=clock),
        ),
        messages.Think: Route(
            run=_located(think.think, thinking),
            gave_up=partial(think.gave_up_thinking, store=store),
        ),
        messages.Run: Route(
            run=_located(run.run, running),
            gave_up=_located(run.gave_up_running, running),
        ),
        messages.Repropose: Route(
            run=_located(reproposal.repropose, ctx),
            gave_up=_located(reproposal.gave_up_reproposing, ctx),
        ),
        messages.FollowInvitation: Route(
            run=_located(partial(invited.follow, home=parts.home), ctx),
            gave_up=_located(partial(invited.gave_up_following, home=parts.home), ctx),
        ),
        messages.SyncCalendar: Route(
            run=_located(partial(syncing.sync_calendar, keeper=parts.copy_keeper), ctx),
            gave_up=_located(partial(syncing.gave_up_syncing, keeper=parts.copy_keeper), ctx),
        ),
        messages.Expire: Route(run=expire, gave_up=partial(deliver.gave_up, store=store)),
        messages.MakeBrief: Route(
            run=_located(brief.make_brief, make_brief_context(parts, toolbox)),
            gave_up=partial(deliver.gave_up, store=store),
        ),
        messages.Deliver: Route(run=show, gave_up=partial(deliver.gave_up, store=store)),
    }


def _after_shown(tx: Tx, shown: Delivery) -> None:
    """Record what follows from a delivery that a channel shows now: see ``deliver``."""
    announce.mark_announced(tx, shown)
    if shown.id.startswith(_DUE):
        tx.notice_shown(shown.id)


def _located(handler: Callable[..., None], ctx: Context) -> Callable[..., None]:
    """Give a handler the context of where the owner is when the job is carried out."""

    def handle(message: messages.Message, job: Job, *reason: str) -> None:
        handler(message, job, *reason, ctx=ctx.located(job))

    return handle


def wire(
    parts: Parts,
    *,
    worker: str,
    tries: int,
    backoff: Callable[[int], float],
    around: Around,
) -> Bus:
    return Bus(
        make_routes(parts, make_toolbox(parts)),
        store=parts.store,
        clock=parts.clock,
        worker=worker,
        tries=tries,
        backoff=backoff,
        around=around,
    )
