"""Detect a model that goes on without end, from rows, and say why it is stopped."""

from collections.abc import Callable, Sequence

from assistant.domain.calls.call import Call
from assistant.domain.calls.states import OPEN, CallState
from assistant.domain.limits import ConversationLimits
from assistant.domain.policy.decisions import one_line

_NAME = 80
"""Characters of a tool's name, which a model may have made up."""


def why_stop(
    calls: Sequence[Call],
    *,
    turns: int,
    limits: ConversationLimits,
    title: Callable[[str], str] = str,
) -> str:
    """Return why the model must stop, in words for the owner; empty if it may go on.

    Args:
        calls: the calls since the owner last spoke, oldest first.
        turns: the model's turns since the owner last spoke or answered a card.
        limits: the limits of a conversation.
        title: names a tool for a person.
    """
    if turns >= limits.turns:
        return f"I stopped after {turns} steps without coming to an end."
    if len(calls) >= limits.all_calls:
        return f"I stopped after {len(calls)} tool calls since you last spoke."
    if tool := _asked_after_no(calls, limits.after_no):
        name, most = _named(tool, title), limits.after_no
        return f"I stopped: you said no to “{name}”, and I asked {most} more times."
    return _why_in_circles(calls, limits, title)


def _named(tool: str, title: Callable[[str], str]) -> str:
    return one_line(title(tool), _NAME)


def _asked_after_no(calls: Sequence[Call], most: int) -> str:
    """Return the tool that was proposed in so many turns after a no to it; empty if none was.

    A yes to it begins anew. A call that code made in the place of another is no proposal.
    """
    for tool in dict.fromkeys(call.tool for call in calls):
        no: Call | None = None
        asked: set[int] = set()
        for call in (one for one in calls if one.tool == tool):
            if no is not None and not call.supersedes and _follows(call, no):
                asked.add(call.turn)
            if call.state is CallState.DENIED:
                no = no or call
            elif call.cleared is not None:
                no, asked = None, set()
        if len(asked) >= most:
            return tool
    return ""


def _follows(call: Call, no: Call) -> bool:
    """Whether a call was proposed after its owner had said no to another."""
    if call.created is None or no.ended is None:
        return call.turn > no.turn
    return call.turn > no.turn and call.created >= no.ended


def _why_in_circles(
    calls: Sequence[Call], limits: ConversationLimits, title: Callable[[str], str]
) -> str:
    """Say that the last call was made often in a row, with one result; empty if it was not."""
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
    return f"I stopped: {_named(last.tool, title)} gave one result {row} times in a row."


def _signature(call: Call) -> tuple[object, ...]:
    """Return what two calls share when the second repeats the first, with one result."""
    asked = sorted((name, repr(value)) for name, value in call.asked.items())
    return call.tool, asked, call.state, _without_fences(call.result)


def _without_fences(result: str) -> str:
    """Return a result without its fence lines, as their nonces always differ."""
    return "\n".join(line for line in result.splitlines() if not line.startswith("<<"))
