"""What `assistant tools` prints."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assistant.domain.calls.call import Call, Facts
from assistant.domain.calls.states import CallState
from assistant.domain.governance.modes import Mode
from tests.logs import own_logging
from workers.cli import app
from workers.cli.output import EXIT_NOT_FOUND, EXIT_USAGE
from workers.cli.session import session


class Terminal:
    def __init__(self, data: Path) -> None:
        self.data = data

    def run(self, *words: str) -> tuple[int, str]:
        with own_logging():
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


def test_how_long_its_executions_took_is_shown_once_there_are_any(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    assert {tool["latency"] for tool in terminal.value("list", "--json")} == {None}
    assert "Latency" not in terminal.run("show", "read_email")[1]
    with session(tmp_path) as opened:
        start = opened.assistant.clock.now()
        with opened.assistant.store.begin(opened.assistant.cause()) as tx:
            conversation = tx.conversation_in("terminal", "owner", idle=60).id
            for number, seconds in enumerate((0.25, 4.0, 0.5)):
                call = ran("read_email", number, start, seconds)
                tx.add_call(call.model_copy(update={"conversation": conversation}))
    took = {"runs": 3, "median": 0.5, "slowest": 4.0}
    assert terminal.value("show", "read_email", "--json")["latency"] == took
    assert "median 500 ms, slowest 4.0 s, of 3 runs" in terminal.run("show", "read_email")[1]
    listed = {line.split()[0]: line for line in terminal.run("list")[1].splitlines()}
    assert "500 ms" in listed["read_email"]
    assert " ms" not in listed["search_emails"]


def ran(tool: str, number: int, start: datetime, seconds: float) -> Call:
    return Call(
        id=f"call-{number}",
        owner="",
        conversation="",
        turn=0,
        ordinal=0,
        tool=tool,
        facts=Facts(args={}),
        state=CallState.DONE,
        started=start,
        ended=start + timedelta(seconds=seconds),
    )
