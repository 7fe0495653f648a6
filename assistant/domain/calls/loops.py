"""Detect a model that repeats itself, from rows, and say why it is stopped."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call
from assistant.domain.calls.states import OPEN
from assistant.domain.limits import ConversationLimits


def why_stop(calls: Sequence[Call], *, turns: int, limits: ConversationLimits) -> str:
    """Return why the model must stop, in words for the owner; empty if it may go on.

    Args:
        calls: the calls since the owner last spoke, oldest first.
        turns: the model's turns since then.
        limits: the limits of a conversation.
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
        if _signature(call) != _signature(last):
            break
        row += 1
    if row < limits.same:
        return ""
    return f"I stopped: {last.tool} gave one result {row} times in a row."


def _signature(call: Call) -> tuple[object, ...]:
    """Return what two calls share when the second repeats the first, with one result."""
    asked = sorted((name, repr(value)) for name, value in call.asked.items())
    return call.tool, asked, call.state, _without_fences(call.result)


def _without_fences(result: str) -> str:
    """Return a result without its fence lines, as their nonces always differ."""
    return "\n".join(line for line in result.splitlines() if not line.startswith("<<"))
