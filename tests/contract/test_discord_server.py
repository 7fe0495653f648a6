"""The suite's own Discord is good enough for discord.py, and goes wrong as Discord does."""

import asyncio
import io
import json
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from subprocess import Popen
from typing import Any

import aiohttp
import discord
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.servers.discord import CannotDo, DiscordServer, Interaction, Refused, Route, User
from tests.servers.discord.clients import Bot, Rest, pointed, running

Json = dict[str, Any]


@pytest.fixture
def server() -> Iterator[DiscordServer]:
    with DiscordServer() as started, pointed(started):
        yield started


@pytest.fixture
def owner(server: DiscordServer) -> User:
    return server.user("owner")


@pytest.fixture
def bot(server: DiscordServer) -> Iterator[Bot]:
    with running(Bot(server)) as started:
        yield started


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


def card(*labels: str) -> Json:
    return {"content": "Approve?", "components": [row(*labels)]}


# who the bot is


def test_a_client_becomes_ready_and_knows_its_servers(server: DiscordServer, owner: User) -> None:
    place = server.channel(server.guild("home", owner), "general")
    with running(Bot(server)) as bot:
        assert bot.user
        assert str(bot.user.id) == server.bot.id
        channel = bot.get_channel(int(place.id))
        assert isinstance(channel, discord.TextChannel)
        assert (channel.name, channel.guild.name) == ("general", "home")
        assert server.connections[0].compressed
        assert server.connected == 1
    server.wait_until(lambda: server.connected == 0)


def test_a_wrong_token_is_turned_away(server: DiscordServer) -> None:
    client = Bot(server)

    async def log_in() -> None:
        async with client:
            await client.login("the wrong token")

    with pytest.raises(discord.LoginFailure):
        asyncio.run(log_in())


@pytest.mark.parametrize("granted", [True, False])
def test_the_application_tells_whether_it_may_read_content(*, granted: bool) -> None:
    with DiscordServer(message_content=granted) as server, pointed(server):
        rest = Rest(server)
        told = rest.do(rest.http.application_info())
        rest.end()
    flags = discord.ApplicationFlags._from_value(told["flags"])
    assert flags.gateway_message_content is granted
    assert told["verify_key"] == server.public_key


def test_the_way_to_the_gateway_is_told(server: DiscordServer, rest: Rest) -> None:
    assert rest.do(rest.http.get_bot_gateway())[1].startswith(server.gateway_url)


# messages


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


def test_a_reply_and_a_forwarded_message_say_what_they_rest_on(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    place = server.dm(owner)
    said = rest.send(place.id, content="the words")
    first = server.message(said["id"])
    server.say(owner, place, "to that", reference=first)
    server.say(owner, place, forwarded=first)
    server.wait_until(lambda: len(bot.heard) == 2)
    reply, forward = bot.heard
    assert reply.reference
    assert isinstance(reply.reference.resolved, discord.Message)
    assert reply.reference.resolved.content == "the words"
    assert [snapshot.content for snapshot in forward.message_snapshots] == ["the words"]


def test_a_repeated_nonce_makes_one_message_until_the_window_closes(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    first = rest.send(place.id, content="once", nonce="n-1")
    assert rest.send(place.id, content="once", nonce="n-1")["id"] == first["id"]
    assert rest.send_json(place.id, {"content": "once", "nonce": "n-1"})["id"] != first["id"]
    server.forget_nonces()
    again = rest.send(place.id, content="once", nonce="n-1")
    server.move_clock(5 * 60 + 1)
    assert rest.send(place.id, content="once", nonce="n-1")["id"] != again["id"]
    assert len(server.answers(place)) == 4


def test_a_nonce_is_told_where_it_was_posted_and_never_again(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    place = server.dm(owner)
    told: list[discord.Message] = []

    async def on_message(message: discord.Message) -> None:
        told.append(message)

    bot.on_message = on_message  # type: ignore[method-assign] # to see its own
    sent = rest.send(place.id, content="once", nonce="n-1")
    server.wait_until(lambda: told)
    assert (sent["nonce"], told[0].nonce) == ("n-1", "n-1")
    read = rest.do(rest.http.get_message(int(place.id), int(sent["id"])))
    assert "nonce" not in read


def test_a_nonce_whose_message_was_deleted_makes_no_other(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    server.delete(rest.send(place.id, content="once", nonce="n-1")["id"])
    with pytest.raises(discord.NotFound) as gone:
        rest.send(place.id, content="once", nonce="n-1")
    assert gone.value.code == 10008


def test_files_are_sent_beside_the_message(server: DiscordServer, owner: User, rest: Rest) -> None:
    file = discord.File(io.BytesIO(b"all of it"), filename="all.txt")
    told = rest.send(server.dm(owner).id, content="see", files=[file])
    (kept,) = server.message(told["id"]).attachments
    assert (kept.filename, kept.content) == ("all.txt", b"all of it")
    assert rest.do(rest.http.get_from_cdn(told["attachments"][0]["url"])) == b"all of it"


TOO_MUCH: list[Json] = [
    {"content": "x" * 2001},
    {"content": "x", "nonce": "n" * 26},
    {"embeds": [{"description": "x" * 4097}]},
    {"embeds": [{"title": "x" * 257}]},
    {"embeds": [{"description": "x" * 4096}, {"description": "x" * 1905}]},
    {"embeds": [{"fields": [{"name": "n", "value": "x" * 1025}]}]},
    {"embeds": [{"fields": [{"name": "", "value": "x"}]}]},
    {"embeds": [{"fields": [{"name": "n", "value": "v"}] * 26}]},
    {"content": "x", "components": [row(str(n)) for n in range(6)]},
    {"content": "x", "components": [row(*"123456")]},
    {"content": "x", "components": [row("a"), row("a")]},
    {"content": "x", "components": [row("a" * 99)]},
    {"content": "x", "components": [row("a" * 81)]},
    {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
    {"content": "x", "message_reference": {"message_id": "1"}},
]


@pytest.mark.parametrize("body", TOO_MUCH)
def test_what_breaks_a_limit_is_refused(
    body: Json, server: DiscordServer, owner: User, rest: Rest
) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        rest.send_json(server.dm(owner).id, body)
    assert (refused.value.status, refused.value.code) == (400, 50035)
    assert server.messages(server.dm(owner)) == []


def test_what_just_keeps_the_limits_is_taken(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    embeds = [
        {"title": "x" * 200, "description": "x" * 4000},
        {"fields": [{"name": "nn", "value": "v" * 70}] * 25},
    ]
    rows = [row(*(f"{n}{m}" for m in range(5))) for n in range(5)]
    rest.send_json(
        server.dm(owner).id, {"content": "x" * 2000, "embeds": embeds, "components": rows}
    )
    assert len(server.answers(server.dm(owner))[0].buttons) == 25


@pytest.mark.parametrize("body", [{}, {"content": ""}, {"content": " \n"}, {"embeds": []}])
def test_an_empty_message_is_refused(
    body: Json, server: DiscordServer, owner: User, rest: Rest
) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        rest.send_json(server.dm(owner).id, body)
    assert refused.value.code == 50006


def test_history_is_read_in_pages(server: DiscordServer, owner: User, rest: Rest) -> None:
    place = server.dm(owner)
    said = [server.say(owner, place, str(n)) for n in range(6)]
    third = int(said[3].id)
    assert rest.page(place.id, 2) == ["5", "4"]
    assert rest.page(place.id, 2, before=third) == ["2", "1"]
    assert rest.page(place.id, 2, after=third) == ["5", "4"]
    assert rest.page(place.id, 1, after=third) == ["4"]
    assert rest.page(place.id, 3, around=third) == ["4", "3", "2"]
    with pytest.raises(discord.HTTPException):
        rest.page(place.id, 101)


def test_a_message_is_edited_and_deleted_by_its_author_alone(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    own = rest.send_json(place.id, card("Yes"))
    rest.edit(own, {"content": "Done", "components": []})
    now = server.message(own["id"])
    assert (now.content, now.labels, now.earlier[0].labels) == ("Done", [], ["Yes"])
    theirs = server.say(owner, place, "mine")
    with pytest.raises(discord.Forbidden) as refused:
        rest.edit({"channel_id": place.id, "id": theirs.id}, {"content": "ours"})
    assert refused.value.code == 50005
    rest.do(rest.http.delete_message(int(place.id), int(own["id"])))
    with pytest.raises(discord.NotFound) as unknown:
        rest.edit(own, {"content": "late"})
    assert unknown.value.code == 10008


def test_a_message_that_a_person_deleted_is_unknown(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    told = rest.send(place.id, content="here")
    server.delete(told["id"])
    with pytest.raises(discord.NotFound) as unknown:
        rest.do(rest.http.get_message(int(place.id), int(told["id"])))
    assert unknown.value.code == 10008


def test_typing_is_seen(server: DiscordServer, owner: User, rest: Rest) -> None:
    rest.do(rest.http.send_typing(int(server.dm(owner).id)))
    assert len(server.typings(server.dm(owner))) == 1


def test_who_would_be_notified_follows_the_allowed_mentions(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    text = f"@everyone {owner.mention}"
    none = discord.AllowedMentions.none()
    loud = rest.send(place.id, content=text)
    quiet = rest.send(place.id, content=text, allowed_mentions=none)
    assert server.message(loud["id"]).pinged == ("everyone", owner.id)
    assert server.message(quiet["id"]).pinged == ()


def test_a_direct_message_can_be_opened_and_refused(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    opened = rest.do(rest.http.start_private_message(int(owner.id)))
    assert opened["id"] == server.dm(owner).id
    server.refuse_dms(owner)
    with pytest.raises(discord.Forbidden) as refused:
        rest.send(str(opened["id"]), content="are you there?")
    assert refused.value.code == 50007
    server.refuse_dms(owner, refused=False)
    rest.send(str(opened["id"]), content="there you are")


# channels and threads


def test_threads_are_made_from_a_message_and_without_one(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    place = server.channel(server.guild("home", owner), "general")
    server.wait_until(lambda: "channel general" in bot.happened)
    said = server.say(owner, place, "plan a trip", mentions_bot=True)
    server.wait_until(lambda: bot.heard)
    thread = bot.do(bot.heard[0].create_thread(name="A trip"))
    assert str(thread.id) == said.id
    bot.do(thread.send("where to?"))
    assert server.answers(server.channel_of(said.id))[0].content == "where to?"
    with pytest.raises(discord.HTTPException) as refused:
        bot.do(bot.heard[0].create_thread(name="Again"))
    assert refused.value.code == 160004
    made = rest.do(
        rest.http.start_thread_without_message(
            int(place.id), name="Another", auto_archive_duration=60, type=11
        )
    )
    assert rest.do(rest.http.get_channel(int(made["id"])))["name"] == "Another"
    assert [thread.name for thread in server.threads(place)] == ["A trip", "Another"]
    server.say(owner, server.channel_of(said.id), "to the sea", mentions_bot=True)
    server.wait_until(lambda: len(bot.heard) == 2)
    assert isinstance(bot.heard[1].channel, discord.Thread)


def test_an_archived_thread_takes_no_edits_until_somebody_speaks(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    thread = server.thread(server.channel(server.guild("home", owner), "general"), "trip", owner)
    said = rest.send(thread.id, content="running")
    server.archive(thread)
    with pytest.raises(discord.HTTPException) as refused:
        rest.edit(said, {"content": "done"})
    assert refused.value.code == 50083
    rest.do(rest.http.edit_channel(int(thread.id), archived=False))
    rest.edit(said, {"content": "done"})
    server.archive(thread)
    rest.send(thread.id, content="more")
    assert not server.channel_of(thread.id).archived


def test_without_the_intent_only_mentions_and_direct_messages_have_content(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    place = server.channel(server.guild("home", owner), "general")
    server.say(owner, place, "among us", attachments={"a": b"a"})
    server.say(owner, place, "to you", mentions_bot=True)
    server.say(owner, None, "between us")
    server.wait_until(lambda: len(bot.heard) == 3)
    mention = f"<@{server.bot.id}> to you"
    assert [m.content for m in bot.heard] == ["", mention, "between us"]
    assert bot.heard[0].attachments == []
    assert rest.page(place.id, 5) == [mention, ""]


def test_with_the_intent_everything_has_content() -> None:
    with DiscordServer(message_content=True) as server, pointed(server):
        owner = server.user("owner")
        place = server.channel(server.guild("home", owner), "general")
        reading = discord.Intents(guilds=True, guild_messages=True, message_content=True)
        with running(Bot(server, intents=reading)) as bot:
            server.say(owner, place, "among us")
            server.say(owner, None, "not asked for")
            server.say(owner, place, "last")
            server.wait_until(lambda: len(bot.heard) == 2)
            assert [m.content for m in bot.heard] == ["among us", "last"]


# interactions


COMMANDS: list[Json] = [
    {
        "name": "search",
        "description": "Look for a mail",
        "options": [
            {"type": 3, "name": "for", "description": "Words", "required": True},
            {"type": 4, "name": "most", "description": "How many"},
            {"type": 3, "name": "sender", "description": "From", "autocomplete": True},
        ],
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
    },
    {
        "name": "grants",
        "description": "What is granted",
        "options": [{"type": 1, "name": "list", "description": "All of them"}],
        "contexts": [1],
    },
]


@pytest.fixture
def registered(server: DiscordServer, rest: Rest) -> None:
    rest.do(rest.http.bulk_upsert_global_commands(int(server.application_id), COMMANDS))


def test_commands_are_registered_and_keep_their_ids(
    server: DiscordServer, rest: Rest, registered: None
) -> None:
    del registered
    first = {command["name"]: command["id"] for command in server.commands}
    rest.do(rest.http.bulk_upsert_global_commands(int(server.application_id), COMMANDS[:1]))
    assert [(c["name"], c["id"]) for c in server.commands] == [("search", first["search"])]


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Search", "description": "capital"},
        {"name": "two words", "description": "a blank"},
        {"name": "n" * 33, "description": "too long"},
        {"name": "search", "description": ""},
        {"name": "search", "description": "d" * 101},
        {"name": "search", "description": "d", "options": [COMMANDS[0]["options"][1]] * 26},
        {"name": "search", "description": "d", "options": COMMANDS[0]["options"][1::-1]},
    ],
)
def test_commands_that_break_a_limit_are_refused(
    wrong: Json, server: DiscordServer, rest: Rest
) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        rest.do(rest.http.bulk_upsert_global_commands(int(server.application_id), [wrong]))
    assert refused.value.code == 50035
    assert server.commands == []


def test_a_slash_command_is_deferred_filled_and_followed_up(
    server: DiscordServer, owner: User, bot: Bot, registered: None
) -> None:
    del registered
    goes_on = threading.Event()

    async def search(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        await asyncio.to_thread(goes_on.wait, 5)
        await interaction.edit_original_response(content="looking")
        await interaction.edit_original_response(content="two mails")
        await interaction.followup.send("and one more", ephemeral=True)

    bot.answer = search
    asked = server.slash(owner, None, "search", **{"for": "rent", "most": 2}).wait_for_answer()
    assert asked.deferred
    assert (asked.ephemeral, asked.text) == (True, "")
    goes_on.set()
    assert asked.wait_for_edit().content == "looking"
    assert asked.wait_for_edit().content == "two mails"
    assert not asked.deferred
    assert asked.wait_for_followup().content == "and one more"
    assert server.answers(server.dm(owner)) == []
    data: Any = bot.asked[0].data
    given = {option["name"]: option["value"] for option in data["options"]}
    assert given == {"for": "rent", "most": 2}


def test_after_a_defer_the_first_follow_up_fills_it(
    server: DiscordServer, owner: User, bot: Bot, registered: None
) -> None:
    del registered

    async def search(interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await interaction.followup.send("first")
        await interaction.followup.send("second")

    bot.answer = search
    asked = server.slash(owner, None, "search", **{"for": "rent"})
    assert asked.wait_for_followup().content == "second"
    assert asked.text == "first"
    assert [m.content for m in server.answers(server.dm(owner))] == ["first", "second"]


def test_a_person_only_calls_what_is_offered(
    server: DiscordServer, owner: User, registered: None
) -> None:
    del registered
    place = server.channel(server.guild("home", owner), "general")
    with pytest.raises(CannotDo, match="no command 'find'"):
        server.slash(owner, None, "find")
    with pytest.raises(CannotDo, match="needs"):
        server.slash(owner, None, "search")
    with pytest.raises(CannotDo, match="does not take"):
        server.slash(owner, None, "search", **{"for": "rent", "most": "many"})
    with pytest.raises(CannotDo, match="contexts"):
        server.slash(owner, place, "grants list")
    (option,) = server.slash(owner, None, "grants list").json["data"]["options"]
    assert option == {"type": 1, "name": "list", "options": []}


def test_an_option_is_completed(
    server: DiscordServer, owner: User, bot: Bot, registered: None
) -> None:
    del registered

    async def complete(interaction: discord.Interaction) -> None:
        choices = [discord.app_commands.Choice(name="Ann", value="ann@x")]
        await interaction.response.autocomplete(choices)

    bot.answer = complete
    typed = server.autocomplete(owner, None, "search", "sender", "an", **{"for": "rent"})
    assert [choice["value"] for choice in typed.wait_for_answer().choices] == ["ann@x"]


def test_a_press_is_told_and_its_card_is_updated(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    async def approve(interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content="Done", view=None)

    bot.answer = approve
    place = server.dm(owner)
    rest.send_json(place.id, card("Approve", "Deny"))
    sent = server.wait_for_message(place)
    pressed = server.press(owner, sent, "Approve").wait_for_answer()
    assert pressed.acknowledged_ms < 3000
    assert (pressed.text, pressed.components) == ("Done", ())
    assert server.message(sent.id).earlier[0].content == "Approve?"
    assert bot.asked[0].data == {"custom_id": "a:Approve", "component_type": 2}
    with pytest.raises(CannotDo, match="0 buttons"):
        server.press(owner, sent, "Approve")


def test_a_press_can_be_acknowledged_and_its_card_edited_later(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    async def later(interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="Running")

    bot.answer = later
    place = server.channel(server.guild("home", owner), "general")
    sent = rest.send_json(place.id, card("Approve"))
    pressed = server.press(owner, sent["id"], "a:Approve").wait_for_answer()
    assert pressed.wait_for_edit().id == sent["id"]
    assert isinstance(bot.asked[0].user, discord.Member)
    assert bot.asked[0].message
    assert bot.asked[0].message.content == "Approve?"


def test_an_ephemeral_card_is_there_for_its_reader_alone(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    async def show(interaction: discord.Interaction) -> None:
        view = discord.ui.View()
        view.add_item(discord.ui.Button(label="Sure", custom_id="a:sure"))
        if interaction.data == {"custom_id": "a:sure", "component_type": 2}:
            await interaction.response.edit_message(content="Surely", view=None)
        else:
            await interaction.response.send_message("Sure?", view=view, ephemeral=True)

    bot.answer = show
    other = server.user("other")
    place = server.channel(server.guild("home", owner, other), "general")
    sent = rest.send_json(place.id, card("More"))
    shown = server.press(owner, sent["id"], "More").wait_for_answer()
    assert shown.message
    with pytest.raises(CannotDo, match="does not see"):
        server.press(other, shown.message, "Sure")
    with pytest.raises(discord.NotFound):
        rest.edit({"channel_id": place.id, "id": shown.message.id}, {"content": "by id"})
    assert rest.page(place.id, 10) == ["Approve?"]
    assert server.press(owner, shown.message, "Sure").wait_for_answer().text == "Surely"


class Titled(discord.ui.Modal, title="Edit"):
    name: discord.ui.TextInput["Titled"] = discord.ui.TextInput(label="Title", default="lunch")


def test_a_modal_is_opened_filled_and_sent(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    async def edit(interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            await interaction.response.send_modal(Titled())
            return
        data: Any = interaction.data
        value = data["components"][0]["components"][0]["value"]
        await interaction.response.send_message(f"now {value}", ephemeral=True)

    bot.answer = edit
    place = server.dm(owner)
    sent = rest.send_json(place.id, card("Edit"))
    opened = server.press(owner, sent["id"], "Edit").wait_for_answer()
    with pytest.raises(CannotDo, match="does not take"):
        server.submit(opened, {"Title": ""})
    with pytest.raises(CannotDo, match="no fields"):
        server.submit(opened, {"Subtitle": "none"})
    sent_form = server.submit(opened, {"Title": "dinner"}).wait_for_answer()
    assert (sent_form.text, sent_form.ephemeral) == ("now dinner", True)
    assert server.submit(opened).wait_for_answer().text == "now lunch"


def test_a_modal_cannot_follow_a_defer_nor_another_answer(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    bot.answer = _defer
    pressed = _pressed(server, owner, rest).wait_for_answer()
    assert _callback_refused(bot, pressed, {"type": 9, "data": {}}) == (400, 40060)
    assert pressed.refused == [40060]


def test_a_callback_that_comes_late_is_unknown(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    pressed = _pressed(server, owner, rest)
    pressed.age(3.1)
    assert _callback_refused(bot, pressed, {"type": 6}) == (404, 10062)
    server.late_callbacks(1)
    again = _pressed(server, owner, rest)
    assert _callback_refused(bot, again, {"type": 6}) == (404, 10062)
    with pytest.raises(AssertionError, match=r"refused \[10062\]"):
        again.wait_for_answer(0.05)
    bot.answer = _defer
    assert _pressed(server, owner, rest).wait_for_answer().acknowledged


def test_an_answer_that_does_not_fit_is_refused(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    pressed = _pressed(server, owner, rest)
    assert _callback_refused(bot, pressed, {"type": 8, "data": {}}) == (400, 50035)
    long = {"type": 4, "data": {"content": "x" * 2001}}
    assert _callback_refused(bot, pressed, long) == (400, 50035)
    untitled = {"type": 9, "data": {"custom_id": "m:1", "components": []}}
    assert _callback_refused(bot, pressed, untitled) == (400, 50035)


def test_a_token_is_dead_after_fifteen_minutes(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    bot.answer = _defer
    pressed = _pressed(server, owner, rest).wait_for_answer()
    server.move_clock(15 * 60 + 1)
    with pytest.raises(discord.HTTPException) as dead:
        bot.do(bot.asked[0].edit_original_response(content="too late"))
    assert (dead.value.status, dead.value.code) == (401, 50027)
    rest.edit({"channel_id": pressed.channel_id, "id": pressed.source_id}, {"content": "by id"})
    assert pressed.text == "by id"


def test_a_follow_up_waits_for_the_callback(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    _pressed(server, owner, rest)
    server.wait_until(lambda: bot.asked)
    with pytest.raises(discord.NotFound) as early:
        bot.do(bot.asked[0].followup.send("early"))
    assert early.value.code == 10015


def test_what_a_user_installed_works_where_the_bot_is_not(
    server: DiscordServer, bot: Bot, rest: Rest, registered: None
) -> None:
    del registered

    async def answer(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("here too")
        await interaction.followup.send("and more")

    bot.answer = answer
    owner = server.user("owner", installed=True)
    place = server.private_channel(owner, server.user("friend"))
    server.say(owner, place, "among friends")
    asked = server.slash(owner, place, "search", **{"for": "rent"})
    asked.wait_for_followup()
    assert asked.text == "here too"
    assert bot.heard == []
    assert bot.asked[0].context.private_channel
    assert asked.json["authorizing_integration_owners"] == {"1": owner.id}
    with pytest.raises(discord.Forbidden) as refused:
        rest.send(place.id, content="on its own")
    assert refused.value.code == 50001
    with pytest.raises(CannotDo, match="not installed"):
        server.slash(server.user("else"), place, "search", **{"for": "rent"})


def _pressed(server: DiscordServer, owner: User, rest: Rest) -> Interaction:
    sent = rest.send_json(server.dm(owner).id, card("Go"))
    return server.press(owner, sent["id"], "Go")


async def _defer(interaction: discord.Interaction) -> None:
    await interaction.response.defer()


def _callback_refused(bot: Bot, interaction: Interaction, body: Json) -> tuple[int, int]:
    """Status and code of a callback sent past discord.py's own guard against a second one."""
    path = "/interactions/{webhook_id}/{webhook_token}/callback"
    route = discord.http.Route(
        "POST", path, webhook_id=interaction.id, webhook_token=interaction.token
    )
    with pytest.raises(discord.HTTPException) as refused:
        bot.do(bot.http.request(route, json=body))
    return refused.value.status, refused.value.code


# the HTTP interactions endpoint


class Endpoint(BaseHTTPRequestHandler):
    """Verifies, and answers a ping with a pong and all else with a message."""

    key: Ed25519PublicKey

    def do_POST(self) -> None:  # the standard library's name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = self.headers["X-Signature-Timestamp"].encode() + body
        self.key.verify(bytes.fromhex(self.headers["X-Signature-Ed25519"]), signed)
        pong = json.loads(body)["type"] == 1
        answer = {"type": 1} if pong else {"type": 4, "data": {"content": "over HTTP"}}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def endpoint(server: DiscordServer) -> Iterator[str]:
    Endpoint.key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(server.public_key))
    listening = HTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{listening.server_address[1]}/"
    listening.shutdown()
    thread.join()
    listening.server_close()


def test_an_interaction_goes_to_an_endpoint_signed_and_is_followed_up(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest, endpoint: str
) -> None:
    assert server.post(endpoint, server.raw_interaction("ping", owner)).json() == {"type": 1}
    sent = rest.send_json(server.dm(owner).id, card("Go"))
    pressed = server.raw_interaction("press", owner, sent["id"], "Go")
    server.post(endpoint, pressed)
    assert pressed.text == "over HTTP"
    assert bot.asked == []
    told = discord.Webhook.partial(int(server.application_id), pressed.token, client=bot)
    bot.do(told.send("more", wait=True))
    assert [m.content for m in pressed.followups] == ["more"]
    with pytest.raises(Refused, match="40060"):
        server.accept(pressed, {"type": 6})


def test_a_signature_holds_for_its_body_and_time_alone(server: DiscordServer) -> None:
    headers = server.sign(b"{}", "1700000000")
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(server.public_key))
    signature = bytes.fromhex(headers["X-Signature-Ed25519"])
    key.verify(signature, b"1700000000{}")
    with pytest.raises(InvalidSignature):
        key.verify(signature, b"1700000001{}")


# the gateway's ways to go wrong


def test_intents_that_were_not_granted_are_refused(server: DiscordServer) -> None:
    reading = discord.Intents(guilds=True, message_content=True)
    with running(Bot(server, intents=reading)) as bot:
        assert isinstance(bot.error, discord.PrivilegedIntentsRequired)
    assert server.connections[0].closed == 4014


@pytest.mark.parametrize(
    ("query", "first", "code"),
    [
        ("v=9&encoding=json", None, 4012),
        ("v=10&encoding=etf", None, 4012),
        ("v=10&encoding=json", {"op": 2, "d": {"token": "wrong", "intents": 1}}, 4004),
        ("v=10&encoding=json", {"op": 2, "d": {"token": "the-right-token"}}, 4013),
        ("v=10&encoding=json", {"op": 99}, 4001),
    ],
)
def test_the_gateway_closes_on_what_it_does_not_know(
    server: DiscordServer, query: str, first: Json | None, code: int
) -> None:
    async def closed() -> int | None:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{server.gateway_url}?{query}") as socket,
        ):
            if first:
                assert (await socket.receive_json())["op"] == 10
                await socket.send_json(first)
            await socket.receive()
            return socket.close_code

    assert asyncio.run(closed()) == code


def test_a_dropped_socket_is_resumed_and_what_was_missed_is_told_once(
    server: DiscordServer, owner: User, bot: Bot
) -> None:
    server.say(owner, None, "before")
    server.wait_until(lambda: bot.heard)
    server.drop_sockets()
    server.say(owner, None, "meanwhile")
    server.wait_until(lambda: "resumed" in bot.happened)
    server.say(owner, None, "after")
    server.wait_until(lambda: len(bot.heard) == 3)
    assert [m.content for m in bot.heard] == ["before", "meanwhile", "after"]
    assert [(c.how, c.path) for c in server.connections] == [
        ("identify", "/gateway/"),
        ("resume", "/resume-gateway/"),
    ]


def test_a_client_that_is_asked_to_reconnect_resumes(server: DiscordServer, bot: Bot) -> None:
    server.ask_to_reconnect()
    server.wait_until(lambda: "resumed" in bot.happened)
    assert server.connections[0].closed == 4000


def test_a_client_whose_session_is_invalid_identifies_anew(
    server: DiscordServer, owner: User, bot: Bot
) -> None:
    server.invalidate_sessions()
    server.wait_until(lambda: bot.happened.count("ready") == 2)
    server.invalidate_sessions(tell=False)
    server.drop_sockets()
    server.wait_until(lambda: bot.happened.count("ready") == 3)
    ways = [c.how for c in server.connections]
    assert ways == ["identify", "identify", "resume, invalid", "identify"]
    server.say(owner, None, "still there?")
    server.wait_until(lambda: bot.heard)


def test_a_gateway_that_was_down_is_found_again(
    server: DiscordServer, owner: User, bot: Bot
) -> None:
    with server.gateway_outage():
        server.wait_until(lambda: bot.happened.count("disconnected") == 2)
        server.say(owner, None, "meanwhile")
    server.wait_until(lambda: bot.heard, 8)
    assert bot.heard[0].content == "meanwhile"


def test_heartbeats_are_acknowledged_unless_the_gateway_is_deaf(server: DiscordServer) -> None:
    server.set_heartbeat(0.05)
    with running(Bot(server, heartbeat_timeout=0.5)) as bot:
        server.wait_until(lambda: server.connections[0].heartbeats > 3)
        assert bot.latency < 1
        assert server.connected == 1
        server.set_deaf()
        server.wait_until(lambda: not server.connections[0].alive)
        server.set_deaf(deaf=False)
        server.wait_until(lambda: server.connected == 1)


def test_two_bots_hear_the_same_and_one_answer_counts(
    server: DiscordServer, owner: User, bot: Bot, rest: Rest
) -> None:
    with running(Bot(server)) as second:
        server.wait_for_bot(count=2)
        bot.answer = second.answer = _defer
        pressed = _pressed(server, owner, rest).wait_for_answer()
        server.wait_until(lambda: bot.asked and second.asked)
        server.wait_until(lambda: pressed.refused)
        assert pressed.refused == [40060]


ANOTHER_PROCESS = """
import sys, discord, yarl
from discord.gateway import DiscordWebSocket
discord.http.Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = sys.argv[1], yarl.URL(sys.argv[2])
client = discord.Client(intents=discord.Intents(guilds=True, dm_messages=True))
@client.event
async def on_interaction(interaction):
    await interaction.response.edit_message(content="pressed", view=None)
client.run(sys.argv[3], log_handler=None)
"""


def test_a_bot_of_another_process_is_killed_and_the_next_one_answers_an_old_card(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    started = [sys.executable, "-c", ANOTHER_PROCESS]
    started += [server.api_base, server.gateway_url, server.token]
    first = Popen(started)
    server.wait_for_bot(10)
    sent = rest.send_json(server.dm(owner).id, card("Go"))
    first.kill()
    first.wait(5)
    server.wait_until(lambda: server.connected == 0)
    second = Popen(started)
    server.wait_for_bot(10)
    assert server.press(owner, sent["id"], "Go").wait_for_answer().text == "pressed"
    second.kill()
    second.wait(5)


# REST's ways to go wrong


def test_a_429_is_waited_out(server: DiscordServer, owner: User, rest: Rest) -> None:
    server.faults.rate_limit(Route.SEND, times=2, retry_after=0.1)
    server.faults.rate_limit(Route.SEND, retry_after=0.1, scope="global")
    began = time.monotonic()
    rest.send(server.dm(owner).id, content="at last")
    assert time.monotonic() - began > 0.3
    assert [asked.status for asked in server.requests(Route.SEND)] == [429, 429, 429, 200]
    assert len(server.answers(server.dm(owner))) == 1


def test_a_429_without_via_looks_like_a_ban(server: DiscordServer, owner: User, rest: Rest) -> None:
    server.faults.rate_limit(Route.SEND, via=False)
    with pytest.raises(discord.HTTPException) as banned:
        rest.send(server.dm(owner).id, content="hello")
    assert banned.value.status == 429
    assert server.messages(server.dm(owner)) == []


def test_a_limit_of_its_own_paces_one_client_and_stops_two(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    server.limit(Route.SEND, 2, 0.2)
    place = server.dm(owner).id
    for n in range(4):
        rest.send(place, content=str(n))
    assert {asked.status for asked in server.requests(Route.SEND)} == {200}
    others = [Rest(server) for _ in range(3)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda other: other.send(place, content="at once"), others))
    for other in others:
        other.end()
    assert 429 in {asked.status for asked in server.requests(Route.SEND)}
    assert len(server.answers(server.dm(owner))) == 7


def test_a_500_is_tried_again_and_a_503_is_told(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner).id
    server.faults.fail(Route.SEND, 503)
    with pytest.raises(discord.DiscordServerError):
        rest.send(place, content="lost")
    server.faults.fail(Route.SEND, 502)
    rest.send(place, content="kept")
    assert [m.content for m in server.answers(server.dm(owner))] == ["kept"]


def test_a_planned_refusal_meets_the_requests_it_was_planned_for(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    elsewhere = server.channel(server.guild("home", owner), "general")
    place = server.dm(owner)
    server.faults.fail(
        Route.SEND,
        403,
        code=50013,
        message="Missing Permissions",
        which=lambda asked: asked.params["channel_id"] == elsewhere.id,
    )
    rest.send(place.id, content="here")
    with pytest.raises(discord.Forbidden) as refused:
        rest.send(elsewhere.id, content="there")
    assert refused.value.code == 50013


def test_a_slow_answer_may_have_taken_effect(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    params = discord.http.handle_message_parameters("said")
    for before, after, known in ((0.5, 0.0, 0), (0.0, 0.5, 2)):
        server.faults.slow(Route.SEND, before=before, after=after)
        with pytest.raises(TimeoutError):
            rest.do(rest.http.send_message(int(place.id), params=params), seconds=0.15)
        assert len(server.answers(place)) == known
        server.wait_until(lambda: server.requests(Route.SEND)[-1].status == 200)
    assert len(server.answers(place)) == 2


def test_a_lost_answer_was_posted_and_a_lost_request_was_not(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    server.faults.lose_request(Route.SEND)
    with pytest.raises(aiohttp.ClientError):
        rest.send(place.id, content="never")
    server.faults.lose_answer(Route.SEND)
    with pytest.raises(aiohttp.ClientError):
        rest.send(place.id, content="posted", nonce="n-1")
    assert [m.content for m in server.answers(place)] == ["posted"]
    rest.send(place.id, content="posted", nonce="n-1")
    assert len(server.answers(place)) == 1


def test_a_server_that_was_stopped_comes_back_where_it_was(
    server: DiscordServer, owner: User, rest: Rest
) -> None:
    place = server.dm(owner)
    rest.send(place.id, content="before")
    server.stop()
    try:
        with pytest.raises(aiohttp.ClientError):
            rest.send(place.id, content="down")
    finally:
        server.start()
    rest.send(place.id, content="after")
    assert [m.content for m in server.answers(place)] == ["before", "after"]


def test_waiting_in_vain_tells_what_there_was(server: DiscordServer, owner: User) -> None:
    server.say(owner, None, "only this")
    with pytest.raises(AssertionError, match="only this"):
        server.wait_for_message(server.dm(owner), "something else", 0.05)
