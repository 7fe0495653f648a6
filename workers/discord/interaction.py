"""What somebody did on Discord and what is answered, whichever way it came in.

The gateway and the HTTP endpoint carry the same JSON; here it becomes a value, and the answer
becomes JSON again. Reference: Discord's API documentation, "Receiving and Responding".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from assistant.adapters.discord.message import DiscordMessage
from assistant.domain.conversation.conversation import Quoted
from assistant.domain.errors import BadArguments
from workers.discord.gateway.messages import pointed_at

EPHEMERAL = 1 << 6
"""Message flag: the one who acted sees it, and nobody else."""
MARK = "a:"
"""What begins every ``custom_id`` of ours; a token follows."""


class Kind(Enum):
    """Interaction types, by Discord's numbers."""

    PING = 1
    COMMAND = 2
    PRESS = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Way(Enum):
    """Callback types, by Discord's numbers."""

    PONG = 1
    SAY = 4
    LATER = 5
    CHOICES = 8
    MODAL = 9


@dataclass(frozen=True, kw_only=True)
class Interaction:
    """One press, command, form or half-typed option."""

    id: str
    kind: Kind
    user: str
    channel: str = ""
    parent: str = ""
    """Of a thread: the channel it hangs on."""
    guild: str = ""
    private: bool = False
    """True in the direct messages of this person with the bot."""
    name: str = ""
    """A command's."""
    options: Mapping[str, Any] = field(default_factory=dict)
    focused: str = ""
    """The option that is being typed."""
    custom_id: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What a form holds."""
    message: str = ""
    """The message that was pressed on, as ``channel/message``."""
    target: str = ""
    """Of a command on a message's menu: the id of that message."""
    about: Quoted | None = None
    """What that message says, and whose it is."""

    @property
    def token(self) -> str:
        """What the button or form carries; empty where it is none of ours."""
        return self.custom_id.removeprefix(MARK) if self.custom_id.startswith(MARK) else ""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What is answered; to the one who acted alone."""

    way: Way
    message: DiscordMessage | None = None
    modal: Mapping[str, Any] | None = None
    choices: Sequence[tuple[str, str]] = ()
    """What is offered while an option is typed: how it is shown, and its value."""
    follow: str = ""
    """A conversation whose progress is to be shown from now on."""

    def payload(self) -> dict[str, Any]:
        """The callback's JSON; files travel beside it."""
        if self.way is Way.PONG:
            return {"type": self.way.value}
        if self.way is Way.MODAL:
            return {"type": self.way.value, "data": dict(self.modal or {})}
        if self.way is Way.CHOICES:
            found = [{"name": shown, "value": value} for shown, value in self.choices]
            return {"type": self.way.value, "data": {"choices": found}}
        if self.message is None:
            return {"type": self.way.value, "data": {"flags": EPHEMERAL}}
        said = self.message.payload()
        return {
            "type": self.way.value,
            "data": {**said, "flags": said.get("flags", 0) | EPHEMERAL},
        }


PONG = Reply(way=Way.PONG)
LATER = Reply(way=Way.LATER)
"""Acknowledged; the answer takes the place of "thinking" when it is there."""


def parse(raw: Mapping[str, Any]) -> Interaction:
    """The value of an interaction's JSON. Raises ``BadArguments``."""
    try:
        kind = Kind(raw["type"])
        data = raw.get("data") or {}
        user = raw.get("user") or (raw.get("member") or {}).get("user") or {}
        channel = raw.get("channel") or {}
        name, options, focused = _options(str(data.get("name", "")), data.get("options") or [])
        target = str(data.get("target_id") or "")
        pointed = ((data.get("resolved") or {}).get("messages") or {}).get(target)
        message = raw.get("message")
        return Interaction(
            id=str(raw["id"]),
            kind=kind,
            user=str(user.get("id", "")),
            channel=str(raw.get("channel_id") or channel.get("id") or ""),
            parent=_parent(channel),
            guild=str(raw.get("guild_id") or ""),
            private=raw.get("context") == _BOT_DM,
            name=name,
            options=options,
            focused=focused,
            custom_id=_custom_id(data),
            fields=dict(_fields(data.get("components") or [])),
            message=f"{message['channel_id']}/{message['id']}" if message else "",
            target=target if pointed else "",
            about=pointed_at(pointed) if pointed else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadArguments(f"that is no interaction of Discord's: {error!r}") from error


_BOT_DM = 1
_SUBCOMMAND = 1
_THREADS = frozenset({10, 11, 12})


def _custom_id(data: Mapping[str, Any]) -> str:
    """What was pressed; of a list, the one thing that was chosen from it."""
    if "values" not in data:
        return str(data.get("custom_id", ""))
    chosen = data["values"]
    return str(chosen[0]) if isinstance(chosen, list) and len(chosen) == 1 else ""


def _parent(channel: Mapping[str, Any]) -> str:
    return str(channel.get("parent_id") or "") if channel.get("type") in _THREADS else ""


def _options(name: str, given: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any], str]:
    """The command's name, with that of the subcommand; its options; the one that is typed."""
    below = [one for one in given if one.get("type") == _SUBCOMMAND]
    if len(below) == len(given) == 1:
        return _options(f"{name} {below[0]['name']}", below[0].get("options") or [])
    options = {str(one["name"]): one.get("value") for one in given}
    return name, options, next((str(one["name"]) for one in given if one.get("focused")), "")


def _fields(components: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """The inputs of a form, in rows (type 1) or under labels (type 18)."""
    found: list[tuple[str, str]] = []
    for one in components:
        inner = [*(one.get("components") or []), *filter(None, [one.get("component")])]
        if inner:
            found += _fields(inner)
        elif "custom_id" in one:
            found.append((str(one["custom_id"]), str(one.get("value") or "")))
    return found
