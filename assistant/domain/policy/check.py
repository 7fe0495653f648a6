"""Check a policy that could be parsed, above all for rules that can never apply; give advice."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple

from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import Policy
from assistant.domain.policy.problems import Problem
from assistant.domain.policy.rules import (
    ANY_TOOL,
    ORIGINS,
    Condition,
    Operator,
    Rule,
    RuleAction,
    Test,
    test_of,
    text_of,
)
from assistant.domain.policy.schemas import Schema, Shape, names_of, shape_at

Tools = Mapping[str, Schema]
"""The JSON Schema of each tool's arguments, by the tool's name."""
Place = tuple[str | int, ...]
"""Steps from the top of the file: ``("rules", 3, "tool")``."""
Placed = Sequence[tuple[int, Rule]]
"""Rules, each with its place in the file, from 0."""
MOST_PROBLEMS = 100
"""The most problems of one kind that are told."""
EFFORT = 3_000_000
"""The most comparisons of two rules' values: a few seconds. Rules beyond it are not compared."""


def check_policy(
    policy: Policy, tools: Tools | None = None, *, places: Sequence[int] | None = None
) -> list[Problem]:
    """Return the problems, in the order of the file; empty for a good policy.

    Each kind of problem is told a hundred times at the most. Takes time linear to the policy, but
    for comparing rules with each other, which has a bound. Without ``tools``, names and types are
    not checked, and every argument counts as a single value. ``places`` gives each rule's place in
    the file, if ``policy`` holds only some of its rules.
    """
    known = _KnownTools(tools)
    rules = list(zip(places or range(len(policy.rules)), policy.rules, strict=True))
    effort = _Effort(EFFORT)
    kinds: tuple[Iterator[Problem], ...] = (
        _names_of_rules(rules, known),
        unknown_tools(((("tools", name), name) for name in policy.tools), known.tools),
        (one for place, rule in rules for one in _of_rule(place, rule, known, effort)),
        _shadows(rules, known, effort),
        _unreached(policy, rules, known),
        (one for name in policy.tools for one in _of_limits(policy, name)),
    )
    return sorted((one for kind in kinds for one in islice(kind, MOST_PROBLEMS)), key=_order)


class _Spent(Exception):
    """The effort is spent."""


@dataclass
class _Effort:
    """Counts down what comparing takes."""

    left: int

    def spend(self, much: int) -> None:
        """Raise ``_Spent`` if so much is not left."""
        self.left -= much
        if self.left < 0:
            raise _Spent

    def test(self, part: "_Part", text: str, *, unsure: bool = False) -> bool:
        """Return whether a text meets a condition. Raises ``_Spent``."""
        self.spend(len(part.texts) * (1 + len(text) // _TEXT))
        return part.test(text, unsure)


_TEXT = 500
"""The characters of a text that are compared as fast as one."""


def nearest(word: str, words: Iterable[str]) -> str:
    """Ask whether the most similar word was meant; empty if no word is similar."""
    near = get_close_matches(word, list(words), n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else ""


@dataclass(frozen=True)
class _KnownTools:
    tools: Tools | None
    _found: dict[tuple[str, str], list[Shape]] = field(default_factory=dict)

    def shapes(self, tool: str, param: str) -> list[Shape]:
        """Return the shape of a parameter in each tool that a rule for ``tool`` applies to."""
        if (found := self._found.get((tool, param))) is None:
            found = self._found[tool, param] = self._look_up(tool, param)
        return found

    def _look_up(self, tool: str, param: str) -> list[Shape]:
        if self.tools is None:
            return []
        schemas = self.tools.values() if tool == ANY_TOOL else [self.tools.get(tool, {})]
        found = (shape_at(schema, param.split(".")) for schema in schemas)
        return [shape for shape in found if shape is not None]

    def single(self, tool: str, param: str) -> bool:
        """Return whether this parameter always has one value."""
        if param in ORIGINS or self.tools is None:
            return True
        return not any(shape.many for shape in self.shapes(tool, param))

    def argument_names(self, tool: str) -> set[str]:
        tools = self.tools or {}
        schemas = tools.values() if tool == ANY_TOOL else [tools.get(tool, {})]
        return {name for schema in schemas for name in names_of(schema)}


def _order(problem: Problem) -> tuple[tuple[bool, int, str], ...]:
    """Sort by place: ``rules[2]`` before ``rules[10]``."""
    return tuple(
        (isinstance(step, str), step if isinstance(step, int) else 0, str(step))
        for step in problem.path
    )


def _names_of_rules(rules: Placed, known: _KnownTools) -> Iterator[Problem]:
    named = ((("rules", place, "tool"), rule.tool) for place, rule in rules)
    yield from unknown_tools(named, known.tools)


def unknown_tools(named: Iterable[tuple[Place, str]], tools: Tools | None) -> Iterator[Problem]:
    """Yield a problem for each place of a file that names an unknown tool."""
    if tools is None:
        return
    for path, name in named:
        if name not in tools and (name != ANY_TOOL or path[0] == "tools"):
            fix = nearest(name, tools) or "name a registered tool"
            yield Problem(path=path, words=f"there is no tool named {name}", fix=fix)


def _of_rule(place: int, rule: Rule, known: _KnownTools, effort: _Effort) -> Iterator[Problem]:
    if known.tools is not None and rule.tool != ANY_TOOL and rule.tool not in known.tools:
        return
    broken = False
    for number, condition in enumerate(rule.conditions):
        path = ("rules", place, "conditions", number)
        for problem in _of_condition(path, rule, condition, known):
            broken = True
            yield problem
    if not broken:
        yield from _contradictions(place, rule, known, effort)


def _of_condition(
    path: tuple[str | int, ...], rule: Rule, condition: Condition, known: _KnownTools
) -> Iterator[Problem]:
    if condition.param in ORIGINS:
        yield from _of_origin(path, condition)
        return
    if known.tools is None:
        return
    shapes = known.shapes(rule.tool, condition.param)
    if not shapes:
        whose = "any tool" if rule.tool == ANY_TOOL else rule.tool
        words = f"{condition.param} is no argument of {whose}"
        names = known.argument_names(rule.tool)
        fix = nearest(condition.param, names) or f"there are {', '.join(sorted(names)) or 'none'}"
        yield Problem(path=(*path, "param"), words=words, fix=fix)
    elif words := _misfit(condition, shapes):
        fix = "write a value that the argument can have"
        yield Problem(path=(*path, "value"), words=words, fix=fix)


def _of_origin(path: tuple[str | int, ...], condition: Condition) -> Iterator[Problem]:
    if condition.param != "@tainted":
        return
    test = test_of(condition)
    if not any(test(text, False) for text in ("true", "false")):
        words = "@tainted is true or false, and this fits neither"
        yield Problem(path=(*path, "value"), words=words, fix="write true or false")


def _misfit(condition: Condition, shapes: Sequence[Shape]) -> str:
    """Return why no value of these shapes meets the condition; empty if one may."""
    if condition.operator is Operator.EQUALS:
        for value in condition.values:
            if not any(shape.takes(value) for shape in shapes):
                kinds = sorted({kind for shape in shapes for kind in shape.kinds})
                return f"{condition.param} is never {value!r}, but of type {' or '.join(kinds)}"
            if not any(shape.texts is None or text_of(value) in shape.texts for shape in shapes):
                return f"{condition.param} is never {value!r}"
        return ""
    test = test_of(condition)
    if any(shape.texts is None or any(test(one, False) for one in shape.texts) for shape in shapes):
        return ""
    return f"no value that {condition.param} can have fits"


def _contradictions(
    place: int, rule: Rule, known: _KnownTools, effort: _Effort
) -> Iterator[Problem]:
    """Yield a problem if no single value meets all of a rule's conditions on one parameter."""
    together = defaultdict(list)
    for condition in rule.conditions:
        together[condition.param].append(condition)
    for param, conditions in together.items():
        # With several values, each condition may be met by another one.
        one_value = rule.action is RuleAction.ALLOW or known.single(rule.tool, param)
        if one_value and not _can_all_hold(conditions, effort):
            words = f"its conditions on {param} are never met together"
            fix = "put the values in one condition, or write two rules"
            yield Problem(path=("rules", place), words=words, fix=fix)


def _can_all_hold(conditions: Sequence[Condition], effort: _Effort) -> bool:
    """Return whether one value may meet all of these; true where that takes too long to tell."""
    parts = [_part(one) for one in conditions]
    equals = [one for one in parts if one.operator is Operator.EQUALS]
    begun = [one for one in parts if one.operator is Operator.STARTS_WITH]
    try:
        if equals:
            texts = equals[0].texts
            return any(all(effort.test(one, text, unsure=True) for one in parts) for text in texts)
        longest = (text for one in begun for text in one.texts)
        return not begun or any(all(effort.test(one, text) for one in begun) for text in longest)
    except _Spent:
        return True


def _shadows(rules: Placed, known: _KnownTools, effort: _Effort) -> Iterator[Problem]:
    """Yield a problem for each rule that can never match, as an earlier one matches first."""
    earlier: dict[str, _EarlierRules] = defaultdict(lambda: _EarlierRules(effort))
    for place, rule in rules:
        scope = _RuleScope(place, rule)
        before = earlier[rule.tool]
        try:
            found = before.candidates(scope)
            over = next((one for one in found if _subsumes(one, scope, known, effort)), None)
        except _Spent:
            return
        if over is None:
            before.add(scope)
            continue
        words = f"rules[{over.place}] comes first and fits whatever this one fits"
        fix = "put this rule before it, or take it out"
        yield Problem(path=("rules", place), words=words, fix=fix)


class _Part(NamedTuple):
    """A compiled condition, to be compared with others."""

    param: str
    operator: Operator
    texts: tuple[str, ...]
    test: Test


def _part(condition: Condition) -> _Part:
    return _Part(condition.param, condition.operator, condition.texts, test_of(condition))


class _RuleScope:
    """What a rule matches."""

    __slots__ = ("params", "parts", "place", "rule")

    def __init__(self, place: int, rule: Rule) -> None:
        self.place = place
        self.rule = rule
        self.parts = [_part(one) for one in rule.conditions]
        self.params = frozenset(part.param for part in self.parts)


class _EarlierRules:
    """Earlier rules, indexed by a condition that a rule which they subsume must imply."""

    def __init__(self, effort: _Effort) -> None:
        self._effort = effort
        self._unconditional: list[_RuleScope] = []
        self._equal: dict[tuple[str, Operator, str], list[_RuleScope]] = defaultdict(list)
        """By a value of an ``equals``, an expression of a ``matches``, word for word."""
        self._tested: dict[tuple[str, Operator], list[tuple[_Part, _RuleScope]]] = defaultdict(list)
        """By a condition that a value of the later rule must meet."""

    def add(self, scope: _RuleScope) -> None:
        key = min(scope.parts, key=lambda part: _KEYS.index(part.operator), default=None)
        if key is None:
            self._unconditional.append(scope)
            return
        if key.operator in (Operator.EQUALS, Operator.MATCHES):
            for text in set(key.texts):
                self._equal[key.param, key.operator, text].append(scope)
        if key.operator is not Operator.EQUALS:
            self._tested[key.param, key.operator].append((key, scope))

    def candidates(self, later: _RuleScope) -> Iterator[_RuleScope]:
        """Yield the rules that may subsume a later one. Raises ``_Spent``."""
        yield from self._unconditional
        for part in later.parts:
            yield from self._equal.get((part.param, part.operator, part.texts[0]), ())
            for operator in _TESTED_BY[part.operator]:
                for key, scope in self._tested.get((part.param, operator), ()):
                    if self._effort.test(key, part.texts[0]):
                        yield scope


_KEYS = (Operator.EQUALS, Operator.MATCHES, Operator.STARTS_WITH, Operator.CONTAINS)
"""The operators, the most telling first."""
_TESTED_BY = {
    Operator.EQUALS: (Operator.MATCHES, Operator.STARTS_WITH, Operator.CONTAINS),
    Operator.STARTS_WITH: (Operator.STARTS_WITH, Operator.CONTAINS),
    Operator.CONTAINS: (Operator.CONTAINS,),
    Operator.MATCHES: (),
}


def _subsumes(earlier: _RuleScope, later: _RuleScope, known: _KnownTools, effort: _Effort) -> bool:
    if not earlier.params <= later.params:
        return False
    implied = all(any(_implies(one, part, effort) for one in later.parts) for part in earlier.parts)
    return implied and _leaves_nothing(earlier.rule, later.rule, known)


def _leaves_nothing(earlier: Rule, later: Rule, known: _KnownTools) -> bool:
    """Return whether a value that meets both rules always stops at the earlier one.

    An allow needs every value to match, so what matches in part goes on to later rules.
    """
    if earlier.action is not RuleAction.ALLOW or later.action is RuleAction.ALLOW:
        return True
    return all(known.single(later.tool, one.param) for one in earlier.conditions)


def _implies(one: _Part, other: _Part, effort: _Effort) -> bool:
    """Return whether each text that meets ``one`` also meets ``other``. Raises ``_Spent``."""
    if one.param != other.param:
        return False
    if one.operator is Operator.MATCHES:
        effort.spend(len(one.texts) + len(other.texts))
        return other.operator is Operator.MATCHES and set(one.texts) <= set(other.texts)
    if other.operator not in _IMPLIED_BY[one.operator]:
        return False
    return all(effort.test(other, text) for text in one.texts)


_IMPLIED_BY = {
    Operator.EQUALS: frozenset(Operator),
    Operator.STARTS_WITH: frozenset({Operator.STARTS_WITH, Operator.CONTAINS}),
    Operator.CONTAINS: frozenset({Operator.CONTAINS}),
}


def _unreached(policy: Policy, rules: Placed, known: _KnownTools) -> Iterator[Problem]:
    """Yield a problem for rules of disabled tools, and for ``*`` if every tool has its own rule."""
    for place, rule in rules:
        limits = policy.tools.get(rule.tool)
        if limits is not None and not limits.enabled:
            words = f"{rule.tool} is switched off, so its rules never apply"
            fix = f"take the rule out, or set tools.{rule.tool}.enabled: true"
            yield Problem(path=("rules", place), words=words, fix=fix)
    answered = {rule.tool for rule in policy.rules if not rule.conditions}
    if not known.tools or not answered.issuperset(known.tools):
        return
    for place, rule in rules:
        if rule.tool == ANY_TOOL:
            words = "each tool has a rule of its own without conditions"
            fix = "take this rule out, or those without conditions"
            yield Problem(path=("rules", place), words=words, fix=fix)


def _of_limits(policy: Policy, name: str) -> Iterator[Problem]:
    limits, path = policy.tools[name], ("tools", name)
    allowed = set(Mode if limits.allowed_in_modes is None else limits.allowed_in_modes)
    forbidden = set(limits.forbidden_in_modes)
    if limits.allowed_in_modes is not None and (both := allowed & forbidden):
        words = f"mode {_list(both)} is both allowed and forbidden"
        fix = "keep it in one of the lists"
        yield Problem(path=(*path, "forbidden_in_modes"), words=words, fix=fix)
    elif not allowed - forbidden:
        words, fix = "it may run in no mode", "set enabled: false"
        yield Problem(path=path, words=words, fix=fix)
    if late := set(limits.requires_approval_in_modes) - (allowed - forbidden):
        words = f"in mode {_list(late)} it may not run, so nobody is asked"
        fix = "take the mode out of one of the lists"
        yield Problem(path=(*path, "requires_approval_in_modes"), words=words, fix=fix)
    for kind in ("paths", "commands", "hosts"):
        yes, no = getattr(limits, f"allowed_{kind}") or (), getattr(limits, f"forbidden_{kind}")
        if both_ways := set(yes) & set(no):
            words = f"{_list(both_ways)} is both allowed and forbidden"
            fix = "keep it in one of the lists"
            yield Problem(path=(*path, f"allowed_{kind}"), words=words, fix=fix)


def _list(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))


# What a sound policy lets run although its author may not have thought of it

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
