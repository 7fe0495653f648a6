"""The calls of one turn, and which call waits for which.

Adjacent reads run together; changes run one at a time. A read does not wait for a parked call, nor
for the changes behind that call. A later change does wait: the model asked for it in the belief
that the earlier one would have happened. When the earlier one did not happen, the owner is asked
about the later ones again.
"""

from collections.abc import Sequence

from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import BROKEN, OWED, CallState


def startable(calls: Sequence[Call]) -> list[Call]:
    """Return the cleared calls of a turn that may begin now, in order."""
    ordered = sorted(calls, key=_place)
    return [
        call for call in ordered if call.state is CallState.CLEARED and not waits_for(call, ordered)
    ]


def stranded(calls: Sequence[Call], broken: Call) -> list[Call]:
    """Return the cleared changes after a change that has just come to nothing, in order.

    Only these: a call that is approved later is approved in the knowledge of what happened.
    """
    if _reads(broken) or broken.state not in BROKEN:
        return []
    return [
        call
        for call in sorted(calls, key=_place)
        if call.state is CallState.CLEARED and not _reads(call) and _place(call) > _place(broken)
    ]


def waits_for(call: Call, calls: Sequence[Call]) -> list[Call]:
    """Return the earlier calls of its turn for which a cleared call must wait."""
    stuck = _stuck(calls)
    return [
        other
        for other in sorted(calls, key=_place)
        if _place(other) < _place(call) and _blocks(other, call, stuck)
    ]


def owed(calls: Sequence[Call]) -> list[Call]:
    """Return the calls whose next step a worker owes, without those behind a parked change."""
    stuck = _stuck(calls)
    return [call for call in calls if call.state in OWED and call.id not in stuck]


def _blocks(earlier: Call, later: Call, stuck: frozenset[str]) -> bool:
    """Return whether the later call must wait for the earlier one."""
    if earlier.id in stuck:
        return not _reads(later)
    return earlier.state in OWED and not (_reads(earlier) and _reads(later))


def _stuck(calls: Sequence[Call]) -> frozenset[str]:
    """Return the ids of the changes that are parked, or that come after a parked change."""
    stuck: set[str] = set()
    for call in sorted(calls, key=_place):
        waits = call.state is CallState.PARKED or (call.state is CallState.CLEARED and bool(stuck))
        if waits and not _reads(call):
            stuck.add(call.id)
    return frozenset(stuck)


def _reads(call: Call) -> bool:
    return call.reach is Reach.READS


def _place(call: Call) -> tuple[int, int]:
    return call.ordinal, call.number
