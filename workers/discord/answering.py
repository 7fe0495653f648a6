"""The three seconds within which an interaction is acknowledged, whatever the desk is doing."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Protocol

from assistant.adapters.discord.callbacks import CallbackAnswer, Callbacks, Expired
from assistant.adapters.discord.message import DiscordMessage
from assistant.domain.errors import AssistantError
from workers.discord.commands.words import say
from workers.discord.interaction import LATER, Interaction, Kind, Reply, Way

log = logging.getLogger(__name__)

PATIENCE = 1.5
"""Seconds the desk may take before the answer is put off; Discord waits three."""
_LONG = 8
"""Times the patience, after which whoever waits is told that it takes longer."""
BROKEN = "Something went wrong here, and I cannot tell how far it went; /pending shows what waits."
AGAIN = "That took me too long for a form. Press it again."
HANGS = "Something I need does not answer just now. What comes of this is told here, as it comes."
NO_CHOICES = Reply(way=Way.CHOICES)

Asked = asyncio.Future[Reply]
"""An answer that is still to come."""


class Answers(Protocol):
    def answer(self, it: Interaction) -> Reply: ...


class Answering:
    """Asks the desk in a thread of a pool, and says what can be said of it in time.

    Args:
        desk: who decides.
        pool: where it does.
        callbacks: how late answers are told.
        tell: writes to somebody directly, once for each key; blocking, called in the pool.
        follow: is told each conversation whose progress is to be shown.
        patience: in seconds.
    """

    def __init__(
        self,
        desk: Answers,
        *,
        pool: Executor,
        callbacks: Callbacks,
        tell: Callable[[str, DiscordMessage, str], None],
        follow: Callable[[str], None],
        patience: float = PATIENCE,
    ) -> None:
        self._desk = desk
        self._pool = pool
        self._callbacks = callbacks
        self._tell = tell
        self._follow = follow
        self._patience = patience

    async def begin(self, it: Interaction) -> tuple[Reply, Asked | None]:
        """What can be told in time; where that is only "later", the answer that is to come."""
        asked = asyncio.get_running_loop().run_in_executor(self._pool, self._answered, it)
        done, _ = await asyncio.wait({asked}, timeout=self._patience)
        if done:
            reply = asked.result()
            self._followed(reply)
            return reply, None
        if it.kind is Kind.AUTOCOMPLETE:
            asked.cancel()
            return NO_CHOICES, None
        log.info("interaction %s takes longer", it.id)
        return LATER, asked

    async def finish(self, it: Interaction, asked: Asked, *, application: str, token: str) -> None:
        """Put the answer in the place of "later", and say so where that takes long."""
        done, _ = await asyncio.wait({asked}, timeout=_LONG * self._patience)
        if not done:
            await self._say_that_it_takes_long(it, application, token)
        reply = await asked
        self._followed(reply)
        message = words_of(reply)
        if message is None:
            return
        try:
            await self._callbacks.replace(
                application, token, message.payload(edit=True), message.files
            )
        except AssistantError as error:
            await self.too_late(it, reply, error)

    async def _say_that_it_takes_long(self, it: Interaction, application: str, token: str) -> None:
        try:
            await self._callbacks.replace(
                application, token, DiscordMessage(content=HANGS).payload(edit=True)
            )
        except AssistantError as error:
            log.info("nobody is told that interaction %s takes long: %s", it.id, error)

    async def too_late(self, it: Interaction, reply: Reply, why: AssistantError) -> None:
        """Discord took no answer: what was done is told directly, if it can be."""
        log.warning("interaction %s could not be answered: %s", it.id, why)
        message = reply.message
        if message is None:  # nothing was done yet, or it was told already
            return
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._pool, self._tell, it.user, message, f"late{it.id}")
        except AssistantError as error:
            log.warning("nor could user %s be told directly: %s", it.user, error)

    def _answered(self, it: Interaction) -> Reply:
        try:
            return self._desk.answer(it)
        except Exception:  # whatever it is, whoever pressed hears of it in time
            log.exception("interaction %s", it.id)
            return NO_CHOICES if it.kind is Kind.AUTOCOMPLETE else say(BROKEN)

    def _followed(self, reply: Reply) -> None:
        if reply.follow:
            self._follow(reply.follow)


async def call_back(
    answering: Answering, callbacks: Callbacks, it: Interaction, *, application: str, token: str
) -> None:
    """Answer an interaction of the gateway's."""
    reply, asked = await answering.begin(it)
    files = reply.message.files if reply.message else ()
    try:
        await callbacks.answer(it.id, token, reply.payload(), files)
    except CallbackAnswer:
        log.info("interaction %s was answered by somebody else", it.id)
    except (Expired, AssistantError) as error:
        await answering.too_late(it, await asked if asked else reply, error)
    else:
        if asked:
            await answering.finish(it, asked, application=application, token=token)


def words_of(reply: Reply) -> DiscordMessage | None:
    """What a late answer can still show: a form cannot follow "later"."""
    if reply.way is Way.MODAL:
        return say(AGAIN).message
    return reply.message
