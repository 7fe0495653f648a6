"""What was said to us while nobody listened: a new session of the gateway replays nothing."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from discord.utils import time_snowflake

from assistant.adapters.discord.api import DiscordApi
from assistant.domain.errors import AssistantError

log = logging.getLogger(__name__)

LONGEST = timedelta(hours=1)
"""What was said longer ago may be meant no more."""
MOST = 50
"""Channels of servers that are read, those first in which something was said last."""
_MARGIN = timedelta(minutes=1)
"""A socket may have been dead for some time before that was noticed."""


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """A channel or a thread of a server, and its newest message; 0 where there never was one."""

    guild: str
    channel: str
    newest: int


def missed(people: Sequence[str], *, since: datetime, api: DiscordApi) -> Iterator[dict[str, Any]]:
    """Direct messages as Discord's JSON, each person's oldest first.

    Some may have been heard already, and some are our own.

    Args:
        people: user ids.
        since: when we were last told things.
        api: blocks.
    """
    after = _after(since)
    for user in people:
        try:
            page = api.history(api.open_dm(user), after=str(after))
        except AssistantError as error:
            log.warning("what user %s said meanwhile cannot be read: %s", user, error)
        else:
            yield from _in_order(page)


def missed_in(
    places: Iterable[Spoken], *, since: datetime, api: DiscordApi
) -> Iterator[dict[str, Any]]:
    """The same of servers: the newest hundred messages of each channel that has some."""
    after = _after(since)
    lately = [place for place in places if place.newest > after]
    for place in sorted(lately, key=lambda place: place.newest, reverse=True)[:MOST]:
        try:
            page = api.history(place.channel, after=str(after))
        except AssistantError as error:
            # Mostly somebody else's channel, whose history is not for us.
            log.info("what was said in channel %s cannot be read: %s", place.channel, error)
        else:
            # As the gateway tells it: a message that is fetched does not say which server's it is.
            yield from ({**message, "guild_id": place.guild} for message in _in_order(page))


def _after(since: datetime) -> int:
    return time_snowflake(max(since - _MARGIN, datetime.now(UTC) - LONGEST))


def _in_order(page: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(page, key=lambda message: int(message["id"]))
