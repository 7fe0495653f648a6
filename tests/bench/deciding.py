"""``decide`` at 1,000 rules, beside a plain scan over the same rules and beside its promise."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.policy import Policy, Request, Standing, ToolTraits, compiled, decide
from assistant.domain.rules import Action, Condition, Operator, Rule
from tests.bench.comparison import Aim, Comparison, compare

RULES = 1_000
TOOLS = 100
PROMISE = 30.0
"""Microseconds that one decision may take."""
WITHIN = Aim(most=1.0)
LESS = Aim(most=0.5)
"""Of what trying the rules one by one takes, which is but a part of deciding."""

_PATH = "private:/notes/2026/a-longer-name-for-a-file.txt"
_FACTS = Facts(
    args={"path": _PATH, "content": "Pay the rent on the 30th.\n", "labels": ["home", "money"]},
    locations=(_PATH,),
    size=26,
)
REQUEST = Request(
    tool=ToolTraits(name="tool50"),
    facts=_FACTS,
    risk=Risk.MEDIUM,
    reach=Reach.WRITES,
    owner="owner",
    tainted=True,
    channel="discord",
)


def bench_deciding(_folder: Path, *, size: int, rounds: int) -> list[Comparison]:
    """Microseconds a decision, over ``10 * size`` decisions; no rule of the thousand fits."""
    return [
        one for name, rules in _policies().items() for one in _measured(name, rules, size, rounds)
    ]


def _measured(name: str, rules: tuple[Rule, ...], size: int, rounds: int) -> Iterator[Comparison]:
    standing = Standing(now=datetime.now(UTC), policy=compiled(Policy(rules=rules)))
    ours = _each(lambda: decide(REQUEST, standing), 10 * size)
    scan = _each(lambda: _scanned(rules, REQUEST), size)
    yield compare(
        f"decide, {name}, beside {PROMISE:g} us",
        "us",
        ours=ours,
        beside=lambda: PROMISE,
        rounds=rounds,
        aim=WITHIN,
    )
    yield compare(
        f"decide, {name}, beside a scan", "us", ours=ours, beside=scan, rounds=rounds, aim=LESS
    )


def _policies() -> dict[str, tuple[Rule, ...]]:
    """A thousand rules each: most of them for other tools, or all of them for every tool."""
    return {
        "100 tools": tuple(
            _rule(f"tool{n % TOOLS}", Operator.STARTS_WITH, n) for n in range(RULES)
        ),
        "all for *, equals": tuple(_rule("*", Operator.EQUALS, n) for n in range(RULES)),
        "all for *, startsWith": tuple(_rule("*", Operator.STARTS_WITH, n) for n in range(RULES)),
        "all for *, matches": tuple(_rule("*", Operator.MATCHES, n) for n in range(RULES)),
    }


def _rule(tool: str, operator: Operator, n: int) -> Rule:
    value = f"^private:/[a-z]+{n}/" if operator is Operator.MATCHES else f"private:/notes{n}/"
    return Rule(
        tool=tool,
        action=Action.ALLOW,
        conditions=(Condition(param="path", operator=operator, value=value),),
    )


def _each(once: Callable[[], object], times: int) -> Callable[[], float]:
    def measured() -> float:
        began = time.perf_counter()
        for _ in range(times):
            once()
        return (time.perf_counter() - began) / times * 1_000_000

    return measured


def _scanned(rules: Sequence[Rule], request: Request) -> Rule | None:
    """As rules are usually tried: the tool's own first, one by one."""
    for name in (request.tool.name, "*"):
        for rule in rules:
            if rule.tool == name and all(_fits(one, request.facts.args) for one in rule.conditions):
                return rule
    return None


def _fits(condition: Condition, args: dict[str, Any]) -> bool:
    value = args.get(condition.param)
    if value is None:
        return False
    text, wanted = str(value), str(condition.value)
    if condition.operator is Operator.EQUALS:
        return text == wanted
    if condition.operator is Operator.CONTAINS:
        return wanted in text
    if condition.operator is Operator.STARTS_WITH:
        return text.startswith(wanted)
    return re.search(wanted, text) is not None
