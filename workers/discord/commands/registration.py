"""How Discord is told the slash commands: the table of commands as its JSON.

https://docs.discord.com/developers/interactions/application-commands#application-command-object
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any

from assistant.commands.body import Body
from assistant.commands.carry_out import chat_fields, plain_kind
from assistant.commands.channel import CommandChannel
from assistant.commands.index import COMMANDS, Command, given_in

_SLASH_COMMAND, _MESSAGE_COMMAND = 1, 3
_SUBCOMMAND = 1
_TEXT, _NUMBER, _YES_NO = 3, 4, 5
_EVERYWHERE = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
"""For servers and for people; in servers, in direct messages with the bot and in group chats."""


def registration() -> list[dict[str, Any]]:
    """All of them: what is typed, and what stands on a message's menu."""
    known = given_in(CommandChannel.DISCORD)
    typed: dict[str, dict[str, Any]] = {}
    for one in known.values():
        head, _, sub = one.called(CommandChannel.DISCORD).partition(" ")
        if sub:
            told = {"type": _SLASH_COMMAND, "name": head, "description": COMMANDS[head].help}
            group = typed.setdefault(head, {**told, "options": [], **_EVERYWHERE})
            group["options"].append(_told(sub, one, _SUBCOMMAND))
        else:
            typed[head] = {**_told(head, one, _SLASH_COMMAND), **_EVERYWHERE}
    menus = [
        {"type": _MESSAGE_COMMAND, "name": one.menu, **_EVERYWHERE}
        for one in known.values()
        if one.menu
    ]
    return [*typed.values(), *menus]


def _told(name: str, command: Command, kind: int) -> dict[str, Any]:
    options = sorted(_options(command.load()), key=lambda one: not one["required"])
    return {"type": kind, "name": name, "description": command.help, "options": options}


def _options(body: Body[Any]) -> Iterator[dict[str, Any]]:
    """What a slash command takes; a yes and its word are asked for by buttons and forms."""
    for name, info, option in chat_fields(body):
        if not option.step:
            yield {
                "name": name,
                "description": info.description,
                "required": info.is_required() or option.needed,
                **_kind(plain_kind(info)),
                **({"autocomplete": True} if name in body.choices else {}),
            }


def _kind(kind: Any) -> dict[str, Any]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {
            "type": _TEXT,
            "choices": [{"name": one.value, "value": one.value} for one in kind],
        }
    return {"type": {int: _NUMBER, bool: _YES_NO}.get(kind, _TEXT)}
