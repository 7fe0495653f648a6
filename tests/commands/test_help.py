"""`assistant --help`: people's commands first, then the machine's, each once."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from assistant.commands.channel import CommandChannel
from assistant.commands.help import help_for
from assistant.commands.index import COMMANDS, GROUPS, given_in
from tests.process.command import run
from workers.cli.app import app
from workers.cli.terminal.render import indented


def sections(data: Path) -> dict[str, list[str]]:
    """The commands by the section in which they are listed."""
    found: dict[str, list[str]] = {}
    listed = run("--help", data=data).out.partition("Every day:")
    for line in f"{listed[1]}{listed[2]}".splitlines():
        if title := re.fullmatch(r"(\S.*):", line):
            found[title[1]] = []
        elif name := re.match(r"  (\S+)", line):
            found[list(found)[-1]].append(name[1])
    return found


def test_what_people_use_every_day_stands_before_what_runs_it(tmp_path: Path) -> None:
    found = sections(tmp_path)
    assert list(found) == ["Every day", "What it may do, and what it did", "Set it up and run it"]
    everyday = [
        "chat",
        "mail",
        "commitments",
        "agenda",
        "brief",
        "remind",
        "reminders",
        "reminder",
        "files",
        "approvals",
        "undo",
        "log",
        "status",
    ]
    assert found["Every day"] == everyday
    assert found["Set it up and run it"][:3] == ["init", "up", "demo"]
    assert {"worker", "beat", "migrate", "backup", "restore", "doctor"} <= set(
        found["Set it up and run it"]
    )


def test_each_command_is_listed_once_with_its_help(tmp_path: Path) -> None:
    listed = [name for names in sections(tmp_path).values() for name in names]
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert sorted(listed) == sorted(commands)
    out = run("--help", data=tmp_path).out.partition("Every day:")[2]
    assert not re.findall(r"^  \S+ *$", out, re.MULTILINE)


def test_the_help_of_each_command_begins_with_one_whole_short_sentence(tmp_path: Path) -> None:
    groups = [["--help"], *([name, "--help"] for name in GROUPS)]
    for line in groups:
        out = run(*line, data=tmp_path, env={"COLUMNS": "80"}).out
        listed = re.findall(r"^  ([a-z]\S*)  +(\S.*)$", out.partition("\n\n")[2], re.MULTILINE)
        listed = [(name, said) for name, said in listed if not name.startswith("-")]
        assert listed
        assert [one for one in listed if not one[1].endswith(".") or one[1].endswith("...")] == []
    for one in COMMANDS.values():
        assert len(one.help) <= 100, one.name  # what Discord takes
        assert one.help.endswith(".")


def test_a_chat_helps_with_what_an_owner_does_first_and_then_with_all() -> None:
    for channel in (CommandChannel.TERMINAL, CommandChannel.DISCORD):
        first, whole = help_for(channel), help_for(channel, all=True)
        assert len(first.splitlines()) <= 20
        if channel is CommandChannel.TERMINAL:
            assert len(indented(first, 80).splitlines()) < 20
        assert "help all" in first or "all: True" in first
        known = given_in(channel)
        for name in (
            "pending",
            "approve",
            "deny",
            "edit",
            "log",
            "undo",
            "status",
            "search",
            "stop",
            "lockdown",
            "why",
            "details",
        ):
            assert f"/{name}" in first
        assert all(f"/{one.called(channel)}" in whole for one in known.values())


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (["pending"], "assistant approvals list"),
        (["approve", "A1"], "assistant approvals approve"),
        (["/lockdwn"], ""),
        (["search", "rent"], "assistant mail search"),
        (["approvls"], "assistant approvals"),
        (["mail", "lst"], "assistant mail list"),
        (["approvals", "pending"], "assistant approvals list"),
        (["qqqq"], ""),
    ],
)
def test_a_word_that_is_no_command_is_told_what_it_is_called(
    line: list[str], meant: str, tmp_path: Path
) -> None:
    ended = run(*line, data=tmp_path)
    assert ended.code == 2
    said = re.sub(r"[\s│]+", " ", ended.err)
    assert (f"did you mean `{meant}`?" in said) if meant else "did you mean" not in said
