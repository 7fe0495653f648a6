"""Is a policy sound, what does it say to a call, and what would another one say."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import IO, Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, CommandOutcome, Content, Table, Words, fields, say
from assistant.commands.body import Args, Body, Option, Stream
from assistant.commands.context import CommandContext
from assistant.commands.governance.policy_views import (
    explained_blocks,
    explained_facts,
    policy_facts,
    replayed_blocks,
    replayed_facts,
    suggested_facts,
    suggested_words,
)
from assistant.commands.typed import moment, typed
from assistant.domain.errors import BadArguments, TooLarge, Unreadable
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import CompiledPolicy, PolicyContext, compiled
from assistant.domain.policy.decisions import MODEL
from assistant.domain.policy.problems import BadPolicy, Problem
from assistant.domain.policy.text import LARGEST
from assistant.domain.time.moments import say_moment
from assistant.policy_lab.explain import Explained, Otherwise, explain_call, explain_want
from assistant.policy_lab.replay import replay
from assistant.policy_lab.suggest import suggest
from assistant.policy_lab.suggestions import Suggestion

_HANDLE = re.compile(r"#?[Aa][0-9]{1,9}")
_MONTHS = timedelta(days=90)
_FILE = "A policy file, or - for standard input"


class Asker(StrEnum):
    """Who asks for a call."""

    MODEL = "model"
    OWNER = "owner"


class _Checked(Args):
    file: Annotated[Stream, Field(description=f"{_FILE}."), Option(file=True)]


class _Asked(Args):
    tool: str = Field(description="A tool's name, or a call such as A17.")
    args: Annotated[
        list[str],
        Field(description="Its arguments: a JSON object, or name=value for each."),
        Option(positional=True),
    ] = Field(default_factory=list)
    tainted: bool = Field(default=False, description="Words of others are in view.")
    mode: Mode | None = Field(None, description="As if this were the mode.")
    policy: Annotated[
        Stream | None,
        Field(description="Under this file, or - for standard input."),
        Option(name="--policy", file=True),
    ] = None
    by: Annotated[Asker, Field(description="Who asks for it."), Option(name="--actor")] = (
        Asker.MODEL
    )


class _Replay(Args):
    file: Annotated[
        Stream | None,
        Field(description=f"{_FILE}; left out: the policy in force."),
        Option(file=True, positional=True),
    ] = None
    since: Annotated[
        str, Field(description="ISO date or time: calls asked for since then."), Option("--since")
    ]


class _Suggested(Args):
    since: str = Field("", description="ISO date or time; by default 90 days ago.")


class _Shown(Args):
    version: int | None = Field(None, ge=0, description="Which one; left out: the one in force.")


class _Listed(Args):
    limit: int = Field(20, ge=1, le=1000, description="How many at the most.")


def _check(ctx: CommandContext, args: _Checked) -> Answer:
    """Say what is wrong with a policy, with its line and what mends it.

    Of a sound one it says what to think about.
    """
    problems: Sequence[Problem] = ()
    warnings: Sequence[Problem] = ()
    text = _text(args.file)
    try:
        ctx.parts.read_policy(text)
        warnings = ctx.parts.advise(text)
    except BadPolicy as error:
        problems = error.problems
    wrong = ("line", "column", "where", "what is wrong", "what mends it")
    sound = (Words(text="It is sound. Think about:"), _listed(_THINK, warnings))
    return Answer(
        blocks=sound if warnings else (_listed(wrong, problems),),
        outcome=CommandOutcome.FAILED if problems else CommandOutcome.DONE,
        data=lambda: {
            "ok": not problems,
            "problems": _as_facts(problems),
            "warnings": _as_facts(warnings),
        },
    )


_THINK = ("line", "column", "where", "what it allows", "what would narrow it")


def _listed(columns: tuple[str, ...], found: Sequence[Problem]) -> Table:
    rows = ((str(one.line), str(one.column), one.where, one.words, one.fix) for one in found)
    return Table(columns=columns, rows=tuple(rows), empty="It is sound.")


def _as_facts(found: Sequence[Problem]) -> list[dict[str, Any]]:
    return [{"id": one.where, **one.model_dump(mode="json")} for one in found]


def _explain(ctx: CommandContext, args: _Asked) -> Answer:
    """What would become of a call, each layer's line in order. Nothing is done or recorded."""
    candidate = compiled(ctx.parts.read_policy(_text(args.policy))) if args.policy else None
    file = _name(args.policy) if args.policy else ""
    explained = _explained(ctx, args, _otherwise(candidate, args.mode))
    return Answer(
        blocks=tuple(block for one in explained for block in explained_blocks(one, file)),
        data=lambda: {"id": args.tool, "calls": [explained_facts(one, file) for one in explained]},
    )


def _explained(ctx: CommandContext, args: _Asked, otherwise: Otherwise) -> list[Explained]:
    named = ctx.parts.toolbox.get(args.tool)
    if _HANDLE.fullmatch(args.tool) and named is None:
        if args.args or args.tainted or args.by is not Asker.MODEL:
            raise BadArguments(f"{args.tool} is judged as it was asked for: take the rest away")
        return [explain_call(args.tool, cause=ctx.cause, ctx=ctx.flows, otherwise=otherwise)]
    parameters = named.schema.parameters if named else {}
    own = args.by is Asker.OWNER
    return explain_want(
        args.tool,
        typed(args.args, parameters, zone=ctx.zone),
        actor=f"owner:{ctx.by}" if own else MODEL,
        tainted=args.tainted,
        channel=ctx.conversations,
        cause=ctx.cause,
        ctx=ctx.flows,
        otherwise=otherwise,
    )


def _replay(ctx: CommandContext, args: _Replay) -> Answer:
    """Judge recorded calls again, and list every decision that would be another one."""
    found = replay(
        moment(args.since, zone=ctx.zone),
        policy=compiled(ctx.parts.read_policy(_text(args.file))) if args.file else None,
        cause=ctx.cause,
        store=ctx.store,
        ctx=ctx.flows,
    )
    return Answer(blocks=replayed_blocks(found, ctx.zone), data=lambda: replayed_facts(found))


def _suggest(ctx: CommandContext, args: _Suggested) -> Answer:
    """What was always said yes to, with the rule or grant that would have spared the questions."""
    since = moment(args.since, zone=ctx.zone) if args.since else ctx.now() - _MONTHS
    found = suggest(since, cause=ctx.cause, store=ctx.store, ctx=ctx.flows)
    told = [(one, _rule(ctx, one)) for one in found]
    if not found:
        return say("Nothing was approved often enough, unchanged, and never refused.", data=list)
    return Answer(
        blocks=tuple(Words(text=suggested_words(one, rule, ctx.zone)) for one, rule in told),
        data=lambda: [suggested_facts(one, rule) for one, rule in told],
    )


def _rule(ctx: CommandContext, one: Suggestion) -> str:
    return ctx.parts.write_rule(one.rule) if one.rule else ""


def _show(ctx: CommandContext, args: _Shown) -> Answer:
    """A policy as it was written."""
    with ctx.read() as tx:
        newest = tx.policy()
        found = newest if args.version is None else tx.policy_version(args.version)
    told = fields(
        {
            "Version": f"{found.version}{', in force' if found == newest else ''}",
            "Since": say_moment(found.at, ctx.zone) if found.at else "",
            "By": found.by,
        }
    )
    text = found.text or "# There is no policy of yours: the tools' own words stand.\n"
    return Answer(
        blocks=(told, Content(chunks=(text.encode(),))),
        data=lambda: {**policy_facts(found, newest), "text": found.text},
    )


def _history(ctx: CommandContext, args: _Listed) -> Answer:
    """The policies there have been, the newest first."""
    with ctx.read() as tx:
        newest = tx.policy()
        numbers = range(newest.version, max(0, newest.version - args.limit), -1)
        found = [tx.policy_version(number) for number in numbers]
    rows = tuple(
        (
            str(one.version),
            say_moment(one.at, ctx.zone) if one.at else "",
            one.by,
            one.digest[:12],
            "in force" if one == newest else "",
        )
        for one in found
    )
    empty = "There was none: the tools' own words stand."
    table = Table(columns=("id", "since", "by", "sha256", ""), rows=rows, empty=empty)
    return Answer(blocks=(table,), data=lambda: [policy_facts(one, newest) for one in found])


# What is given


def _text(file: IO[bytes]) -> str:
    """Raises ``Unreadable`` or ``TooLarge``."""
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise TooLarge(f"a policy has {LARGEST} bytes at the most")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"{_name(file)} is not UTF-8") from error


def _name(file: IO[bytes]) -> str:
    """As it was given: ``-`` for standard input."""
    name = getattr(file, "name", "-")
    return name if isinstance(name, str) and name != "<stdin>" else "-"


def _otherwise(policy: CompiledPolicy | None, mode: Mode | None) -> Otherwise:
    def otherwise(policy_context: PolicyContext) -> PolicyContext:
        return replace(
            policy_context, policy=policy or policy_context.policy, mode=mode or policy_context.mode
        )

    return otherwise


CHECK = Body(args=_Checked, run=_check)
EXPLAIN = Body(args=_Asked, run=_explain)
REPLAY = Body(args=_Replay, run=_replay)
SUGGEST = Body(args=_Suggested, run=_suggest)
SHOW = Body(args=_Shown, run=_show)
HISTORY = Body(args=_Listed, run=_history)
