"""An allow that says nothing about taint is pointed out, with the line that narrows it."""

from typing import Any

import pytest
import yaml

from assistant.domain.calls.call import Reach, Risk
from assistant.domain.governance.modes import Autorun
from assistant.domain.policy.check import advice_on
from assistant.domain.policy.decide import Policy, Verdict
from assistant.domain.policy.rules import Condition, Rule, RuleAction
from assistant.domain.policy.tool_limits import Governance
from tests.judging import asked, judged, rule

CHANGING = {"tidy", "send"}
STRANGERS = rule("ask", tainted=True)


def places(*rules: Rule, **others: Any) -> list[str]:
    return [one.where for one in advice_on(Policy(rules=rules, **others), CHANGING)]


@pytest.mark.parametrize(
    "rules",
    [
        (rule("allow"),),
        (rule("allow", "send", to__startsWith="ann"),),
        (rule("allow", "*"),),
        (rule("allow"), STRANGERS),
        (rule("ask", tainted=True, path__startsWith="b"), rule("allow")),
        (rule("ask", "*", tainted=True), rule("allow")),
        (rule("allow", tainted=True, path__equals="a"), rule("allow")),
        (rule("ask", tainted=False), rule("allow")),
    ],
)
def test_an_allow_that_a_stranger_may_lead_to_is_pointed_out(rules: tuple[Rule, ...]) -> None:
    [place] = places(*rules)
    assert rules[int(place[6])].action is RuleAction.ALLOW


@pytest.mark.parametrize(
    "rules",
    [
        (),
        (rule("allow", "look"),),
        (rule("ask"), rule("deny", "send")),
        (rule("allow", tainted=False),),
        (rule("allow", tainted=[True, False]),),
        (rule("allow", sender_grade="known"),),
        (STRANGERS, rule("allow")),
        (rule("deny", tainted=True), rule("allow", path__startsWith="a")),
    ],
)
def test_what_says_something_of_strangers_is_left_alone(rules: tuple[Rule, ...]) -> None:
    assert places(*rules) == []


def test_a_tool_that_asks_all_the_same_is_left_alone() -> None:
    for limits in (Governance(enforced=True), Governance(enabled=False)):
        assert places(rule("allow"), tools={"tidy": limits}) == []


def test_a_default_that_allows_is_pointed_out() -> None:
    assert places(default=RuleAction.ALLOW) == ["default"]
    assert places(default=RuleAction.ASK, autorun=Autorun.ALL) == []


def test_the_line_that_is_offered_narrows_the_rule() -> None:
    wide = rule("allow", path__startsWith="a")
    [warning] = advice_on(Policy(rules=(wide,)), CHANGING)
    [condition] = yaml.safe_load(warning.fix.removeprefix("add to its conditions: "))
    made = Condition.model_validate(condition)
    narrow = wide.model_copy(update={"conditions": (*wide.conditions, made)})
    assert places(narrow) == []
    for tainted in (True, False):
        request = asked(args={"path": "a.txt"}, reach=Reach.WRITES, risk=Risk.HIGH, tainted=tainted)
        assert judged(request, wide).verdict is Verdict.ALLOW
        assert (judged(request, narrow).verdict is Verdict.ALLOW) is not tainted
