"""How long the executions of a tool took, from the rows of its calls."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from assistant.domain.call_states import CallState
from assistant.domain.calls import Call

_EXECUTED = frozenset({CallState.DONE, CallState.FAILED})
"""Of one that was undone later, ``ended`` says when that was."""


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Seconds from the start to the end of an execution, over the last ones of a tool."""

    runs: int
    median: float
    slowest: float


def latencies(calls: Iterable[Call]) -> Mapping[str, Latency]:
    """The latency of each tool by its name; a tool without an execution among these has none.

    An execution that was interrupted and reconciled later counts until its end was known.
    """
    seconds: dict[str, list[float]] = defaultdict(list)
    for call in calls:
        if call.state in _EXECUTED and call.started is not None and call.ended is not None:
            seconds[call.tool].append((call.ended - call.started).total_seconds())
    return {
        tool: Latency(runs=len(taken), median=median(taken), slowest=max(taken))
        for tool, taken in seconds.items()
    }
