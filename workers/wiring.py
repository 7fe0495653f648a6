"""Who handles what, and with which parts. The one place that knows every name.

``wire`` takes the parts; tests hand it fakes. ``workers/parts.py`` makes the real ones from
settings.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from assistant.bus import Around, Bus, Route
from assistant.domain import messages
from assistant.domain.budget import Budget
from assistant.domain.deliveries import Home
from assistant.domain.limits import CallLimits, TalkLimits
from assistant.domain.mail import Parsed
from assistant.domain.modes import Autorun
from assistant.domain.policy import Policy
from assistant.domain.signals import SignalLimits
from assistant.flows import anew, chat, delivering, running, waiting
from assistant.flows.budget import Asking
from assistant.flows.context import Context
from assistant.flows.running import Watch, unwatched
from assistant.flows.signals import Senses
from assistant.flows.standing import Policies
from assistant.ports import Blobs, Calendar, Channel, Clock, Model, Store
from assistant.prompts import prose
from assistant.tools.calendar.tools import calendar_tools, calendar_undo_tools
from assistant.tools.contract.plugins import discover
from assistant.tools.contract.toolbox import Toolbox
from assistant.tools.files.tools import file_tools, file_undo_tools
from assistant.tools.mail.tools import mail_tools
from ingest import announce, forget, stages

log = logging.getLogger(__name__)


def _offline() -> Model:
    from assistant.adapters.offline_model import OfflineModel  # noqa: PLC0415 (dateparser is heavy)

    return OfflineModel()


def _read_policy(text: str) -> Policy:
    from assistant.adapters.policy_yaml import read_policy  # noqa: PLC0415 (only where one is saved)

    return read_policy(text)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Everything outside, behind its port."""

    store: Store
    blobs: Blobs
    calendar: Calendar
    model: Model
    channels: Mapping[str, Channel]
    clock: Clock
    read: Callable[[bytes], Parsed]
    home: Home
    zone: str
    lease: float
    calendar_timeout: float
    watch: Watch = unwatched
    offline: Model = field(default_factory=_offline)
    """Answers without any provider; where none is configured, ``model`` is that very one."""
    autorun: Autorun | None = None
    """What the settings say; the stricter of it and the policy counts."""
    enabled_tools: Collection[str] = ()
    """Third parties' tools that are on offer, by name."""
    policies: Policies = field(default_factory=lambda: Policies(parse=_read_policy))
    talk: TalkLimits = field(default_factory=TalkLimits)
    calls: CallLimits = field(default_factory=CallLimits)
    budget: Budget = field(default_factory=Budget)
    signals: SignalLimits = field(default_factory=SignalLimits)
    disk: Callable[[], int] = lambda: 2**63
    """Free bytes where data is kept."""
    memory: Callable[[], int] = lambda: 2**63
    group_mails: bool = False
    """Whether many mails that come at once share a notice at home."""


def make_toolbox(parts: Parts) -> Toolbox:
    made = Toolbox(
        *mail_tools(store=parts.store, blobs=parts.blobs),
        *file_tools(store=parts.store, blobs=parts.blobs),
        *file_undo_tools(store=parts.store, blobs=parts.blobs),
        *calendar_tools(
            calendar=parts.calendar,
            store=parts.store,
            blobs=parts.blobs,
            timeout=parts.calendar_timeout,
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


def shared(parts: Parts, toolbox: Toolbox) -> dict[str, Any]:
    """The fields that every context has."""
    return {
        "store": parts.store,
        "clock": parts.clock,
        "toolbox": toolbox,
        "policies": replace(parts.policies, autorun=parts.autorun),
        "limits": parts.calls,
        "zone": parts.zone,
        "channels": frozenset(parts.channels),
        "far": frozenset(name for name, channel in parts.channels.items() if channel.far),
    }


def make_context(parts: Parts, toolbox: Toolbox) -> Context:
    """What judging, asking about and answering calls needs."""
    return Context(**shared(parts, toolbox))


def make_asking(parts: Parts) -> Asking:
    return Asking(
        store=parts.store,
        model=parts.model,
        offline=parts.offline,
        clock=parts.clock,
        budget=parts.budget,
        probe=parts.signals.probe,
        zone=parts.zone,
        home=parts.home,
    )


def make_senses(parts: Parts) -> Senses:
    """What one ticker looks at how the house is with."""
    return Senses(
        store=parts.store,
        clock=parts.clock,
        asking=make_asking(parts),
        limits=parts.signals,
        home=parts.home,
        zone=parts.zone,
        disk=parts.disk,
        memory=parts.memory,
        monotonic=parts.clock.monotonic,
    )


def make_routes(parts: Parts, toolbox: Toolbox) -> dict[type[messages.Message], Route]:
    """The table of contents: every message, what carries it out, and what if it cannot be."""
    store, clock = parts.store, parts.clock
    notices = announce.Notices(
        home=parts.home, zone=parts.zone, clock=parts.clock, group=parts.group_mails
    )
    asking = make_asking(parts)
    ctx = make_context(parts, toolbox)
    hold = partial(stages.hold_mail, store=store, notices=notices)
    thinking = chat.ThinkContext(
        **shared(parts, toolbox),
        models=asking,
        talk=parts.talk,
        instructions=prose("assistant"),
    )
    at_work = running.RunContext(
        **shared(parts, toolbox),
        blobs=parts.blobs,
        lease=parts.lease,
        watch=parts.watch,
    )
    expire = partial(waiting.expire, ctx=ctx)
    deliver = partial(
        delivering.deliver,
        store=store,
        channels=parts.channels,
        clock=clock,
        after=announce.mark_announced,
    )
    return {
        messages.ReadMail: Route(
            run=partial(
                stages.read_mail,
                store=store,
                blobs=parts.blobs,
                read=parts.read,
                notices=notices,
            ),
            gave_up=hold,
        ),
        messages.SummariseMail: Route(
            run=partial(
                stages.summarise_mail,
                store=store,
                blobs=parts.blobs,
                ask=asking.summarise,
                author=parts.model.name,
                instructions=prose("summarise"),
                notices=notices,
            ),
            gave_up=hold,
        ),
        messages.EraseMail: Route(
            run=partial(forget.erase_mail, store=store, blobs=parts.blobs, clock=clock),
            gave_up=partial(forget.gave_up_erasing, store=store, clock=clock),
        ),
        messages.Think: Route(
            run=partial(chat.think, ctx=thinking),
            gave_up=partial(chat.gave_up_thinking, store=store),
        ),
        messages.Run: Route(
            run=partial(running.run, ctx=at_work),
            gave_up=partial(running.gave_up_running, ctx=at_work),
        ),
        messages.AskAnew: Route(
            run=partial(anew.ask_anew, ctx=ctx),
            gave_up=partial(anew.gave_up_asking, ctx=ctx),
        ),
        messages.Expire: Route(run=expire, gave_up=partial(delivering.gave_up, store=store)),
        messages.Deliver: Route(run=deliver, gave_up=partial(delivering.gave_up, store=store)),
    }


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
