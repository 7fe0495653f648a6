"""How long the executions of a tool took is told from the rows of its calls."""

from datetime import UTC, datetime, timedelta
from typing import Any

from assistant.domain.call_states import CallState
from assistant.domain.calls import Call, Facts
from assistant.tools.contract.latency import Latency, latencies

START = datetime(2026, 11, 30, 9, tzinfo=UTC)


def call(tool: str, seconds: float, state: CallState = CallState.DONE, **more: Any) -> Call:
    given: dict[str, Any] = {
        "id": f"{tool}-{seconds}",
        "owner": "owner",
        "conversation": "",
        "turn": 0,
        "ordinal": 0,
        "tool": tool,
        "facts": Facts(args={}),
        "state": state,
        "started": START,
        "ended": START + timedelta(seconds=seconds),
    }
    return Call(**given | more)


def test_each_tool_has_its_median_and_its_slowest_run() -> None:
    ran = [call("read", 1), call("read", 9), call("read", 2), call("write", 4)]
    assert latencies(ran) == {
        "read": Latency(runs=3, median=2, slowest=9),
        "write": Latency(runs=1, median=4, slowest=4),
    }


def test_a_failed_run_counts_and_what_never_ran_does_not() -> None:
    ran = [
        call("read", 3, CallState.FAILED),
        call("read", 50, CallState.DENIED, started=None),
        call("read", 60, CallState.RUNNING, ended=None),
        call("read", 70, CallState.UNDONE),
    ]
    assert latencies(ran) == {"read": Latency(runs=1, median=3, slowest=3)}
    assert latencies([]) == {}
