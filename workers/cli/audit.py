"""``assistant audit``: what was decided and done, and whether that record still fits itself."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.typed import moment
from assistant.domain.audit import AuditEntry
from assistant.domain.audit_chain import Fault, Verified
from assistant.domain.audit_lines import verify_lines
from assistant.domain.errors import BadArguments, Misconfigured, NotFound
from assistant.domain.moments import say_moment
from assistant.flows.auditing import chain_all, export, verify_stored
from assistant.ports import Tx
from workers.cli.output import (
    EXIT_FAILED,
    AsJson,
    complain,
    print_fields,
    print_json,
    print_table,
)
from workers.cli.session import Data, Session, existing

app = typer.Typer(no_args_is_help=True)

Since = Annotated[str, typer.Option(help="ISO date or time; only what happened since.")]
_CALL = re.compile(r"#?[Aa][0-9]{1,9}")
_GRANT = re.compile(r"#?[Gg][0-9]{1,9}")
_HASH = re.compile(r"[0-9a-f]{64}")
_MANY = 1000


@app.command("list")
def list_(
    *,
    subject: Annotated[
        str, typer.Option(help="Of this call (such as A17), grant (G3) or path.")
    ] = "",
    trace: Annotated[str, typer.Option(help="Of this trace.")] = "",
    kind: Annotated[str, typer.Option(help="Such as call, or call.refused.")] = "",
    since: Since = "",
    limit: Annotated[int, typer.Option(min=1, max=_MANY, help="How many at the most.")] = 50,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """The newest entries, oldest first."""
    with existing(data) as opened:
        zone = opened.settings.timezone
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            entries = tx.audit(
                subject=_subject(tx, subject),
                trace=trace,
                kind=kind,
                since=moment(since, zone=zone) if since else None,
                newest=True,
                limit=limit,
            )
            none = "" if entries or as_json else _said_none(tx, kind)
        if as_json:
            print_json([_facts(entry) for entry in entries])
        else:
            _print_entries(entries, zone, empty=none)


@app.command()
def show(
    id: Annotated[
        str, typer.Argument(help="An entry's id, a call such as A17, or a grant such as G3.")
    ],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """One entry, or everything that happened to a call or a grant."""
    with existing(data) as opened:
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            entries = _story(tx, id)
        if as_json:
            print_json({"id": id, "entries": [_facts(entry) for entry in entries]})
        elif len(entries) == 1:
            print_fields(_fields(entries[0], opened))
        else:
            _print_entries(entries, opened.settings.timezone)


@app.command()
def verify(
    file: Annotated[
        str, typer.Argument(help="An exported file, or - for standard input; else the database.")
    ] = "",
    *,
    head: Annotated[str, typer.Option(help="A head noted down earlier that must be met.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Check that every entry is there as it was written, and name the first that is not."""
    held = head.strip().lower()
    if held and not _HASH.fullmatch(held):
        raise BadArguments("--head takes the 64 characters that `audit verify` printed")
    if file:
        found = verify_lines(_lines(file), held=held)
    else:
        with existing(data) as opened:
            assistant = opened.assistant
            found = verify_stored(store=assistant.store, cause=assistant.cause(), held=held)
    _print_verified(found, as_json=as_json)


@app.command("export")
def export_(
    file: Annotated[str, typer.Argument(help="The file to write, or - for standard output.")],
    *,
    since: Since = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Write what is chained as JSON Lines, to be checked anywhere by `audit verify FILE`."""
    with existing(data) as opened:
        assistant = opened.assistant
        begins = moment(since, zone=opened.settings.timezone) if since else None
        chain_all(assistant.store, batches=_MANY)
        lines = export(
            store=assistant.store,
            cause=assistant.cause(),
            now=assistant.clock.now(),
            since=begins,
        )
        if file == "-":
            sys.stdout.writelines(lines)
            return
        count = _write(Path(file), lines)
        if as_json:
            print_json({"id": file, "count": count})
        else:
            print_fields({"Written": f"{count} entries to {file}"})


def _subject(tx: Tx, text: str) -> str:
    if _CALL.fullmatch(text):
        return tx.call_named(text).id
    return tx.grant_named(text).id if _GRANT.fullmatch(text) else text


def _story(tx: Tx, id: str) -> list[AuditEntry]:
    if not (_CALL.fullmatch(id) or _GRANT.fullmatch(id)):
        try:
            return [tx.audit_entry(id)]
        except NotFound:
            pass
    subject = _subject(tx, id)
    entries: list[AuditEntry] = []
    while page := tx.audit(subject=subject, after=entries[-1].number if entries else 0):
        entries += page
    if not entries:
        raise NotFound(f"an audit entry, or a call or grant with entries: {id}")
    return entries


def _lines(file: str) -> Iterator[str]:
    """The lines of a file. What is no UTF-8 comes as U+FFFD, and fits no hash."""
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
            for line in stream:
                yield line.decode(errors="replace")
    except OSError as error:
        raise NotFound(f"{file}: {error.strerror}") from error


def _write(file: Path, lines: Iterable[str]) -> int:
    """How many entries went into the file, which is complete or not there."""
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as opened:
            count = sum(opened.write(line) > 0 for line in lines) - 1
        part.replace(file)
    except OSError as error:
        raise Misconfigured(f"{file} cannot be written: {error.strerror}") from error
    return count


def _facts(entry: AuditEntry) -> dict[str, object]:
    return entry.model_dump(mode="json")


def _said_none(tx: Tx, kind: str) -> str:
    """Why nothing was found: there is nothing, nothing of that kind, or nothing that fits."""
    kinds = tx.audit_kinds()
    if not kinds:
        return "No entries yet."
    if kind and not any(one == kind or one.startswith(f"{kind}.") for one in kinds):
        return f"No entry is of the kind {kind}. These are there: {', '.join(kinds)}."
    return "No entry fits."


def _print_entries(entries: Iterable[AuditEntry], zone: str, *, empty: str = "") -> None:
    rows = [
        (
            entry.id,
            say_moment(entry.at, zone) if entry.at else "",
            entry.kind,
            entry.subject,
            entry.actor,
            entry.tool,
            "; ".join(filter(None, (entry.verdict, entry.result, entry.reason))),
        )
        for entry in entries
    ]
    columns = ("id", "when", "what", "of", "by", "tool", "why and how")
    print_table(columns, rows, empty=empty)


def _fields(entry: AuditEntry, opened: Session) -> dict[str, str]:
    zone = opened.settings.timezone
    times = {"When": entry.at, "Began": entry.began, "Ended": entry.ended}
    return {
        entry.id: entry.kind,
        "Of": entry.subject,
        "By": entry.actor,
        "Tool": f"{entry.tool} {entry.version}".strip(),
        "Arguments": entry.args,
        "Verdict": entry.verdict,
        "Why": entry.reason,
        "Result": entry.result,
        **{label: say_moment(moment, zone) for label, moment in times.items() if moment},
        "Trace": entry.trace,
        "Place": str(entry.place) if entry.place else "not chained yet; a tick does that",
        "After": entry.previous,
        "Hash": entry.hash,
    }


def _print_verified(found: Verified, *, as_json: bool) -> None:
    if as_json:
        print_json({"ok": found.fault is None, **found.model_dump(mode="json")})
    else:
        print_fields(
            {
                "Entries": f"{found.count} fit one another",
                "Head": f"{found.head.hash} in place {found.head.place}" if found.count else "",
                "Loose": f"{found.loose} are not chained yet" if found.loose else "",
            }
        )
    if found.fault is not None:
        complain(f"the audit does not hold: {_named(found.fault)}")
        raise typer.Exit(EXIT_FAILED)


def _named(fault: Fault) -> str:
    where = [
        f"line {fault.line}" if fault.line else "",
        f"place {fault.place}" if fault.place else "",
        f"entry {fault.id}" if fault.id else "",
    ]
    return ": ".join(filter(None, (", ".join(filter(None, where)), fault.why)))
