"""Answer interactions: with a callback within three seconds, and by replacing it later.

Source: https://docs.discord.com/developers/interactions/receiving-and-responding. Answers need no
bot token: the path holds the interaction's token, which is valid for fifteen minutes.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import aiohttp
import discord
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from assistant.adapters.discord.api import File, Json, parameters, translated
from assistant.domain.errors import AlreadyThere, AssistantError, NotFound, Unreachable

_ANSWERED = 40060
_UNKNOWN_INTERACTION, _UNKNOWN_WEBHOOK, _INVALID_TOKEN = 10062, 10015, 50027
_TRIES = 3
_PAUSE = 0.2
"""Seconds before the next attempt; doubled each time."""


class CallbackAnswer(AlreadyThere):
    """This interaction has an answer already."""


class Expired(NotFound):
    """Discord accepts no more answers to this interaction."""


class Callbacks:
    """Connects at the first use; belongs to one event loop. Raises also as ``translated`` does.

    Args:
        unsettled: seconds in which Discord may not yet know the answer that is to be replaced, as
            it may have been sent by another way.
    """

    def __init__(self, *, unsettled: float = 0.0) -> None:
        self._unsettled = unsettled
        self._session: aiohttp.ClientSession | None = None
        self._own = AsyncWebhookAdapter()  # type: ignore[no-untyped-call]  # discord.py's

    async def answer(self, id: str, token: str, payload: Json, files: Sequence[File] = ()) -> None:
        """Send the callback; send it once more if Discord's response is lost.

        Args:
            id: the interaction's id.
            token: the interaction's token.
            payload: type and data.
            files: name and content of each file.

        Raises:
            Expired: the callback came too late.
            CallbackAnswer: the interaction has an answer, this one or another.
        """
        for again in range(_TRIES):
            try:
                await self._answer(id, token, payload, files)
            except Unreachable:
                if again + 1 == _TRIES:
                    raise
                await asyncio.sleep(_PAUSE * 2**again)
            except CallbackAnswer:
                if not again:
                    raise
                return  # the attempt whose response was lost has answered
            else:
                return

    async def replace(
        self, application: str, token: str, payload: Json, files: Sequence[File] = ()
    ) -> None:
        """Replace what the answer shows.

        Raises:
            Expired: more than fifteen minutes have passed, or there is no answer to edit.
        """
        now = asyncio.get_running_loop().time
        until = now() + self._unsettled
        while True:
            try:
                return await self._replace(application, token, payload, files)
            except Expired:
                if now() >= until:
                    raise
            await asyncio.sleep(_PAUSE)

    async def close(self) -> None:
        if self._session:
            await self._session.close()

    async def _replace(
        self, application: str, token: str, payload: Json, files: Sequence[File]
    ) -> None:
        with _expiring(), translated(), parameters(payload, files) as made:
            await self._adapter().edit_original_interaction_response(
                int(application),
                token,
                session=self._connected(),
                payload=made.payload,
                multipart=made.multipart,
                files=made.files,
            )

    async def _answer(self, id: str, token: str, payload: Json, files: Sequence[File]) -> None:
        with _expiring(), translated(), parameters(payload, files) as made:
            await self._adapter().create_interaction_response(
                int(id), token, session=self._connected(), params=made
            )

    def _adapter(self) -> AsyncWebhookAdapter:
        """Return an own adapter, as the shared one has locks of another event loop."""
        return async_context.get(self._own)

    def _connected(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10))
        return self._session


@contextmanager
def _expiring() -> Iterator[None]:
    """Translate the errors that only interactions have."""
    try:
        yield
    except AssistantError as error:
        refused = error.__cause__
        if not isinstance(refused, discord.HTTPException):
            raise
        if refused.code == _ANSWERED:
            raise CallbackAnswer from error
        if refused.code in (_UNKNOWN_INTERACTION, _UNKNOWN_WEBHOOK, _INVALID_TOKEN):
            raise Expired(refused.text) from error
        raise
