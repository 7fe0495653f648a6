"""How Discord is told the commands: as the table has them, and as Discord takes them."""

import re
from typing import Any

import pytest

from assistant.commands.channel import CommandChannel
from assistant.commands.index import given_in
from workers.discord.commands.registration import registration

TEXT = 3
REGISTERED = registration()
MENUS = [one for one in REGISTERED if one["type"] == 3]
SLASHES = [one for one in REGISTERED if one["type"] == 1]
SUBCOMMAND = 1


def leaves(command: dict[str, Any]) -> list[dict[str, Any]]:
    """What can be typed: the command, or each that stands below it."""
    below = [one for one in command["options"] if one["type"] == SUBCOMMAND]
    assert below in ([], command["options"]), "a command has subcommands or options, never both"
    return [{**one, "name": f"{command['name']} {one['name']}"} for one in below] or [command]


TOLD = [one for command in SLASHES for one in leaves(command)]
NAMES = [str(one["name"]) for one in TOLD]


def options(name: str) -> dict[str, dict[str, Any]]:
    [command] = [one for one in TOLD if one["name"] == name]
    return {one["name"]: one for one in command["options"]}


def test_every_command_that_can_be_typed_there_is_told() -> None:
    known = given_in(CommandChannel.DISCORD).values()
    assert sorted(one.called(CommandChannel.DISCORD) for one in known) == sorted(NAMES)
    assert len(SLASHES) <= 100
    assert len(MENUS) <= 5


def test_commands_that_belong_together_stand_below_one_name() -> None:
    below: dict[str, list[str]] = {name.partition(" ")[0]: [] for name in NAMES if " " in name}
    for name in NAMES:
        head, _, sub = name.partition(" ")
        if head in below:
            below[head].append(sub)
    assert below == {
        "grants": ["list", "revoke"],
        "reminders": ["list", "cancel", "later", "done"],
        "mode": ["set", "show"],
        "review": ["list", "keep"],
    }


def test_a_message_s_menu_has_the_question_about_it() -> None:
    assert [one["name"] for one in MENUS] == ["Ask about this"]
    assert all(len(one["name"]) <= 32 and "description" not in one for one in MENUS)


@pytest.mark.parametrize("command", TOLD, ids=NAMES)
def test_discord_takes_each_of_them(command: dict[str, Any]) -> None:
    for one in (command, *command["options"]):
        assert all(re.fullmatch(r"[a-z0-9_-]{1,32}", word) for word in one["name"].split())
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
        "required": False,
        "type": TEXT,
        "autocomplete": True,
    }
    modes = [one["value"] for one in options("mode set")["mode"]["choices"]]
    assert modes == ["normal", "alert", "degraded", "lockdown", "recovery"]
    assert options("mode set")["mode"]["required"]
    assert options("mode show") == {}
    assert options("deny")["why"].keys() == {"name", "description", "required", "type"}
