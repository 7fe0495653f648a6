"""How everything is: what runs, what waits, what failed."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from assistant.commands.governance.modes import mode_facts
from assistant.domain.calls.states import CallState
from assistant.domain.errors import AssistantError
from assistant.domain.governance.budget import Trigger, day_of
from assistant.domain.jobs.job import Cause, JobFacts
from assistant.domain.mail.held import groups_of, retry_line
from assistant.domain.mail.mail import MailQuery, MailState
from assistant.domain.messages import Queue
from assistant.domain.reminders.due_notices import LATE
from assistant.domain.store import Tx
from assistant.flows.operations.upkeep import queues_move
from workers.discord.place import CHANNEL
from workers.discord.refusals import newest_note
from workers.settings import OWNER, Settings, faults_of_models

UNCLEAR = timedelta(days=7)
"""For how long a call that ended unclear is listed: nothing settles one."""

if TYPE_CHECKING:
    from workers.parts import Assistant


def workers_live(assistant: "Assistant") -> bool:
    """Whether every queue has lately been crossed, and there is a broker to ring through."""
    if not (assistant.settings.broker_url or assistant.data_folder.endpoints.broker_url):
        return False
    fresh = assistant.clock.now() - assistant.settings.lately
    return queues_move(assistant.store, since=fresh)


def status_facts(assistant: "Assistant", cause: Cause) -> dict[str, Any]:
    """For programs; what a person is told is made of it."""
    store, settings = assistant.store, assistant.settings
    with store.read(cause) as tx:
        parked = tx.calls(states={CallState.PARKED})
        unclear = tx.unclear(assistant.clock.now() - UNCLEAR)
        mode = tx.mode()
        day = day_of(assistant.clock.now(), settings.timezone)
        spent = tx.spent(day[0])
        counted = Counter(
            {state.value: n for state in MailState if (n := tx.count_mails(MailQuery(state=state)))}
        )
        held = groups_of(tx.held_reasons())
        calendar = _calendar(tx)
        missing = tx.notices_missing(due_before=assistant.clock.now() - LATE)
        reminders = tx.waiting_reminders()
    sizes = store.sizes(OWNER)
    jobs = [job for job in store.jobs() if job.owner == OWNER]
    now = assistant.clock.now()
    work = [job for job in jobs if not job.periodic]
    idle = [job for job in work if not job.claimed and not job.failed]
    seen = store.canaries()
    return {
        "live": workers_live(assistant),
        "queues": {
            queue.value: seen[queue].isoformat(timespec="seconds") if queue in seen else "never"
            for queue in Queue
        },
        "mode": mode_facts(mode),
        "calendar": calendar,
        "policy": _policy(assistant, cause),
        "budget": _budget(settings, spent, resets=day[1]),
        "model": _model(settings),
        "discord": _discord(assistant, cause),
        "pending": len(parked),
        "mails": dict(counted),
        "held": [
            {
                "kind": one.kind,
                "mails": one.count,
                "newest": one.newest.isoformat(timespec="seconds"),
                "retry": retry_line(one),
            }
            for one in held
        ],
        "jobs": {
            "waiting": sum(job.due <= now for job in idle),
            "later": sum(job.due > now for job in idle),
            "running": sum(job.claimed for job in work),
            "failed": sum(job.failed for job in jobs),
        },
        "reminders": reminders,
        "missing": [
            {"kind": one.kind.value, "due": one.due.isoformat(timespec="seconds")}
            for one in missing
        ],
        "outages": _outages(jobs),
        "unclear": {"days": UNCLEAR.days, "calls": [call.handle for call in unclear]},
        "sizes": sizes.model_dump(),
        "failed": [
            {"id": job.id, "error": job.error, "trace": job.trace} for job in jobs if job.failed
        ],
    }


def _calendar(tx: Tx) -> dict[str, Any]:
    """As of when the copy of the calendar is true, and what troubles it."""
    copy = tx.calendar_copy()
    if copy is None:
        return {}
    return {
        "synced": copy.synced.isoformat(timespec="seconds") if copy.synced else "",
        "by": copy.kind,
        "trouble": copy.trouble,
        "unreadable": tx.calendar_defects(copy.address),
    }


def _outages(jobs: Sequence[JobFacts]) -> list[dict[str, Any]]:
    """The parts of the assistant that jobs wait for: how many, and since when."""
    waiting: dict[str, list[datetime]] = defaultdict(list)
    for job in jobs:
        if job.waits_since is not None:
            waiting[job.waits_for].append(job.waits_since)
    return [
        {"part": part, "jobs": len(since), "since": min(since).isoformat(timespec="seconds")}
        for part, since in sorted(waiting.items())
    ]


def _model(settings: Settings) -> str:
    """The models by name, with what keeps them from being asked."""
    if not settings.model:
        return "offline (no model is configured)"
    wrong = "; ".join(faults_of_models(settings))
    return f"{settings.model}, which cannot be asked: {wrong}" if wrong else settings.model


def _policy(assistant: "Assistant", cause: Cause) -> dict[str, Any]:
    try:
        return {"ok": True, "said": assistant.policy_file.standing(cause)}
    except AssistantError as error:
        return {"ok": False, "said": " ".join(str(error).split())}


def _budget(settings: Settings, spent: Mapping[str, int], *, resets: datetime) -> dict[str, Any]:
    """Tokens that models took in and gave out since midnight, and their limits; 0 is none."""
    budget = settings.budget
    shares = {
        trigger.value: {"spent": spent.get(trigger, 0), "limit": budget.shares.get(trigger, 0)}
        for trigger in Trigger
    }
    whole = {"spent": sum(spent.values()), "limit": budget.tokens}
    return {**whole, "resets": resets.isoformat(), "triggers": shares}


def _discord(assistant: "Assistant", cause: Cause) -> dict[str, Any]:
    """Whether it is set up, as whom the bot lives, and how deliveries fare."""
    if not assistant.settings.on_discord:
        return {"configured": False}
    with assistant.store.read(cause) as tx:
        waiting = tx.deliveries(channel=CHANNEL, settled=False)
        noted = newest_note(tx)
    try:
        name, live, said = _lives(assistant), True, ""
    except AssistantError as error:
        name, live, said = "", False, str(error)
    return {
        "configured": True,
        "live": live,
        "name": name,
        "said": said,
        "people": len(assistant.listening.everybody(OWNER)),
        "waiting": len(waiting),
        "note": noted,
    }


def _lives(assistant: "Assistant") -> str:
    from workers.processes.liveness import bot_lives  # noqa: PLC0415 (heavy)

    return bot_lives(assistant.settings).name
