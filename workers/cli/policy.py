"""``assistant policy``: is it sound, what does it say to a call, and what would another one say."""

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.typed import arguments, moment, typed
from assistant.domain.decisions import MODEL
from assistant.domain.errors import BadArguments, NotFound, TooLarge, Unreadable
from assistant.domain.modes import Mode
from assistant.domain.moments import say_moment
from assistant.domain.policies import LARGEST
from assistant.domain.policy import CompiledPolicy, Policy, Standing, compiled
from assistant.domain.problems import BadPolicy, Problem
from assistant.flows.explaining import Otherwise, explain_call, explain_want
from assistant.flows.replaying import replay
from assistant.flows.suggesting import suggest
from workers.cli.output import (
    EXIT_FAILED,
    AsJson,
    print_fields,
    print_json,
    print_table,
    printable,
)
from workers.cli.policy_views import (
    explained_facts,
    policy_facts,
    print_explained,
    print_replayed,
    print_suggested,
    replayed_facts,
    suggested_facts,
)
from workers.cli.session import Data, Session, actor, existing, settings_for
from workers.policy_file import read_text, reader

app = typer.Typer(no_args_is_help=True)

_HANDLE = re.compile(r"#?[Aa][0-9]{1,9}")
_MONTHS = timedelta(days=90)
_FILE = "A policy file, or - for standard input"


class Asker(StrEnum):
    """Who asks for a call."""

    MODEL = "model"
    OWNER = "owner"


@app.command()
def check(
    file: Annotated[str, typer.Argument(help=f"{_FILE}.")],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Say what is wrong with a policy, with its line and what mends it. Needs no database."""
    text = _text(file)
    problems: Sequence[Problem] = ()
    opened = Session(settings_for(data))  # not opened: only what tools declare is asked for
    try:
        _read(text, opened)
    except BadPolicy as error:
        problems = error.problems
    finally:
        opened.assistant.close()
    if as_json:
        facts = [{"id": one.where, **one.model_dump(mode="json")} for one in problems]
        print_json({"ok": not problems, "problems": facts})
    else:
        rows = [(str(one.line), str(one.column), one.where, one.words, one.fix) for one in problems]
        columns = ("line", "column", "where", "what is wrong", "what mends it")
        print_table(columns, rows, empty="It is sound.")
    if problems:
        raise typer.Exit(EXIT_FAILED)


@app.command()
def explain(
    tool: Annotated[str, typer.Argument(help="A tool's name, or a call such as A17.")],
    args: Annotated[
        list[str] | None,
        typer.Argument(help="Its arguments: a JSON object, or name=value for each."),
    ] = None,
    *,
    tainted: Annotated[
        bool, typer.Option("--tainted", help="Words of others are in view.")
    ] = False,
    mode: Annotated[Mode | None, typer.Option(help="As if the house were in this mode.")] = None,
    policy: Annotated[
        str, typer.Option("--policy", help="Under this file, or - for standard input.")
    ] = "",
    by: Annotated[Asker, typer.Option("--actor", help="Who asks for it.")] = Asker.MODEL,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What would become of a call, each layer's line in order. Nothing is done or recorded."""
    text = _text(policy) if policy else ""
    with existing(data) as opened:
        candidate = compiled(_read(text, opened)) if policy else None
        ctx, otherwise = opened.assistant.ctx, _otherwise(candidate, mode)
        cause = opened.assistant.cause()
        if _HANDLE.fullmatch(tool) and ctx.toolbox.get(tool) is None:
            if args or tainted or by is not Asker.MODEL:
                raise BadArguments(f"{tool} is judged as it was asked for: take the rest away")
            explained = [explain_call(tool, cause=cause, ctx=ctx, otherwise=otherwise)]
        else:
            named = ctx.toolbox.get(tool)
            parameters = named.schema.parameters if named else {}
            own, words = by is Asker.OWNER, args or []
            zone = opened.settings.timezone
            explained = explain_want(
                tool,
                typed(words, parameters, zone=zone) if own else arguments(words, parameters),
                actor=f"owner:{actor()}" if own else MODEL,
                tainted=tainted,
                channel=opened.assistant.screen.name,
                cause=cause,
                ctx=ctx,
                otherwise=otherwise,
            )
    if as_json:
        found = [explained_facts(one, policy) for one in explained]
        print_json({"id": tool, "calls": found})
        return
    for one in explained:
        print_explained(one, policy)


@app.command("replay")
def replay_(
    file: Annotated[str, typer.Argument(help=f"{_FILE}; left out: the policy in force.")] = "",
    *,
    since: Annotated[str, typer.Option(help="ISO date or time: calls asked for since then.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Judge recorded calls again, and list every decision that would be another one."""
    text = _text(file) if file else ""
    with existing(data) as opened:
        found = replay(
            moment(since, zone=opened.settings.timezone),
            policy=compiled(_read(text, opened)) if file else None,
            cause=opened.assistant.cause(),
            store=opened.assistant.store,
            ctx=opened.assistant.ctx,
        )
        zone = opened.settings.timezone
    if as_json:
        print_json(replayed_facts(found))
    else:
        print_replayed(found, zone)


@app.command("suggest")
def suggest_(
    *,
    since: Annotated[str, typer.Option(help="ISO date or time; by default 90 days ago.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What you always said yes to, with the rule or grant that would have spared the questions."""
    with existing(data) as opened:
        now = opened.assistant.clock.now()
        found = suggest(
            moment(since, zone=opened.settings.timezone) if since else now - _MONTHS,
            cause=opened.assistant.cause(),
            store=opened.assistant.store,
            ctx=opened.assistant.ctx,
        )
        zone = opened.settings.timezone
    if as_json:
        print_json([suggested_facts(one) for one in found])
        return
    if not found:
        typer.echo("Nothing was approved often enough, unchanged, and never refused.")
    for one in found:
        print_suggested(one, zone)


@app.command()
def show(
    *,
    version: Annotated[
        int | None, typer.Option(min=0, help="Which one; left out: the one in force.")
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """A policy as it was written."""
    with existing(data) as opened:
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            newest = tx.policy()
            found = newest if version is None else tx.policy_version(version)
        zone = opened.settings.timezone
    if as_json:
        print_json({**policy_facts(found, newest), "text": found.text})
        return
    print_fields(
        {
            "Version": f"{found.version}{', in force' if found == newest else ''}",
            "Since": say_moment(found.at, zone) if found.at else "",
            "By": found.by,
        }
    )
    empty = "# There is no policy of yours: the tools' own words stand.\n"
    sys.stdout.write(printable(found.text or empty))


@app.command()
def history(
    *,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many at the most.")] = 20,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """The policies there have been, the newest first."""
    with existing(data) as opened:
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            newest = tx.policy()
            numbers = range(newest.version, max(0, newest.version - limit), -1)
            found = [tx.policy_version(number) for number in numbers]
        zone = opened.settings.timezone
    if as_json:
        print_json([policy_facts(one, newest) for one in found])
        return
    rows = [
        (
            str(one.version),
            say_moment(one.at, zone) if one.at else "",
            one.by,
            one.digest[:12],
            "in force" if one == newest else "",
        )
        for one in found
    ]
    empty = "There was none: the tools' own words stand."
    print_table(("id", "since", "by", "sha256", ""), rows, empty=empty)


# What is given


def _text(file: str) -> str:
    """Raises ``NotFound``, ``Unreadable`` or ``TooLarge``."""
    if file != "-":
        path = Path(file)
        if not path.is_file():
            raise NotFound(f"policy file {file}")
        return read_text(path)
    data = sys.stdin.buffer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise TooLarge(f"a policy has {LARGEST} bytes at the most")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable("what came on standard input is not UTF-8") from error


def _read(text: str, opened: Session) -> Policy:
    tools = opened.assistant.toolbox.list()
    return reader({tool.name: tool.schema.parameters for tool in tools})(text)


def _otherwise(policy: CompiledPolicy | None, mode: Mode | None) -> Otherwise:
    def otherwise(standing: Standing) -> Standing:
        return replace(standing, policy=policy or standing.policy, mode=mode or standing.mode)

    return otherwise
