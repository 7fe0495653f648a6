"""Requests and standings for tests of the policy: one by hand, or any that can be thought of."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.errors import Denied
from assistant.domain.governance.modes import Autorun, Mode
from assistant.domain.policy.decide import (
    Decision,
    Policy,
    PolicyContext,
    Request,
    ToolTraits,
    compiled,
    decide,
)
from assistant.domain.policy.grants import Grant, similar
from assistant.domain.policy.rules import ORIGINS, Condition, Operator, Rule, RuleAction, text_of
from assistant.domain.policy.tool_limits import Governance
from assistant.domain.policy.traits import EVERY_MODE, Confirmation

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
OWNER = "olga"
PERSON = "owner:1234"

TOOL = ToolTraits(name="tidy", allowed_modes=EVERY_MODE)
CHANGES = (Reach.WRITES, Reach.SENDS, Reach.DESTROYS)


def asked(
    *,
    risk: Risk | None = Risk.LOW,
    reach: Reach | None = Reach.READS,
    tool: ToolTraits = TOOL,
    actor: str = "model",
    tainted: bool = False,
    channel: str = "",
    sender_grade: str = "",
    **facts: Any,
) -> Request:
    """A request whose facts are as given; by default a harmless read."""
    return Request(
        tool=tool,
        facts=Facts(**{"args": {}, **facts}),
        risk=risk,
        reach=reach,
        owner=OWNER,
        actor=actor,
        tainted=tainted,
        channel=channel,
        sender_grade=sender_grade,
    )


def policy_context(
    *rules: Rule,
    default: RuleAction | None = None,
    autorun: Autorun | None = Autorun.ALL,
    tools: dict[str, Governance] | None = None,
    **others: Any,
) -> PolicyContext:
    """Where only what is named here speaks."""
    policy = Policy(default=default, rules=rules, tools=tools or {})
    return PolicyContext(
        **{"now": NOW, "policy": compiled(policy, 7), "autorun": autorun, **others}
    )


def rule(action: str, tool: str = "tidy", /, **conditions: Any) -> Rule:
    """``rule("deny", path__startsWith="a", tainted=True)``; what has no operator equals."""
    made = []
    for name, value in conditions.items():
        param, _, operator = name.partition("__")
        param = f"@{param}" if f"@{param}" in ORIGINS else param
        given = {"param": param, "operator": operator or "equals", "value": value}
        made.append(Condition.model_validate(given))
    return Rule(tool=tool, action=RuleAction(action), conditions=tuple(made))


def judged(request: Request, *rules: Rule, **others: Any) -> Decision:
    return decide(request, policy_context(*rules, **others))


def grant_for(request: Request, **changes: Any) -> Grant:
    """What "approve similar" gives for this very request."""
    made = similar(request, id="g1", number=3, by=PERSON, now=NOW, call="c1", trace="t1")
    return made.model_copy(update=changes)


def is_broken(value: Any) -> bool:
    """True when there is half of a character in it: no text that was ever shown."""
    return any("\ud800" <= char <= "\udfff" for char in json.dumps(value, ensure_ascii=False))


texts = st.sampled_from(
    ["", "a", "ab", "abc", "b", "a.b", "true", "5", "\ud800", "c\nd"]
) | st.text(max_size=4)
scalars = (
    texts
    | st.integers(-5, 5)
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
)
arguments = st.recursive(
    scalars | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=5,
)
sane = (
    st.sampled_from(["a", "ab", "b", "abc", "true", "5", "d"]) | st.integers(-5, 5) | st.booleans()
)
patterns = st.sampled_from(["a", "^a", "b$", "a.*b", "[0-9]", "^$", "(?i)A", r"\Qa.b", "tru|fal"])
origins = st.sampled_from(["@tainted", "@sender_grade", "@channel", "@actor"])
params = st.sampled_from(["to", "to.a", "to.b", "n", "a.b"]) | origins


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    operator = draw(st.sampled_from(Operator))
    one = patterns if operator is Operator.MATCHES else sane
    value = draw(one | st.lists(one, min_size=1, max_size=3).map(tuple))
    return Condition(param=draw(params), operator=operator, value=value)


names = st.sampled_from(["tidy", "send", "wipe"])
rules = st.builds(
    Rule,
    tool=names | st.just("*"),
    action=st.sampled_from(RuleAction),
    risk=st.none() | st.sampled_from(Risk),
    message=st.text(max_size=5),
    conditions=st.lists(conditions(), max_size=3).map(tuple),
)
modes = st.lists(st.sampled_from(Mode), max_size=3).map(tuple)
paths = st.lists(st.sampled_from(["private:/**", "public:/*", "a?", "**/b"]), max_size=2).map(tuple)
governance = st.builds(
    Governance,
    enabled=st.sampled_from([True, True, True, False]),
    enforced=st.booleans(),
    forbidden_in_modes=st.just(()) | modes,
    requires_approval_in_modes=modes,
    allowed_paths=st.none() | paths,
    forbidden_paths=st.just(()) | paths,
    max_size=st.none() | st.integers(0, 10),
    allowed_commands=st.none() | st.just(("git", "ls")),
    forbidden_hosts=st.just(()) | st.just(("*.example.org",)),
    rate_per_hour=st.none() | st.integers(0, 3),
)
policies = st.builds(
    Policy,
    default=st.none() | st.sampled_from(RuleAction),
    autorun=st.none() | st.sampled_from(Autorun),
    rules=st.lists(rules, max_size=6).map(tuple),
    tools=st.dictionaries(names, governance, max_size=2),
)
tools = st.builds(
    ToolTraits,
    name=names,
    known=st.sampled_from([True, True, True, False]),
    confirmation=st.sampled_from(Confirmation),
    enforced=st.booleans(),
    allowed_modes=st.sampled_from([frozenset(Mode), frozenset({Mode.NORMAL, Mode.ALERT})]),
    rate_per_hour=st.none() | st.integers(0, 3),
    remembers=st.booleans(),
    free_args=st.just(()) | st.just(("to",)),
)
locations = st.sampled_from(["private:/a", "public:/b", "shared:/c", "private:/../x", "ab", "a\nb"])
facts = st.builds(
    Facts,
    args=st.dictionaries(st.sampled_from(["to", "n", "a"]), arguments, max_size=3),
    destination=st.sampled_from(["", "calendar", "public:/"]),
    own=st.booleans(),
    trouble=st.just("") | st.just("") | st.text(max_size=5),
    locations=st.lists(locations, max_size=8).map(tuple),
    destructive=st.booleans(),
    made_here=st.booleans(),
    size=st.integers(0, 12),
    hosts=st.lists(st.sampled_from(["example.org", "a.example.org"]), max_size=2).map(tuple),
    command=st.sampled_from(["", "git log", "rm -r x", "ls; rm", "$(x)"]),
)
requests = st.builds(
    Request,
    tool=tools,
    facts=facts,
    risk=st.sampled_from(Risk) | st.sampled_from(Risk) | st.none(),
    reach=st.sampled_from(Reach) | st.sampled_from(Reach) | st.none(),
    owner=st.just(OWNER),
    actor=st.sampled_from(["model", PERSON, "owner:", ""]),
    tainted=st.booleans(),
    channel=st.sampled_from(["", "discord"]),
    sender_grade=st.sampled_from(["", "known"]),
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Request, PolicyContext]:
    """A request and how things stand, often with a grant that was made for just such a call."""
    request = draw(requests)
    grants = [made for made in (maybe_grant(request),) if made and draw(st.booleans())]
    return request, PolicyContext(
        now=NOW + draw(st.sampled_from([timedelta(), timedelta(days=40)])),
        policy=compiled(draw(policies), 7),
        mode=draw(st.sampled_from(Mode)),
        autorun=draw(st.none() | st.sampled_from(Autorun)),
        grants=grants,
        used=draw(st.dictionaries(names, st.integers(0, 4), max_size=2)),
        destroyed=draw(st.sampled_from([0, 0, 1, 4, 5, 50])),
        free=draw(st.sampled_from([True, True, True, False])),
    )


def maybe_grant(request: Request) -> Grant | None:
    try:
        return before_upgrade(request) if request.tainted else grant_for(request)
    except Denied:
        return None


def before_upgrade(request: Request, **changes: Any) -> Grant:
    """A grant for use beside outside text as earlier versions made it: each argument is fixed."""
    strict = replace(request, tainted=False, tool=replace(request.tool, free_args=()))
    return Grant.model_validate({**grant_for(strict).model_dump(), "tainted": True, **changes})


def first_by_hand(rules: tuple[Rule, ...], request: Request) -> int | None:
    """The place of the rule that fits, as slow and plain as the specification says it."""
    for kind in (request.tool.name, "*"):
        for place, rule in enumerate(rules):
            if rule.tool == kind and all(_met(rule, one, request) for one in rule.conditions):
                return place
    return None


def _met(rule: Rule, condition: Condition, request: Request) -> bool:
    found = _found(condition.param, request)
    fits = [value is not None and _fits(condition, text_of(value)) for value in found]
    return bool(fits) and (all(fits) if rule.action is RuleAction.ALLOW else any(fits))


def _found(param: str, request: Request) -> list[Any]:
    if param.startswith("@"):
        value = getattr(request, param[1:])
        return [value] if value != "" else []
    return _below(request.facts.args, param.split("."))


def _below(value: Any, path: list[str]) -> list[Any]:
    if isinstance(value, list):
        return [leaf for one in value for leaf in _below(one, path)]
    if isinstance(value, dict):
        if path:
            return _below(value.get(path[0]), path[1:])
        return [leaf for one in value.values() for leaf in _below(one, path)]
    return [None if path else value]


def _fits(condition: Condition, text: str) -> bool:
    return any(_fits_one(condition.operator, text_of(one), text) for one in condition.values)


def _fits_one(operator: Operator, value: str, text: str) -> bool:
    if operator is Operator.EQUALS:
        return text == value
    if operator is Operator.CONTAINS:
        return value in text
    if operator is Operator.STARTS_WITH:
        return text.startswith(value)
    if value.startswith(r"\Q"):
        return value[2:] in text
    plain = text.encode("utf-8", "replace").decode()
    return re.search(value.replace("$", r"\Z"), plain) is not None
