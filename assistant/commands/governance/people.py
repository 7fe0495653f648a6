"""Whom the assistant listens to on Discord."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from pydantic import Field

from assistant.commands.answer import Answer, Outcome, Table, say
from assistant.commands.body import Args, Body, Nothing
from assistant.commands.context import Context
from assistant.domain.errors import Denied, NotFound
from assistant.domain.moments import say_moment
from assistant.flows.people import FRESH, forget, make_code, pair


class _OnePerson(Args):
    id: str = Field(description="As `people list` has it.")


class _Paired(Args):
    code: str = Field(description="What `assistant pair` printed.")


def _pair(ctx: Context, args: _Paired) -> Answer:
    """Give back a code. It is the one command that strangers may give."""
    people = ctx.parts.people
    id = ctx.by.removeprefix(f"{people.channel}:")
    if people.who(id):
        return say("I know you already.")
    said = pair(args.code, id=id, cause=ctx.cause, ctx=people)
    return say(said.text, outcome=Outcome.DONE if said.accepted else Outcome.DENIED)


def _code(ctx: Context, _args: Nothing) -> Answer:
    """A code that makes the one who gives it back somebody the assistant listens to."""
    ctx.parts.refuse_pairing()
    _refuse_where_named(ctx)
    people = ctx.parts.people
    code = make_code(cause=ctx.cause, ctx=people)
    until = ctx.now() + FRESH
    minutes = FRESH // timedelta(minutes=1)
    return say(
        f"/pair {code}",
        f"Give this command to the bot on Discord within {minutes} minutes. It counts once.",
        data=lambda: {"code": code, "channel": people.channel, "expires": until.isoformat()},
    )


def _list(ctx: Context, _args: Nothing) -> Answer:
    found = _people(ctx)
    rows = tuple(
        (one["id"], one["by"], say_moment(one["at"], ctx.zone) if one["at"] else "")
        for one in found
    )
    empty = "Nobody yet: `assistant pair` makes a code."
    table = Table(columns=("id", "by", "since"), rows=rows, empty=empty)
    return Answer(blocks=(table,), data=lambda: found)


def _forget(ctx: Context, args: _OnePerson) -> Answer:
    _refuse_where_named(ctx)
    if not forget(args.id, by=ctx.by, cause=ctx.cause, ctx=ctx.parts.people):
        raise NotFound(f"person {args.id}")
    return say(
        f"{args.id} is not listened to any more.",
        data=lambda: {"id": args.id, "forgotten": True},
    )


def _people(ctx: Context) -> list[dict[str, Any]]:
    """Those whom the settings name, or those who are paired."""
    people = ctx.parts.people
    if people.named:
        named = sorted(people.named)
        return [{"id": id, "channel": people.channel, "by": "settings", "at": None} for id in named]
    with ctx.read() as tx:
        return [
            {"id": one.id, "channel": one.channel, "by": one.by, "at": one.at}
            for one in tx.people(people.channel)
        ]


def _refuse_where_named(ctx: Context) -> None:
    if ctx.parts.people.named:
        raise Denied(
            "ASSISTANT_DISCORD_OWNER_IDS names whom it listens to on Discord; change it there"
        )


def _known(ctx: Context, typed: str) -> Sequence[tuple[str, str]]:
    return [(one["id"], one["id"]) for one in _people(ctx) if typed in one["id"]]


PAIR = Body(args=_Paired, run=_pair)
CODE = Body(args=Nothing, run=_code)
LIST = Body(args=Nothing, run=_list)
FORGET = Body(args=_OnePerson, run=_forget, choices={"id": _known})
