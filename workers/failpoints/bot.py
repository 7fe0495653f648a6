"""The Discord bot's desk and callbacks with places in them. See ``places``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.adapters.discord.api import File, Json
from assistant.adapters.discord.callbacks import Callbacks
from workers.discord import desk as desks
from workers.discord.desk import Desk
from workers.discord.interaction import Interaction, Reply
from workers.discord.said import Heard, Said
from workers.failpoints.places import at_hand, hit

if TYPE_CHECKING:
    from workers.parts import Assistant


class FailpointDesk(Desk):
    """A desk with places around what it hears and answers."""

    def answer(self, it: Interaction) -> Reply:
        with at_hand(it.kind.name.lower()):
            hit("bot.heard")
            reply = super().answer(it)
            hit("bot.answered")
            return reply

    def hear(self, said: Said) -> Heard:
        with at_hand("words"):
            hit("bot.heard")
            heard = super().hear(said)
            hit("bot.answered")
            return heard


class FailpointCallbacks(Callbacks):
    """Callbacks with a place before an interaction is answered."""

    async def answer(self, id: str, token: str, payload: Json, files: Sequence[File] = ()) -> None:
        hit("bot.before_callback")
        await super().answer(id, token, payload, files)


def make_desk(assistant: "Assistant") -> FailpointDesk:
    return FailpointDesk(**vars(desks.make_desk(assistant)))
