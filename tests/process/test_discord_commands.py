"""What the command line says of Discord, and who is listened to there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.domain.deliveries import Delivery, Shown, ShownKind
from assistant.domain.messages import Deliver
from tests.process.command import Ended, run
from tests.servers.discord import DiscordServer, User
from workers.cli.session import Session
from workers.discord.commands.registration import registration
from workers.settings import OWNER, only

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def discord() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        yield server


class House:
    def __init__(self, root: Path, discord: DiscordServer) -> None:
        self.discord = discord
        self.data = root / "data"
        self.data.mkdir()

    def run(self, *arguments: str, **more: str) -> Ended:
        env = {
            "ASSISTANT_DISCORD_TOKEN": self.discord.token,
            "ASSISTANT_DISCORD_API_BASE": self.discord.api_base,
            **{f"ASSISTANT_{name.upper()}": value for name, value in more.items()},
        }
        return run(*arguments, data=self.data, env=env)

    def delivers(self, id: str, user: User, settings: dict[str, str]) -> None:
        """Words, as far as Discord lets them."""
        given = only(
            data_dir=self.data,
            discord_token=self.discord.token,
            discord_api_base=self.discord.api_base,
            **settings,
        )
        opened = Session(given)
        opened.open()
        with opened.assistant.store.begin(opened.assistant.cause()) as tx:
            tx.want(
                Delivery(
                    id=id,
                    owner=OWNER,
                    channel="discord",
                    place=f"dm:{user.id}",
                    wanted=Shown(kind=ShownKind.WORDS, text=id),
                )
            )
            tx.emit(Deliver(id=id))
        opened.settle("")
        opened.assistant.close()

    def doctor(self, **more: str) -> dict[str, Any]:
        """What it says of each part of Discord's."""
        found = self.run("doctor", "--json", **more).value
        return {one["id"]: one for one in found if one["id"].startswith("discord")}


@pytest.fixture
def house(tmp_path: Path, discord: DiscordServer) -> House:
    return House(tmp_path, discord)


def test_a_code_is_printed_as_the_command_to_give(house: House) -> None:
    made = house.run("pair")
    assert made.code == 0
    assert made.out.startswith("/pair ")
    assert "within 10 minutes" in made.out


def test_without_a_bot_to_give_it_to_no_code_is_made(house: House) -> None:
    refused = house.run("pair", discord_token="")
    assert (refused.code, refused.out) == (3, "")
    assert "ASSISTANT_DISCORD_TOKEN is not set" in refused.err
    assert house.run("pair", discord_token="", discord_public_key="ab" * 32).code == 0


def test_the_doctor_finds_nothing_wrong_where_no_bot_is_to_run(house: House) -> None:
    found = house.doctor()["discord bot"]
    assert (found["ok"], found["said"]) == (
        True,
        "none of this house is on Discord; `assistant up` and `assistant bot` run it",
    )


def test_each_code_is_another(house: House) -> None:
    codes = [house.run("pair", "--json").value["code"] for _ in range(2)]
    assert codes[0] != codes[1]
    assert house.run("people", "list", "--json").value == []


def test_where_the_settings_name_who_is_listened_to_nobody_is_paired(house: House) -> None:
    refused = house.run("pair", discord_owner_ids="7,8")
    assert refused.code == 5
    assert "ASSISTANT_DISCORD_OWNER_IDS" in refused.err
    listed = house.run("people", "list", "--json", discord_owner_ids="7,8").value
    assert [(one["id"], one["by"]) for one in listed] == [("7", "settings"), ("8", "settings")]
    assert house.run("people", "forget", "7", discord_owner_ids="7,8").code == 5


def test_who_is_not_known_cannot_be_forgotten(house: House) -> None:
    assert house.run("people", "forget", "7").code == 7


def test_status_says_what_is_missing(house: House) -> None:
    told = house.run("status").out
    assert "no bot of this house is on Discord" in told
    assert "nobody is paired yet" in told


def test_without_a_token_nothing_is_said_of_it(house: House) -> None:
    assert house.run("status", "--json", discord_token="").value["discord"] == {"configured": False}
    assert house.doctor(discord_token="") == {}


def test_the_doctor_tries_token_intents_owner_and_channel(house: House) -> None:
    ann, bob = house.discord.user("ann"), house.discord.user("bob")
    channel = house.discord.channel(house.discord.guild("home", ann, bob), "notices")
    found = house.doctor(discord_owner_ids=ann.id, discord_channel_id=channel.id)
    assert all(one["ok"] for one in found.values()), found
    assert "as assistant" in found["discord"]["said"]
    assert "without the Message Content intent" in found["discord intents"]["said"]
    assert house.discord.typings(channel)


def test_the_doctor_knows_the_message_content_intent_where_it_is_granted(tmp_path: Path) -> None:
    with DiscordServer(message_content=True) as discord:
        found = House(tmp_path, discord).doctor(discord_owner_ids=discord.user("ann").id)
    told = found["discord intents"]
    assert (told["ok"], told["said"]) == (True, "the Message Content intent is granted")


@pytest.mark.parametrize("notices", [True, False])
def test_the_doctor_says_that_direct_messages_are_refused_until_they_are_not(
    house: House, *, notices: bool
) -> None:
    ann = house.discord.user("ann")
    channel = house.discord.channel(house.discord.guild("home", ann), "notices")
    env = {
        "discord_owner_ids": ann.id,
        "discord_channel_id": channel.id if notices else "",
    }
    house.discord.refuse_dms(ann)
    house.delivers("one", ann, env)
    found = house.doctor(**env)["discord owner"]
    assert not found["ok"]
    assert "direct messages" in found["said"]
    assert "Privacy Settings" in found["said"]
    assert notices or "50007" in found["said"]
    house.discord.refuse_dms(ann, refused=False)
    house.delivers("two", ann, env)
    if not notices:  # somebody wrote, and what was given up is tried again
        house.delivers("one", ann, env)
    found = house.doctor(**env)["discord owner"]
    assert found["ok"], found
    assert f"{ann.id} can be opened" in found["said"]


def test_the_doctor_says_which_commands_discord_does_not_know(house: House) -> None:
    world = house.discord.world
    world.commands = [{"name": "ask"}]
    found = house.doctor()["discord commands"]
    assert found["ok"]
    assert "does not know /pending, /approve" in found["said"]
    assert "the bot tells it when it starts" in found["said"]
    (house.data / "run").mkdir(exist_ok=True)
    (house.data / "run" / "bot.alive").write_text('{"name": "assistant", "id": "1"}')
    found = house.doctor()["discord commands"]
    assert not found["ok"]
    assert "does not know /pending, /approve" in found["said"]
    world.commands = registration()
    assert house.doctor()["discord commands"]["said"] == "Discord knows the slash commands"


def test_the_doctor_names_whom_no_direct_messages_can_be_opened_with(house: House) -> None:
    ann = house.discord.user("ann")
    found = house.doctor(discord_owner_ids=f"{ann.id},7")["discord owner"]
    assert not found["ok"]
    assert "user 7: " in found["said"]


def test_the_doctor_says_what_is_wrong_with_it(house: House) -> None:
    found = house.doctor(discord_token="another", discord_channel_id="1")
    assert not any(found[name]["ok"] for name in ("discord", "discord owner", "discord notices"))
    assert "does not take this bot token" in found["discord"]["said"]
    assert "assistant pair" in found["discord owner"]["said"]
