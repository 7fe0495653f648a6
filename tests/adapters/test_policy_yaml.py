"""The file a person writes: read exactly, or refused with the line and the fix."""

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from time import thread_time
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.policy_yaml import read_policy
from assistant.domain.calls.call import Reach, Risk
from assistant.domain.errors import Misconfigured
from assistant.domain.governance.modes import Autorun, Mode
from assistant.domain.policy.check import check_policy
from assistant.domain.policy.decide import (
    Policy,
    PolicyContext,
    ToolTraits,
    Verdict,
    compiled,
    decide,
)
from assistant.domain.policy.decisions import Decision, Layer
from assistant.domain.policy.problems import BadPolicy, Problem
from assistant.domain.policy.rules import Condition, Rule, RuleAction
from assistant.domain.policy.text import LARGEST
from assistant.domain.policy.tool_limits import Governance
from assistant.tools.files.args import WriteFile
from tests import judging
from tests.stores import no_store
from tests.world import World

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLE = DOCS / "policy.example.yaml"
PAGE = DOCS / "policy.md"


def read(text: str) -> Policy:
    return read_policy(dedent(text))


def problems(text: str) -> list[str]:
    return [str(one) for one in found(text)]


def found(text: str) -> tuple[Problem, ...]:
    with pytest.raises(BadPolicy) as refused:
        read(text)
    assert isinstance(refused.value, Misconfigured)
    assert all(one.line and one.column and one.words for one in refused.value.problems)
    return refused.value.problems


def test_a_whole_policy_is_read() -> None:
    policy = read(
        """
        version: 1
        default: ask
        autorun: none
        rules:
          - tool: write_file
            action: deny
            risk: high
            message: Not on Sundays.
            conditions:
              - {param: path, operator: startsWith, value: ["private:/a", "private:/b"]}
              - {param: "@tainted", operator: equals, value: true}
          - {tool: "*", action: allow}
        tools:
          write_file:
            allowed_in_modes: [NORMAL]
            max_file_size_mb: 10
            rate_per_hour: 20
        """
    )
    assert policy.default is RuleAction.ASK
    assert policy.autorun is Autorun.NONE
    first, second = policy.rules
    assert first.conditions[0].values == ("private:/a", "private:/b")
    assert first.conditions[1].value is True
    assert (second.tool, second.action, second.conditions) == ("*", RuleAction.ALLOW, ())
    assert policy.tools == {
        "write_file": Governance(
            allowed_in_modes=(Mode.NORMAL,), max_size=10 * 1024 * 1024, rate_per_hour=20
        )
    }


@given(judging.policies)
def test_what_was_written_is_what_is_read(policy: Policy) -> None:
    text = yaml.safe_dump(policy.model_dump(mode="json"))  # as it is, it would fold U+0085
    if check_policy(policy):
        with pytest.raises(BadPolicy):
            read_policy(text)
    else:
        assert read_policy(text) == policy


def test_words_stay_words() -> None:
    policy = read(
        """
        version: 1
        rules:
          - tool: tidy
            action: deny
            conditions:
              - {param: a, operator: equals, value: [no, on, 0123, 1:30, 2026-11-20, 1_0, .5]}
              - {param: b, operator: equals, value: [true, false, 5, -1, 1.5, 1e3, "5"]}
        """
    )
    texts, others = (one.values for one in policy.rules[0].conditions)
    assert texts == ("no", "on", "0123", "1:30", "2026-11-20", "1_0", ".5")
    assert others == (True, False, 5, -1, 1.5, 1000.0, "5")
    assert [type(one) for one in others] == [bool, bool, int, int, float, float, str]


def test_every_problem_is_told_with_its_line_and_its_fix() -> None:
    assert problems(
        """\
        version: 1
        defalt: ask
        rules:
          - tool: tidy
            action: alow
            condtions: []
          - tool: tidy
            action: ask
            conditions:
              - param: path
                operator: matches
                value: (a)\\1
        tools:
          tidy:
            forbiden_paths: [a]
            enabled: yes
            rate_per_hour: -1
        """
    ) == [
        "line 2, column 1: defalt: is not known here (did you mean default?)",
        (
            "line 5, column 5: rules[0].action: is not one of the words for it "
            "(write 'allow', 'ask' or 'deny')"
        ),
        "line 6, column 5: rules[0].condtions: is not known here (did you mean conditions?)",
        (
            "line 12, column 9: rules[1].conditions[0].value: the pattern has an "
            r"invalid escape sequence: \1 "
            "(write an RE2 pattern: no back-references, no look-around, 1000 characters)"
        ),
        (
            "line 15, column 5: tools.tidy.forbiden_paths: is not known here "
            "(did you mean forbidden_paths?)"
        ),
        "line 16, column 5: tools.tidy.enabled: is neither true nor false (write one of them)",
        "line 17, column 5: tools.tidy.rate_per_hour: is below zero (write 0 or more)",
    ]


def test_what_is_ill_shaped_does_not_hide_what_can_never_come_to_bear() -> None:
    text = """
        version: 1
        default: perhaps
        rules:
          - {tool: write_file, action: forbid}
          - {tool: write_file, action: allow}
          - tool: "*"
          - tool: write_file
            action: deny
            conditions: [{param: path, operator: startsWith, value: "private:/"}]
          - {tool: delete_file, action: ask}
          - tool: read_file
            action: allow
            conditions:
              - {param: path, operator: equals, value: a}
              - {param: path, operator: equals, value: b}
        tools:
          delete_file: {enabled: false}
          read_file: {enabled: no}
          write_file:
            allowed_paths: ["private:/**"]
            forbidden_paths: ["private:/**"]
        """
    assert [(one.line, one.where) for one in found(text)] == [
        (3, "default"),
        (5, "rules[0].action"),
        (7, "rules[2].action"),
        (8, "rules[3]"),
        (11, "rules[4]"),
        (12, "rules[5]"),
        (19, "tools.read_file.enabled"),
        (21, "tools.write_file.allowed_paths"),
    ]
    shadowed = next(one for one in found(text) if one.where == "rules[3]")
    assert shadowed.words == "rules[1] comes first and fits whatever this one fits"


TWICE = "rules: [{tool: a, action: ask}, {tool: a, action: deny}]"
NOWHERE = "tools: {a: {allowed_in_modes: []}}"


@pytest.mark.parametrize(
    ("broken", "other", "where"),
    [
        ("rules: 5", NOWHERE, ["rules", "tools.a"]),
        ("rules: {a: b}", NOWHERE, ["rules", "tools.a"]),
        ("rules: [5]", NOWHERE, ["rules[0]", "tools.a"]),
        ("tools: []", TWICE, ["tools", "rules[1]"]),
        ("tools: {a: 5}", TWICE, ["tools.a", "rules[1]"]),
    ],
)
def test_what_cannot_be_read_at_all_leaves_the_rest_to_be_checked(
    broken: str, other: str, where: list[str]
) -> None:
    assert [one.where for one in found(f"version: 1\n{broken}\n{other}\n")] == where


def test_a_misspelt_tool_is_named_in_the_same_run_whatever_else_is_wrong_with_its_rule() -> None:
    text = """\
version: 1
autorun: sometimes
rules:
  - tool: write_fiel
    action: forbid
  - {tool: write_file, action: deny}
tools:
  delete_fiel:
    enabled: maybe
"""
    with pytest.raises(BadPolicy) as refused:
        read_policy(text, tools={"write_file": {}, "delete_file": {}})
    said = [(one.line, one.words, one.fix) for one in refused.value.problems]
    assert (4, "there is no tool named write_fiel", "did you mean write_file?") in said
    assert (8, "there is no tool named delete_fiel", "did you mean delete_file?") in said
    assert [line for line, *_ in said] == [2, 4, 5, 8, 9], "each problem is told once"


def test_what_can_never_come_to_bear_is_told_with_its_line() -> None:
    text = """\
        version: 1
        rules:
          - {tool: tidy, action: deny}
          - tool: tidy
            action: allow
        """
    assert problems(text) == [
        (
            "line 4, column 5: rules[1]: rules[0] comes first and fits whatever this one fits "
            "(put this rule before it, or take it out)"
        )
    ]
    tools = {"tidy": {"properties": {"path": {"type": "string"}}}}
    wrong = "version: 1\nrules:\n - tool: tidi\n   action: deny\n"
    assert read_policy(wrong).rules
    with pytest.raises(BadPolicy, match=r"line 3, column 4: rules\[0\]\.tool.*did you mean tidy"):
        read_policy(wrong, tools=tools)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "the file is empty"),
        ("# nothing\n", 1, "the file is empty"),
        ("rules: []", 1, "it does not say its version"),
        ("version: 2", 1, "is not one of the words"),
        ("- a", 1, "a policy has names and values"),
        ("version: 1\nrules: x", 2, "is no list"),
        ("version: 1\nrules:", 2, "is no list"),
        ("version: 1\nrules: [x]", 2, "has no names and values"),
        ("version: 1\nrules: [{action: ask}]", 2, "is missing"),
        ("version: 1\ntools: []", 2, "has no names and values"),
        ("version: 1\ndefault: no", 2, "is not one of the words"),
        ("version: 1\nversion: 1", 2, "is there twice"),
        ("version: 1\nrules:\n - {tool: a, action: ask, tool: b}", 3, "is there twice"),
        ("version: 1\n? [a]\n: b", 2, "a key is a word"),
        ("version: 1\nrules: &a []", 2, "anchors and aliases"),
        ("version: 1\nrules: *a", 2, "anchors and aliases"),
        ("version: 1\nrules: !!python/object/apply:os.getcwd []", 2, "tags are not read"),
        ("version: !!int 1", 1, "tags are not read"),
        ("version: 1\n---\nversion: 1", 2, "single document"),
        ("version: 1\nrules: 'a", 2, "quoted scalar"),
        ("version: 1\n  rules: []", 2, "mapping values are not allowed"),
        ("version: 1\nrules: \x00", 2, "not allowed in a text file"),
        ("version: 1\nx: 99999999999999999999", 2, "larger than any number"),
        ("version: 1\nx: " + "9" * 5_000, 2, "larger than any number"),
        ("version: 1\nx: " + "[" * 30 + "]" * 30, 2, "nested too deep"),
    ],
)
def test_what_is_no_policy_is_refused(text: str, line: int, words: str) -> None:
    told = [one for one in found(text) if words in one.words]
    assert [one.line for one in told] == [line]
    assert told[0].fix


def bomb(levels: int) -> str:
    lines = ["version: 1", "a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        bomb(12),
        "version: 1\nx: " + "[" * 500_000,
        "version: 1\nx: " + "{a: " * 200_000,
        "? " * 500_000,
        "- " * 500_000,
        "version: 1\nx: [" + "a, " * 300_000 + "]",
        "version: 1\n" + "".join(f"k{n}: v\n" for n in range(80_000)),
        "a" * (LARGEST + 1),
    ],
)
def test_no_file_takes_long_to_refuse(text: str) -> None:
    began = thread_time()
    assert found(text)
    assert thread_time() - began < 10


def _rules(count: int, one: Callable[[int], str], *, operator: str = "matches") -> str:
    rules = (
        "- {tool: write_file, action: ask, conditions: "
        f"[{{param: content, operator: {operator}, value: {one(place)}}}]}}\n"
        for place in range(count)
    )
    return "version: 1\nrules:\n" + "".join(rules)


def _large(place: int) -> str:
    return f"'(\\pL|\\pN){{20}}{place}'"


def test_expressions_that_are_too_large_together_are_refused_with_the_place_of_the_first() -> None:
    [one] = found(_rules(1_999, _large))
    assert "too large together" in one.words
    assert 50 < one.line < 200
    assert one.fix
    assert len(read_policy(_rules(50, _large)).rules) == 50


def test_paths_that_are_too_large_together_are_refused() -> None:
    globs = ", ".join(f"'{'?' * 900}{place}'" for place in range(900))
    [one] = found(f"version: 1\ntools:\n  write_file:\n    allowed_paths: [{globs}]\n")
    assert "too large together" in one.words


FULL = {
    "simple": _rules(1_999, lambda n: f"'^a{n}[0-9]{{1,50}}(foo|bar){{1,20}}'"),
    "large": _rules(1_999, _large),
    "broken": _rules(1_999, lambda n: f"'\\pL{{{n % 700 + 90}}}{n}'"),
    "contains": _rules(1_999, lambda n: f"'{n + 10_000}'", operator="contains"),
    "begins": _rules(1_999, lambda n: f"'{n + 10_000}'", operator="startsWith"),
    "lists": _rules(
        60, lambda n: str([f"{n * 900 + m + 10**5}x" for m in range(900)]), operator="contains"
    ),
    "mixed": _rules(1_000, lambda n: f"'^{n + 10_000}x'")
    + _rules(999, lambda n: f"'{n + 10_000}'", operator="equals").partition("rules:\n")[2],
    "words": _rules(1_999, lambda n: f"word{n}", operator="near"),
    "unknown": _rules(1_999, lambda n: f"'{n}'", operator="equals").replace("write_file", "write"),
    "keys": _rules(1_999, lambda n: f"{n}").replace("action", "actoin"),
    "met together": "version: 1\nrules:\n- {tool: write_file, action: allow, conditions: ["
    + ", ".join(
        f"{{param: content, operator: startsWith, value: {['x' + 'y' * m for m in range(150)]}}}"
        for _ in range(50)
    )
    + "]}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FULL)
def test_no_policy_takes_long_to_read_check_and_compile(name: str) -> None:
    began = thread_time()
    try:
        compiled(read_policy(FULL[name], tools={"write_file": WriteFile.model_json_schema()}))
    except BadPolicy as refused:
        assert refused.problems  # noqa: PT017 (some of these are refused, and quickly as well)
    assert thread_time() - began < 12


def test_a_policy_in_force_is_understood_without_being_checked_again() -> None:
    twice = _rules(2, lambda _n: "'a'")
    assert found(twice)
    assert len(read_policy(twice, checked=True).rules) == 2


@given(st.text() | st.text(alphabet="[]{}:,&*!-?|>'\"\\%@#\n\t a0~"))
def test_whatever_the_file_holds_it_is_a_policy_or_a_problem_with_a_line(text: str) -> None:
    for file in (text, f"version: 1\n{text}", f"version: 1\nrules:\n- {text}"):
        try:
            read_policy(file)
        except BadPolicy as refused:
            assert all(one.line >= 1 for one in refused.problems)  # noqa: PT017 (of any of three)


# The example, with the tools that there are, in both directions.


def example() -> Policy:
    tools = {tool.name: tool.schema.parameters for tool in World(no_store).toolbox.list()}
    return read_policy(EXAMPLE.read_text(encoding="utf-8"), tools=tools)


def by_example(name: str, mode: Mode = Mode.NORMAL, **changes: Any) -> Decision:
    request = judging.asked(tool=ToolTraits(name=name), reach=Reach.WRITES, **changes)
    return decide(request, PolicyContext(now=judging.NOW, policy=compiled(example()), mode=mode))


def write(path: str, content: str = "Milk", **changes: Any) -> Decision:
    args = {"path": path, "content": content}
    return by_example("write_file", args=args, locations=(path,), risk=Risk.MEDIUM, **changes)


def test_the_example_stops_what_it_says_and_lets_its_like_pass() -> None:
    assert write("private:/drafts/a").verdict is Verdict.ALLOW
    assert write("private:/drafts/a", tainted=True).verdict is Verdict.REPORT
    assert write("private:/notes/a").verdict is Verdict.REPORT
    secret = write("private:/drafts/a", "Password: x")
    assert (secret.verdict, secret.rule) == (Verdict.DENY, "rules[0]")
    public = write("public:/a")
    assert (public.verdict, public.risk) == (Verdict.ASK, Risk.HIGH)
    assert public.message == "Everyone will be able to read this."
    assert write("private:/keys/a").layer == Layer.CONSTRAINT
    assert write("private:/drafts/a", size=6 * 1024 * 1024).verdict is Verdict.DENY
    assert write("private:/drafts/a", mode=Mode.DEGRADED).verdict is Verdict.ASK
    assert write("private:/drafts/a", channel="kiosk").verdict is Verdict.ALLOW
    assert write("private:/notes/a", channel="kiosk").verdict is Verdict.ASK


def test_the_example_tells_strangers_from_others() -> None:
    def event(grade: str, *, tainted: bool = True) -> Verdict:
        return by_example("create_event", tainted=tainted, sender_grade=grade).verdict

    assert event("unknown") is Verdict.DENY
    assert event("known") is Verdict.ASK
    assert event("unknown", tainted=False) is Verdict.ALLOW


def test_the_example_always_asks_before_a_file_is_gone() -> None:
    assert by_example("delete_file", locations=("private:/a",)).verdict is Verdict.ASK
    assert by_example("delete_file", locations=("private:/archive/a",)).verdict is Verdict.DENY


def test_the_page_tells_of_every_key_and_no_other() -> None:
    models = (Policy, Rule, Condition, Governance)
    keys = {name for model in models for name in model.model_fields} | {"max_file_size_mb"}
    told = set(re.findall(r"^\| `([a-z_]+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert told == keys


def test_what_the_page_shows_is_what_happens() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        assert read_policy(block if "version:" in block else f"version: 1\n{block}")
