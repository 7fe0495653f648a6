"""What people do, as the interactions it makes.

A client's own rules hold: no pressing of what is not there, not enabled or not theirs to see, no
form sent with a required field empty.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers.discord import interaction as kinds
from tests.servers.discord.interaction import Interaction
from tests.servers.discord.payloads import (
    ALL_PERMISSIONS,
    UPLOAD_LIMIT,
    channel_json,
    member_json,
    message_json,
    user_json,
)
from tests.servers.discord.state import (
    BUTTON,
    DM,
    LABEL,
    TEXT_INPUT,
    Channel,
    Json,
    Message,
    User,
    World,
    walk,
)

IN_GUILD, IN_BOT_DM, IN_PRIVATE_CHANNEL = 0, 1, 2
_SUBCOMMANDS = (1, 2)
_PYTHON_TYPES: dict[int, tuple[type, ...]] = {3: (str,), 4: (int,), 5: (bool,), 10: (int, float)}


class CannotDo(AssertionError):
    """A person has no way to do this; the words say what is there instead."""


def press(
    world: World, user: User, message: Message, name: str, values: Sequence[str] | None = None
) -> Interaction:
    """A button by its label or ``custom_id``; with ``values``, a choice from a select."""
    if message.visible_to not in ("", user.id):
        raise CannotDo(f"{user.name} does not see {message}")
    part = _button(message, name)
    data: Json = {"custom_id": part["custom_id"], "component_type": part["type"]}
    if part["type"] != BUTTON:
        data["values"] = list(values or ())
    channel = world.channels[message.channel_id]
    made = _interaction(world, user, channel, kinds.COMPONENT, data)
    made.json["message"] = message_json(world, message)
    made.source_id = message.id
    return made


def _button(message: Message, name: str) -> Json:
    seen = [(part.get("label"), part.get("custom_id")) for part in message.buttons]
    fitting = [part for part, said in zip(message.buttons, seen, strict=True) if name in said]
    if len(fitting) != 1:
        raise CannotDo(f"{len(fitting)} buttons named {name!r}; there are {seen}")
    if fitting[0].get("disabled") or "custom_id" not in fitting[0]:
        raise CannotDo(f"cannot be pressed: {fitting[0]}")
    return fitting[0]


def slash(
    world: World, user: User, channel: Channel, name: str, options: Mapping[str, Any]
) -> Interaction:
    """A registered command; a subcommand as ``"name sub"``."""
    data = _command_data(world, channel, name, options)
    return _interaction(world, user, channel, kinds.COMMAND, data)


def complete(
    world: World,
    user: User,
    channel: Channel,
    name: str,
    typing: tuple[str, Any],
    *,
    options: Mapping[str, Any],
) -> Interaction:
    """While ``typing`` (an option and its text so far); required options may still be missing."""
    focused, typed = typing
    data = _command_data(world, channel, name, {**options, focused: typed}, focused=focused)
    return _interaction(world, user, channel, kinds.AUTOCOMPLETE, data)


def _command_data(
    world: World, channel: Channel, name: str, given: Mapping[str, Any], *, focused: str = ""
) -> Json:
    first, *rest = name.split()
    command = _named(world.commands, first, "command")
    _check_context(command, _context(channel))
    path, inner = [], command
    for step in rest:
        inner = _named(inner.get("options") or [], step, "subcommand")
        path.append(inner)
    options = _options(inner, given, focused)
    for sub in reversed(path):
        options = [{"type": sub["type"], "name": sub["name"], "options": options}]
    data = {"id": command["id"], "name": command["name"], "type": 1}
    return {**data, "options": options}


def _named(declared: Sequence[Json], name: str, what: str) -> Json:
    for one in declared:
        if one["name"] == name:
            return one
    raise CannotDo(f"no {what} {name!r}; there are {[one['name'] for one in declared]}")


def _check_context(command: Json, context: int) -> None:
    contexts = command.get("contexts")
    if contexts is not None and context not in contexts:
        raise CannotDo(f"/{command['name']} is offered in contexts {contexts}, not in {context}")


def _options(command: Json, given: Mapping[str, Any], focused: str) -> list[Json]:
    declared = command.get("options") or []
    if any(option["type"] in _SUBCOMMANDS for option in declared):
        raise CannotDo(f"{command['name']} is only called with one of its subcommands")
    missing = {o["name"] for o in declared if o.get("required")} - set(given)
    if missing and not focused:
        raise CannotDo(f"/{command['name']} needs {missing}")
    return [_option(_named(declared, name, "option"), given[name], focused) for name in given]


def _option(declared: Json, value: Any, focused: str) -> Json:
    option: Json = {"name": declared["name"], "type": declared["type"], "value": value}
    if declared["name"] == focused:
        if not declared.get("autocomplete"):
            raise CannotDo(f"{focused} is not completed: {declared}")
        return {**option, "focused": True}
    types = _PYTHON_TYPES.get(declared["type"], (str,))
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise CannotDo(f"{declared['name']} does not take {value!r}")
    choices = [choice["value"] for choice in declared.get("choices") or []]
    if choices and value not in choices:
        raise CannotDo(f"{declared['name']} is one of {choices}, not {value!r}")
    return option


def submit(world: World, opened: Interaction, fields: Mapping[str, str]) -> Interaction:
    """The modal that ``opened`` was answered with.

    ``fields`` by label or ``custom_id``; the others keep what they were filled with.
    """
    modal = opened.modal
    if modal is None:
        raise CannotDo(f"no modal was opened: {opened.seen()}")
    inputs = _inputs(modal)
    names = {name for pair in inputs for name in pair[:2]}
    if unknown := set(fields) - names:
        raise CannotDo(f"no fields {unknown}; there are {[pair[:2] for pair in inputs]}")
    values = {
        id: _typed(part, fields.get(label, fields.get(id, part.get("value") or "")))
        for label, id, part in inputs
    }
    data = {
        "custom_id": modal["custom_id"],
        "components": [_filled(row, values) for row in modal["components"]],
    }
    channel = world.channels[opened.channel_id]
    made = _interaction(world, opened.user, channel, kinds.MODAL, data)
    if opened.source_id in world.messages:
        made.json["message"] = message_json(world, world.messages[opened.source_id])
        made.source_id = opened.source_id
    return made


def _inputs(modal: Json) -> list[tuple[str, str, Json]]:
    """Label, ``custom_id`` and component of each text input."""
    found = []
    for row in modal["components"]:
        for part in walk([row]):
            if part["type"] == TEXT_INPUT:
                label = row["label"] if row["type"] == LABEL else part.get("label", "")
                found.append((label, part["custom_id"], part))
    return found


def _typed(part: Json, value: str) -> str:
    needed = part.get("required", True)
    least, most = part.get("min_length") or 0, part.get("max_length") or 4000
    if (needed and not value) or len(value) > most or (value and len(value) < least):
        raise CannotDo(f"{part} does not take {value!r}")
    return value


def _filled(part: Json, values: Mapping[str, str]) -> Json:
    if part["type"] == TEXT_INPUT:
        id = part["custom_id"]
        return {"type": TEXT_INPUT, "id": 1, "custom_id": id, "value": values[id]}
    if part["type"] == LABEL:
        return {"type": LABEL, "id": 1, "component": _filled(part["component"], values)}
    inner = [_filled(one, values) for one in part.get("components", [])]
    return {"type": part["type"], "id": 1, "components": inner}


def ping(world: World, user: User, channel: Channel) -> Interaction:
    """What Discord sends an HTTP endpoint, to see whether it verifies."""
    return _interaction(world, user, channel, kinds.PING, {})


def _interaction(world: World, user: User, channel: Channel, type: int, data: Json) -> Interaction:
    body: Json = {
        "id": world.new_id(),
        "application_id": world.application_id,
        "type": type,
        "token": secrets.token_urlsafe(48),
        "version": 1,
        "channel_id": channel.id,
        "channel": {**channel_json(world, channel), "permissions": ALL_PERMISSIONS},
        "locale": "en-US",
        "app_permissions": ALL_PERMISSIONS,
        "entitlements": [],
        "entitlement_sku_ids": [],
        "attachment_size_limit": UPLOAD_LIMIT,
        "context": _context(channel),
        "authorizing_integration_owners": _owners(user, channel),
    }
    if data:
        body["data"] = data
    body |= _who(world, user, channel)
    made = Interaction(world, body, user, created=world.clock.now())
    world.interactions[made.token] = made
    return made


def _who(world: World, user: User, channel: Channel) -> Json:
    if not channel.guild_id:
        return {"user": user_json(user)}
    guild = {"id": channel.guild_id, "locale": "en-US", "features": []}
    return {
        "guild_id": channel.guild_id,
        "guild": guild,
        "guild_locale": "en-US",
        "member": member_json(world, user, within=True),
    }


def _context(channel: Channel) -> int:
    if channel.guild_id:
        return IN_GUILD
    return IN_BOT_DM if channel.type == DM and channel.bot_here else IN_PRIVATE_CHANNEL


def _owners(user: User, channel: Channel) -> Json:
    """Who installed what makes this possible: "0" a server (none: the bot's DM), "1" a user."""
    if not (channel.bot_here or user.installed):
        raise CannotDo(f"{user.name} has not installed the application, and {channel} has no bot")
    owners = {"0": channel.guild_id or "0"} if channel.bot_here else {}
    return {**owners, "1": user.id} if user.installed else owners
