"""``assistant doctor``: what is wrong, and what to do."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import typer

from assistant.domain.errors import AssistantError, NotFound
from workers.cli.doctor import discord, parts, work
from workers.cli.options import settings_for
from workers.cli.output import (
    EXIT_FAILED,
    complain,
    exit_code,
    print_json,
    print_table,
)
from workers.cli.session import Session, refuse_nothing, session
from workers.cli.setup.trying import ask_model
from workers.data_folder import DataFolder
from workers.revision import NewerDatabase
from workers.settings import PREFIX


def doctor(data: Path | None, *, as_json: bool) -> None:
    """Try every part and print what is wrong with it, and what to do."""
    settings = settings_for(data)
    findings = [{"id": "settings", "ok": True, "said": f"read; data in {settings.data_dir}"}]
    code, last = EXIT_FAILED, "something is wrong"
    try:
        refuse_nothing(settings)
    except NotFound as error:
        said = f"was never started: there is no folder {settings.data_dir}; run `assistant up`"
        findings.append({"id": "up", "ok": False, "said": said})
        code, last = exit_code(error), str(error)
    else:
        folder = DataFolder(settings)
        findings += [_try(name, check) for name, check in parts.checks(settings, folder)]
        try:
            with session(data) as opened:
                findings += [_try(name, check) for name, check in _checks(opened)]
        except NewerDatabase as error:
            findings.append({"id": "database", "ok": False, "said": _in_one_line(error)})
            code, last = exit_code(error), str(error)
        except AssistantError as error:
            findings.append({"id": "database", "ok": False, "said": _in_one_line(error)})
    if as_json:
        print_json(findings)
    else:
        rows = [("ok" if f["ok"] else "WRONG", str(f["id"]), str(f["said"])) for f in findings]
        print_table(("", "", ""), rows, empty="")
    if not all(finding["ok"] for finding in findings):
        complain(last)
        raise typer.Exit(code)


def _checks(opened: Session) -> list[tuple[str, Callable[[], str]]]:
    assistant = opened.assistant

    def database() -> str:
        assistant.store.jobs()
        return "SQLite" if assistant.engines.sqlite else "Postgres"

    def blobs() -> str:
        assistant.blobs.check()
        return opened.settings.blobs or str(assistant.data_folder.blobs)

    def calendar() -> str:
        assistant.calendar.check()
        provider = assistant.calendar_provider()
        standing = f" ({provider.title}: {provider.standing})" if provider else ""
        return f"{assistant.calendar.address()}{standing}"

    def offline() -> str:
        assistant.offline.check()
        return assistant.offline.name

    def broker() -> str:
        url = opened.settings.broker_url or assistant.data_folder.endpoints.broker_url
        if not url:
            return "embedded; `assistant up` runs it"
        from assistant.adapters.celery_bell import CeleryBell  # noqa: PLC0415 (only where it is)

        CeleryBell(url).check()
        yours = f"yours, by {PREFIX}BROKER_URL"
        return yours if opened.settings.broker_url else "embedded, running"

    def policy() -> str:
        return assistant.policy_file.standing(assistant.cause())

    models: list[tuple[str, Callable[[], str]]] = [
        ("model", partial(ask_model, opened.settings, name)) for name in opened.settings.models
    ]
    return [
        ("database", database),
        ("broker", broker),
        ("blobs", blobs),
        ("calendar", calendar),
        *(models or [("model", offline)]),
        ("policy", policy),
        *work.checks(opened),
        *discord.checks(opened),
    ]


def _try(name: str, check: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"id": name, "ok": True, "said": check()}
    except AssistantError as error:
        return {"id": name, "ok": False, "said": _in_one_line(error)}


def _in_one_line(error: AssistantError) -> str:
    return " ".join(str(error).split())
