"""`assistant --help`: people's commands first, then the machine's, each once."""

import re
from pathlib import Path

from typer.main import get_command

from tests.process.command import run
from workers.cli.app import app


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
    everyday = ["chat", "mail", "events", "files", "approvals", "undo", "log", "status"]
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
