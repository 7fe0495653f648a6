"""How Discord is told the slash commands: the table of commands as its JSON.

https://docs.discord.com/developers/interactions/application-commands#application-command-object
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any

from assistant.commands.body import Body
from assistant.commands.carry_out import chat_fields, plain_kind
from assistant.commands.channel import Channel
from assistant.commands.index import Command, given_in

_SLASH_COMMAND = 1
_TEXT, _NUMBER, _YES_NO = 3, 4, 5
_EVERYWHERE = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
"""For servers and for people; in servers, in direct messages with the bot and in group chats."""


def registration() -> list[dict[str, Any]]:
    """All of them."""
    return [_command(one) for one in given_in(Channel.DISCORD).values()]


def _command(command: Command) -> dict[str, Any]:
    options = sorted(_options(command.load()), key=lambda one: not one["required"])
    return {
        "type": _SLASH_COMMAND,
        "name": command.name,
        "description": command.help,
        "options": options,
        **_EVERYWHERE,
    }


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
