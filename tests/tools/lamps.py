"""A whole changing tool: card, effect, reconciliation and undo, from public imports alone."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.tools import (
    Confirmation,
    Facts,
    Inverse,
    Line,
    NotFound,
    Reach,
    Result,
    Risk,
    Scopes,
    Stale,
    Tool,
    ToolContext,
    change_tool,
    keyed_effect,
)

LAMPS = Scopes(apps=("lamp",))
SAID = {True: "on", False: "off"}


class SwitchLamp(BaseModel):
    """Switch a lamp on or off."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"lamp": "hall", "on": True}]}
    )
    lamp: str
    on: bool


class Switched(BaseModel):
    lamp: str
    on: bool


@dataclass
class Lamp:
    on: bool = False
    switches: list[str] = field(default_factory=list)
    """The calls that switched it."""

    @property
    def version(self) -> str:
        return str(len(self.switches))


def lamp_tool(lamps: dict[str, Lamp], scopes: Scopes = LAMPS) -> Tool[Any]:
    def inspect(args: SwitchLamp, _context: ToolContext) -> list[Facts]:
        if args.lamp not in lamps:
            raise NotFound(f"the lamp {args.lamp}; there are {', '.join(lamps)}")
        lamp = lamps[args.lamp]
        return [
            Facts(
                args=args.model_dump(),
                destination="the house",
                state={args.lamp: lamp.version},
                before={"on": lamp.on},
                locations=(f"lamp:{args.lamp}",),
            )
        ]

    def execute(facts: Facts, context: ToolContext) -> Result:
        name, lamp = facts.args["lamp"], lamps[facts.args["lamp"]]
        if lamp.version != facts.state[name]:
            raise Stale(f"somebody switched the lamp {name}")
        lamp.on = facts.args["on"]
        lamp.switches.append(context.call)
        return switched(facts)

    def switched(facts: Facts) -> Result:
        name = facts.args["lamp"]
        words = f"The lamp {name} is {SAID[facts.args['on']]}"
        after = {"state": {name: str(int(facts.state[name]) + 1)}}
        return Result(text=words, told=words, data=facts.args, after=after)

    def reconcile(facts: Facts, context: ToolContext) -> Result | None:
        lamp = lamps[facts.args["lamp"]]
        return switched(facts) if context.call in lamp.switches else None

    def inverse(facts: Facts, _context: ToolContext) -> Inverse:
        name, on = facts.args["lamp"], facts.before["on"]
        words = f"Switch the lamp {name} {SAID[on]} again"
        return Inverse(tool="switch_lamp", args={"lamp": name, "on": on}, words=words)

    return change_tool(
        "switch_lamp",
        title="Switch a lamp",
        args=SwitchLamp,
        result=Switched,
        scopes=scopes,
        reach=Reach.WRITES,
        risk=Risk.MEDIUM,
        confirmation=Confirmation.ALWAYS,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("lamp.switch", lambda _facts, call: call),
        reconcile=reconcile,
        inverse=inverse,
        card=card,
        expires_at=None,
    )


def card(facts: Facts, _zone: str) -> tuple[Line, ...]:
    return (
        Line(label="Lamp", value=facts.args["lamp"]),
        Line(label="Now", value=SAID[facts.before["on"]]),
        Line(label="Then", value=SAID[facts.args["on"]]),
    )
