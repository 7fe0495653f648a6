"""The owner's policy at a terminal: checked, explained, replayed, suggested; nothing is done."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from assistant.adapters.policy_yaml import read_policy
from assistant.adapters.policy_yaml import write_rule as written
from assistant.domain.policy.check import check_policy
from assistant.domain.policy.decide import Policy
from assistant.domain.policy.rules import Rule
from tests.judging import is_broken, rules
from tests.process.command import Ended, run
from tests.servers.radicale import free_port
from workers.cli.session import Session
from workers.settings import only

TEA = '{"title": "Tea", "start": "2031-03-04T10:00:00Z", "end": "2031-03-04T11:00:00Z"}'
GOOD = "version: 1\nrules:\n  - {tool: create_event, action: allow}\n"
BAD = """version: 1
rules:
  - {tool: write_fiel, action: ask}
  - tool: write_file
    action: forbid
"""
AWAY = {"database_url": f"postgresql://nobody@127.0.0.1:{free_port()}/none"}


class Desk:
    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.data.mkdir(exist_ok=True)

    def __call__(self, *arguments: str, input: str = "", **settings: str) -> Ended:
        env: Mapping[str, str] = {
            "ASSISTANT_TIMEZONE": "UTC",
            **{f"ASSISTANT_{name.upper()}": value for name, value in settings.items()},
        }
        return run("policy", *arguments, data=self.data, input=input.encode(), env=env)

    def run(self, *arguments: str) -> Ended:
        return run(*arguments, data=self.data, env={"ASSISTANT_TIMEZONE": "UTC"})

    def explained(self, *arguments: str, input: str = "", **settings: str) -> dict[str, Any]:
        ended = self("explain", *arguments, "--json", input=input, **settings)
        assert ended.code == 0, ended
        [call] = ended.value["calls"]
        return dict(call)

    def saves(self, text: str) -> None:
        """As the tick does when the file changes."""
        self.data.mkdir(exist_ok=True)
        (self.data / "policy.yaml").write_text(text)
        opened = Session(only(data_dir=self.data, timezone="UTC"))
        opened.open()
        opened.assistant.policy_file.save(opened.assistant.cause())
        opened.assistant.close()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# check


def test_a_sound_policy_is_called_so_without_any_database(desk: Desk) -> None:
    assert desk("check", "-", input=GOOD, **AWAY).code == 0
    strict = GOOD.replace("allow", "ask")
    checked = desk("check", "-", input=strict, **AWAY)
    assert (checked.code, checked.out) == (0, "It is sound.\n")
    example = desk("check", "docs/policy.example.yaml", "--json").value
    assert example == {"ok": True, "problems": [], "warnings": []}
    assert list(desk.data.iterdir()) == []


def test_an_allow_that_says_nothing_of_taint_is_pointed_out_with_its_line(desk: Desk) -> None:
    wide = "version: 1\nrules:\n  - tool: read_file\n    action: allow\n"
    wide += "  - tool: write_file\n    action: allow\n"
    checked = desk("check", "-", "--json", input=wide)
    assert (checked.code, checked.value["ok"], checked.value["problems"]) == (0, True, [])
    [warning] = checked.value["warnings"]
    assert (warning["line"], warning["id"]) == (5, "rules[1]")
    line = '- {param: "@tainted", operator: equals, value: false}'
    assert line in desk("check", "-", input=wide).out
    narrow = f"{wide}    conditions:\n    {line}\n"
    assert desk("check", "-", "--json", input=narrow).value["warnings"] == []


def test_each_problem_has_its_line_and_what_mends_it(desk: Desk) -> None:
    checked = desk("check", "-", "--json", input=BAD)
    assert (checked.code, checked.value["ok"]) == (1, False)
    unknown, problem = checked.value["problems"]
    assert unknown["line"] == 3
    assert (problem["line"], problem["column"], problem["id"]) == (5, 5, "rules[1].action")
    assert "allow" in problem["fix"]
    mended = BAD.replace("forbid", "deny")
    [problem] = desk("check", "-", "--json", input=mended).value["problems"]
    assert (problem["line"], problem["path"]) == (3, ["rules", 0, "tool"])
    assert problem["fix"] == "did you mean write_file?"
    assert "did you mean write_file?" in desk("check", "-", input=mended).out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("check",), 2),
        (("check", "/no/such/policy.yaml"), 7),
        (("explain", "write_file", '{"path"'), 2),
        (("explain", "write_file", "path"), 2),
        (("explain", "write_file", "path=a", "path=b"), 2),
        (("explain", "write_file", '{"path": "a", "path": "b", "content": "x"}'), 2),
        (("explain", "write_file", '{"path": "a", "content": NaN}'), 2),
        (("explain", "write_file", '["path"]'), 2),
        (("explain", "A17", "path=a"), 2),
        (("explain", "write_file", "--mode", "panic"), 2),
        (("explain", "write_file", "--policy", "-"), 3),
        (("explain", "sing"), 7),
        (("explain", "restore_file"), 7),
        (("explain", "A17"), 7),
        (("replay",), 2),
        (("replay", "--since", "yesterday"), 2),
        (("replay", "/no/such/policy.yaml", "--since", "2026-11-20"), 7),
        (("replay", "-", "--since", "2026-11-20"), 3),
        (("suggest", "--since", "once"), 2),
        (("show", "--version", "3"), 7),
    ],
)
def test_commands_end_with_the_code_that_says_why(
    desk: Desk, arguments: tuple[str, ...], code: int
) -> None:
    ended = desk(*arguments, input=BAD)
    assert (ended.code, ended.out) == (code, "")


def test_settings_that_do_not_work_end_with_3(desk: Desk) -> None:
    assert desk("check", "-", input=GOOD, timezone="Mars/Olympus").code == 3


# explain


def test_every_layer_has_its_line_in_order(desk: Desk) -> None:
    call = desk.explained("write_file", "path=notes/a.txt", "content=5")
    assert [layer["id"] for layer in call["layers"]] == [
        "deny", "constraint", "base", "rule", "default", "floor", "grant", "mode", "autorun",
        "rate", "taint",
    ]  # fmt: skip
    assert (call["verdict"], call["layer"], call["actor"]) == ("report", "base", "model")
    assert call["arguments"] == {
        "path": "private:/notes/a.txt", "content": "5", "overwrite": False,
    }  # fmt: skip
    said = desk("explain", "write_file", '{"path": "notes/a.txt", "content": "5"}').out
    assert "base" in said
    assert "normal adds nothing" in said


def test_a_call_is_explained_as_if_things_stood_otherwise(desk: Desk) -> None:
    write = ("write_file", "path=public:/a", "content=x")
    assert desk.explained(*write)["layer"] == "autorun"
    assert desk.explained(*write, "--tainted")["tainted"] is True
    assert desk.explained(*write, "--mode", "lockdown")["verdict"] == "deny"
    assert desk.explained(*write, "--actor", "owner")["actor"].startswith("owner:terminal:")
    under = desk.explained(*write, "--policy", "-", input="version: 1\ndefault: deny\n")
    assert (under["verdict"], under["rule"], under["file"]) == ("deny", "default", "-")


def test_what_cannot_be_looked_at_is_judged_by_its_arguments_and_said(desk: Desk) -> None:
    away = f"http://127.0.0.1:{free_port()}/"
    call = desk.explained("create_event", TEA, caldav_url=away, caldav_username="me")
    assert "could not be looked at" in call["note"]
    assert call["verdict"] in ("ask", "deny")
    wrong = desk.explained("write_file", "path=../etc", "content=x")
    assert (wrong["verdict"], wrong["layer"], wrong["note"]) == ("deny", "deny", "")


def test_explaining_does_nothing_and_records_nothing(desk: Desk) -> None:
    desk.run("files", "put", "README.md", "a.txt")
    before = desk.run("audit", "list", "--json").value
    desk.explained("write_file", "path=a.txt", "content=x", "overwrite=true")
    desk.explained("delete_file", "path=a.txt")
    assert desk.run("audit", "list", "--json").value == before
    assert desk.run("calls", "list", "--json").value == []
    assert len(desk.run("files", "ls", "--json").value) == 1


def test_a_recorded_call_is_explained_then_and_now(desk: Desk) -> None:
    parked(desk)
    call = desk.explained("A1")
    assert call["then"]["verdict"] == call["verdict"] == "ask"
    assert call["then"]["reasons"] == call["reasons"] != []
    desk.saves(GOOD)
    call = desk.explained("a1")
    assert (call["then"]["policy"], call["policy"]) == (0, 1)
    assert (call["then"]["verdict"], call["verdict"], call["rule"]) == ("ask", "allow", "rules[0]")
    told = desk("explain", "A1").out
    assert "ask, by policy 0" in told
    assert "rules[0], for create_event, says allow" in told


def parked(desk: Desk) -> None:
    said = desk.run("chat", "--once", 'create "Tea" 2031-03-04 10:00', "--json")
    assert said.value["waiting"] == ["A1"]


# replay, suggest


def test_a_replay_lists_what_would_be_otherwise(desk: Desk) -> None:
    parked(desk)
    same = desk("replay", "--since", "2020-01-01", "--json").value
    assert (same["seen"], same["same"], same["changes"]) == (1, 1, [])
    assert "Every decision would be the same." in desk("replay", "--since", "2020-01-01").out
    replayed = desk("replay", "-", "--since", "2020-01-01", "--json", input=GOOD)
    assert (replayed.code, replayed.value["ways"]) == (0, {"ask -> allow": 1})
    [change] = replayed.value["changes"]
    assert (change["id"], change["tool"], change["now"]["rule"]) == (
        "A1", "create_event", "rules[0]",
    )  # fmt: skip
    assert desk("replay", "-", "--since", "2031-01-01", "--json", input=GOOD).value["seen"] == 0
    assert "ask -> allow" in desk("replay", "-", "--since", "2020-01-01", input=GOOD).out
    assert desk.run("calls", "show", "A1", "--json").value["state"] == "parked"


def test_what_was_always_approved_is_suggested(desk: Desk) -> None:
    assert desk("suggest", "--json").value == []
    assert "Nothing was approved often enough" in desk("suggest").out
    for n in range(1, 4):
        desk.run("chat", "--once", f'create "Tea" 2031-03-0{n} 10:00', "--json")
        assert desk.run("approvals", "approve", f"A{n}").code == 0
    [found] = desk("suggest", "--json").value
    assert (found["tool"], found["calls"], found["spared_by_grant"]) == (
        "create_event", ["A1", "A2", "A3"], 3,
    )  # fmt: skip
    assert found["same"]["title"] == "Tea"
    told = desk("suggest").out
    assert "create_event: approved 3 times (A1, A2, A3), never refused" in told
    assert 'title is "Tea"' in told
    if found["rule_text"]:
        assert desk("check", "-", input=f"version: 1\nrules:\n{found['rule_text']}").code == 0


@given(rule=rules)
def test_a_rule_is_written_as_it_is_read(rule: Rule) -> None:
    """Those that can be used at all."""
    if is_broken(rule.model_dump(mode="json")) or check_policy(Policy(rules=(rule,))):
        return
    assert read_policy(f"version: 1\nrules:\n{written(rule)}").rules == (rule,)


# show, history


def test_policies_are_shown_and_kept(desk: Desk) -> None:
    none = desk("show", "--json").value
    assert (none["id"], none["text"], none["in_force"]) == (0, "", True)
    assert desk("history", "--json").value == []
    desk.saves(GOOD)
    desk.saves(GOOD.replace("allow", "ask"))
    assert desk("show", "--version", "1", "--json").value["text"] == GOOD
    shown = desk("show").out
    assert "2, in force" in shown
    assert "action: ask" in shown
    listed = desk("history", "--json").value
    assert [(one["id"], one["in_force"]) for one in listed] == [(2, True), (1, False)]
    assert listed[0]["by"] == "file:policy.yaml"
    assert "in force" in desk("history").out
