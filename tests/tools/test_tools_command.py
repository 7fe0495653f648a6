"""What `assistant tools` prints."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assistant.domain.modes import Mode
from workers.cli import app
from workers.cli.output import EXIT_NOT_FOUND, EXIT_USAGE


class Terminal:
    def __init__(self, data: Path) -> None:
        self.data = data

    def run(self, *words: str) -> tuple[int, str]:
        ended = CliRunner().invoke(app, ["tools", *words, "--data", str(self.data)])
        return ended.exit_code, ended.stdout

    def value(self, *words: str) -> Any:
        code, printed = self.run(*words)
        assert code == 0
        return json.loads(printed)


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    return Terminal(tmp_path_factory.mktemp("tools"))


def names(tools: Sequence[dict[str, Any]]) -> list[str]:
    return [tool["id"] for tool in tools]


def test_the_tools_are_listed_by_name(terminal: Terminal) -> None:
    listed = names(terminal.value("list", "--json"))
    assert listed == sorted(listed)
    assert {"search_emails", "create_event"} <= set(listed)
    code, printed = terminal.run("list")
    assert code == 0
    assert [line.split()[0] for line in printed.splitlines()[1:]] == listed


def test_a_part_of_them_is_listed_by_group_category_and_mode(terminal: Terminal) -> None:
    every = terminal.value("list", "--json")
    assert names(terminal.value("list", "--group", "edit", "--json")) == [
        tool["id"] for tool in every if tool["group"] == "edit"
    ]
    assert names(terminal.value("list", "--category", "read_only", "--json")) == [
        tool["id"] for tool in every if tool["category"] == "read_only"
    ]
    in_lockdown = terminal.value("list", "--mode", Mode.LOCKDOWN, "--json")
    assert {tool["reach"] for tool in in_lockdown} == {"reads"}


def test_they_are_printed_in_the_function_format(terminal: Terminal) -> None:
    functions = terminal.value("list", "--group", "search", "--openai")
    assert {function["type"] for function in functions} == {"function"}
    assert [function["function"]["name"] for function in functions] == names(
        terminal.value("list", "--group", "search", "--json")
    )
    assert terminal.value("show", "read_email", "--openai") in functions


def test_one_tool_is_shown_with_all_it_declares(terminal: Terminal) -> None:
    code, printed = terminal.run("show", "create_event")
    assert code == 0
    assert "Create an event" in printed
    assert "start" in printed
    shown = terminal.value("show", "create_event", "--json")
    assert [shown] == [t for t in terminal.value("list", "--json") if t["id"] == "create_event"]


def test_a_tool_that_does_not_exist_is_not_found(terminal: Terminal) -> None:
    assert terminal.run("show", "no_such")[0] == EXIT_NOT_FOUND
    assert terminal.run("list", "--group", "no_such")[0] == EXIT_USAGE
