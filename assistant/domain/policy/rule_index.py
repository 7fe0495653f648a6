"""An index that finds the first matching rule without trying them all.

Each rule is indexed by one of its conditions, its key, which few other rules share: an ``equals``
in a table by value, a ``startsWith`` in a table by prefix, a ``contains`` or ``matches`` in a block
behind one joined pattern. A rule whose key is not met cannot match.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from assistant.domain.policy.rules import LONGEST_MATCHED, CompiledRule, Condition, Operator, Values
from assistant.domain.text.patterns import Pattern, any_of, literal

_BLOCK = 250
"""The most rules behind one joined pattern."""
_FEW = 8
"""So few rules are as fast one by one as behind a joined pattern."""
_TABLES = (Operator.EQUALS, Operator.STARTS_WITH)


class RuleIndex:
    """Rules in their order, indexed for the first match."""

    __slots__ = ("_always", "_blocks", "_equals", "_prefixes")

    def __init__(self, rules: Sequence[CompiledRule]) -> None:
        useful = _until_unconditional(rules)
        shared = Counter(
            text for rule in useful for one in rule.rule.conditions for text in _keys(one)
        )
        self._always: list[CompiledRule] = []
        self._equals: dict[str, _Table] = defaultdict(_Table)
        self._prefixes: dict[str, _Table] = defaultdict(_Table)
        searched: dict[str, list[tuple[CompiledRule, Condition]]] = defaultdict(list)
        for rule in useful:
            key = min(rule.rule.conditions, key=lambda one: _cost(one, shared), default=None)
            if key is None:
                self._always.append(rule)
            elif key.operator is Operator.EQUALS:
                self._equals[key.param].add(key.texts, rule)
            elif key.operator is Operator.STARTS_WITH:
                self._prefixes[key.param].add(key.texts, rule)
            else:
                searched[key.param].append((rule, key))
        self._blocks = [
            (param, _Block(some)) for param, all_ in searched.items() for some in _cut(all_)
        ]

    def first(self, values: Values) -> CompiledRule | None:
        """Return the first rule that matches; None if none does."""
        candidates = sorted(self._candidates(values), key=lambda rule: rule.place)
        return next((rule for rule in candidates if rule.fits(values)), None)

    def _candidates(self, values: Values) -> Iterator[CompiledRule]:
        yield from self._always
        for param, table in self._equals.items():
            for text in values.of(param).texts:
                yield from table.rules.get(text, ())
        for param, table in self._prefixes.items():
            for text in values.of(param).texts:
                for length in table.lengths:
                    yield from table.rules.get(text[:length], ())
        for param, block in self._blocks:
            if block.may_fit(values.of(param).texts):
                yield from block.rules


class _Table:
    """Rules by the text of their key, and the lengths of those texts."""

    __slots__ = ("lengths", "rules")

    def __init__(self) -> None:
        self.rules: dict[str, list[CompiledRule]] = defaultdict(list)
        self.lengths: set[int] = set()

    def add(self, texts: Sequence[str], rule: CompiledRule) -> None:
        for text in texts:
            self.rules[text].append(rule)
            self.lengths.add(len(text))


class _Block:
    """Rules whose key is found inside a text, behind one joined pattern."""

    __slots__ = ("_joined", "rules")

    def __init__(self, keyed: Sequence[tuple[CompiledRule, Condition]]) -> None:
        self.rules = [rule for rule, _ in keyed]
        self._joined: Pattern | None = None
        if len(keyed) > _FEW:
            self._joined = any_of([one for _, key in keyed for one in _patterns(key)])

    def may_fit(self, texts: Sequence[str]) -> bool:
        joined = self._joined
        if joined is None:
            return bool(texts)
        return any(len(text) > LONGEST_MATCHED or joined.found_in(text) for text in texts)


def _until_unconditional(rules: Sequence[CompiledRule]) -> list[CompiledRule]:
    """Leave out the rules after one without conditions, which matches everything."""
    useful = []
    for rule in rules:
        useful.append(rule)
        if not rule.rule.conditions:
            break
    return useful


def _keys(condition: Condition) -> Iterator[tuple[str, Operator, str]]:
    for text in set(condition.texts):
        yield condition.param, condition.operator, text


def _cost(condition: Condition, shared: Counter[tuple[str, Operator, str]]) -> tuple[bool, int]:
    """Rank a condition as a key: worse without a table, then by how many rules share it."""
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
