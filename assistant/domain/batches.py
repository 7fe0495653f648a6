"""The calls of one turn and who waits for whom.

Reads that stand together run together; changes run one at a time. A read passes a call that waits
for a person, and what waits behind that one. A later change does not: it was asked for in the
belief that the one before it would have happened. When that turns out otherwise, whatever was to
follow is asked about again.
"""

from collections.abc import Sequence

from assistant.domain.call_states import BROKEN, OWED, CallState
from assistant.domain.calls import Call, Reach


def startable(calls: Sequence[Call]) -> list[Call]:
    """The cleared calls of a turn that may begin now, in order."""
    ordered = sorted(calls, key=_place)
    return [
        call for call in ordered if call.state is CallState.CLEARED and not waits_for(call, ordered)
    ]


def stranded(calls: Sequence[Call], broken: Call) -> list[Call]:
    """The cleared changes that were to follow a change which has just come to nothing, in order.

    What is let run after that was let run in the knowledge of it.
    """
    if _reads(broken) or broken.state not in BROKEN:
        return []
    return [
        call
        for call in sorted(calls, key=_place)
        if call.state is CallState.CLEARED and not _reads(call) and _place(call) > _place(broken)
    ]


def waits_for(call: Call, calls: Sequence[Call]) -> list[Call]:
    """The earlier calls of its turn that keep a cleared call from beginning."""
    stuck = _stuck(calls)
    return [
        other
        for other in sorted(calls, key=_place)
        if _place(other) < _place(call) and _holds(other, call, stuck)
    ]


def owed(calls: Sequence[Call]) -> list[Call]:
    """Those whose next step a worker owes; not those that wait behind a person's answer."""
    stuck = _stuck(calls)
    return [call for call in calls if call.state in OWED and call.id not in stuck]


def _holds(earlier: Call, later: Call, stuck: frozenset[str]) -> bool:
    """True while the later call may not begin because of the earlier one."""
    if earlier.id in stuck:
        return not _reads(later)
    return earlier.state in OWED and not (_reads(earlier) and _reads(later))


def _stuck(calls: Sequence[Call]) -> frozenset[str]:
    """Ids of the changes that wait for a person's answer, or behind one that does."""
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
