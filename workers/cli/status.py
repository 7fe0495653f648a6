"""``assistant status`` and ``assistant doctor``: how it is, and what is wrong with it."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import typer

from assistant.commands.governance.modes import mode_facts
from assistant.domain.budget import Trigger, day_of
from assistant.domain.calls import CallState
from assistant.domain.errors import AssistantError
from assistant.domain.mail import MailQuery, MailState
from assistant.domain.messages import Queue
from assistant.domain.modes import Mode
from assistant.domain.moments import say_moment
from assistant.domain.talk import Role, View, ViewEntry
from workers.cli import discord
from workers.cli.output import (
    EXIT_FAILED,
    AsJson,
    complain,
    print_fields,
    print_json,
    print_table,
)
from workers.cli.session import Data, Session, existing, refuse_nothing, session, settings_for
from workers.settings import OWNER, PREFIX, Settings

PATIENCE = 20.0
"""Seconds that a model has to answer a doctor."""


def status(*, data: Data = None, as_json: AsJson = False) -> None:
    """What runs, what waits, and what failed."""
    with existing(data) as opened:
        facts = _facts(opened)
        if as_json:
            print_json(facts)
            return
        jobs = facts["jobs"]
        print_fields(
            {
                "Workers": "live" if facts["live"] else "none run; `assistant up` starts them",
                "Queues": _last_crossed(facts["queues"], opened.assistant.clock.now()),
                "Mode": _said_mode(facts["mode"]),
                "Policy": facts["policy"]["said"],
                "Model": facts["model"],
                "Tokens today": _said_budget(facts["budget"], opened.settings.timezone)
                if opened.settings.model
                else "",
                "Discord": discord.said(facts["discord"]),
                "Waiting for you": str(facts["pending"]),
                "Mails": ", ".join(f"{n} {state}" for state, n in facts["mails"].items()) or "none",
                "Jobs": ", ".join(f"{count} {state}" for state, count in jobs.items()),
            }
        )
        rows = [(job["id"], job["error"]) for job in facts["failed"]]
        if rows:
            print_table(("failed job", "why"), rows, empty="")


def doctor(*, data: Data = None, as_json: AsJson = False) -> None:
    """Try every part and say what is wrong with it, and what to do."""
    settings = settings_for(data)
    refuse_nothing(settings)
    findings = [{"id": "settings", "ok": True, "said": f"read; data in {settings.data_dir}"}]
    try:
        with session(data) as opened:
            findings += [_try(name, check) for name, check in _checks(opened)]
    except AssistantError as error:
        findings.append({"id": "database", "ok": False, "said": _in_one_line(error)})
    if as_json:
        print_json(findings)
    else:
        rows = [("ok" if f["ok"] else "WRONG", str(f["id"]), str(f["said"])) for f in findings]
        print_table(("", "part", ""), rows, empty="")
    if not all(finding["ok"] for finding in findings):
        complain("something is wrong")
        raise typer.Exit(EXIT_FAILED)


def _facts(opened: Session) -> dict[str, Any]:
    store = opened.assistant.store
    cause = opened.assistant.cause()
    with store.read(cause) as tx:
        parked = tx.calls(states={CallState.PARKED})
        mode = tx.mode()
        day = day_of(opened.assistant.clock.now(), opened.settings.timezone)
        spent = tx.spent(day[0])
        counted = Counter(
            {state.value: n for state in MailState if (n := tx.count_mails(MailQuery(state=state)))}
        )
    jobs = [job for job in store.jobs() if job.owner == OWNER]
    now = opened.assistant.clock.now()
    idle = [job for job in jobs if not job.claimed and not job.failed]
    seen = store.canaries()
    return {
        "live": opened.live,
        "queues": {
            queue.value: seen[queue].isoformat(timespec="seconds") if queue in seen else "never"
            for queue in Queue
        },
        "mode": mode_facts(mode),
        "policy": _policy(opened),
        "budget": _budget(opened.settings, spent, resets=day[1]),
        "model": opened.settings.model or "offline (no model is configured)",
        "discord": discord.facts(opened),
        "pending": len(parked),
        "mails": dict(counted),
        "jobs": {
            "waiting": sum(job.due <= now for job in idle),
            "later": sum(job.due > now for job in idle),
            "running": sum(job.claimed for job in jobs),
            "failed": sum(job.failed for job in jobs),
        },
        "failed": [
            {"id": job.id, "error": job.error, "trace": job.trace} for job in jobs if job.failed
        ],
    }


def _policy(opened: Session) -> dict[str, Any]:
    found = _try("policy", lambda: opened.assistant.policy_file.standing(opened.assistant.cause()))
    return {"ok": found["ok"], "said": found["said"]}


def _budget(settings: Settings, spent: Mapping[str, int], *, resets: datetime) -> dict[str, Any]:
    """Tokens that models took in and gave out since midnight, and their limits; 0 is none."""
    budget = settings.budget
    shares = {
        trigger.value: {"spent": spent.get(trigger, 0), "limit": budget.shares.get(trigger, 0)}
        for trigger in Trigger
    }
    whole = {"spent": sum(spent.values()), "limit": budget.tokens}
    return {**whole, "resets": resets.isoformat(), "triggers": shares}


def _said_budget(budget: Mapping[str, Any], zone: str) -> str:
    """Such as ``1,200 of 2,000,000 (chat 1,000, mail 200 of 1,000,000), until ...``."""
    shares = ", ".join(f"{name} {_of(share)}" for name, share in budget["triggers"].items())
    until = say_moment(datetime.fromisoformat(budget["resets"]), zone)
    return f"{_of(budget)} ({shares}), until {until}"


def _of(share: Mapping[str, int]) -> str:
    limit = f" of {share['limit']:,}" if share["limit"] else ""
    return f"{share['spent']:,}{limit}"


def _said_mode(mode: Mapping[str, Any]) -> str:
    usual = mode["mode"] == Mode.NORMAL
    return str(mode["mode"]) if usual else f"{mode['mode']}, by {mode['by']}: assistant mode show"


def _last_crossed(queues: Mapping[str, str], now: datetime) -> str:
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


def _checks(opened: Session) -> list[tuple[str, Callable[[], str]]]:
    assistant = opened.assistant

    def database() -> str:
        assistant.store.jobs()
        return "SQLite" if assistant.engines.sqlite else "Postgres"

    def blobs() -> str:
        assistant.blobs.check()
        return opened.settings.blobs or str(assistant.house.blobs)

    def calendar() -> str:
        assistant.calendar.check()
        return assistant.calendar.address()

    def offline() -> str:
        assistant.offline.check()
        return assistant.offline.name

    def broker() -> str:
        url = opened.settings.broker_url or assistant.house.endpoints.broker_url
        if not url:
            return "embedded; `assistant up` runs it"
        from assistant.adapters.celery_bell import CeleryBell  # noqa: PLC0415 (only where it is)

        CeleryBell(url).check()
        yours = f"yours, by {PREFIX}BROKER_URL"
        return yours if opened.settings.broker_url else "embedded, running"

    def policy() -> str:
        return assistant.policy_file.standing(assistant.cause())

    def workers() -> str:
        if opened.live:
            return "every queue was crossed lately"
        return "none run; commands do their own work (`assistant up` starts workers)"

    models: list[tuple[str, Callable[[], str]]] = [
        ("model", partial(_asked, opened, name)) for name in opened.settings.models
    ]
    return [
        ("database", database),
        ("broker", broker),
        ("blobs", blobs),
        ("calendar", calendar),
        *(models or [("model", offline)]),
        ("policy", policy),
        ("workers", workers),
        *discord.checks(opened),
    ]


def _asked(opened: Session, name: str) -> str:
    """How a model answers a question that costs next to nothing; it is not counted as spent.

    Each is asked by itself, as in a chain one would answer for another.
    """
    settings = opened.settings
    from workers.parts import make_provider  # noqa: PLC0415 (heavy)

    model = make_provider(settings, name, timeout=min(settings.model_timeout, PATIENCE))
    turn = model.think(
        View(
            instructions="Answer with the one word: ok",
            now=opened.assistant.clock.now(),
            zone=settings.timezone,
            entries=(ViewEntry(role=Role.OWNER, text="ok?"),),
        ),
        (),
    )
    [usage] = turn.usage
    cost = f"{usage.input_tokens} tokens in and {usage.output_tokens} out"
    return f"{name} answered in {usage.milliseconds / 1000:.1f} s, for {cost}"


def _try(name: str, check: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"id": name, "ok": True, "said": check()}
    except AssistantError as error:
        return {"id": name, "ok": False, "said": _in_one_line(error)}


def _in_one_line(error: AssistantError) -> str:
    return " ".join(str(error).split())
