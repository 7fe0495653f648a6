"""Discord is told our slash commands, by whichever process of ours comes first."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256

from discord.http import Route

from assistant.adapters.discord.api import DiscordApi
from assistant.domain.errors import AssistantError
from workers.discord.commands.registration import registration
from workers.house import House

log = logging.getLogger(__name__)

AGAIN = 30.0
"""Seconds until the next try; they double, up to an hour."""
_HOUR = 3_600.0


def register(api: DiscordApi, *, application: str, house: House | None) -> None:
    """Tell Discord our commands, unless it knows them by what the house has noted.

    Raises what ``api`` does.

    Args:
        api: blocks.
        application: its id; empty to have it asked for.
        house: notes what was told; None to tell it each time.
    """
    application = application or str(api.application()["id"])
    commands = registration()
    written = json.dumps([Route.BASE, application, commands], sort_keys=True)
    digest = sha256(written.encode()).hexdigest()
    if house and house.commands_told == digest:
        return
    api.set_commands(commands, application=application)
    log.info("Discord knows %d slash commands", len(commands))
    if house:
        house.tell_commands(digest)


async def keep_trying(try_it: Callable[[], Awaitable[None]], *, again: float = AGAIN) -> None:
    """Until Discord has taken the commands. ``try_it`` raises what says that it did not."""
    while True:
        try:
            await try_it()
        except AssistantError as error:
            log.warning(
                "Discord does not take the slash commands: %s; again in %.0f s", error, again
            )
        else:
            return
        await asyncio.sleep(again)
        again = min(2 * again, _HOUR)


def missing(api: DiscordApi) -> Sequence[str]:
    """Names of those commands of ours that Discord does not know. Raises what ``api`` does."""
    known = {command["name"] for command in api.commands()}
    return [command["name"] for command in registration() if command["name"] not in known]
