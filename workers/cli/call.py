"""``assistant call``: the owner's own call, through the same policy as a model's."""

from difflib import get_close_matches
from typing import Annotated

import typer

from assistant.domain.call_states import HAPPENED, CallState
from assistant.domain.calls import Call
from assistant.domain.errors import NotFound
from assistant.domain.fence import unfence
from assistant.flows.asking import call_tool
from workers.cli.approvals import actor, print_card
from workers.cli.arguments import typed
from workers.cli.calls import facts
from workers.cli.output import (
    EXIT_DENIED,
    EXIT_FAILED,
    EXIT_UNREACHABLE,
    EXIT_WAITING,
    AsJson,
    complain,
    print_fields,
    print_json,
)
from workers.cli.session import Data, Session, session
from workers.settings import OWNER


def call(
    tool: Annotated[str, typer.Argument(help="Its name, as `assistant tools list` has it.")],
    args: Annotated[
        list[str] | None, typer.Argument(help="One JSON object, or name=value pairs.")
    ] = None,
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Call a tool yourself. It ends with 6 while it waits for your yes, with 5 if refused."""
    with session(data) as opened:
        calls, rested = asked(opened, tool, args or [])
        if as_json:
            print_json([{**facts(one), "result": one.result} for one in calls])
        else:
            for one in calls:
                _print(one, opened)
    if not rested:
        complain("it is still at work; `assistant calls show` tells what came of it")
    if code := code_of(calls, rested=rested):
        raise typer.Exit(code)


def asked(opened: Session, tool: str, words: list[str]) -> tuple[list[Call], bool]:
    """The calls as they are once they rest, and whether they do.

    Raises ``NotFound`` for a tool there is not, ``BadArguments`` for what no such call can take:
    then nothing was asked for.
    """
    assistant = opened.assistant
    named = assistant.toolbox.get(tool)
    if named is None:
        near = get_close_matches(tool, [one.name for one in assistant.toolbox.list()], n=1)
        hint = f"did you mean {near[0]}?" if near else "`assistant tools list` names them"
        raise NotFound(f"tool {tool}; {hint}")
    given = typed(words, named.schema.parameters, zone=opened.settings.timezone)
    named.parse(given)
    cause = assistant.cause()
    placed = call_tool(
        tool,
        given,
        by=actor(),
        channel=assistant.screen.name,
        place=OWNER,
        cause=cause,
        ctx=assistant.ctx,
    )
    rested = opened.settle(cause.trace)
    with assistant.store.read(cause) as tx:
        return [tx.call(one.id) for one in placed], rested


def code_of(calls: list[Call], *, rested: bool) -> int:
    """What a command ends with that set these calls going."""
    states = {one.state for one in calls}
    if not rested:
        return EXIT_UNREACHABLE
    if CallState.PARKED in states:
        return EXIT_WAITING
    if CallState.REFUSED in states:
        return EXIT_DENIED
    return 0 if states <= HAPPENED else EXIT_FAILED


def _print(one: Call, opened: Session) -> None:
    if one.state is CallState.PARKED:
        print_card(one, opened)
        return
    said = {one.handle: f"{one.tool}: {one.state}", "Outcome": one.told or unfence(one.result)}
    if one.told and unfence(one.result) != one.told:
        said["Result"] = unfence(one.result)
    print_fields(said)
