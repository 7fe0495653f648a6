"""What was said to us alone while nobody listened: a new session of the gateway replays nothing."""

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from discord.utils import time_snowflake

from assistant.adapters.discord.api import DiscordApi
from assistant.domain.errors import AssistantError

log = logging.getLogger(__name__)

LONGEST = timedelta(hours=1)
"""What was said longer ago may be meant no more."""
_MARGIN = timedelta(minutes=1)
"""A socket may have been dead for some time before that was noticed."""


def missed(people: Sequence[str], *, since: datetime, api: DiscordApi) -> Iterator[dict[str, Any]]:
    """Direct messages as Discord's JSON, each person's oldest first.

    Some may have been heard already, and some are our own.

    Args:
        people: user ids.
        since: when we were last told things.
        api: blocks.
    """
    after = str(time_snowflake(max(since - _MARGIN, datetime.now(UTC) - LONGEST)))
    for user in people:
        try:
            page = api.history(api.open_dm(user), after=after)
        except AssistantError as error:
            log.warning("what user %s said meanwhile cannot be read: %s", user, error)
        else:
            yield from sorted(page, key=lambda message: int(message["id"]))
