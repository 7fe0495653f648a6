"""How everything is."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from assistant.commands.answer import Answer, Block, Table, fields
from assistant.commands.body import Args, Body
from assistant.commands.channel import PRESSING
from assistant.commands.context import CommandContext
from assistant.domain.governance.modes import Mode
from assistant.domain.mail.held import retry_line
from assistant.domain.mail.mail import MAIL_NAMES, MailState
from assistant.domain.text.sizes import in_bytes
from assistant.domain.time.moments import say_lately, say_moment

_REASONS = 3
"""Reasons why mails could not be read, as many as are named."""


class _Asked(Args):
    details: bool = Field(
        default=False, description="Also the queues, the jobs and what is kept, counted."
    )


def _status(ctx: CommandContext, args: _Asked) -> Answer:
    """What it means for the owner; what is counted for whoever runs it comes with details."""
    facts = ctx.parts.status(ctx.cause)
    offline = facts["model"].startswith("offline")
    told = {
        "Running": "yes" if facts["live"] else "no; `assistant up` starts it",
        "Waiting for you": _said_waiting(ctx, facts["pending"]),
        "Mails": said_mails(facts["mails"]),
        "Not read": said_held(facts["held"]),
        "Work": said_work(facts["jobs"], live=facts["live"]),
        "Reminders": f"{facts['reminders']} wait" if facts["reminders"] else "",
        "Not told yet": said_missing(facts["missing"], ctx.zone, ctx.now()),
        "Away": said_outages(facts["outages"], ctx.zone, ctx.now()),
        "Unclear": said_unclear(facts["unclear"]),
        "Calendar": said_calendar(facts["calendar"], ctx.zone, ctx.now()),
        "Mode": _said_mode(ctx, facts["mode"]),
        "Policy": facts["policy"]["said"],
        "Model": facts["model"],
        "Tokens today": "" if offline else _said_budget(facts["budget"], ctx.zone),
        "Discord": _said_discord(facts["discord"]),
    }
    if args.details:
        jobs = facts["jobs"].items()
        told |= {
            "Queues": said_queues(facts["queues"], ctx.now()),
            "Jobs": ", ".join(f"{count} {state}" for state, count in jobs),
            "Kept": _said_sizes(facts["sizes"]),
        }
    failed = tuple((_named(ctx, job["id"]), job["error"]) for job in facts["failed"])
    table: tuple[Block, ...] = (
        (Table(columns=("failed job", "why"), rows=failed, empty=""),) if failed else ()
    )
    return Answer(blocks=(fields(told), *table), data=lambda: facts)


def _said_waiting(ctx: CommandContext, count: int) -> str:
    shows = f"{ctx.typed('pending')} shows {'it' if count == 1 else 'them'}"
    return f"{count}; {shows}" if count else "nothing"


def said_mails(mails: Mapping[str, int]) -> str:
    """Such as ``3 shown, 1 could not be read``; ``none`` where there is none."""
    said = (f"{count} {MAIL_NAMES[MailState(state)]}" for state, count in mails.items())
    return ", ".join(said) or "none"


def said_held(groups: Sequence[Mapping[str, Any]]) -> str:
    """Such as ``3: it is torn (again: assistant mail retry ...)``; empty where none is held."""
    if not groups:
        return ""
    named = [f"{one['mails']:,}: {one['kind']}" for one in groups[:_REASONS]]
    more = [f"{len(groups) - _REASONS} more reasons"] if len(groups) > _REASONS else []
    way = groups[0]["retry"] if len(groups) == 1 else retry_line()
    return f"{'; '.join(named + more)} (again: {way})"


def said_work(jobs: Mapping[str, int], *, live: bool) -> str:
    """Such as ``3 things are being done, 1 could not be done``; timers are none of it."""
    now, failed = jobs["waiting"] + jobs["running"], jobs["failed"]
    things = "1 thing" if now == 1 else f"{now} things"
    verb = ("is" if now == 1 else "are") if live else ("waits" if now == 1 else "wait")
    doing = (
        f"{things} {verb} {'being' if live else 'to be'} done" if now else "nothing is left to do"
    )
    return ", ".join(filter(None, (doing, f"{failed} could not be done" if failed else "")))


def said_outages(outages: Sequence[Mapping[str, Any]], zone: str, now: datetime) -> str:
    """Such as ``12 jobs wait for the blobs since 10:02``; empty where none does."""
    return "; ".join(
        f"{one['jobs']} {'job waits' if one['jobs'] == 1 else 'jobs wait'} for {one['part']}"
        f" since {say_lately(datetime.fromisoformat(one['since']), zone, now=now)}"
        for one in outages
    )


def said_missing(missing: Sequence[Mapping[str, Any]], zone: str, now: datetime) -> str:
    """Such as ``2 that were due since 07:30: brief, reminder``; empty where all was told."""
    if not missing:
        return ""
    since = say_lately(datetime.fromisoformat(missing[0]["due"]), zone, now=now)
    kinds = ", ".join(sorted({one["kind"] for one in missing}))
    verb = "was" if len(missing) == 1 else "were"
    return f"{len(missing)} that {verb} due since {since}: {kinds}"


def said_unclear(unclear: Mapping[str, Any]) -> str:
    """Such as ``2 calls in 7 days: A17, A12``; empty where there is none."""
    calls = unclear["calls"]
    if not calls:
        return ""
    count = f"{len(calls)} {'call' if len(calls) == 1 else 'calls'}"
    return f"{count} in {unclear['days']} days, look whether they happened: {', '.join(calls)}"


def said_calendar(calendar: Mapping[str, Any], zone: str, now: datetime) -> str:
    """Such as ``synced 10:02; 1 event in it cannot be read``; empty before the first sync."""
    if not calendar:
        return ""
    moment = calendar["synced"]
    lately = say_lately(datetime.fromisoformat(moment), zone, now=now) if moment else ""
    count = calendar["unreadable"]
    parts = [
        f"synced {lately}" if lately else "not synced yet",
        f"{counting(count, 'events')} in it cannot be read" if count else "",
        f"it does not answer now: {calendar['trouble']}" if calendar["trouble"] else "",
    ]
    return "; ".join(filter(None, parts))


def _said_discord(discord: Mapping[str, Any]) -> str:
    """In one line; empty where it is not set up."""
    if not discord["configured"]:
        return ""
    parts = [f"on as {discord['name']}" if discord["live"] else discord["said"]]
    if not discord["people"]:
        parts.append("nobody is paired yet: assistant pair")
    if discord["waiting"]:
        parts.append(f"{discord['waiting']} not shown yet")
    return "; ".join(filter(None, [*parts, discord["note"]]))


def _said_budget(budget: Mapping[str, Any], zone: str) -> str:
    """Such as ``1,200 of 2,000,000 (chat 1,000, mail 200 of 1,000,000), until ...``."""
    shares = ", ".join(f"{name} {_of(share)}" for name, share in budget["triggers"].items())
    until = say_moment(datetime.fromisoformat(budget["resets"]), zone)
    return f"{_of(budget)} ({shares}), until {until}"


def _of(share: Mapping[str, int]) -> str:
    limit = f" of {share['limit']:,}" if share["limit"] else ""
    return f"{share['spent']:,}{limit}"


def _said_sizes(sizes: Mapping[str, int]) -> str:
    """Such as ``database 74.8 MB, mails and files 1.2 GB; 36,500 calls, ...``."""
    rows = ("mails", "conversations", "calls")
    counted = ", ".join(counting(sizes[name], name) for name in rows)
    database, blobs = (in_bytes(sizes[name]) for name in ("database", "blobs"))
    entries = f"{sizes['audit']:,} audit {'entry' if sizes['audit'] == 1 else 'entries'}"
    return f"database {database}, mails and files {blobs}; {counted}, {entries}"


def counting(count: int, plural: str) -> str:
    """Such as ``1 mail`` or ``2,000 mails``."""
    return f"{count:,} {plural.removesuffix('s') if count == 1 else plural}"


def _said_mode(ctx: CommandContext, mode: Mapping[str, Any]) -> str:
    if mode["mode"] == Mode.NORMAL:
        return str(mode["mode"])
    return f"{mode['mode']}, by {mode['by']}: {ctx.typed('mode show')}"


def _named(ctx: CommandContext, job: str) -> str:
    """A failed job, by its id where that can be typed, else by what it was."""
    return job.partition(":")[0].replace("_", " ") if ctx.channel in PRESSING else job


def said_queues(queues: Mapping[str, str], now: datetime) -> str:
    """How long ago a canary crossed each queue: ``interactive 3 s ago, ingest never``."""
    return ", ".join(
        f"{name} {seen if seen == 'never' else _ago(now - datetime.fromisoformat(seen))}"
        for name, seen in queues.items()
    )


def _ago(passed: timedelta) -> str:
    seconds = max(0, round(passed.total_seconds()))
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


STATUS = Body(args=_Asked, run=_status)
