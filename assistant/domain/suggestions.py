"""Questions whose answer was always yes, and the narrow rule or grant that would spare them.

Only a suggestion: nothing here changes anything. What is on the floor, enforced or tainted is never
suggested, nor what was ever denied, edited, undone, or left to expire.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.call_states import OwnerReply
from assistant.domain.calls import Reach
from assistant.domain.canonical import canonical
from assistant.domain.decisions import Request, Verdict
from assistant.domain.errors import BadArguments, Denied
from assistant.domain.floor import on_the_floor
from assistant.domain.grants import Grant, similar
from assistant.domain.policy import Policy, Standing, compiled, decide
from assistant.domain.rules import ANY_TOOL, Action, Condition, Operator, Rule

ENOUGH = 3
"""Yeses from which on there is a habit."""
LONGEST = 200
"""Characters of a text that is worth being written into a rule."""
_RUNS = frozenset({Verdict.ALLOW, Verdict.REPORT})
_UNTAINTED = Condition(param="@tainted", operator=Operator.EQUALS, value=False)


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A call that was judged, and what a person made of it."""

    handle: str
    request: Request
    standing: Standing
    """How things stood then, under the policy of today."""
    given: frozenset[str]
    """Names of the arguments that were asked for; the others are defaults, or found out."""
    reply: OwnerReply


class Suggestion(BaseModel):
    """Calls that are alike, and what would have spared the questions about them."""

    model_config = ConfigDict(frozen=True)
    tool: str
    same: dict[str, Any]
    """The arguments that they share, as they are."""
    free: tuple[str, ...]
    """The arguments in which they may differ."""
    calls: tuple[str, ...]
    """Those that were approved, by their handles."""
    rule: Rule | None
    """To be put behind the rules there are; None where none would be as narrow as the calls."""
    spared_by_rule: int
    grant: Grant | None
    """What "approve similar" gives for the last of them; None where it would spare nothing."""
    spared_by_grant: int


def suggestions(answered: Sequence[Answered], policy: Policy) -> list[Suggestion]:
    """What would spare the most questions first.

    Args:
        answered: every call there was, in order: one that was denied speaks against those like it.
        policy: the one of today.
    """
    refused: dict[str, list[_Args]] = defaultdict(list)
    for one in answered:
        if one.reply is OwnerReply.NO:
            refused[one.request.tool.name].append(_written(one.request.facts.args))
    habits = _Habits([one for one in answered if _is_fit(one)], refused)
    found = (_suggested(habit, policy) for habit in (*habits.exact(), *habits.shared()))
    useful = [one for one in found if one.spared_by_rule or one.spared_by_grant]
    return sorted(useful, key=lambda one: -max(one.spared_by_rule, one.spared_by_grant))


def _is_fit(one: Answered) -> bool:
    """Whether a question about it could be spared, and today's policy still asks it."""
    request, standing = one.request, one.standing
    return (
        one.reply is OwnerReply.YES
        and not request.tainted
        and request.tool.known
        and not on_the_floor(request.reach, request.facts)
        and not standing.policy.enforces(request.tool)
        and decide(request, standing).verdict is Verdict.ASK
    )


_Args = Mapping[str, bytes]
"""Arguments, each in its canonical form."""


def _written(args: Mapping[str, Any]) -> _Args:
    """Arguments that compare as they mean; those without a canonical form as nothing else does."""
    return {name: _canonical(name, value) for name, value in args.items()}


def _canonical(name: str, value: Any) -> bytes:
    try:
        return canonical({name: value})
    except BadArguments:
        return f"{id(value)}".encode()


@dataclass(frozen=True)
class _Habit:
    """Calls of one tool that were approved, and the arguments they share."""

    calls: Sequence[Answered]
    same: tuple[str, ...]
    exact: bool
    """True where they differ only in what their tool sets free."""

    @property
    def last(self) -> Request:
        return self.calls[-1].request

    @property
    def literals(self) -> dict[str, Any]:
        return {name: self.last.facts.args[name] for name in self.same}

    @property
    def free(self) -> tuple[str, ...]:
        made = self.last.tool.made_args
        return tuple(sorted(self.last.facts.args.keys() - {*self.same, *made}))


class _Habits:
    """Approved calls put together with those like them, the narrowest way first."""

    def __init__(self, fit: Sequence[Answered], refused: Mapping[str, Sequence[_Args]]) -> None:
        self._left = {one.handle: one for one in fit}
        self._refused = refused
        self._args = {one.handle: _written(one.request.facts.args) for one in fit}

    def exact(self) -> Iterator[_Habit]:
        """Those that are the same but for what their tool sets free."""
        groups: dict[Any, list[Answered]] = defaultdict(list)
        for one in self._left.values():
            same = self._bound(one)
            key = (_kind(one), tuple((name, self._args[one.handle][name]) for name in same))
            groups[key].append(one)
        for calls in groups.values():
            yield from self._taken(_Habit(calls, self._bound(calls[-1]), exact=True))

    def shared(self) -> Iterator[_Habit]:
        """Those that share a text that was asked for, such as whom something goes to."""
        groups: dict[Any, list[Answered]] = defaultdict(list)
        for one in self._left.values():
            for name in self._telling(one):
                groups[_kind(one), name, self._args[one.handle][name]].append(one)
        habits = [_Habit(calls, self._shared(calls), exact=False) for calls in groups.values()]
        for habit in sorted(habits, key=lambda habit: -len(habit.same)):
            left = [one for one in habit.calls if one.handle in self._left]
            if left and self._differ_openly(left):
                yield from self._taken(_Habit(left, self._shared(left), exact=False))

    def _taken(self, habit: _Habit) -> Iterator[_Habit]:
        """The habit, if it is one; its calls are then in no other."""
        if len(habit.calls) < ENOUGH or self._is_refused(habit):
            return
        for one in habit.calls:
            del self._left[one.handle]
        yield habit

    def _is_refused(self, habit: _Habit) -> bool:
        """Whether a call with these very arguments was ever refused."""
        args = self._args[habit.calls[-1].handle]
        return any(
            all(other.get(name) == args[name] for name in habit.same)
            for other in self._refused.get(habit.last.tool.name, ())
        )

    def _bound(self, one: Answered) -> tuple[str, ...]:
        tool = one.request.tool
        return tuple(sorted(one.request.facts.args.keys() - {*tool.free_args, *tool.made_args}))

    def _telling(self, one: Answered) -> Iterator[str]:
        for name in self._bound(one):
            value = one.request.facts.args[name]
            if isinstance(value, str) and value and name in one.given:
                yield name

    def _shared(self, calls: Sequence[Answered]) -> tuple[str, ...]:
        args = [self._args[one.handle] for one in calls]
        return tuple(
            name
            for name in self._bound(calls[-1])
            if all(other.get(name) == args[-1][name] for other in args)
        )

    def _differ_openly(self, calls: Sequence[Answered]) -> bool:
        """Whether each argument that a rule would leave open was there in every call.

        What was always absent a rule cannot hold to its absence.
        """
        same = set(self._shared(calls))
        names = {name for one in calls for name in one.request.facts.args} - same
        return all(one.request.facts.args.get(name) is not None for one in calls for name in names)


def _kind(one: Answered) -> tuple[str, str, str, Reach | None]:
    request = one.request
    return request.tool.name, request.tool.version, request.facts.destination, request.reach


def _suggested(habit: _Habit, policy: Policy) -> Suggestion:
    rule, grant = _rule(habit, policy), _grant(habit)
    by_rule = _spared(habit.calls, policy, rule) if rule else 0
    by_grant = min(grant.uses, _covered(habit.calls, grant)) if grant else 0
    return Suggestion(
        tool=habit.last.tool.name,
        same=habit.literals,
        free=habit.free,
        calls=tuple(one.handle for one in habit.calls),
        rule=rule if by_rule else None,
        spared_by_rule=by_rule,
        grant=grant if by_grant else None,
        spared_by_grant=by_grant,
    )


def _rule(habit: _Habit, policy: Policy) -> Rule | None:
    """None where no rule is as narrow, or where it would come before what forbids or asks."""
    if any(rule.tool == ANY_TOOL and rule.action is not Action.ALLOW for rule in policy.rules):
        return None
    if not all(_fits_a_rule(name, value) for name, value in habit.literals.items()):
        return None
    conditions = tuple(
        Condition(param=name, operator=Operator.EQUALS, value=value)
        for name, value in habit.literals.items()
    )
    tool = habit.last.tool.name
    return Rule(tool=tool, action=Action.ALLOW, conditions=(*conditions, _UNTAINTED))


def _fits_a_rule(name: str, value: Any) -> bool:
    """A condition cannot say that something is absent, nor what is in a list and nothing else."""
    if not name or "." in name or name.startswith("@"):
        return False
    return isinstance(value, str | bool | int | float) and len(str(value)) <= LONGEST


def _grant(habit: _Habit) -> Grant | None:
    if not habit.exact:
        return None
    last = habit.calls[-1]
    try:
        return similar(
            last.request, id="", by="", now=last.standing.now, call=last.handle, trace=""
        )
    except Denied:
        return None


def _spared(calls: Iterable[Answered], policy: Policy, rule: Rule) -> int:
    """How many of these would have run with this rule behind those there are."""
    with_it = compiled(policy.model_copy(update={"rules": (*policy.rules, rule)}))
    return sum(_would_run(one, replace(one.standing, policy=with_it)) for one in calls)


def _covered(calls: Iterable[Answered], grant: Grant) -> int:
    """How many of these would have run with this grant, had it been there."""
    return sum(_would_run(one, replace(one.standing, grants=[grant])) for one in calls)


def _would_run(one: Answered, standing: Standing) -> bool:
    return decide(one.request, standing).verdict in _RUNS
