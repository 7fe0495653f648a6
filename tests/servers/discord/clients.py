"""discord.py itself, pointed at a loopback Discord: a bot in a thread, and REST alone."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Self, TypeVar
from unittest.mock import patch

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, MultipartParameters, Route, handle_message_parameters
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from tests.servers.discord.driver import DiscordServer
from tests.servers.discord.state import Json

T = TypeVar("T")

_new_adapter: Callable[[], AsyncWebhookAdapter] = AsyncWebhookAdapter  # untyped in discord.py
QUIET = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
PATIENCE = 30.0


@contextmanager
def pointed(server: DiscordServer) -> Iterator[None]:
    """discord.py of this process talks to ``server``."""
    gateway = yarl.URL(server.gateway_url)
    with (
        patch.object(Route, "BASE", server.api_base),
        patch.object(DiscordWebSocket, "DEFAULT_GATEWAY", gateway),
    ):
        yield


class Bot(discord.Client):
    """Runs between enter and exit; ``answer`` is what it does with an interaction.

    ``happened`` holds ready, resumed, disconnected and channels that came up; ``error`` what ended
    it before its time.
    """

    def __init__(
        self,
        server: DiscordServer,
        *,
        intents: discord.Intents = QUIET,
        heartbeat_timeout: float = 60.0,
    ) -> None:
        super().__init__(
            intents=intents, guild_ready_timeout=0.02, heartbeat_timeout=heartbeat_timeout
        )
        self.heard: list[discord.Message] = []
        self.asked: list[discord.Interaction] = []
        self.happened: list[str] = []
        self.answer: Callable[[discord.Interaction], Awaitable[object]] | None = None
        self.error: BaseException | None = None
        self._server = server
        self._thread = threading.Thread(target=self._live, name="bot")

    def begin(self) -> Self:
        self._thread.start()
        self._server.wait_until(lambda: "ready" in self.happened or self.error, what="bot")
        return self

    def end(self) -> None:
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self.close(), self.loop)
        self._thread.join(PATIENCE)

    def _live(self) -> None:
        async_context.set(_new_adapter())  # shared, two bots would wait for each other's locks
        try:
            asyncio.run(self.start(self._server.token))
        except Exception as error:  # noqa: BLE001 - told to the test
            self.error = error

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not wait 5 s before identifying anew, as discord.py does."""

    async def on_ready(self) -> None:
        self.happened.append("ready")

    async def on_resumed(self) -> None:
        self.happened.append("resumed")

    async def on_disconnect(self) -> None:
        self.happened.append("disconnected")

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        self.happened.append(f"channel {channel.name}")

    async def on_message(self, message: discord.Message) -> None:
        if message.author != self.user:
            self.heard.append(message)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.asked.append(interaction)
        if self.answer:
            await self.answer(interaction)


@contextmanager
def running(bot: Bot) -> Iterator[Bot]:
    try:
        yield bot.begin()
    finally:
        bot.end()


class Rest:
    """discord.py's HTTPClient alone, as a worker has it."""

    def __init__(self, server: DiscordServer) -> None:
        self._loop = asyncio.new_event_loop()
        self.http = HTTPClient(self._loop)
        self.do(self.http.static_login(server.token))

    def do(self, work: Awaitable[T], *, seconds: float | None = None) -> T:
        async def done() -> T:
            return await asyncio.wait_for(work, seconds)

        return self._loop.run_until_complete(done())

    def send(self, channel_id: str, **what: Any) -> Json:
        """As ``handle_message_parameters`` takes it."""
        params = handle_message_parameters(**what)
        return dict(self.do(self.http.send_message(int(channel_id), params=params)))

    def send_json(self, channel_id: str, body: Json) -> Json:
        params = MultipartParameters(payload=body, multipart=None, files=None)
        return dict(self.do(self.http.send_message(int(channel_id), params=params)))

    def edit(self, message: Json, body: Json) -> Json:
        params = MultipartParameters(payload=body, multipart=None, files=None)
        channel, id = int(message["channel_id"]), int(message["id"])
        return dict(self.do(self.http.edit_message(channel, id, params=params)))

    def page(self, channel_id: str, limit: int, **where: int) -> list[str]:
        """The contents of a page of history, as it comes."""
        found = self.do(self.http.logs_from(int(channel_id), limit, **where))
        return [message["content"] for message in found]

    def end(self) -> None:
        self.do(self.http.close())
        self._loop.close()
