"""Take the trust from a third party's tool: its declarations can only make it stricter."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.conversation.deliveries import Line
from assistant.domain.text.fence import fence
from assistant.tools.contract.arguments import A
from assistant.tools.contract.checks import ORDER, at_least, least_risk
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import cannot_tell, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import (
    Execute,
    Inspect,
    Irreversible,
    MakeLines,
    Preview,
    Reconcile,
    Tool,
    ToolChange,
)


def guarded(tool: Tool[A], *, origin: str) -> Tool[A]:
    """Make the tool of a plugin as strict as anybody's.

    Its reach is never below what it declares, its risk never below what goes with that; nothing is
    the assistant's own; whatever it says is outside. It always has a card with every argument, or
    with a count of those under its details, and an effect keyed by the call.

    Args:
        tool: what was offered.
        origin: the package and its version, so that an approval covers no other one.
    """
    reach_by = _no_milder_reach(tool)
    preview = tool.preview or Preview(card=lambda _facts, _zone: ())
    return replace(
        tool,
        traits=replace(tool.traits, version=f"{origin} {tool.version}".strip()),
        reach_by=reach_by,
        risk=_no_lower_risk(tool, reach_by),
        inspect=_disowned(tool.inspect),
        execute=_outside(tool.execute, tool.name),
        preview=replace(preview, card=_with_every_argument(preview.card), glance=None),
        change=_change(tool),
        source=tool.source or (lambda _facts: f"tool {tool.name}"),
        quick=False,
    )


def _change(tool: Tool[Any]) -> ToolChange | None:
    if tool.change is not None:
        return replace(tool.change, reconcile=_outside_if_any(tool.change.reconcile, tool.name))
    if tool.reach is Reach.READS:
        return None
    return ToolChange(
        effect=keyed_effect(f"tool.{tool.name}", lambda _facts, call: call),
        reconcile=cannot_tell,
        inverse=Irreversible("the plugin does not say what would take it back"),
    )


def _no_milder_reach(tool: Tool[Any]) -> Callable[[Facts], Reach]:
    def reach_by(facts: Facts) -> Reach:
        try:
            return max(tool.reach, Reach(tool.reach_of(facts)), key=ORDER.index)
        except Exception:  # noqa: BLE001 (of a stranger's code, anything)
            return max(tool.reach, Reach.EXECUTES, key=ORDER.index)

    return reach_by


def _no_lower_risk(tool: Tool[Any], reach_by: Callable[[Facts], Reach]) -> Callable[[Facts], Risk]:
    def risk(facts: Facts) -> Risk:
        try:
            return at_least(Risk(tool.risk(facts)), least_risk(reach_by(facts)))
        except Exception:  # noqa: BLE001 (of a stranger's code, anything)
            return Risk.HIGH

    return risk


def _disowned(inspect: Inspect[A]) -> Inspect[A]:
    def disowned(args: A, context: ToolContext) -> Sequence[Facts]:
        return [facts.model_copy(update={"own": False}) for facts in inspect(args, context)]

    return disowned


def _outside(execute: Execute, name: str) -> Execute:
    def fenced(facts: Facts, context: ToolContext) -> Result:
        return _fenced(execute(facts, context), name)

    return fenced


def _outside_if_any(reconcile: Reconcile, name: str) -> Reconcile:
    def fenced(facts: Facts, context: ToolContext) -> Result | None:
        result = reconcile(facts, context)
        return _fenced(result, name) if result else None

    return fenced


def _fenced(result: Result, name: str) -> Result:
    text = fence(result.text, source=f"tool {name}")
    return result.model_copy(update={"text": text, "outside": True})


def _with_every_argument(card: MakeLines) -> MakeLines:
    def whole(facts: Facts, zone: str) -> tuple[Line, ...]:
        every = (Line(label=name, value=str(value)) for name, value in facts.args.items())
        return (*card(facts, zone), *every)

    return whole
