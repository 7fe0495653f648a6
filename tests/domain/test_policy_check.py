"""A policy with something in it that can never come to bear is refused, and its like is not."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from assistant.domain.governance.modes import Mode
from assistant.domain.policy import check as checking
from assistant.domain.policy.check import check_policy
from assistant.domain.policy.decide import Policy, Request, compiled
from assistant.domain.policy.problems import Problem
from assistant.domain.policy.rules import Operator, Rule
from assistant.domain.policy.schemas import shape_at
from tests import judging
from tests.judging import asked, rule


class Guest(BaseModel):
    mail: str
    role: str = "guest"


class Args(BaseModel):
    path: str
    count: int = 1
    share: float | None = None
    loud: bool = False
    kind: str = "a"
    to: list[str] = []
    guests: list[Guest] = []
    host: Guest | None = None
    labels: dict[str, str] = {}
    anything: Any = None


SCHEMA = Args.model_json_schema() | {"title": "Args"}
SCHEMA["properties"]["kind"] = {"enum": ["a", "b", None]}
TOOLS: Mapping[str, Mapping[str, Any]] = {
    "tidy": SCHEMA,
    "send": {"type": "object", "properties": {"to": {"type": "string"}}},
}


def problems(*rules: Rule, tools: Any = TOOLS, **others: Any) -> list[Problem]:
    return check_policy(Policy(rules=rules, **others), tools)


def words(*rules: Rule, **others: Any) -> list[str]:
    return [f"{one.where}: {one.words}" for one in problems(*rules, **others)]


# Names and types.


def test_tools_that_are_not_registered_are_refused_and_the_nearest_is_named() -> None:
    (one,) = problems(rule("deny", "tidi"))
    assert (one.where, one.words) == ("rules[0].tool", "there is no tool named tidi")
    assert one.fix == "did you mean tidy?"
    limits = Policy.model_validate({"tools": {"sned": {}, "*": {}}})
    assert [one.where for one in check_policy(limits, TOOLS)] == ["tools.*", "tools.sned"]
    assert problems(rule("deny", "tidi"), tools=None) == []
    assert problems(rule("deny", "tidy"), rule("deny", "*")) == []


@pytest.mark.parametrize(
    "param", ["pth", "path.more", "guests.name", "host.mail.x", "share.x", "count.count"]
)
def test_arguments_that_the_tool_does_not_have_are_refused(param: str) -> None:
    (one,) = problems(rule("deny", **{param: "x"}))
    assert one.where == "rules[0].conditions[0].param"
    assert one.words == f"{param} is no argument of tidy"
    assert one.fix


@pytest.mark.parametrize(
    ("param", "right", "wrong"),
    [
        ("path", "x", 1),
        ("path", "x", True),
        ("count", 1, "x"),
        ("count", 2.0, 1.5),
        ("share", 1.5, "x"),
        ("share", 1, True),
        ("loud", True, "true"),
        ("kind", "b", "c"),
        ("to", "x", 1),
        ("guests.mail", "x", 1),
        ("host.role", "x", False),
        ("labels.any", "x", 2),
        ("anything", 1, None),
        ("anything.at.all", "x", None),
    ],
)
def test_values_that_the_argument_cannot_have_are_refused(
    param: str, right: Any, wrong: Any
) -> None:
    assert words(rule("deny", **{param: right})) == []
    assert words(rule("deny", **{param: [right, right]})) == []
    if wrong is not None:
        for value in (wrong, [right, wrong]):
            (one,) = problems(rule("deny", **{param: value}))
            assert one.where == "rules[0].conditions[0].value"
            assert one.fix


def test_a_pattern_that_none_of_the_values_fits_is_refused() -> None:
    assert words(rule("deny", kind__startsWith="x")) == [
        "rules[0].conditions[0].value: no value that kind can have fits"
    ]
    assert words(rule("deny", kind__matches="^[ab]$")) == []


def test_a_rule_for_every_tool_needs_one_tool_that_has_the_argument() -> None:
    assert words(rule("deny", "*", path="x")) == []
    assert words(rule("deny", "*", pth="x")) == [
        "rules[0].conditions[0].param: pth is no argument of any tool"
    ]
    assert words(rule("deny", "*", to=1))[0].startswith("rules[0].conditions[0].value")


def test_taint_is_true_or_false() -> None:
    assert words(rule("deny", tainted=True)) == []
    assert words(rule("deny", tainted="false")) == []
    assert words(rule("deny", tainted="yes"), tools=None) == [
        "rules[0].conditions[0].value: @tainted is true or false, and this fits neither"
    ]


# What can never fit.


def _both(param: str, one: tuple[str, Any], other: tuple[str, Any], action: str = "deny") -> Rule:
    parts = [rule(action, **{f"{param}__{op}": value}) for op, value in (one, other)]
    conditions = tuple(part.conditions[0] for part in parts)
    return parts[0].model_copy(update={"conditions": conditions})


@pytest.mark.parametrize(
    ("one", "other", "possible"),
    [
        (("equals", "a"), ("equals", "b"), False),
        (("equals", ["a", "b"]), ("equals", ["b", "c"]), True),
        (("equals", "abc"), ("startsWith", "b"), False),
        (("equals", "abc"), ("startsWith", "a"), True),
        (("contains", "z"), ("equals", "abc"), False),
        (("matches", "^b"), ("equals", ["abc", "bcd"]), True),
        (("matches", "^b"), ("equals", ["abc"]), False),
        (("startsWith", "a"), ("startsWith", "b"), False),
        (("startsWith", "a"), ("startsWith", "ab"), True),
        (("startsWith", "a"), ("contains", "b"), True),
    ],
)
def test_conditions_that_exclude_each_other_are_refused(
    one: tuple[str, Any],
    other: tuple[str, Any],
    possible: bool,  # noqa: FBT001 (a column of the table)
) -> None:
    for tools in (TOOLS, None):
        found = words(_both("path", one, other), tools=tools)
        assert (found == []) is possible
        if not possible:
            assert found == ["rules[0]: its conditions on path are never met together"]


def test_two_values_in_one_list_do_not_exclude_each_other() -> None:
    both = (("equals", "a"), ("equals", "b"))
    assert words(_both("to", *both)) == []
    assert words(_both("guests.mail", *both)) == []
    assert words(_both("to", *both, action="allow")) == [
        "rules[0]: its conditions on to are never met together"
    ]
    assert words(_both("@channel", *both)) != []


# What an earlier rule leaves nothing to do.


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ({}, {}),
        ({}, {"path": "a"}),
        ({"path": "a"}, {"path": "a"}),
        ({"path": ["a", "b"]}, {"path": "b"}),
        ({"path": "a"}, {"path": "a", "count": 1}),
        ({"path__startsWith": "a"}, {"path__startsWith": "ab"}),
        ({"path__startsWith": ["x", "a"]}, {"path": ["ab", "xy"]}),
        ({"path__contains": "b"}, {"path__startsWith": "abc"}),
        ({"path__contains": "b"}, {"path__contains": "abc"}),
        ({"path__matches": "^a"}, {"path": "abc"}),
        ({"path__matches": ["a", "b"]}, {"path__matches": "b"}),
        ({"tainted": True}, {"tainted": True, "path": "a"}),
    ],
)
def test_a_rule_that_is_shadowed_is_refused(earlier: Any, later: Any) -> None:
    for tool in ("tidy", "*"):
        found = words(rule("ask", tool, **earlier), rule("deny", tool, **later))
        assert found == ["rules[1]: rules[0] comes first and fits whatever this one fits"]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ({"path": "a"}, {}),
        ({"path": "a"}, {"path": "b"}),
        ({"path": "a"}, {"path": ["a", "b"]}),
        ({"path": "a", "count": 1}, {"path": "a"}),
        ({"path__startsWith": "ab"}, {"path__startsWith": "a"}),
        ({"path__startsWith": "a"}, {"path__contains": "a"}),
        ({"path__matches": "a"}, {"path__contains": "a"}),
        ({"path__matches": "a"}, {"path__matches": "ab"}),
        ({"path__contains": "a"}, {"path__matches": "a"}),
        ({"path": "a"}, {"kind": "a"}),
    ],
)
def test_a_rule_that_has_something_left_to_do_is_kept(earlier: Any, later: Any) -> None:
    assert words(rule("ask", **earlier), rule("deny", **later)) == []
    assert words(rule("ask", "*", **earlier), rule("deny", "tidy", **later)) == []


def test_an_allow_for_all_values_leaves_what_fits_in_part() -> None:
    allow, deny = (rule(action, to__startsWith="ann@") for action in ("allow", "deny"))
    assert words(allow, deny) == []
    assert words(deny, allow) != []
    single = [
        Rule(tool="send", action=one.action, conditions=one.conditions) for one in (allow, deny)
    ]
    assert words(*single) != []


@given(st.lists(judging.rules, min_size=2, max_size=5).map(tuple), judging.requests)
def test_what_is_said_to_be_shadowed_never_comes_to_bear(
    rules: tuple[Rule, ...], request: Request
) -> None:
    request = _single(request)
    found = compiled(Policy(rules=rules)).rule_for(request, tainted=request.tainted)
    shadowed = {one.path[1] for one in problems(*rules, tools=None) if "comes first" in one.words}
    assert found is None or found.place not in shadowed


def _single(request: Request) -> Request:
    """The same with single values, which is what the check takes them for without a schema."""
    args = {
        name: "a" if isinstance(value, list | dict) else value
        for name, value in request.facts.args.items()
    }
    return replace(request, facts=request.facts.model_copy(update={"args": args}))


@given(judging.rules, judging.requests)
def test_what_is_said_to_fit_nothing_fits_nothing(one: Rule, request: Request) -> None:
    request = _single(request)
    never = problems(one, tools=None)
    found = compiled(Policy(rules=(one,))).rule_for(request, tainted=request.tainted)
    assert not (never and found)


def test_rules_that_are_never_reached_are_refused() -> None:
    off = {"tools": {"tidy": {"enabled": False}}}
    policy = Policy.model_validate(
        off | {"rules": [{"tool": "tidy", "action": "ask"}, {"tool": "*", "action": "ask"}]}
    )
    assert [one.where for one in check_policy(policy, TOOLS)] == ["rules[0]"]
    own = [rule("ask", "tidy"), rule("ask", "send")]
    assert words(*own, rule("deny", "*", path="x")) == [
        "rules[2]: each tool has a rule of its own without conditions"
    ]
    assert words(own[0], rule("deny", "*", path="x")) == []


@pytest.mark.parametrize(
    ("terms", "where"),
    [
        ({"allowed_in_modes": ["alert"], "forbidden_in_modes": ["alert"]}, ".forbidden_in_modes"),
        ({"forbidden_in_modes": list(Mode)}, ""),
        ({"allowed_in_modes": []}, ""),
        (
            {"forbidden_in_modes": ["alert"], "requires_approval_in_modes": ["alert"]},
            ".requires_approval_in_modes",
        ),
        ({"allowed_paths": ["a"], "forbidden_paths": ["a", "b"]}, ".allowed_paths"),
        ({"allowed_hosts": ["a"], "forbidden_hosts": ["a"]}, ".allowed_hosts"),
        ({"allowed_commands": ["a"], "forbidden_commands": ["a"]}, ".allowed_commands"),
    ],
)
def test_limits_that_exclude_each_other_are_refused(terms: Any, where: str) -> None:
    policy = Policy.model_validate({"tools": {"tidy": terms}})
    assert [one.where for one in check_policy(policy, TOOLS)][:1] == [f"tools.tidy{where}"]


def test_limits_that_go_together_are_kept() -> None:
    terms = {
        "allowed_in_modes": ["normal", "alert"],
        "requires_approval_in_modes": ["alert"],
        "allowed_paths": ["private:/**"],
        "forbidden_paths": ["private:/keys/**"],
    }
    assert check_policy(Policy.model_validate({"tools": {"tidy": terms}}), TOOLS) == []


def test_problems_come_in_the_order_of_the_file() -> None:
    found = problems(*(rule("deny", f"x{n}") for n in range(12)))
    assert [one.path[1] for one in found] == list(range(12))


def test_a_schema_that_leads_in_circles_is_no_trouble() -> None:
    circle = {
        "properties": {"x": {"$ref": "#/$defs/A"}, "y": {"$ref": "#/nowhere"}},
        "$defs": {
            "A": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
            "B": {"type": "array", "items": {"$ref": "#/$defs/A"}},
        },
    }
    for path in (["x"], ["x", "z"], ["y"]):
        shape_at(circle, path)
    assert shape_at(circle, ["z"]) is None


@given(st.sampled_from(["path", "kind", "to", "count", "loud"]), judging.sane)
def test_what_an_argument_cannot_be_it_is_not(param: str, value: Any) -> None:
    """Whatever fits a value that is refused, no argument that the schema takes has it."""
    one = rule("deny", **{param: value})
    if problems(one):
        for good in ({"path": "p"}, {"path": "p", "to": ["x", "y"], "kind": "b", "count": 3}):
            args = Args.model_validate(good).model_dump(mode="json")
            request = asked(args=args)
            assert compiled(Policy(rules=(one,))).rule_for(request, tainted=False) is None


def test_every_operator_is_understood_by_the_check() -> None:
    for operator in Operator:
        pair = [rule("ask", **{f"path__{operator}": "a"})] * 2
        assert len(problems(*pair)) == 1


_VALUE = st.sampled_from(["a", "ab", "abc", "b", "^a", "c", "ba"])
_CONDITION = st.tuples(
    st.sampled_from(["path", "kind"]),
    st.sampled_from(list(Operator)),
    st.lists(_VALUE, min_size=1, max_size=2, unique=True),
)
_RULES = st.lists(
    st.builds(
        lambda action, conditions: Rule.model_validate(
            {
                "tool": "tidy",
                "action": action,
                "conditions": [
                    {"param": param, "operator": operator, "value": tuple(value)}
                    for param, operator, value in conditions
                ],
            }
        ),
        st.sampled_from(["allow", "ask"]),
        st.lists(_CONDITION, max_size=2),
    ),
    max_size=7,
)


@given(_RULES)
def test_the_index_finds_what_comparing_all_rules_finds(rules: list[Rule]) -> None:
    known, effort = checking._KnownTools(None), checking._Effort(10**9)
    placed = list(enumerate(rules))
    left: list[checking._RuleScope] = []
    expected = []
    for place, one in placed:
        scope = checking._RuleScope(place, one)
        if any(checking._subsumes(before, scope, known, effort) for before in left):
            expected.append(place)
        else:
            left.append(scope)
    shadowed = [one.path[1] for one in checking._shadows(placed, known, effort)]
    assert shadowed == expected


def test_rules_beyond_what_there_is_time_for_are_not_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = [rule("ask", "tidy", path__contains=f"part {n:03}") for n in range(60)]
    twice = [*rules, rule("ask", "tidy", path__contains="part 000")]
    assert len(problems(*twice)) == 1
    monkeypatch.setattr(checking, "EFFORT", 100)
    assert problems(*twice) == []
    assert problems(rule("allow", "tidy", path__startsWith="a", path__contains="b")) == []


def test_a_kind_of_problem_is_told_a_hundred_times_at_the_most() -> None:
    wrong = [rule("ask", "tidy", paht__equals=f"{n}") for n in range(150)]
    assert len(problems(*wrong, rule("deny", "tidi"))) == 101
