"""``assistant up`` with a token: the bot is a part like the others, but for what is Discord's."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.process.test_up import House, until
from tests.servers.discord import DiscordServer, User

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def discord() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        yield server


@pytest.fixture(scope="module")
def ann(discord: DiscordServer) -> User:
    return discord.user("ann")


@pytest.fixture(scope="module")
def house(
    tmp_path_factory: pytest.TempPathFactory, discord: DiscordServer, ann: User
) -> Iterator[House]:
    """Up, with a token that Discord takes."""
    made = House(
        tmp_path_factory.mktemp("discord"),
        discord_token=discord.token,
        discord_owner_ids=ann.id,
        discord_api_base=discord.api_base,
        discord_gateway=discord.gateway_url,
    )
    made.up()
    yield made
    for process in made.processes().values():
        process.kill()


def test_where_a_token_is_set_the_bot_runs_too_and_answers(
    house: House, discord: DiscordServer, ann: User
) -> None:
    assert "Discord, as assistant" in house.said
    assert house.run("status")["discord"]["live"] is True
    discord.say(ann, None, 'create "Pay the rent" 2031-03-04 10:00-10:30')
    card = until(lambda: [m for m in discord.answers(discord.dm(ann)) if m.labels], "a card")[0]
    discord.press(ann, card, "Approve").wait_for_words("is approved")
    until(lambda: discord.message(card.id).labels == ["Undo", "More"], "a receipt")
    [event] = house.run("agenda", "2031-03-01 to 2031-03-07")["events"]
    assert event["title"] == "Pay the rent"


def test_a_bot_that_is_killed_is_started_again(
    house: House, discord: DiscordServer, ann: User
) -> None:
    killed = house.children()["bot"]
    os.kill(killed, signal.SIGKILL)
    until(lambda: house.children()["bot"] != killed, "another bot")
    assert "ended (exit -9)" in house.said
    told = len(discord.answers(discord.dm(ann)))
    discord.say(ann, None, "what is on 2031-03-04")
    until(lambda: len(discord.answers(discord.dm(ann))) > told, "an answer")


def test_a_token_that_is_taken_back_is_told_of_and_all_else_goes_on(
    house: House, discord: DiscordServer
) -> None:
    discord.take_back_token()
    goes_on_without_it(house)


def test_a_token_that_is_refused_from_the_start_is_told_of_and_all_else_comes_up(
    house: House,
) -> None:
    assert house.end(signal.SIGTERM) == 0
    house.forget_what_was_said()
    house.up()
    goes_on_without_it(house)
    assert house.end(signal.SIGTERM) == 0
    assert house.processes() == {}


def goes_on_without_it(house: House) -> None:
    until(lambda: "not on Discord, as its settings do not work" in house.said, "it is told")
    log = house.data / "logs" / "bot.log"
    assert str(log) in house.said
    assert "DISCORD_TOKEN: Discord does not take it" in log.read_text()
    until(lambda: "bot" not in house.children(), "its end is noted")
    told = house.run("status")
    assert (told["live"], told["discord"]["live"]) == (True, False)
    assert house.run("chat", "--once", "what is on 2031-03-04")["conversation"]


def test_while_discord_cannot_be_reached_the_doctor_says_that_the_bot_is_not_there(
    tmp_path: Path,
) -> None:
    away = {"discord_api_base": "http://127.0.0.1:1", "discord_gateway": "ws://127.0.0.1:1"}
    house = House(tmp_path, discord_token="a-token", **away)
    house.up()
    try:
        [bot] = [one for one in house.run("doctor", code=1) if one["id"] == "discord bot"]
        assert not bot["ok"]
        assert "no bot of this installation is on Discord" in bot["said"]
    finally:
        assert house.end(signal.SIGTERM) == 0
