"""The suite's own Discord is good enough for discord.py, and goes wrong as Discord does."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, TypeVar

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, MultipartParameters, handle_message_parameters

from tests.servers.discord import CannotDo, DiscordServer, User

Json = dict[str, Any]
T = TypeVar("T")

QUIET = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)


class Bot(discord.Client):
    """Runs in a thread of its own; ``answer`` is what it does with an interaction."""

    def __init__(self, server: DiscordServer, intents: discord.Intents = QUIET) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.02)
        self.heard: list[discord.Message] = []
        self.asked: list[discord.Interaction] = []
        self.happened: list[str] = []
        self.answer: Callable[[discord.Interaction], Awaitable[object]] | None = None
        self.error: BaseException | None = None
        self._server = server
        self._thread = threading.Thread(target=self._live)

    def begin(self) -> "Bot":
        self._thread.start()
        self._server.wait_until(lambda: "ready" in self.happened or self.error, what="bot")
        return self

    def end(self) -> None:
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self.close(), self.loop)
        self._thread.join(5)

    def _live(self) -> None:
        try:
            asyncio.run(self.start(self._server.token))
        except Exception as error:  # noqa: BLE001 - told to the test
            self.error = error

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

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


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[DiscordServer]:
    with DiscordServer() as running:
        monkeypatch.setattr(discord.http.Route, "BASE", running.api_base)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(running.gateway_url))
        yield running


@pytest.fixture
def owner(server: DiscordServer) -> User:
    return server.user("owner")


@pytest.fixture
def bot(server: DiscordServer) -> Iterator[Bot]:
    running = Bot(server)
    yield running.begin()
    running.end()


class Rest:
    """discord.py's HTTPClient alone, as a worker has it."""

    def __init__(self, server: DiscordServer) -> None:
        self._loop = asyncio.new_event_loop()
        self.http = HTTPClient(self._loop)
        self.do(self.http.static_login(server.token))

    def do(self, work: Awaitable[T]) -> T:
        async def done() -> T:
            return await work

        return self._loop.run_until_complete(done())

    def send(self, channel_id: str, **what: Any) -> Any:
        params = handle_message_parameters(**what)
        return self.do(self.http.send_message(int(channel_id), params=params))

    def send_json(self, channel_id: str, body: Json) -> Any:
        params = MultipartParameters(payload=body, multipart=None, files=None)
        return self.do(self.http.send_message(int(channel_id), params=params))

    def edit(self, message: Json, body: Json) -> Any:
        params = MultipartParameters(payload=body, multipart=None, files=None)
        channel, id = int(message["channel_id"]), int(message["id"])
        return self.do(self.http.edit_message(channel, id, params=params))

    def end(self) -> None:
        self.do(self.http.close())
        self._loop.close()


@pytest.fixture
def rest(server: DiscordServer) -> Iterator[Rest]:
    client = Rest(server)
    yield client
    client.end()


def row(*labels: str) -> Json:
    buttons = [
        {"type": 2, "style": 1, "label": label, "custom_id": f"a:{label}"} for label in labels
    ]
    return {"type": 1, "components": buttons}


FORM = {
    "title": "Edit",
    "custom_id": "m:1",
    "components": [
        {
            "type": 1,
            "components": [
                {"type": 4, "style": 1, "label": "Title", "custom_id": "title", "value": "lunch"}
            ],
        }
    ],
}


def test_a_client_becomes_ready_and_knows_its_servers(server: DiscordServer, owner: User) -> None:
    place = server.channel(server.guild("home", owner), "general")
    bot = Bot(server).begin()
    try:
        assert bot.user
        assert str(bot.user.id) == server.bot.id
        channel = bot.get_channel(int(place.id))
        assert isinstance(channel, discord.TextChannel)
        assert (channel.name, channel.guild.name) == ("general", "home")
        assert server.connections[0].compressed
        assert server.connected == 1
    finally:
        bot.end()
    server.wait_until(lambda: server.connected == 0)


def test_a_direct_message_is_heard_and_answered(
    server: DiscordServer, owner: User, bot: Bot
) -> None:
    server.say(owner, None, "good morning", attachments={"a.txt": b"inside"})
    server.wait_until(lambda: bot.heard)
    heard = bot.heard[0]
    assert heard.content == "good morning"
    assert isinstance(heard.channel, discord.DMChannel)
    assert bot.do(heard.attachments[0].read()) == b"inside"
    bot.do(heard.channel.send("and to you"))
    assert server.wait_for_message(server.dm(owner)).content == "and to you"


def test_a_press_is_told_and_its_card_is_updated(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    async def approve(interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content="Done", view=None)

    bot.answer = approve
    place = server.dm(owner)
    rest.send_json(place.id, {"content": "Approve?", "components": [row("Approve", "Deny")]})
    card = server.wait_for_message(place)
    assert card.labels == ["Approve", "Deny"]
    pressed = server.press(owner, card, "Approve").wait_for_answer()
    assert pressed.acknowledged_ms < 3000
    assert (pressed.text, pressed.components) == ("Done", ())
    assert server.message(card.id).earlier[0].content == "Approve?"
    assert bot.asked[0].data == {"custom_id": "a:Approve", "component_type": 2}


def test_a_modal_is_opened_filled_and_sent(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    bot.answer = _edit_by_modal
    place = server.dm(owner)
    rest.send_json(place.id, {"content": "Lunch?", "components": [row("Edit")]})
    opened = server.press(owner, server.wait_for_message(place), "Edit").wait_for_answer()
    assert opened.modal
    with pytest.raises(CannotDo, match="does not take"):
        server.submit(opened, {"Title": ""})
    sent = server.submit(opened, {"Title": "dinner"}).wait_for_answer()
    assert (sent.text, sent.ephemeral) == ("now dinner", True)
    assert server.answers(place)[0].content == "Lunch?"
    assert server.submit(opened).wait_for_answer().text == "now lunch"


class Titled(discord.ui.Modal, title="Edit"):
    name: discord.ui.TextInput["Titled"] = discord.ui.TextInput(label="Title", default="lunch")


async def _edit_by_modal(interaction: discord.Interaction) -> None:
    if interaction.type is discord.InteractionType.component:
        await interaction.response.send_modal(Titled())
    else:
        assert interaction.data
        value = interaction.data["components"][0]["components"][0]["value"]  # type: ignore[typeddict-item] # discord.py types it loosely
        await interaction.response.send_message(f"now {value}", ephemeral=True)
