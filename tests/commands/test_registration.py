"""How Discord is told the commands: as the table has them, and as Discord takes them."""

import re
from typing import Any

import pytest

from assistant.commands.channel import CommandChannel
from assistant.commands.index import given_in
from workers.discord.commands.registration import registration

TEXT = 3
TOLD = registration()
NAMES = [str(one["name"]) for one in TOLD]


def options(name: str) -> dict[str, dict[str, Any]]:
    [command] = [one for one in TOLD if one["name"] == name]
    return {one["name"]: one for one in command["options"]}


def test_every_command_that_can_be_typed_there_is_told() -> None:
    assert list(given_in(CommandChannel.DISCORD)) == NAMES
    assert len(NAMES) <= 100


@pytest.mark.parametrize("command", TOLD, ids=NAMES)
def test_discord_takes_each_of_them(command: dict[str, Any]) -> None:
    for one in (command, *command["options"]):
        assert re.fullmatch(r"[a-z0-9_-]{1,32}", one["name"])
        assert 1 <= len(one["description"]) <= 100
    assert len(command["options"]) <= 25
    needed = [one["required"] for one in command["options"]]
    assert needed == sorted(needed, reverse=True)
    for one in command["options"]:
        assert len(one.get("choices", ())) <= 25
        assert not ("choices" in one and "autocomplete" in one)


@pytest.mark.parametrize("command", TOLD, ids=NAMES)
def test_a_yes_and_its_word_are_asked_for_by_buttons_and_forms(command: dict[str, Any]) -> None:
    assert not {"yes", "word", "changes"} & {one["name"] for one in command["options"]}


def test_values_are_offered_where_the_command_knows_them() -> None:
    assert options("undo")["call"] == {
        "name": "call",
        "description": "Such as A17 A18.",
        "required": True,
        "type": TEXT,
        "autocomplete": True,
    }
    modes = [one["value"] for one in options("mode")["mode"]["choices"]]
    assert modes == ["normal", "alert", "degraded", "lockdown", "recovery"]
    assert not options("mode")["mode"]["required"]
    assert options("deny")["why"].keys() == {"name", "description", "required", "type"}
