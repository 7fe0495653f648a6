"""``assistant calls``: what was asked for, why it was allowed, what became of it."""

from typing import Annotated, Any

import typer

from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.decisions import one_line
from assistant.domain.fence import unfence
from workers.cli.output import AsJson, print_fields, print_json, print_table
from workers.cli.session import Data, existing

app = typer.Typer(no_args_is_help=True)
_OUTCOME = 120
"""Characters of an outcome in the list; ``show`` and ``--json`` have all of it."""


@app.command("list")
def list_(
    *,
    data: Data = None,
    state: Annotated[CallState | None, typer.Option(help="Only calls in this state.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 20,
    as_json: AsJson = False,
) -> None:
    """The newest calls."""
    with existing(data) as opened:
        states = {state} if state else frozenset[CallState]()
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            calls = tx.calls(states=states, limit=limit)
        if as_json:
            print_json([facts(call) for call in calls])
            return
        rows = [
            (call.handle, one_line(call.tool, 80), call.state, one_line(_outcome(call), _OUTCOME))
            for call in calls
        ]
        print_table(("id", "tool", "state", "outcome"), rows, empty="No calls yet.")


@app.command()
def show(
    id: Annotated[str, typer.Argument(help="Such as A17.")],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """One call: its arguments, the decision's reasons, its effects and its outcome."""
    with existing(data) as opened:
        with opened.assistant.store.read(opened.assistant.cause()) as tx:
            call = tx.call_named(id)
            effects = [effect.model_dump(mode="json") for effect in tx.effects(call.id)]
        if as_json:
            print_json({**facts(call), "result": call.result, "effects": effects})
            return
        print_fields(
            {
                call.handle: call.tool,
                "State": call.state,
                "Risk": call.risk,
                "Why": "\n".join(call.reasons),
                "Arguments": "\n".join(f"{k}: {v}" for k, v in call.facts.args.items()),
                "Where": call.facts.destination,
                "Effects": "\n".join(f"{e['kind']} {e['key']}: {e['state']}" for e in effects),
                "Outcome": call.told or unfence(call.result),
                "Trace": call.trace,
            }
        )


def _outcome(call: Call) -> str:
    """What came of it in a line; of a refused call, why."""
    refused = call.state is CallState.REFUSED
    return call.told or (unfence(call.result) if refused else "")


def facts(call: Call) -> dict[str, Any]:
    return {
        "id": call.handle,
        "call": call.id,
        "tool": call.tool,
        "version": call.version,
        "arguments": call.facts.args,
        "destination": call.facts.destination,
        "risk": call.risk.value,
        "reasons": list(call.reasons),
        "tainted": call.tainted,
        "state": call.state.value,
        "outcome": _outcome(call),
        "created": call.created.isoformat() if call.created else None,
        "started": call.started.isoformat() if call.started else None,
        "ended": call.ended.isoformat() if call.ended else None,
        "trace": call.trace,
    }
