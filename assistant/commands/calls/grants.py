"""The yeses that cover more than one call: what they cover, and their end."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, CommandOutcome, Table, fields, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.calls.answered import answered, came_of
from assistant.commands.calls.lookups import (
    as_card,
    asked_about,
    call_named,
    calls_waiting,
    fitting,
    look_first,
)
from assistant.commands.context import CommandContext
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Line
from assistant.domain.policy.grants import Grant
from assistant.domain.policy.grants import say as say_grant
from assistant.domain.time.moments import say_moment
from assistant.flows.approvals.similar import revoke
from assistant.flows.approvals.titles import approve_and_show_titles, show_titles


class _Listed(Args):
    every: Annotated[
        bool, Field(description="Also those that have ended."), Option(name="--all", chat=False)
    ] = False


class _Titles(Args):
    call: Annotated[
        str,
        Field(description="A read of titles that waits, to be approved with it: A17."),
        Option(positional=True),
    ] = ""


class _OneGrant(Args):
    grant: str = Field(description="Such as G3.")


def _list(ctx: CommandContext, args: _Listed) -> Answer:
    with ctx.read() as tx:
        found = list(tx.grants(ended=args.every))
    rows = tuple(
        (
            grant.handle,
            grant.tool,
            f"{grant.used}, {grant.hourly} an hour"
            if grant.hourly
            else f"{grant.used} of {grant.uses}",
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


def _show(ctx: CommandContext, args: _OneGrant) -> Answer:
    grant = _named(ctx, args.grant)
    first, *rest = say_grant(grant, ctx.zone)
    told = {
        grant.handle: first,
        "Where": "\n".join(rest),
        "Granted": f"{say_moment(grant.created, ctx.zone)} by {grant.by}",
        "State": _state(ctx, grant),
    }
    return Answer(blocks=(fields(told),), data=lambda: _facts(ctx, grant))


def _revoke(ctx: CommandContext, args: _OneGrant) -> Answer:
    said = revoke(args.grant, by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
    outcome = CommandOutcome.DONE if said.accepted else CommandOutcome.STALE

    def data() -> dict[str, Any]:
        return {**_facts(ctx, _named(ctx, args.grant)), **said.model_dump()}

    return say(said.text, outcome=outcome, data=data)


def _titles(ctx: CommandContext, args: _Titles) -> Answer:
    """Save the grant; with a call that waits, approve that one as it was shown."""
    if not args.call:
        said = show_titles(by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
        return say(said.text, data=said.model_dump)
    call = call_named(ctx, args.call)
    if first := look_first(ctx, call):
        return first
    pressed = approve_and_show_titles(
        call.id,
        by=ctx.by,
        card=ctx.shown.get(call.id, ""),
        token=ctx.token,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return answered(ctx, pressed, [call])


def _titles_preview(ctx: CommandContext, args: _Titles) -> Answer:
    """The card of the call, where one is named."""
    if not args.call:
        return Answer()
    call, _ = asked_about(ctx, args.call)
    waits = call.state is CallState.PARKED
    return Answer(blocks=(as_card(ctx, call),) if waits else ())


def _named(ctx: CommandContext, handle: str) -> Grant:
    with ctx.read() as tx:
        return tx.grant_named(handle)


def _state(ctx: CommandContext, grant: Grant) -> str:
    if grant.revoked is not None:
        return "revoked"
    if grant.used >= grant.uses:
        return "used up"
    return "expired" if ctx.now() >= grant.expires else "in force"


def _facts(ctx: CommandContext, grant: Grant) -> dict[str, Any]:
    return {
        **grant.model_dump(mode="json", exclude={"id", "number", "owner"}),
        "id": grant.handle,
        "grant": grant.id,
        "covers": list(say_grant(grant, ctx.zone)),
        "state": _state(ctx, grant),
    }


def _granted(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    with ctx.read() as tx:
        found = [
            (f"{one.handle}: {say_grant(one, ctx.zone)[0]}", one.handle) for one in tx.grants()
        ]
    return fitting(found, typed)


GRANTS = Body(args=_Listed, run=_list)
GRANT = Body(args=_OneGrant, run=_show, choices={"grant": _granted})
TITLES = Body(
    args=_Titles,
    run=_titles,
    preview=_titles_preview,
    then=came_of,
    choices={"call": calls_waiting},
)
REVOKE = Body(args=_OneGrant, run=_revoke, choices={"grant": _granted})
