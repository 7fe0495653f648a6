"""The yeses that cover more than one call: what they cover, and their end."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, Outcome, Table, fields, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.calls.lookups import fitting
from assistant.commands.context import Context
from assistant.domain.deliveries import Line
from assistant.domain.grants import Grant
from assistant.domain.grants import say as say_grant
from assistant.domain.moments import say_moment
from assistant.flows.granting import revoke


class _Listed(Args):
    every: Annotated[
        bool, Field(description="Also those that have ended."), Option(name="--all", chat=False)
    ] = False


class _OneGrant(Args):
    grant: str = Field(description="Such as G3.")


def _list(ctx: Context, args: _Listed) -> Answer:
    with ctx.read() as tx:
        found = list(tx.grants(ended=args.every))
    rows = tuple(
        (
            grant.handle,
            grant.tool,
            f"{grant.used} of {grant.uses}",
            say_moment(grant.last_used, ctx.zone) if grant.last_used else "never",
            say_moment(grant.expires, ctx.zone),
            _state(ctx, grant),
        )
        for grant in found
    )
    lines = tuple(
        Line(label=one.handle, value="\n".join(say_grant(one, ctx.zone)), at=one.expires)
        for one in found
    )
    empty = "Nothing is granted: what asks, asks each time."
    columns = ("id", "tool", "used", "last", "until", "")
    return Answer(
        blocks=(Table(columns=columns, rows=rows, lines=lines, empty=empty),),
        data=lambda: [_facts(ctx, grant) for grant in found],
    )


def _show(ctx: Context, args: _OneGrant) -> Answer:
    grant = _named(ctx, args.grant)
    first, *rest = say_grant(grant, ctx.zone)
    told = {
        grant.handle: first,
        "Where": "\n".join(rest),
        "Granted": f"{say_moment(grant.created, ctx.zone)} by {grant.by}",
        "State": _state(ctx, grant),
    }
    return Answer(blocks=(fields(told),), data=lambda: _facts(ctx, grant))


def _revoke(ctx: Context, args: _OneGrant) -> Answer:
    said = revoke(args.grant, by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
    outcome = Outcome.DONE if said.accepted else Outcome.STALE

    def data() -> dict[str, Any]:
        return {**_facts(ctx, _named(ctx, args.grant)), **said.model_dump()}

    return say(said.text, outcome=outcome, data=data)


def _named(ctx: Context, handle: str) -> Grant:
    with ctx.read() as tx:
        return tx.grant_named(handle)


def _state(ctx: Context, grant: Grant) -> str:
    if grant.revoked is not None:
        return "revoked"
    if grant.used >= grant.uses:
        return "used up"
    return "expired" if ctx.now() >= grant.expires else "in force"


def _facts(ctx: Context, grant: Grant) -> dict[str, Any]:
    return {
        **grant.model_dump(mode="json", exclude={"id", "number", "owner"}),
        "id": grant.handle,
        "grant": grant.id,
        "covers": list(say_grant(grant, ctx.zone)),
        "state": _state(ctx, grant),
    }


def _granted(ctx: Context, typed: str) -> Sequence[tuple[str, str]]:
    with ctx.read() as tx:
        found = [
            (f"{one.handle}: {say_grant(one, ctx.zone)[0]}", one.handle) for one in tx.grants()
        ]
    return fitting(found, typed)


GRANTS = Body(args=_Listed, run=_list)
GRANT = Body(args=_OneGrant, run=_show, choices={"grant": _granted})
REVOKE = Body(args=_OneGrant, run=_revoke, choices={"grant": _granted})
