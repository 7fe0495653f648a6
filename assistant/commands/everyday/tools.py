"""What the model may ask for, and what each tool declares."""

from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, Table, fields
from assistant.commands.body import Args, Body, Option
from assistant.commands.context import Context
from assistant.domain.errors import NotFound
from assistant.domain.modes import Mode
from assistant.domain.terms import Group
from assistant.tools.toolbox import Tool, function

_OPENAI = "Print the function format of OpenAI's chat API."


class Listed(Args):
    group: Group | None = Field(None, description="Only tools of this group.")
    category: str | None = Field(None, description="Only tools of this category.")
    mode: Mode | None = Field(None, description="Only tools allowed in this mode.")
    openai: Annotated[bool, Field(description=_OPENAI), Option(json=True)] = False


class OneTool(Args):
    name: str = Field(description="Such as create_event.")
    openai: Annotated[bool, Field(description=_OPENAI), Option(json=True)] = False


def _list(ctx: Context, args: Listed) -> Answer:
    tools = ctx.parts.toolbox.list(group=args.group, category=args.category, mode=args.mode)
    rows = tuple(
        (tool.name, tool.group, tool.category, tool.reach, tool.display_name) for tool in tools
    )
    columns = ("name", "group", "category", "reach", "what it does")
    told = _functions if args.openai else _facts
    return Answer(
        blocks=(Table(columns=columns, rows=rows, empty="No such tools."),),
        data=lambda: [told(tool) for tool in tools],
    )


def _show(ctx: Context, args: OneTool) -> Answer:
    tool = ctx.parts.toolbox.get(args.name)
    if tool is None:
        raise NotFound(f"tool {args.name}; `assistant tools list` names them")
    told = fields({tool.name: tool.display_name, **_declared(tool), **_takes(tool)})
    return Answer(blocks=(told,), data=lambda: (_functions if args.openai else _facts)(tool))


def _functions(tool: Tool[Any]) -> dict[str, Any]:
    return dict(function(tool.schema))


def _declared(tool: Tool[Any]) -> dict[str, str]:
    scopes = (*tool.scopes.paths, *tool.scopes.apps, *tool.scopes.network)
    return {
        "For the model": tool.schema.description,
        "Version": tool.version,
        "Group": tool.group,
        "Category": tool.category,
        "Reach": tool.reach,
        "Confirmation": f"{tool.confirmation}{', enforced' if tool.enforced else ''}",
        "Scopes": ", ".join(scopes),
        "Modes": ", ".join(_modes(tool)),
        "Time-out": f"{tool.timeout:g} s",
        "An hour": f"{tool.rate_per_hour} calls" if tool.rate_per_hour else "",
        "Sandbox": "yes" if tool.sandbox else "",
        "Remembers": "yes" if tool.remembers else "",
        "Kept for": f"{tool.cached_for:g} s" if tool.cached_for else "",
        "Undo": "yes" if tool.inverse else "",
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


def _facts(tool: Tool[Any]) -> dict[str, Any]:
    return {
        "id": tool.name,
        "title": tool.display_name,
        "description": tool.schema.description,
        "version": tool.version,
        "group": tool.group.value,
        "category": str(tool.category),
        "reach": tool.reach.value,
        "confirmation": tool.confirmation.value,
        "enforced": tool.enforced,
        "scopes": {
            "paths": list(tool.scopes.paths),
            "apps": list(tool.scopes.apps),
            "network": list(tool.scopes.network),
        },
        "modes": _modes(tool),
        "timeout": tool.timeout,
        "rate_per_hour": tool.rate_per_hour,
        "sandbox": tool.sandbox,
        "remembers": tool.remembers,
        "cached_for": tool.cached_for,
        "undo": tool.inverse is not None,
        "free_args": list(tool.free_args),
        "made_args": list(tool.made_args),
        "parameters": tool.schema.parameters,
        "result": tool.result.model_json_schema() if tool.result else None,
    }


def _modes(tool: Tool[Any]) -> list[str]:
    return [mode.value for mode in Mode if mode in tool.modes]


LIST = Body(args=Listed, run=_list)
SHOW = Body(args=OneTool, run=_show)
