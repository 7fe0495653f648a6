"""How careful the assistant is, the change of it, and what recovery looks at."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from assistant.commands.answer import (
    Answer,
    Block,
    Button,
    CommandOutcome,
    Fields,
    Table,
    Words,
    say,
)
from assistant.commands.body import Args, Body, Nothing, OneCall, Option
from assistant.commands.calls.lookups import fitting, usable_tools
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.typed import moment as typed_moment
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Line, moment
from assistant.domain.errors import BadArguments
from assistant.domain.governance.modes import Mode, ModeRecord
from assistant.domain.store import Tx
from assistant.domain.time.moments import say_moment
from assistant.flows.governance.modes import ModeAnswer, is_word, keep, reviewed, set_mode


def _mode(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return Mode(value.lower())
    except ValueError:
        raise ValueError(f"there is no mode {value}; there are {', '.join(Mode)}") from None


class _Wanted(Args):
    mode: Annotated[
        Mode | None,
        BeforeValidator(_mode),
        Field(description="The mode to enter."),
        Option(positional=True, needed=True),
    ] = None
    reason: str = Field("", description="Why, in your words.")
    word: Annotated[
        str, Field(description="The second step out of lockdown."), Option(chat=False)
    ] = ""
    since: Annotated[
        str,
        Field(description="With recovery: look at what was done since then; ISO."),
        Option(chat=False),
    ] = ""


class _Reason(Args):
    reason: str = Field("", description="Why, in your words.")


def _show(ctx: CommandContext, _args: Nothing) -> Answer:
    record, changes = _to_review(ctx)
    told = (
        Line(label="Mode", value=record.mode.value),
        Line(label="Before", value=record.before.value),
        Line(label="To leave", value=_way_out(ctx, record.mode)),
        *([moment("Since", record.since, ctx.zone)] if record.since else []),
        Line(label="By", value=record.by),
        Line(label="Reason", value=record.reason),
    )
    more: tuple[Block, ...] = (_changes(changes, record, ctx.zone),) if record.review else ()
    return Answer(
        blocks=(Fields(lines=tuple(line for line in told if line.value)), *more),
        data=lambda: {**mode_facts(record), "changes": changes},
    )


def _way_out(ctx: CommandContext, mode: Mode) -> str:
    """How a mode is left; empty for the normal one, and for what ends by itself."""
    if mode in {Mode.NORMAL, Mode.DEGRADED}:
        return ""
    step = ", which takes a second step" if mode is Mode.LOCKDOWN else ""
    return f"{ctx.typed('mode', Mode.NORMAL.value)}{step}"


def _enter(ctx: CommandContext, args: _Wanted) -> Answer:
    """Enter a mode. In a chat the reason may be the second step out of lockdown."""
    if args.mode is None and ctx.channel is CommandChannel.COMMAND_LINE:
        raise BadArguments(f"which mode? There are {', '.join(Mode)}")
    if args.mode is None:
        return _show(ctx, Nothing())
    since = typed_moment(args.since, zone=ctx.zone) if args.since else None
    if since and args.mode is not Mode.RECOVERY:
        raise BadArguments("--since goes with recovery")
    reason, word = (args.reason, args.word)
    if is_word(reason) and not word:
        reason, word = "", reason
    left = [str(one["id"]) for one in _to_review(ctx)[1]]
    changed = set_mode(
        args.mode,
        by=ctx.by,
        reason=reason,
        word=word,
        since=since,
        cause=ctx.cause,
        store=ctx.store,
        clock=ctx.parts.clock,
        toolbox=usable_tools(ctx),
        zone=ctx.zone,
        home=ctx.parts.home,
    )
    unseen = left if changed.accepted and changed.record.mode is not Mode.RECOVERY else []
    return Answer(
        blocks=(Words(text=_said(ctx, changed)),),
        notes=(_not_looked_at(ctx, unseen),) if unseen else (),
        outcome=_outcome(changed),
        word=changed.word,
        next=Button(
            label=f"Enter {args.mode}",
            command="mode",
            args={"mode": args.mode.value},
            verb=Verb.MODE,
            subject=args.mode.value,
        )
        if changed.word
        else None,
        said=changed,
        data=lambda: {
            **mode_facts(changed.record),
            **changed.model_dump(exclude={"record"}),
            "unreviewed": len(unseen),
        },
    )


def _said(ctx: CommandContext, changed: ModeAnswer) -> str:
    """What a change means, in a line where the notice of it says the rest on the same screen."""
    here = ctx.channel is CommandChannel.TERMINAL and ctx.parts.home.channel == ctx.conversations
    if changed.accepted and here and changed.record.mode is Mode.LOCKDOWN:
        return "Only reading goes on. The notice says what was cancelled, and how to leave."
    return changed.text


def _not_looked_at(ctx: CommandContext, left: Sequence[str]) -> str:
    were = "1 change was" if len(left) == 1 else f"{len(left)} changes were"
    again = ctx.typed("mode", Mode.RECOVERY.value)
    return f"{were} not looked at: {', '.join(left)}. `{again}` goes on with it"


def _outcome(changed: ModeAnswer) -> CommandOutcome:
    if changed.accepted:
        return CommandOutcome.DONE
    if changed.word:
        return CommandOutcome.WAITING
    return CommandOutcome.STALE if changed.stale else CommandOutcome.DENIED


def _lockdown(ctx: CommandContext, args: _Reason) -> Answer:
    return _enter(ctx, _Wanted(mode=Mode.LOCKDOWN, reason=args.reason))


def _review(ctx: CommandContext, _args: Nothing) -> Answer:
    record, changes = _to_review(ctx)
    if record.review is None:
        begin = ctx.typed("mode", Mode.RECOVERY.value)
        first = f"To look at what was done, enter recovery first: {begin}"
        return say(f"{first}. Then {ctx.typed('review')} lists it.", data=lambda: changes)
    each = f"For each: {ctx.typed('keep', 'ID')}, or {ctx.typed('undo', 'ID')}."
    then = f"Then: {ctx.typed('mode', Mode.NORMAL.value)}"
    return Answer(
        blocks=(
            _changes(changes, record, ctx.zone),
            Words(text=each if changes else then),
        ),
        data=lambda: changes,
    )


def _keep(ctx: CommandContext, args: OneCall) -> Answer:
    said = keep(args.call, by=ctx.by, cause=ctx.cause, store=ctx.store)
    facts = {"id": args.call.upper(), **said.model_dump(include={"accepted", "text"})}
    outcome = CommandOutcome.DONE if said.accepted else CommandOutcome.STALE
    return say(said.text, outcome=outcome, data=lambda: facts)


def mode_facts(record: ModeRecord) -> dict[str, Any]:
    """The mode, for programs."""
    return {
        "mode": record.mode.value,
        "before": record.before.value,
        "by": record.by,
        "reason": record.reason,
        "since": _iso(record.since),
        "review": _iso(record.review),
        "revision": record.revision,
    }


def _to_review(ctx: CommandContext) -> tuple[ModeRecord, list[dict[str, Any]]]:
    """The mode, and what recovery has still to look at, oldest first."""
    with ctx.read() as tx:
        record = tx.mode()
        return record, _listed(tx, record)


def _listed(tx: Tx, record: ModeRecord) -> list[dict[str, Any]]:
    return [
        {"id": call.handle, "kind": effect.kind, "at": _iso(effect.at), "told": call.told}
        for call, effect in reviewed(tx, record)
    ]


def _changes(changes: Sequence[dict[str, Any]], record: ModeRecord, zone: str) -> Table:
    since = say_moment(record.review, zone) if record.review else ""
    return Table(
        columns=("call", "kind", f"done since {since}"),
        rows=tuple((str(c["id"]), str(c["kind"]), str(c["told"])) for c in changes),
        lines=tuple(Line(label=c["id"], value=f"{c['kind']}: {c['told']}") for c in changes),
        title=f"Done since {since}:",
        empty="Nothing is left to be looked at.",
    )


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _unreviewed(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    return fitting([(f"{c['id']}: {c['told']}", c["id"]) for c in _to_review(ctx)[1]], typed)


SHOW = Body(args=Nothing, run=_show)
MODE = Body(args=_Wanted, run=_enter)
LOCKDOWN = Body(args=_Reason, run=_lockdown)
REVIEW = Body(args=Nothing, run=_review)
KEEP = Body(args=OneCall, run=_keep, choices={"call": _unreviewed})
