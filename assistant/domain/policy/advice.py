"""Warn of what a sound policy lets run although its author may not have thought of it."""

from collections.abc import Collection, Iterator, Sequence

from assistant.domain.policy.decide import Policy
from assistant.domain.policy.problems import Problem
from assistant.domain.policy.rules import ANY_TOOL, Rule, RuleAction, test_of

_LINE = '- {param: "@tainted", operator: equals, value: false}'
"""The condition that means: unless a stranger's words were in view."""
_ABOUT_STRANGERS = frozenset({"@tainted", "@sender_grade"})


def advice_on(policy: Policy, changing: Collection[str]) -> list[Problem]:
    """Return a warning for each rule that allows a change and says nothing about taint.

    Such a rule also allows what a stranger's words may have led to. ``changing`` names the tools
    that change something.
    """
    return [
        *_on_default(policy),
        *(
            one
            for place, rule in enumerate(policy.rules)
            for one in _on_rule(place, rule, policy, changing)
        ),
    ]


def _on_default(policy: Policy) -> Iterator[Problem]:
    if policy.default is RuleAction.ALLOW:
        words = "it also allows changes that a stranger's words may have led to"
        yield Problem(path=("default",), words=words, fix="leave it out, or write ask")


def _on_rule(
    place: int, rule: Rule, policy: Policy, changing: Collection[str]
) -> Iterator[Problem]:
    if rule.action is not RuleAction.ALLOW or not (rule.tool == ANY_TOOL or rule.tool in changing):
        return
    if any(one.param in _ABOUT_STRANGERS for one in rule.conditions):
        return
    if _always_asks(rule.tool, policy) or _stops_the_led(policy.rules[:place], rule.tool):
        return
    what = "changes" if rule.tool == ANY_TOOL else rule.tool
    words = f"it also allows {what} that a stranger's words may have led to"
    yield Problem(path=("rules", place), words=words, fix=f"add to its conditions: {_LINE}")


def _always_asks(tool: str, policy: Policy) -> bool:
    limits = policy.tools.get(tool)
    return limits is not None and (limits.enforced or not limits.enabled)


def _stops_the_led(earlier: Sequence[Rule], tool: str) -> bool:
    """Return whether an earlier rule for the tool asks or denies once strangers are in view."""
    return any(
        rule.tool == tool
        and rule.action is not RuleAction.ALLOW
        and all(one.param == "@tainted" and test_of(one)("true", False) for one in rule.conditions)
        for rule in earlier
    )
