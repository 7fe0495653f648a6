"""Discord's REST as a worker uses it, and where its messages go."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import discord
import pytest
import simcord
from discord.gateway import DiscordWebSocket
from discord.http import Route as Path

from assistant.adapters.discord.api import (
    Archived,
    DiscordApi,
    NoDirectMessages,
    ThreadExists,
    UnknownChannel,
    UnknownMessage,
    point_at,
)
from assistant.adapters.discord.channel import DiscordChannel
from assistant.adapters.system_clock import SystemClock
from assistant.domain.deliveries import Attempt, Shown, ShownKind
from assistant.domain.errors import (
    AssistantError,
    Busy,
    Denied,
    Misconfigured,
    NotFound,
    Permanent,
    TooLarge,
    Unreachable,
)
from tests.servers.discord import Channel, DiscordServer, Route

HELP = {"name": "help", "description": "What it can do", "type": 1}


@pytest.fixture(scope="module")
def server() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        yield server


@pytest.fixture
def api(server: DiscordServer) -> Iterator[DiscordApi]:
    server.faults.clear()
    api = DiscordApi(server.token, base=server.api_base, timeout=5)
    yield api
    api.close()


@pytest.fixture
def room(server: DiscordServer) -> Channel:
    return server.channel(server.guild("home", server.user("owner")), "room")


def test_a_message_is_sent_edited_listed_and_deleted(
    server: DiscordServer, api: DiscordApi, room: Channel
) -> None:
    sent = api.send(room.id, {"content": "one"}, [("details.txt", b"all of it")])
    assert [(a.filename, a.content) for a in server.message(sent["id"]).attachments] == [
        ("details.txt", b"all of it")
    ]
    api.edit(room.id, sent["id"], {"content": "two", "attachments": []})
    second = api.send(room.id, {"content": "three"})
    assert [found["content"] for found in api.history(room.id, after="0")] == ["three", "two"]
    assert api.history(room.id, after="0", limit=1)[0]["id"] == sent["id"]
    api.delete(room.id, sent["id"])
    assert [found["id"] for found in api.history(room.id, after="0")] == [second["id"]]


def test_typing_and_threads_and_commands_and_who_it_is(
    server: DiscordServer, api: DiscordApi, room: Channel
) -> None:
    api.typing(room.id)
    assert len(server.typings(room)) == 1
    said = api.send(room.id, {"content": "one"})
    thread = api.start_thread(room.id, said["id"], "a thread")
    assert thread == said["id"]
    with pytest.raises(ThreadExists):
        api.start_thread(room.id, said["id"], "a thread")
    server.channel_of(thread).archived = True
    api.unarchive(thread)
    assert not server.channel_of(thread).archived
    api.set_commands([HELP], application=server.application_id)
    assert [command["name"] for command in server.commands] == ["help"]
    assert [command["name"] for command in api.commands()] == ["help"]
    assert api.me()["id"] == server.bot.id
    assert api.application()["id"] == server.application_id


def test_direct_messages_are_opened_once(server: DiscordServer, api: DiscordApi) -> None:
    owner = server.user("owner")
    before = len(server.requests(Route.OPEN_DM))
    assert api.open_dm(owner.id) == api.open_dm(owner.id) == server.dm(owner).id
    assert len(server.requests(Route.OPEN_DM)) == before + 1
    with pytest.raises(NoDirectMessages):
        api.open_dm("12345")


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, 50035, Permanent),
        (400, 50083, Archived),
        (400, 40003, Busy),
        (401, 0, Misconfigured),
        (403, 50001, Denied),
        (403, 50007, NoDirectMessages),
        (403, 50278, NoDirectMessages),
        (404, 0, NotFound),
        (404, 10003, UnknownChannel),
        (404, 10008, UnknownMessage),
        (413, 40005, TooLarge),
        (503, 0, Unreachable),
    ],
)
def test_refusals_are_told_apart_in_discords_own_words(
    server: DiscordServer,
    api: DiscordApi,
    room: Channel,
    *,
    status: int,
    code: int,
    kind: type[AssistantError],
) -> None:
    server.faults.fail(Route.SEND, status, code=code, message="not like this")
    with pytest.raises(AssistantError, match="not like this") as told:
        api.send(room.id, {"content": "one"})
    assert type(told.value) is kind


def test_a_form_that_does_not_fit_is_told_field_by_field(api: DiscordApi, room: Channel) -> None:
    with pytest.raises(Permanent, match=r"In content: Must be .* 2000 in length"):
        api.send(room.id, {"content": "x" * 2001})


def test_a_rate_limit_says_how_long_it_lasts(
    server: DiscordServer, api: DiscordApi, room: Channel
) -> None:
    server.faults.rate_limit(Route.SEND, retry_after=31.5)
    with pytest.raises(Busy) as limited:
        api.send(room.id, {"content": "one"})
    assert limited.value.after == 31.5


def test_an_answer_is_waited_for_within_limits(server: DiscordServer, room: Channel) -> None:
    api = DiscordApi(server.token, base=server.api_base, timeout=0.3)
    api.me()
    server.faults.slow(Route.SEND, before=1)
    with pytest.raises(Unreachable, match=r"within 0\.3 seconds"):
        api.send(room.id, {"content": "one"})
    api.send(room.id, {"content": "two"})
    api.close()


@pytest.mark.parametrize("token", ["wrong", ""])
def test_a_wrong_token_is_a_wrong_setting(server: DiscordServer, token: str) -> None:
    api = DiscordApi(token, base=server.api_base, timeout=5)
    for _ in range(2):
        with pytest.raises(Misconfigured, match="this bot token"):
            api.me()
    api.close()


@pytest.mark.parametrize("token", ["to\nken", "tökén"])
def test_a_token_that_no_header_holds_is_refused_at_once(token: str) -> None:
    with pytest.raises(Misconfigured):
        DiscordApi(token)


def test_a_discord_that_is_away_is_found_when_it_is_back() -> None:
    with DiscordServer() as server:
        api = DiscordApi(server.token, base=server.api_base, timeout=5)
        server.stop()
        for _ in range(2):
            with pytest.raises(Unreachable):
                api.me()
        server.start()
        assert api.me()["id"] == server.bot.id
        server.stop()
        server.start()
        assert api.application()["id"] == server.application_id
        api.close()


def test_threads_that_ask_at_once_share_a_connection(
    server: DiscordServer, api: DiscordApi, room: Channel
) -> None:
    before = len(server.requests(Route.ME))
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(lambda n: api.send(room.id, {"content": str(n)}), range(16)))
    assert {message["content"] for message in sent} == set(map(str, range(16)))
    assert len(server.requests(Route.ME)) == before + 1


def test_a_fork_connects_by_itself(api: DiscordApi, server: DiscordServer, room: Channel) -> None:
    api.send(room.id, {"content": "parent"})
    child = os.fork()
    if child == 0:
        try:
            api.send(room.id, {"content": "child"})
            api.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    api.send(room.id, {"content": "parent again"})
    assert [said.content for said in server.answers(room)] == ["parent", "child", "parent again"]


def test_it_hangs_up_and_connects_again(api: DiscordApi) -> None:
    first = api.application()
    api.close()
    api.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "discord-rest"]
    assert api.application() == first


def test_a_process_that_never_hangs_up_ends_without_a_word(server: DiscordServer) -> None:
    program = (
        "from assistant.adapters.discord.api import DiscordApi\n"
        f"api = DiscordApi({server.token!r}, base={server.api_base!r})\n"
        "print(api.me()['id'])"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert ended.stdout.strip() == server.bot.id
    assert ended.stderr == ""


def test_the_whole_process_is_pointed_at_a_server_or_at_discord() -> None:
    point_at("http://127.0.0.1:1/api/v10/", "ws://127.0.0.1:1/gateway/")
    assert Path("GET", "/gateway").url == "http://127.0.0.1:1/api/v10/gateway"
    assert str(DiscordWebSocket.DEFAULT_GATEWAY) == "ws://127.0.0.1:1/gateway/"
    point_at("", "")
    assert Path("GET", "/gateway").url == "https://discord.com/api/v10/gateway"
    assert str(DiscordWebSocket.DEFAULT_GATEWAY) == "wss://gateway.discord.gg/"


def test_a_client_that_is_logged_in_already_serves_as_well() -> None:
    async def story() -> tuple[str, str, str]:
        bot = discord.Client(intents=discord.Intents.none())
        async with simcord.run(bot) as env:
            loop = asyncio.get_running_loop()
            room = env.create_guild().create_text_channel("room")
            api = DiscordApi(
                http=bot.http,
                run=lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(5),
            )
            channel = DiscordChannel(api, people=list, clock=SystemClock(), known=set)

            def shown(text: str, handle: str = "") -> str:
                return channel.show(
                    f"channel:{room.id}",
                    Shown(kind=ShownKind.WORDS, text=text),
                    attempt=Attempt(key="1", handle=handle),
                ).handle

            first = await asyncio.to_thread(shown, "one")
            second = await asyncio.to_thread(shown, "two", first)
            assert room.last_message
            return first, second, room.last_message.content

    first, second, content = asyncio.run(story())
    assert first == second
    assert content == "two"
