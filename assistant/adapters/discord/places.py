"""Places on Discord, as deliveries and conversations name them."""

import re
from dataclasses import dataclass

from assistant.domain.errors import BadArguments

HOME = "home"
"""The place for mail and notices, which belong to no conversation."""


@dataclass(frozen=True)
class Direct:
    """The direct messages with a person."""

    user: str
    """The person's id; empty for the owner."""


@dataclass(frozen=True)
class Room:
    """A channel of a server, or a thread that exists."""

    channel: str


@dataclass(frozen=True)
class Thread:
    """A thread on a message, with the message's id. It may not exist yet."""

    parent: str
    id: str


Place = Direct | Room | Thread

_PLACE = re.compile(
    r"dm:(?P<user>[0-9]{1,20})|channel:(?P<channel>[0-9]{1,20})"
    r"|thread:(?P<parent>[0-9]{1,20})/(?P<thread>[0-9]{1,20})"
)


def parse_place(text: str, *, notices: str = "") -> Place:
    """Parse ``home``, ``dm:<user>``, ``channel:<channel>`` or ``thread:<channel>/<message>``.

    Args:
        text: the place, as a delivery stores it.
        notices: the channel of ``home``; empty for the owner's direct messages.

    Raises:
        BadArguments: the text is no such place.
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
