"""``assistant undo``: take back what calls did, by calls of their own that are judged like any."""

from typing import Annotated

import typer

from assistant.domain.call_states import HAPPENED, CallState
from assistant.domain.calls import Call
from assistant.domain.errors import BadArguments
from assistant.domain.jobs import Cause
from assistant.flows import undoing
from assistant.flows.undoing import Undoing
from workers.cli.approvals import actor, print_card
from workers.cli.arguments import past
from workers.cli.calls import facts
from workers.cli.output import (
    EXIT_DENIED,
    EXIT_FAILED,
    EXIT_STALE,
    EXIT_UNREACHABLE,
    EXIT_WAITING,
    AsJson,
    complain,
    print_json,
)
from workers.cli.session import Data, Session, existing
from workers.settings import OWNER


def undo(
    calls: Annotated[list[str] | None, typer.Argument(help="Such as A17 A18.")] = None,
    *,
    since: Annotated[
        str, typer.Option(help="All that was done since then: ISO, or how long ago (2h, 3d).")
    ] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Take back what was done. It ends with 6 while that waits for your yes, with 8 if it moved."""
    if bool(calls) == bool(since):
        raise BadArguments("name calls, such as A17, or a time with --since")
    with existing(data) as opened:
        handles = _known(opened, calls) if calls else _done_since(opened, since)
        cause = opened.assistant.cause()
        found, rested = _in_rounds(opened, handles, cause)
        found = [_now(one, opened) for one in found]
        if as_json:
            print_json([_facts(one) for one in found])
        else:
            _print(found, opened)
    if not rested:
        complain("it is still at work; `assistant calls list` tells what came of it")
        raise typer.Exit(EXIT_UNREACHABLE)
    if code := _code(found):
        raise typer.Exit(code)


def _in_rounds(opened: Session, handles: list[str], cause: Cause) -> tuple[list[Undoing], bool]:
    """What came of each; of several changes to one object the newest goes first, then the next."""
    ended: list[Undoing] = []
    while True:
        found = taken_back(opened, handles, cause)
        rested = opened.settle(cause.trace) if any(one.call for one in found) else True
        moved = [one.handle for one in found if one.stale]
        if not (moved and rested and len(moved) < len(found)):
            return [*ended, *found], rested
        ended += [one for one in found if not one.stale]
        handles = moved


def taken_back(opened: Session, handles: list[str], cause: Cause) -> list[Undoing]:
    """Ask for it, as whoever sits at the terminal."""
    return undoing.undo(
        handles,
        by=actor(),
        channel=opened.assistant.screen.name,
        place=OWNER,
        cause=cause,
        ctx=opened.assistant.ctx,
    )


def _known(opened: Session, handles: list[str]) -> list[str]:
    """The same. Raises ``NotFound`` if one of them is no call, before anything is asked for."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return [tx.call_named(handle).id for handle in handles]


def _done_since(opened: Session, since: str) -> list[str]:
    assistant = opened.assistant
    moment = past(since, zone=opened.settings.timezone, now=assistant.clock.now())
    return undoing.done_since(moment, cause=assistant.cause(), ctx=assistant.ctx)


def _now(one: Undoing, opened: Session) -> Undoing:
    """The same, its call as it is once it rests."""
    if one.call is None or not one.call.number:
        return one.model_copy(update={"call": None})
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return one.model_copy(update={"call": tx.call(one.call.id)})


def _print(found: list[Undoing], opened: Session) -> None:
    if not found:
        typer.echo("Nothing was done since then that can be taken back.")
    for one in found:
        if not one.accepted:
            complain(one.text)
        elif one.call is not None and one.call.state is CallState.PARKED:
            typer.echo(one.text)
            print_card(one.call, opened)
        elif one.call is not None:
            typer.echo(f"{one.text}: {one.call.state}. {one.call.told}")


def _code(found: list[Undoing]) -> int:
    """The worst that came of it, and 6 where something waits."""
    codes = {_code_of(one) for one in found}
    order = (EXIT_FAILED, EXIT_STALE, EXIT_DENIED, EXIT_WAITING)
    return next((code for code in order if code in codes), 0)


def _code_of(one: Undoing) -> int:
    if one.call is None:
        return EXIT_STALE if one.stale else EXIT_FAILED
    if one.call.state in HAPPENED:
        return 0
    if one.call.state is CallState.REFUSED:
        return EXIT_DENIED
    not_begun = one.call.can_become(CallState.CANCELLED)
    return EXIT_WAITING if not_begun else EXIT_FAILED


def _facts(one: Undoing) -> dict[str, object]:
    call: Call | None = one.call
    return {
        "id": one.handle,
        "accepted": one.accepted,
        "text": one.text,
        "stale": one.stale,
        "by": facts(call) if call else None,
    }
