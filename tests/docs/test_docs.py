"""What the documents say is what the code has."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from docs.draw_states import PAGE, draw
from docs.list_commands import LISTED_IN, listed
from workers.cli import app, output
from workers.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CLI = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
NOT_SETTINGS = {"CONFIG", "MODL"}
"""Where the settings are, and one that is misspelt on purpose."""


def commands() -> Iterator[tuple[str, set[str]]]:
    """Each command of the program by its full name, with its options."""
    yield from _below("assistant", get_command(app))


def _below(name: str, command: Any) -> Iterator[tuple[str, set[str]]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        params = getattr(command, "whole", command).params
        options = {option for given in params for option in (*given.opts, *given.secondary_opts)}
        yield name, {option for option in options if option.startswith("--")}
        return
    for word, below in inner.items():
        yield from _below(f"{name} {word}", below)


def section(command: str) -> str:
    """What the manual says of a command: from its heading to the next one."""
    _, _, rest = CLI.partition(f"\n### {command}\n")
    return re.split(r"\n##", rest, maxsplit=1)[0]


def test_the_states_are_drawn_as_the_tables_have_them() -> None:
    assert PAGE.read_text(encoding="utf-8") == draw(), "run: python -m docs.draw_states"


@pytest.mark.parametrize(("command", "options"), list(commands()))
def test_the_manual_tells_of_each_command_and_its_options(command: str, options: set[str]) -> None:
    told = section(command)
    assert command in told, f"docs/cli.md shows no use of `{command}`"
    assert {option for option in options if option not in told} <= {"--help"}


def test_the_manual_tells_of_no_other_command() -> None:
    assert re.findall(r"^### (.+)$", CLI, re.MULTILINE) == sorted(
        (name for name, _ in commands()), key=lambda name: CLI.index(f"### {name}\n")
    )


def test_the_manual_lists_the_commands_of_a_chat_as_the_table_has_them() -> None:
    for channel, name in LISTED_IN.items():
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert listed(channel) in page, "run: python -m docs.list_commands"


def test_the_manual_names_the_exit_codes_that_commands_end_with() -> None:
    told = {
        word.strip().upper().replace(" ", "_"): int(code)
        for code, word in re.findall(r"^\| (\d) \| ([a-z ]+)", CLI, re.MULTILINE)
    }
    told.pop("OK")
    assert told == {
        name.removeprefix("EXIT_"): code
        for name, code in vars(output).items()
        if name.startswith("EXIT_")
    }


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    inside = [link for link in links if not link.startswith("https://")]
    assert [link for link in inside if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_settings_that_are_named_exist(page: Path) -> None:
    named = set(re.findall(rf"\b{PREFIX}([A-Z0-9_]+)\b", page.read_text(encoding="utf-8")))
    assert {name for name in named if name.lower() not in Settings.model_fields} <= NOT_SETTINGS


def test_make_targets_that_the_readme_names_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE))
    assert {"run", "test", "demo"} <= told <= targets
