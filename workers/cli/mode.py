"""``assistant mode``: how careful the assistant is, and the change of it."""

from datetime import datetime
from typing import Annotated, Any

import typer

from assistant.domain.approvals.approval import Answer
from assistant.domain.errors import BadArguments
from assistant.domain.governance.modes import Mode, ModeRecord
from assistant.domain.jobs.job import Cause
from assistant.domain.store import Tx
from assistant.domain.time.moments import say_moment
from assistant.flows.governance.modes import ModeAnswer, reviewed, set_mode
from assistant.flows.governance.modes import keep as keep_effect
from workers.cli.approvals import actor, toolbox_of
from workers.cli.arguments import moment
from workers.cli.output import (
    EXIT_DENIED,
    EXIT_STALE,
    EXIT_WAITING,
    AsJson,
    complain,
    print_fields,
    print_json,
    print_table,
)
from workers.cli.session import Data, Session, existing, session

app = typer.Typer(no_args_is_help=True)


@app.command()
def show(*, data: Data = None, as_json: AsJson = False) -> None:
    """The mode, since when and why; in recovery, what was done that is to be looked at."""
    with existing(data) as opened:
        record, changes = to_review(opened)
        if as_json:
            print_json({**facts(record), "changes": changes})
            return
        zone = opened.settings.timezone
        print_fields(said(record, zone))
        if record.review:
            _print_changes(changes, record, zone)


@app.command()
def review(*, data: Data = None, as_json: AsJson = False) -> None:
    """In recovery: what is still to be looked at, each to be kept or undone."""
    with existing(data) as opened:
        record, changes = to_review(opened)
        if as_json:
            print_json(changes)
        elif record.review is None:
            typer.echo("Nothing is looked at: that is for recovery (assistant mode set recovery).")
        else:
            _print_changes(changes, record, opened.settings.timezone)
            if changes:
                typer.echo("For each: assistant mode keep ID, or assistant undo ID.")


@app.command()
def keep(
    id: Annotated[str, typer.Argument(help="Such as A17.")],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """In recovery: leave what this call did as it is; it is looked at no more."""
    with existing(data) as opened:
        said = kept(opened, id, cause=opened.assistant.cause())
        if as_json:
            print_json({"id": id.upper(), **said.model_dump(include={"accepted", "text"})})
        elif said.accepted:
            typer.echo(said.text)
        else:
            complain(said.text)
    if not said.accepted:
        raise typer.Exit(EXIT_STALE)


@app.command("set")
def set_(
    mode: Annotated[Mode, typer.Argument(help="The mode to enter.")],
    *,
    reason: Annotated[str, typer.Option(help="Why, in your words.")] = "",
    word: Annotated[str, typer.Option(help="The second step out of lockdown.")] = "",
    since: Annotated[
        str, typer.Option(help="With recovery: look at what was done since then; ISO.")
    ] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Enter a mode. Leaving lockdown takes a second step: it ends with 6 and says which."""
    with session(data) as opened:
        from_then = moment(since, zone=opened.settings.timezone) if since else None
        if from_then and mode is not Mode.RECOVERY:
            raise BadArguments("--since goes with recovery")
        left = len(to_review(opened)[1])
        changed = change(
            opened,
            mode,
            cause=opened.assistant.cause(),
            reason=reason,
            word=word,
            since=from_then,
        )
        unseen = left if changed.accepted and changed.record.mode is not Mode.RECOVERY else 0
        if as_json:
            told = {**changed.model_dump(exclude={"record"}), "unreviewed": unseen}
            print_json({**facts(changed.record), **told})
        elif changed.accepted:
            typer.echo(changed.text)
            if unseen:
                one = "1 change was" if unseen == 1 else f"{unseen} changes were"
                complain(f"{one} not looked at; `assistant mode set recovery` goes on with it")
        elif changed.word:
            again = f"{mode} --word {changed.word}" + (f" --since {since}" if since else "")
            typer.echo(f"{changed.text}\nType: assistant mode set {again}")
        else:
            complain(changed.text)
    if not changed.accepted:
        refused = EXIT_STALE if changed.stale else EXIT_DENIED
        raise typer.Exit(EXIT_WAITING if changed.word else refused)


def change(
    opened: Session,
    mode: Mode,
    *,
    cause: Cause,
    reason: str = "",
    word: str = "",
    since: datetime | None = None,
) -> ModeAnswer:
    """Enter a mode for whoever sits at the terminal."""
    assistant = opened.assistant
    return set_mode(
        mode,
        by=actor(),
        reason=reason,
        word=word,
        since=since,
        cause=cause,
        store=assistant.store,
        clock=assistant.clock,
        toolbox=toolbox_of(opened),
        zone=opened.settings.timezone,
        home=assistant.home,
    )


def to_review(opened: Session) -> tuple[ModeRecord, list[dict[str, Any]]]:
    """The mode, and what recovery has still to look at, oldest first."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        record = tx.mode()
        return record, _changes(tx, record)


def kept(opened: Session, handle: str, *, cause: Cause) -> Answer:
    """What this call did stays, says whoever sits at the terminal. Raises ``NotFound``."""
    return keep_effect(handle, by=actor(), cause=cause, store=opened.assistant.store)


def facts(record: ModeRecord) -> dict[str, Any]:
    return {
        "mode": record.mode.value,
        "before": record.before.value,
        "by": record.by,
        "reason": record.reason,
        "since": _iso(record.since),
        "review": _iso(record.review),
        "revision": record.revision,
    }


def said(record: ModeRecord, zone: str) -> dict[str, str]:
    return {
        "Mode": record.mode.value,
        "Before": record.before.value,
        "Since": say_moment(record.since, zone) if record.since else "",
        "By": record.by,
        "Reason": record.reason,
    }


def _changes(tx: Tx, record: ModeRecord) -> list[dict[str, Any]]:
    """What is to be looked at, oldest first."""
    return [
        {"id": call.handle, "kind": effect.kind, "at": _iso(effect.at), "told": call.told}
        for call, effect in reviewed(tx, record)
    ]


def _print_changes(changes: list[dict[str, Any]], record: ModeRecord, zone: str) -> None:
    rows = [(str(c["id"]), str(c["kind"]), str(c["told"])) for c in changes]
    title = say_moment(record.review, zone) if record.review else ""
    empty = "Nothing is left to be looked at."
    print_table(("call", "kind", f"done since {title}"), rows, empty=empty)


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
