"""Find questions that were always answered yes, and a narrow rule or grant to spare them.

Nothing here changes the policy. No suggestion covers a call that must always ask, is enforced or
tainted, nor one like those that were denied, edited, undone or left to expire.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Reach
from assistant.domain.calls.states import OwnerReply
from assistant.domain.canonical import canonical
from assistant.domain.errors import BadArguments, Denied
from assistant.domain.policy.always_ask import why_always_ask
from assistant.domain.policy.decide import Policy, PolicyContext, compiled, decide
from assistant.domain.policy.decisions import Request, Verdict
from assistant.domain.policy.grants import Grant, similar
from assistant.domain.policy.rules import ANY_TOOL, Condition, Operator, Rule, RuleAction

ENOUGH = 3
"""Approved calls that are needed for a suggestion."""
LONGEST = 200
"""Characters of the longest text that is written into a rule."""
_RUNS = frozenset({Verdict.ALLOW, Verdict.REPORT})
_UNTAINTED = Condition(param="@tainted", operator=Operator.EQUALS, value=False)


@dataclass(frozen=True, kw_only=True)
class AnsweredCall:
    """A call that was judged, and its owner's reply."""

    handle: str
    request: Request
    policy_context: PolicyContext
    """The state of that moment, with today's policy."""
    given: frozenset[str]
    """Names of the arguments that were asked for; the others are defaults, or were found."""
    reply: OwnerReply


class Suggestion(BaseModel):
    """Calls that are alike, and a rule or a grant that would have spared their questions."""

    model_config = ConfigDict(frozen=True)
    tool: str
    same: dict[str, Any]
    """The arguments that the calls share, with their values."""
    free: tuple[str, ...]
    """Names of the arguments in which the calls may differ."""
    calls: tuple[str, ...]
    """Handles of the calls, all approved."""
    rule: Rule | None
    """A rule to append to the policy; None if no rule is as narrow as the calls."""
    spared_by_rule: int
    grant: Grant | None
    """The grant of "approve similar" for the last call; None if it would spare nothing."""
    spared_by_grant: int


def suggestions(answered: Sequence[AnsweredCall], policy: Policy) -> list[Suggestion]:
    """Suggest rules and grants; those that spare the most questions come first.

    Args:
        answered: every call that was answered, in order, with those that were denied.
        policy: today's policy.
    """
    refused: dict[str, list[_Args]] = defaultdict(list)
    for one in answered:
        if one.reply is OwnerReply.NO:
            refused[one.request.tool.name].append(_written(one.request.facts.args))
    habits = _Habits([one for one in answered if _is_fit(one)], refused)
    found = (_suggested(habit, policy) for habit in (*habits.exact(), *habits.shared()))
    useful = [one for one in found if one.spared_by_rule or one.spared_by_grant]
    return sorted(useful, key=lambda one: -max(one.spared_by_rule, one.spared_by_grant))


def _is_fit(one: AnsweredCall) -> bool:
    """Whether the call was approved, could do without a question, and would ask today."""
    request, policy_context = one.request, one.policy_context
    return (
        one.reply is OwnerReply.YES
        and not request.tainted
        and request.tool.known
        and not why_always_ask(request.reach, request.facts)
        and not policy_context.policy.enforces(request.tool)
        and decide(request, policy_context).verdict is Verdict.ASK
    )


_Args = Mapping[str, bytes]
"""Arguments, each in its canonical form."""


def _written(args: Mapping[str, Any]) -> _Args:
    """Write arguments in canonical form; one that has none compares equal to no other."""
    return {name: _canonical(name, value) for name, value in args.items()}


def _canonical(name: str, value: Any) -> bytes:
    try:
        return canonical({name: value})
    except BadArguments:
        return f"{id(value)}".encode()


@dataclass(frozen=True)
class _Habit:
    """Calls of one tool that were approved, and the arguments they share."""

    calls: Sequence[AnsweredCall]
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
    """Groups approved calls with those like them, the narrowest groups first."""

    def __init__(self, fit: Sequence[AnsweredCall], refused: Mapping[str, Sequence[_Args]]) -> None:
        self._left = {one.handle: one for one in fit}
        self._refused = refused
        self._args = {one.handle: _written(one.request.facts.args) for one in fit}

    def exact(self) -> Iterator[_Habit]:
        """Group calls that differ only in arguments that their tool leaves free."""
        groups: dict[Any, list[AnsweredCall]] = defaultdict(list)
        for one in self._left.values():
            same = self._bound(one)
            key = (_kind(one), tuple((name, self._args[one.handle][name]) for name in same))
            groups[key].append(one)
        for calls in groups.values():
            yield from self._claim(_Habit(calls, self._bound(calls[-1]), exact=True))

    def shared(self) -> Iterator[_Habit]:
        """Group calls that share a text that was asked for, such as a recipient."""
        groups: dict[Any, list[AnsweredCall]] = defaultdict(list)
        for one in self._left.values():
            for name in self._asked_texts(one):
                groups[_kind(one), name, self._args[one.handle][name]].append(one)
        habits = [_Habit(calls, self._shared(calls), exact=False) for calls in groups.values()]
        for habit in sorted(habits, key=lambda habit: -len(habit.same)):
            left = [one for one in habit.calls if one.handle in self._left]
            if left and self._differ_openly(left):
                yield from self._claim(_Habit(left, self._shared(left), exact=False))

    def _claim(self, habit: _Habit) -> Iterator[_Habit]:
        """Yield the group if it is big enough and never refused; its calls join no other group."""
        if len(habit.calls) < ENOUGH or self._is_refused(habit):
            return
        for one in habit.calls:
            del self._left[one.handle]
        yield habit

    def _is_refused(self, habit: _Habit) -> bool:
        """Whether a call with the shared arguments was ever refused."""
        args = self._args[habit.calls[-1].handle]
        return any(
            all(other.get(name) == args[name] for name in habit.same)
            for other in self._refused.get(habit.last.tool.name, ())
        )

    def _bound(self, one: AnsweredCall) -> tuple[str, ...]:
        tool = one.request.tool
        return tuple(sorted(one.request.facts.args.keys() - {*tool.free_args, *tool.made_args}))

    def _asked_texts(self, one: AnsweredCall) -> Iterator[str]:
        for name in self._bound(one):
            value = one.request.facts.args[name]
            if isinstance(value, str) and value and name in one.given:
                yield name

    def _shared(self, calls: Sequence[AnsweredCall]) -> tuple[str, ...]:
        args = [self._args[one.handle] for one in calls]
        return tuple(
            name
            for name in self._bound(calls[-1])
            if all(other.get(name) == args[-1][name] for other in args)
        )

    def _differ_openly(self, calls: Sequence[AnsweredCall]) -> bool:
        """Whether each argument that a rule would leave open was given in every call.

        A rule cannot demand that an argument is absent.
        """
        same = set(self._shared(calls))
        names = {name for one in calls for name in one.request.facts.args} - same
        return all(one.request.facts.args.get(name) is not None for one in calls for name in names)


def _kind(one: AnsweredCall) -> tuple[str, str, str, Reach | None]:
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
    """Make the rule; None if no rule is as narrow, or if it would override a wildcard rule."""
    if any(rule.tool == ANY_TOOL and rule.action is not RuleAction.ALLOW for rule in policy.rules):
        return None
    if not all(_fits_a_rule(name, value) for name, value in habit.literals.items()):
        return None
    conditions = tuple(
        Condition(param=name, operator=Operator.EQUALS, value=value)
        for name, value in habit.literals.items()
    )
    tool = habit.last.tool.name
    return Rule(tool=tool, action=RuleAction.ALLOW, conditions=(*conditions, _UNTAINTED))


def _fits_a_rule(name: str, value: Any) -> bool:
    """Whether a condition can express a value: it cannot express absence or a whole list."""
    if not name or "." in name or name.startswith("@"):
        return False
    return isinstance(value, str | bool | int | float) and len(str(value)) <= LONGEST


def _grant(habit: _Habit) -> Grant | None:
    if not habit.exact:
        return None
    last = habit.calls[-1]
    try:
        return similar(
            last.request, id="", by="", now=last.policy_context.now, call=last.handle, trace=""
        )
    except Denied:
        return None


def _spared(calls: Iterable[AnsweredCall], policy: Policy, rule: Rule) -> int:
    """Count the calls that would have run with this rule appended to the policy."""
    with_it = compiled(policy.model_copy(update={"rules": (*policy.rules, rule)}))
    return sum(_would_run(one, replace(one.policy_context, policy=with_it)) for one in calls)


def _covered(calls: Iterable[AnsweredCall], grant: Grant) -> int:
    """Count the calls that would have run with this grant."""
    return sum(_would_run(one, replace(one.policy_context, grants=[grant])) for one in calls)


def _would_run(one: AnsweredCall, policy_context: PolicyContext) -> bool:
    return decide(one.request, policy_context).verdict in _RUNS
