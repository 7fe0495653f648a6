"""What was decided and done, and whether that record still fits itself."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated

from pydantic import Field

from assistant.commands.answer import Answer, CommandOutcome, Content, Table, fields
from assistant.commands.body import Args, Body, Option, Stream
from assistant.commands.context import CommandContext
from assistant.commands.typed import moment
from assistant.domain.approvals.approval import ApprovalState, approval_name
from assistant.domain.audit.chain import Fault, Verified
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import verify_lines
from assistant.domain.audit.ports import AuditTx
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import STATES, CallState, state_name
from assistant.domain.errors import BadArguments, Misconfigured, NotFound
from assistant.domain.policy.decisions import MODEL
from assistant.domain.store import Tx
from assistant.domain.time.moments import say_moment
from assistant.flows.operations.audit_chain import chain_all, export, verify_stored
from assistant.flows.render.reasons import asked_by

_CALL = re.compile(r"#?[Aa][0-9]{1,9}")
_ABOUT_CALLS = ("call.", "approval.", "effect.")
"""How the kinds begin of entries that are about a call."""
_GRANT = re.compile(r"#?[Gg][0-9]{1,9}")
_HASH = re.compile(r"[0-9a-f]{64}")
_MANY = 1000
_FEW = 5


class _Listed(Args):
    subject: str = Field("", description="Of this call (such as A17), grant (G3) or path.")
    trace: str = Field("", description="Of this trace.")
    kind: str = Field("", description="Such as call, or call.refused.")
    since: str = Field("", description="ISO date or time; only what happened since.")
    limit: int = Field(50, ge=1, le=_MANY, description="How many at the most.")


class _OneStory(Args):
    id: str = Field(description="An entry's id, a call such as A17, or a grant such as G3.")


class _Checked(Args):
    file: Annotated[
        Stream | None,
        Field(description="An exported file, or - for standard input; else the database."),
        Option(file=True, positional=True),
    ] = None
    head: str = Field("", description="A head noted down earlier that must be met.")


class _Exported(Args):
    file: str = Field(description="The file to write, or - for standard output.")
    since: str = Field("", description="ISO date or time; only what happened since.")


def _list(ctx: CommandContext, args: _Listed) -> Answer:
    """The newest entries, oldest first."""

    def found(tx: Tx, kind: str) -> Sequence[AuditEntry]:
        return tx.audit(
            subject=_subject(tx, args.subject),
            trace=args.trace,
            kind=kind,
            since=moment(args.since, zone=ctx.zone) if args.since else None,
            newest=True,
            limit=args.limit,
        )

    with ctx.read() as tx:
        meant = kinds_called(args.kind)
        entries = sorted((one for kind in meant for one in found(tx, kind)), key=_number)
        entries = entries[-args.limit :]
        stored = found(tx, args.kind) if len(meant) > 1 else entries  # what a program means by it
        empty = "" if entries else _said_none(tx, args.kind)
        calls = _calls(tx, entries)
    return Answer(
        blocks=(_table(entries, ctx.zone, empty=empty, calls=calls),),
        data=lambda: [_facts(entry) for entry in stored],
    )


def _number(entry: AuditEntry) -> int:
    return entry.number


def kind_name(kind: str) -> str:
    """A kind with people's word for a state: ``call.waiting`` for ``call.parked``."""
    about, _, state = kind.partition(".")
    if about == "call" and state in STATES:
        return f"{about}.{state_name(CallState(state))}"
    if about == "approval" and state in frozenset(ApprovalState):
        return f"{about}.{approval_name(ApprovalState(state))}"
    return kind


def kinds_called(word: str) -> Sequence[str]:
    """The stored kinds that a word means; the word itself where it is about no state."""
    kinds = [
        *(f"call.{state}" for state in CallState),
        *(f"approval.{state}" for state in ApprovalState),
    ]
    return [one for one in kinds if word in (one, kind_name(one))] or [word]


def _show(ctx: CommandContext, args: _OneStory) -> Answer:
    """One entry, or everything that happened to a call or a grant."""
    with ctx.read() as tx:
        entries = _story(tx, args.id)
        calls = _calls(tx, entries)
    return Answer(
        blocks=(fields(_fields(entries[0], ctx.zone, calls)),)
        if len(entries) == 1
        else (_table(entries, ctx.zone, empty="", calls=calls),),
        data=lambda: {"id": args.id, "entries": [_facts(entry) for entry in entries]},
    )


def _verify(ctx: CommandContext, args: _Checked) -> Answer:
    """Check that every entry is there as it was written, and fits calls, effects and old heads."""
    held = args.head.strip().lower()
    if held and not _HASH.fullmatch(held):
        raise BadArguments("--head takes the 64 characters that `audit verify` printed")
    if args.file is None:
        kept = ctx.parts.audit_heads.kept(ctx.cause.owner)
        found = verify_stored(store=ctx.store, cause=ctx.cause, held=held, kept=kept)
    else:
        found = verify_lines(_lines(args.file), held=held)
    absent = [name for name in found.archives if not ctx.parts.audit_archive.has(name)]
    return _verified(found, absent)


def _export(ctx: CommandContext, args: _Exported) -> Answer:
    """Write what is chained as JSON Lines, to be checked anywhere by `audit verify FILE`."""
    begins = moment(args.since, zone=ctx.zone) if args.since else None
    chain_all(ctx.store, batches=_MANY)
    ctx.parts.audit_heads.keep(ctx.store.heads(), at=ctx.now())
    lines = export(store=ctx.store, cause=ctx.cause, now=ctx.now(), since=begins)
    if args.file == "-":
        return Answer(blocks=(Content(chunks=(line.encode() for line in lines)),))
    count = _write(Path(args.file), lines)
    told = fields({"Written": f"{count} entries to {args.file}"})
    return Answer(blocks=(told,), data=lambda: {"id": args.file, "count": count})


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


def _lines(file: IO[bytes]) -> Iterator[str]:
    """The lines of a file. What is no UTF-8 comes as U+FFFD, and fits no hash."""
    for line in file:
        yield line.decode(errors="replace")


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


def _said_none(tx: AuditTx, kind: str) -> str:
    """Why nothing was found: there is nothing, nothing of that kind, or nothing that fits."""
    kinds = tx.audit_kinds()
    if not kinds:
        return "No entries yet."
    meant = kinds_called(kind)
    if kind and not any(one in meant or one.startswith(f"{kind}.") for one in kinds):
        told = ", ".join(map(kind_name, kinds))
        return f"No entry is of the kind {kind}. These are there: {told}."
    return "No entry fits."


def _calls(tx: Tx, entries: Iterable[AuditEntry]) -> dict[str, Call]:
    """The calls that entries are about, by id."""
    about = {one.subject for one in entries if one.kind.startswith(_ABOUT_CALLS)}
    found = {}
    for subject in about:
        with suppress(NotFound):
            found[subject] = tx.call(subject)
    return found


def _of(entry: AuditEntry, calls: Mapping[str, Call]) -> str:
    call = calls.get(entry.subject)
    return call.handle if call else entry.subject


def _by(entry: AuditEntry, calls: Mapping[str, Call]) -> str:
    """Who did it, for a person: of what was asked for in words, whose words these were."""
    call = calls.get(entry.subject)
    return asked_by(call) if call and entry.actor == call.actor == MODEL else entry.actor


def _table(
    entries: Iterable[AuditEntry], zone: str, *, empty: str, calls: Mapping[str, Call]
) -> Table:
    rows = tuple(
        (
            entry.id,
            say_moment(entry.at, zone) if entry.at else "",
            kind_name(entry.kind),
            _of(entry, calls),
            _by(entry, calls),
            entry.tool,
            "; ".join(filter(None, (entry.verdict, entry.result, entry.reason))),
        )
        for entry in entries
    )
    columns = ("id", "when", "what", "of", "by", "tool", "why and how")
    return Table(columns=columns, rows=rows, empty=empty)


def _fields(entry: AuditEntry, zone: str, calls: Mapping[str, Call]) -> dict[str, str]:
    times = {"When": entry.at, "Began": entry.began, "Ended": entry.ended}
    return {
        entry.id: kind_name(entry.kind),
        "Of": entry.subject,
        "By": _by(entry, calls),
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


def _verified(found: Verified, absent: Sequence[str]) -> Answer:
    told = {
        "Entries": f"{found.count} fit one another",
        "Head": f"{found.head.hash} in place {found.head.place}" if found.count else "",
        "Loose": f"{found.loose} are not chained yet" if found.loose else "",
        "Archived": _archived(found),
        "Not here": f"{len(absent)} of these: {', '.join(absent[:_FEW])}" if absent else "",
    }
    fault = found.fault
    return Answer(
        blocks=(fields(told),),
        notes=tuple(f"the audit does not hold: {_named(one)}" for one in found.faults),
        outcome=CommandOutcome.FAILED if fault else CommandOutcome.DONE,
        data=lambda: {
            "ok": fault is None,
            **found.model_dump(mode="json"),
            "archives_not_here": absent,
        },
    )


def _archived(found: Verified) -> str:
    files = len(found.archives)
    said = "1 file" if files == 1 else f"{files} files"
    return f"{found.archived} before these, in {said}" if files else ""


def _named(fault: Fault) -> str:
    where = [
        f"line {fault.line}" if fault.line else "",
        f"place {fault.place}" if fault.place else "",
        f"entry {fault.id}" if fault.id else "",
    ]
    return ": ".join(filter(None, (", ".join(filter(None, where)), fault.why)))


LIST = Body(args=_Listed, run=_list)
SHOW = Body(args=_OneStory, run=_show)
VERIFY = Body(args=_Checked, run=_verify)
EXPORT = Body(args=_Exported, run=_export)
