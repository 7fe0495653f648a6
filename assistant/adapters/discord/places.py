"""Where something is shown, as deliveries and conversations name it."""

import re
from dataclasses import dataclass

from assistant.domain.errors import BadArguments

HOME = "home"
"""Where the owner is told what they did not ask for just now."""


@dataclass(frozen=True)
class Direct:
    """The direct messages with a person."""

    user: str
    """Their id; empty for the owner, whoever that is."""


@dataclass(frozen=True)
class Room:
    """A channel of a server, or a thread that is known to be there."""

    channel: str


@dataclass(frozen=True)
class Thread:
    """A thread that hangs on a message and has its id. It may not be there yet."""

    parent: str
    id: str


Place = Direct | Room | Thread

_PLACE = re.compile(
    r"dm:(?P<user>[0-9]{1,20})|channel:(?P<channel>[0-9]{1,20})"
    r"|thread:(?P<parent>[0-9]{1,20})/(?P<thread>[0-9]{1,20})"
)


def parse_place(text: str, *, notices: str = "") -> Place:
    """``home``, ``dm:<user>``, ``channel:<channel>`` or ``thread:<channel>/<message>``.

    Args:
        text: as a delivery has it.
        notices: the channel that home is; empty where it is the owner's direct messages.

    Raises:
        BadArguments: it is none of these.
    """
    if text == HOME:
        return Room(notices) if notices else Direct("")
    found = _PLACE.fullmatch(text)
    if found is None:
        raise BadArguments(f"{text!r} is no place on Discord")
    if found["user"]:
        return Direct(found["user"])
    if found["channel"]:
        return Room(found["channel"])
    return Thread(found["parent"], found["thread"])
