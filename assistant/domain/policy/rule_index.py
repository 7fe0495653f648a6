"""The first rule that fits, without trying them all.

Each rule hangs on one of its conditions, one that few others hang on: an ``equals`` in a table by
value, a ``startsWith`` in a table by beginning, a ``contains`` or ``matches`` in a block that one
joined pattern stands before. A rule whose hook does not catch cannot fit.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from assistant.domain.policy.rules import LONGEST_MATCHED, CompiledRule, Condition, Operator, Values
from assistant.domain.text.patterns import Pattern, any_of, literal

_BLOCK = 250
"""Rules behind one joined pattern."""
_FEW = 8
"""Rules that are tried one by one as fast as behind a joined pattern."""
_TABLES = (Operator.EQUALS, Operator.STARTS_WITH)


class RuleIndex:
    """Rules in their order, asked for the first that fits."""

    __slots__ = ("_always", "_beginnings", "_blocks", "_equals")

    def __init__(self, rules: Sequence[CompiledRule]) -> None:
        useful = _until_unconditional(rules)
        shared = Counter(
            key for rule in useful for one in rule.rule.conditions for key in _keys(one)
        )
        self._always: list[CompiledRule] = []
        self._equals: dict[str, _Table] = defaultdict(_Table)
        self._beginnings: dict[str, _Table] = defaultdict(_Table)
        searched: dict[str, list[tuple[CompiledRule, Condition]]] = defaultdict(list)
        for rule in useful:
            hook = min(rule.rule.conditions, key=lambda one: _crowd(one, shared), default=None)
            if hook is None:
                self._always.append(rule)
            elif hook.operator is Operator.EQUALS:
                self._equals[hook.param].add(hook.texts, rule)
            elif hook.operator is Operator.STARTS_WITH:
                self._beginnings[hook.param].add(hook.texts, rule)
            else:
                searched[hook.param].append((rule, hook))
        self._blocks = [
            (param, _Block(some)) for param, all_ in searched.items() for some in _cut(all_)
        ]

    def first(self, values: Values) -> CompiledRule | None:
        """The earliest rule that fits; None if none does."""
        caught = sorted(self._caught(values), key=lambda rule: rule.place)
        return next((rule for rule in caught if rule.fits(values)), None)

    def _caught(self, values: Values) -> Iterator[CompiledRule]:
        yield from self._always
        for param, table in self._equals.items():
            for text in values.of(param).texts:
                yield from table.rules.get(text, ())
        for param, table in self._beginnings.items():
            for text in values.of(param).texts:
                for length in table.lengths:
                    yield from table.rules.get(text[:length], ())
        for param, block in self._blocks:
            if block.may_fit(values.of(param).texts):
                yield from block.rules


class _Table:
    """Rules by the text they hang on, and the lengths that those texts have."""

    __slots__ = ("lengths", "rules")

    def __init__(self) -> None:
        self.rules: dict[str, list[CompiledRule]] = defaultdict(list)
        self.lengths: set[int] = set()

    def add(self, texts: Sequence[str], rule: CompiledRule) -> None:
        for text in texts:
            self.rules[text].append(rule)
            self.lengths.add(len(text))


class _Block:
    """Rules that hang on something inside a text, behind one pattern for all of them."""

    __slots__ = ("_door", "rules")

    def __init__(self, hooked: Sequence[tuple[CompiledRule, Condition]]) -> None:
        self.rules = [rule for rule, _ in hooked]
        self._door: Pattern | None = None
        if len(hooked) > _FEW:
            self._door = any_of([one for _, hook in hooked for one in _patterns(hook)])

    def may_fit(self, texts: Sequence[str]) -> bool:
        door = self._door
        if door is None:
            return bool(texts)
        return any(len(text) > LONGEST_MATCHED or door.found_in(text) for text in texts)


def _until_unconditional(rules: Sequence[CompiledRule]) -> list[CompiledRule]:
    """Without those that stand behind a rule which fits everything."""
    useful = []
    for rule in rules:
        useful.append(rule)
        if not rule.rule.conditions:
            break
    return useful


def _keys(condition: Condition) -> Iterator[tuple[str, Operator, str]]:
    for text in set(condition.texts):
        yield condition.param, condition.operator, text


def _crowd(condition: Condition, shared: Counter[tuple[str, Operator, str]]) -> tuple[bool, int]:
    """How bad a hook it is: no table, then how many others may be caught with it."""
    return condition.operator not in _TABLES, max(shared[key] for key in _keys(condition))


def _patterns(condition: Condition) -> Sequence[str]:
    if condition.operator is Operator.MATCHES:
        return condition.texts
    return [literal(text) for text in condition.texts]


def _cut(
    all_: Sequence[tuple[CompiledRule, Condition]],
) -> Iterator[Sequence[tuple[CompiledRule, Condition]]]:
    for start in range(0, len(all_), _BLOCK):
        yield all_[start : start + _BLOCK]
