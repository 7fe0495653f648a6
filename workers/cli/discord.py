"""What ``assistant doctor`` says of Discord."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from assistant.domain.errors import AssistantError, Denied, Misconfigured
from workers.cli.session import Session
from workers.discord.refusals import refusals
from workers.settings import OWNER

if TYPE_CHECKING:
    from assistant.adapters.discord.api import DiscordApi

_WHAT_TO_DO = (
    "allow direct messages (the server's Privacy Settings on Discord, or install the bot for "
    "yourself), then write to it there: what was refused is tried again"
)
_GRANTED = 1 << 18 | 1 << 19
"""Application flags: the Message Content intent was granted, whole or for few servers:
https://docs.discord.com/developers/resources/application#application-object-application-flags."""


def checks(opened: Session) -> list[tuple[str, Callable[[], str]]]:
    """Each asks Discord something; none where no token is set."""
    if not opened.settings.on_discord:
        return []
    return [
        ("discord", partial(_token, opened)),
        ("discord intents", partial(_content, opened)),
        ("discord owner", partial(_owner, opened)),
        ("discord notices", partial(_notices, opened)),
        ("discord bot", partial(_bot, opened)),
        ("discord commands", partial(_commands, opened)),
    ]


def _token(opened: Session) -> str:
    return f"Discord knows the token as {_api(opened).me()['username']}"


def _content(opened: Session) -> str:
    if int(_api(opened).application().get("flags", 0)) & _GRANTED:
        return "the Message Content intent is granted"
    return (
        "without the Message Content intent; in servers, threads included, it reads only what "
        "mentions it, and direct messages anyway"
    )


def _owner(opened: Session) -> str:
    people = opened.assistant.listening.everybody(OWNER)
    if not people:
        raise Misconfigured("nobody is known there yet: `assistant pair` makes a code")
    for id in people:
        try:
            _api(opened).open_dm(id)
        except Denied as error:
            raise Misconfigured(f"user {id}: {error}; {_WHAT_TO_DO}") from error
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        refused = refusals(tx)
    if refused:
        raise Misconfigured("; ".join([*refused[:2], _WHAT_TO_DO]))
    return f"direct messages with {', '.join(people)} can be opened; none was refused lately"


def _notices(opened: Session) -> str:
    channel = opened.settings.discord_channel_id
    if not channel:
        return "go to the direct messages"
    _api(opened).typing(channel)
    return f"go to the channel {channel}, where it may write"


def _bot(opened: Session) -> str:
    """Wrong where `up` runs one that is not there; another machine may run it otherwise."""
    try:
        return f"on as {_lives(opened)}"
    except AssistantError:
        if opened.live and "bot" in opened.assistant.house.children:
            raise
        return "none of this house is on Discord; `assistant up` and `assistant bot` run it"


def _commands(opened: Session) -> str:
    from workers.discord.commands.registering import missing  # noqa: PLC0415 (discord.py is heavy)

    unknown = missing(_api(opened))
    if not unknown:
        return "Discord knows the slash commands"
    told = f"Discord does not know {', '.join(f'/{name}' for name in unknown)} yet"
    if _somebody_tells(opened):
        raise Misconfigured(f"{told}; the log of the bot or of the doors says why")
    return f"{told}; the bot tells it when it starts, and so do the doors with a public key"


def _somebody_tells(opened: Session) -> bool:
    """Whether a process lives that tells Discord our commands."""
    from workers.liveness import bot_lives, doors_live  # noqa: PLC0415 (heavy)

    tellers = [bot_lives, *([doors_live] if opened.settings.discord_public_key else [])]
    for lives in tellers:
        with suppress(AssistantError):
            lives(opened.settings)
            return True
    return False


def _lives(opened: Session) -> str:
    from workers.liveness import bot_lives  # noqa: PLC0415 (heavy)

    return bot_lives(opened.settings).name


def _api(opened: Session) -> "DiscordApi":
    api = opened.assistant.discord_api
    if api is None:
        raise Misconfigured("ASSISTANT_DISCORD_TOKEN is not set")
    return api
