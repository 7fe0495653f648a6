"""A chain of models: the first that answers counts; the last one, offline, always answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic as system_monotonic
from typing import TypeVar

from assistant.domain.conversation.conversation import (
    Outcome,
    Summary,
    ToolSchema,
    Turn,
    Usage,
    View,
)
from assistant.domain.conversation.ports import Model
from assistant.domain.errors import Misconfigured, Permanent, Transient

A = TypeVar("A", Turn, Summary)


@dataclass
class _Failures:
    """The failed attempts before an answer."""

    reasons: list[str] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)
    out_of_reach: bool = False
    """True when one of them may answer another time."""


class ModelChain:
    """Asks each model in turn until one answers. The last is the offline model.

    Skips a model that was unreachable, busy or misconfigured for ``cool_down`` seconds. A model
    that refused one request is asked again with the next.

    Args:
        models: at least one, the preferred one first, the offline model last.
        cool_down: seconds for which a failed model is skipped.
        monotonic: a clock that only goes forward, in seconds.
    """

    def __init__(
        self,
        models: Sequence[Model],
        *,
        cool_down: float = 30.0,
        monotonic: Callable[[], float] = system_monotonic,
    ) -> None:
        if not models:
            raise Misconfigured("a chain needs at least one model")
        *self._first, self._last = models
        self.name = ", else ".join(model.name for model in models)
        self._cool_down = cool_down
        self._monotonic = monotonic
        self._resting: dict[int, tuple[float, str]] = {}
        self._lock = Lock()

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        failures = _Failures()
        turn = self._ask(lambda model: model.think(view, tools), failures)
        if turn is not None:
            return turn
        turn = self._last.think(view, tools)
        if not failures.reasons:
            return turn
        honest = turn.model_copy(update={"text": _honest(turn.text, failures)})
        return self._standing_in(honest, failures)

    def summarise(self, view: View) -> Summary:
        failures = _Failures()
        summary = self._ask(lambda model: model.summarise(view), failures)
        if summary is not None:
            return summary
        return self._standing_in(self._last.summarise(view), failures)

    def check(self) -> None:
        for model in (*self._first, self._last):
            model.check()

    def _standing_in(self, answer: A, failures: _Failures) -> A:
        """Mark the offline model's answer where another model may give a better one later."""
        if failures.out_of_reach:
            failures.usage.append(Usage(model=self._last.name, outcome=Outcome.UNANSWERED))
            answer = answer.model_copy(update={"stood_in": True})
        return _paid(answer, failures)

    def _ask(self, ask: Callable[[Model], A], failures: _Failures) -> A | None:
        """Return the first answer of the models but the last; None when none answers."""
        for place, model in enumerate(self._first):
            if reason := self._rests(place):
                failures.reasons.append(reason)
                failures.out_of_reach = True
                continue
            began = self._monotonic()
            try:
                return _paid(ask(model), failures)
            except (Transient, Permanent) as error:
                failures.out_of_reach |= self._rest(place, error)
                failures.reasons.append(str(error))
                spent = round(1000 * (self._monotonic() - began))
                failures.usage.append(
                    Usage(model=model.name, milliseconds=spent, outcome=Outcome.FAILED)
                )
        return None

    def _rests(self, place: int) -> str:
        with self._lock:
            until, reason = self._resting.get(place, (float("-inf"), ""))
        return reason if self._monotonic() < until else ""

    def _rest(self, place: int, error: Exception) -> bool:
        """Skip a model for a while if the error calls for it; return whether it does."""
        if not isinstance(error, Transient | Misconfigured):
            return False
        with self._lock:
            self._resting[place] = (self._monotonic() + self._cool_down, str(error))
        return True


def _paid(answer: A, failures: _Failures) -> A:
    """Add the cost of the earlier attempts to an answer; the model that answered is last."""
    if not failures.usage:
        return answer
    return answer.model_copy(update={"usage": (*failures.usage, *answer.usage)})


def _honest(text: str, failures: _Failures) -> str:
    reasons = "; ".join(dict.fromkeys(reason.rstrip(".") for reason in failures.reasons))
    return f"No configured model answers ({reasons}), so the offline grammar does.\n{text}"
