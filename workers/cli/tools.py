"""``assistant tools``: what the model may ask for, and what each tool declares."""

from typing import Annotated, Any

import typer

from assistant.domain.errors import NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import Group
from assistant.tools.toolbox import Tool, function
from workers.cli.output import AsJson, print_fields, print_json, print_table
from workers.cli.session import Data, existing

app = typer.Typer(no_args_is_help=True)

OpenAI = Annotated[
    bool, typer.Option("--openai", help="Print the function format of OpenAI's chat API.")
]


@app.command("list")
def list_(
    *,
    data: Data = None,
    group: Annotated[Group | None, typer.Option(help="Only tools of this group.")] = None,
    category: Annotated[str | None, typer.Option(help="Only tools of this category.")] = None,
    mode: Annotated[Mode | None, typer.Option(help="Only tools allowed in this mode.")] = None,
    openai: OpenAI = False,
    as_json: AsJson = False,
) -> None:
    """The tools on offer, by name."""
    with existing(data) as opened:
        tools = opened.assistant.toolbox.list(group=group, category=category, mode=mode)
    if openai:
        print_json([function(tool.schema) for tool in tools])
    elif as_json:
        print_json([_facts(tool) for tool in tools])
    else:
        rows = [
            (tool.name, tool.group, tool.category, tool.reach, tool.display_name) for tool in tools
        ]
        columns = ("name", "group", "category", "reach", "what it does")
        print_table(columns, rows, empty="No such tools.")


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Such as create_event.")],
    *,
    data: Data = None,
    openai: OpenAI = False,
    as_json: AsJson = False,
) -> None:
    """One tool: everything that it declares, and what it takes."""
    with existing(data) as opened:
        tool = opened.assistant.toolbox.get(name)
    if tool is None:
        raise NotFound(f"tool {name}; `assistant tools list` names them")
    if openai:
        print_json(function(tool.schema))
    elif as_json:
        print_json(_facts(tool))
    else:
        print_fields({tool.name: tool.display_name, **_declared(tool), **_takes(tool)})


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
