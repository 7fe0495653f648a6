"""What the model may ask for, and what each tool declares."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, Table, fields
from assistant.commands.body import Args, Body, Option
from assistant.commands.context import CommandContext
from assistant.domain.calls.states import EXECUTED
from assistant.domain.errors import NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import Group
from assistant.tools.contract.latency import Latency, latencies
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import function

NEWEST = 1_000
"""Calls that the latency of the tools is taken from."""

_OPENAI = "Print the function format of OpenAI's chat API."


class _Listed(Args):
    group: Group | None = Field(None, description="Only tools of this group.")
    category: str | None = Field(None, description="Only tools of this category.")
    mode: Mode | None = Field(None, description="Only tools allowed in this mode.")
    openai: Annotated[bool, Field(description=_OPENAI), Option(json=True)] = False


class _OneTool(Args):
    name: str = Field(description="Such as create_event.")
    openai: Annotated[bool, Field(description=_OPENAI), Option(json=True)] = False


def _list(ctx: CommandContext, args: _Listed) -> Answer:
    tools = ctx.parts.toolbox.list(group=args.group, category=args.category, mode=args.mode)
    took = _latencies(ctx)
    rows = tuple(
        (
            tool.name,
            tool.traits.group,
            tool.traits.category,
            tool.reach,
            _seconds(took[tool.name].median) if tool.name in took else "",
            tool.display_name,
        )
        for tool in tools
    )
    columns = ("name", "group", "category", "reach", "median", "what it does")
    return Answer(
        blocks=(Table(columns=columns, rows=rows, empty="No such tools."),),
        data=lambda: [_data(args, tool, took.get(tool.name)) for tool in tools],
    )


def _show(ctx: CommandContext, args: _OneTool) -> Answer:
    tool = ctx.parts.toolbox.get(args.name)
    if tool is None:
        raise NotFound(f"tool {args.name}; `assistant tools list` names them")
    took = _latencies(ctx).get(tool.name)
    declared = {**_declared(tool), "Latency": _latency(took), **_takes(tool)}
    told = fields({tool.name: tool.display_name, **declared})
    return Answer(blocks=(told,), data=lambda: _data(args, tool, took))


def _data(args: _Listed | _OneTool, tool: Tool[Any], took: Latency | None) -> dict[str, Any]:
    return dict(function(tool.schema)) if args.openai else _facts(tool, took)


def _latencies(ctx: CommandContext) -> Mapping[str, Latency]:
    """The latency of each tool's executions among the owner's newest calls."""
    with ctx.read() as tx:
        return latencies(tx.calls(states=EXECUTED, limit=NEWEST))


def _latency(took: Latency | None) -> str:
    if took is None:
        return ""
    runs = f"{took.runs} run{'' if took.runs == 1 else 's'}"
    return f"median {_seconds(took.median)}, slowest {_seconds(took.slowest)}, of {runs}"


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _declared(tool: Tool[Any]) -> dict[str, str]:
    traits = tool.traits
    scopes = (*tool.scopes.paths, *tool.scopes.apps, *tool.scopes.network)
    return {
        "Description": tool.schema.description,
        "Version": tool.version,
        "Group": tool.traits.group,
        "Category": tool.traits.category,
        "Reach": tool.reach,
        "Confirmation": f"{traits.confirmation}{', enforced' if traits.enforced else ''}",
        "Scopes": ", ".join(scopes),
        "Modes": ", ".join(_modes(tool)),
        "Time-out": f"{tool.timeout:g} s",
        "An hour": f"{traits.rate_per_hour} calls" if traits.rate_per_hour else "",
        "Sandbox": "needed, and there is none: every call is refused" if tool.sandbox else "",
        "Remembers": "yes" if traits.remembers else "",
        "Undo": "yes" if tool.undoable else "",
    }


def _takes(tool: Tool[Any]) -> dict[str, str]:
    fields = tool.schema.parameters.get("properties", {})
    required = tool.schema.parameters.get("required", [])
    lines = [
        f"{name}{'' if name in required else ' (optional)'}"
        f"{': ' + about['description'] if 'description' in about else ''}"
        for name, about in fields.items()
    ]
    return {"Takes": "\n".join(lines)}


def _facts(tool: Tool[Any], took: Latency | None) -> dict[str, Any]:
    traits = tool.traits
    return {
        "id": tool.name,
        "title": tool.display_name,
        "description": tool.schema.description,
        "version": tool.version,
        "group": traits.group.value,
        "category": str(traits.category),
        "reach": tool.reach.value,
        "confirmation": traits.confirmation.value,
        "enforced": traits.enforced,
        "scopes": {
            "paths": list(tool.scopes.paths),
            "apps": list(tool.scopes.apps),
            "network": list(tool.scopes.network),
        },
        "modes": _modes(tool),
        "timeout": tool.timeout,
        "rate_per_hour": traits.rate_per_hour,
        "sandbox": tool.sandbox,
        "remembers": traits.remembers,
        "undo": tool.undoable,
        "free_args": list(traits.free_args),
        "made_args": list(traits.made_args),
        "parameters": tool.schema.parameters,
        "result": tool.result.model_json_schema(),
        "latency": {"runs": took.runs, "median": took.median, "slowest": took.slowest}
        if took
        else None,
    }


def _modes(tool: Tool[Any]) -> list[str]:
    return [mode.value for mode in Mode if mode in tool.traits.allowed_modes]


LIST = Body(args=_Listed, run=_list)
SHOW = Body(args=_OneTool, run=_show)
