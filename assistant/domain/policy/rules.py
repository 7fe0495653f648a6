"""A rule of the policy: the calls that it matches, and its action."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationInfo, field_validator

from assistant.domain.calls.call import Risk
from assistant.domain.policy.decisions import Request, Verdict
from assistant.domain.policy.problems import wrong
from assistant.domain.text.patterns import BadPattern, Pattern, shared

ANY_TOOL = "*"
ORIGINS = ("@sender_grade", "@tainted", "@channel", "@actor")
"""Parameters that are no arguments but say where the request comes from."""
MOST_VALUES = 1_000
LONGEST_MATCHED = 1024 * 1024
"""The most characters of a text that patterns search. A longer text counts as a match for a rule
that asks or denies, and as no match for a rule that allows."""

Scalar = str | int | float | bool
"""A value to compare an argument with, as a text: ``5``, ``true``."""


class RuleAction(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.value)


class Operator(StrEnum):
    EQUALS = "equals"
    CONTAINS = "contains"
    STARTS_WITH = "startsWith"
    MATCHES = "matches"
    """A regular expression that matches anywhere in a text; anchor it with ^ and $."""


class Condition(BaseModel):
    """A condition of a rule. With several values, one match is enough.

    An absent or null argument matches nothing. In a list or an object, each element is compared: a
    rule that asks or denies needs one match, a rule that allows needs all to match, so that nothing
    harmful passes beside something harmless.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    param: str = Field(min_length=1, max_length=200)
    """A dotted path into the resolved arguments, or one of ``ORIGINS``."""
    operator: Operator
    value: Scalar | tuple[Scalar, ...]
    _patterns: tuple[Pattern, ...] = PrivateAttr(())

    def model_post_init(self, _context: Any, /) -> None:
        """Keep the compiled expressions, so that all that reads the rule shares them."""
        if self.operator is Operator.MATCHES:
            self._patterns = tuple(shared(text) for text in self.texts)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The compiled expressions of ``matches``."""
        return self._patterns

    @property
    def values(self) -> tuple[Scalar, ...]:
        return self.value if isinstance(self.value, tuple) else (self.value,)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(text_of(value) for value in self.values)

    @field_validator("param")
    @classmethod
    def _is_a_path(cls, param: str) -> str:
        if param.startswith("@") and param not in ORIGINS:
            raise wrong(f"{param} is no origin", f"use one of {', '.join(ORIGINS)}")
        if not all(param.split(".")):
            raise wrong("a path has no empty step", "write it like attendees.email")
        return param

    @field_validator("value", mode="before")
    @classmethod
    def _is_a_value(cls, value: Any, info: ValidationInfo) -> Scalar | tuple[Scalar, ...]:
        several = isinstance(value, list | tuple)
        values = tuple(value) if several else (value,)
        if not values:
            raise wrong("an empty list matches nothing", "name at least one value")
        if len(values) > MOST_VALUES:
            raise wrong(f"has more than {MOST_VALUES} values", "split the rule")
        for one in values:
            _check_value(one, info.data.get("operator"))
        return values if several else values[0]


class Rule(BaseModel):
    """An action for the calls that meet all conditions."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    tool: str = Field(min_length=1, max_length=200)
    """A tool's name, or ``*`` for every tool."""
    action: RuleAction
    risk: Risk | None = None
    """The call's risk, in place of the one that the tool gives."""
    message: str = Field(default="", max_length=1_000)
    """A message to the person who is asked, or to the model that is refused."""
    conditions: tuple[Condition, ...] = Field(default=(), max_length=50)


def text_of(value: object) -> str:
    """Return a value as conditions compare it: ``5`` and ``5.0`` alike, ``true``, ``false``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, int) and abs(value) > 2**64:
        return hex(value)  # writing a long decimal number takes time with its square
    return str(value)


def _check_value(value: object, operator: Operator | None) -> None:
    if not isinstance(value, str | int | float):
        raise wrong("is no text, number, true or false, nor a list of those", "write one")
    if isinstance(value, str) and not value.isascii() and _is_broken(value):
        raise wrong("holds half of a character", "write the whole of it")
    if isinstance(value, float) and not math.isfinite(value):
        raise wrong("is no number that an argument can be", "write a plain number")
    if operator in (Operator.CONTAINS, Operator.STARTS_WITH, Operator.MATCHES) and value == "":
        raise wrong("the empty text is in every text", "leave this condition out")
    if operator is Operator.MATCHES:
        try:
            shared(text_of(value))
        except BadPattern as error:
            raise wrong(
                f"the pattern {error}",
                "write an RE2 pattern: no back-references, no look-around, 1000 characters",
            ) from error


def _is_broken(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


@dataclass(frozen=True, slots=True)
class Found:
    """The values of a request at one parameter."""

    texts: tuple[str, ...]
    whole: bool
    """False when a value is absent or null somewhere."""


class Values:
    """The parameters of one request, each looked up once."""

    __slots__ = ("_args", "_found", "_origins")

    def __init__(self, request: Request, *, tainted: bool) -> None:
        self._args = request.facts.args
        self._found: dict[str, Found] = {}
        self._origins = {
            "@sender_grade": request.sender_grade,
            "@tainted": text_of(tainted),
            "@channel": request.channel,
            "@actor": request.actor,
        }

    def of(self, param: str) -> Found:
        found = self._found.get(param)
        if found is None:
            found = self._found[param] = self._look_up(param)
        return found

    def _look_up(self, param: str) -> Found:
        if param.startswith("@"):
            text = self._origins.get(param)
            return Found((text,), whole=True) if text else Found((), whole=False)
        plain = self._args.get(param)
        if isinstance(plain, str) and "." not in param:
            return Found((plain,), whole=True)
        leaves = tuple(_leaves(self._args, param.split(".")))
        texts = tuple(text_of(leaf) for leaf in leaves if leaf is not None)
        return Found(texts, whole=len(texts) == len(leaves) > 0)


def _leaves(value: object, path: Sequence[str]) -> Iterator[object]:
    """Yield the single values at a path, through lists; None for each that is missing."""
    waiting: list[tuple[object, int]] = [(value, 0)]
    while waiting:
        here, depth = waiting.pop()
        if isinstance(here, list | tuple):
            waiting.extend((element, depth) for element in here)
        elif isinstance(here, Mapping) and depth < len(path):
            waiting.append((here.get(path[depth]), depth + 1))
        elif isinstance(here, Mapping):
            waiting.extend((inner, depth) for inner in here.values())
        else:
            yield here if depth == len(path) else None


Test = Callable[[str, bool], bool]
"""Tests one text. The flag is the answer for a text that is too long to test."""


def test_of(condition: Condition) -> Test:
    """Return the condition as a test of one text."""
    texts = condition.texts
    if condition.operator is Operator.EQUALS:
        among = frozenset(texts)
        return lambda text, _unsure: text in among
    if condition.operator is Operator.STARTS_WITH:
        return lambda text, _unsure: text.startswith(texts)
    if condition.operator is Operator.CONTAINS:
        return lambda text, _unsure: any(part in text for part in texts)
    patterns = condition.patterns
    return lambda text, unsure: (
        any(pattern.found_in(text) for pattern in patterns)
        if len(text) <= LONGEST_MATCHED
        else unsure
    )


class CompiledRule:
    """A rule, compiled for fast matching."""

    __slots__ = ("_every", "_tests", "label", "place", "rule", "verdict")

    def __init__(self, rule: Rule, place: int) -> None:
        self.rule = rule
        self.place = place
        """The rule's place in the policy, from 0."""
        self.label = f"rules[{place}]"
        self.verdict = rule.action.verdict
        self._every = rule.action is RuleAction.ALLOW
        self._tests = tuple((one.param, test_of(one)) for one in rule.conditions)

    def fits(self, values: Values) -> bool:
        """Return whether every condition is met."""
        return all(self._met(values.of(param), test) for param, test in self._tests)

    def _met(self, found: Found, test: Test) -> bool:
        if self._every:
            return found.whole and all(test(text, False) for text in found.texts)
        return any(test(text, True) for text in found.texts)
