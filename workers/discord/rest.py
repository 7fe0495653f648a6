"""What is done by REST beside showing deliveries: a word to somebody alone, a sign of typing."""

from assistant.adapters.discord.api import DiscordApi
from assistant.adapters.discord.message import DiscordMessage
from assistant.adapters.discord.places import Direct, Room, Thread, parse_place

_NONCE = 25
"""Characters that Discord takes."""


def tell(api: DiscordApi, user: str, message: DiscordMessage, *, key: str) -> None:
    """Write to somebody directly; the same key within some minutes once, whoever does it."""
    once = {"nonce": key[:_NONCE], "enforce_nonce": True}
    api.send(api.open_dm(user), {**message.payload(), **once}, message.files)


def type_in(api: DiscordApi, place: str) -> None:
    """Show for some seconds, in a conversation's place, that an answer is being written."""
    match parse_place(place):
        case Direct(user):
            api.typing(api.open_dm(user))
        case Room(id) | Thread(_, id):
            api.typing(id)
