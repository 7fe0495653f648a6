"""When a model goes round in circles: the reasons to stop it, from rows."""

from collections.abc import Sequence

from assistant.domain.call_states import OPEN
from assistant.domain.calls import Call
from assistant.domain.limits import TalkLimits


def why_stop(calls: Sequence[Call], *, turns: int, limits: TalkLimits) -> str:
    """Why a model takes no further step, in words for its owner; empty if it may.

    Args:
        calls: those that came of what the owner said last, oldest first.
        turns: the model's turns since then.
        limits: how much is too much.
    """
    if turns >= limits.turns:
        return f"I stopped after {turns} steps without coming to an end."
    if len(calls) >= limits.all_calls:
        return f"I stopped after {len(calls)} tool calls without coming to an end."
    last = calls[-1] if calls else None
    if last is None or last.state in OPEN:
        return ""
    row = 0
    for call in reversed(calls):
        if _end(call) != _end(last):
            break
        row += 1
    if row < limits.same:
        return ""
    return f"I stopped: {last.tool} came to the same end {row} times in a row."


def _end(call: Call) -> tuple[object, ...]:
    """What is the same of a call that is made again and comes to the same end."""
    asked = sorted((name, repr(value)) for name, value in call.asked.items())
    return call.tool, asked, call.state, _said(call.result)


def _said(result: str) -> str:
    """A result without the nonces of its fences, which are never the same."""
    return "\n".join(line for line in result.splitlines() if not line.startswith("<<"))
