"""The calls of one turn and who waits for whom.

Reads that stand together run together; changes run one at a time. A read passes a call that waits
for a person, a later change does not: it was asked for in the belief that the one before it would
have happened. When that turns out otherwise, whatever was to follow is asked about again.
"""

from collections.abc import Sequence
from datetime import datetime

from assistant.domain.calls import OWED, Call, CallState, Reach

_S = CallState
_UNDERWAY = frozenset({_S.PROPOSED, _S.CLEARED, _S.RUNNING, _S.UNKNOWN})
_BROKEN = frozenset({_S.DENIED, _S.EXPIRED, _S.FAILED, _S.UNKNOWN, _S.VOID, _S.CANCELLED})


def startable(calls: Sequence[Call]) -> list[Call]:
    """The cleared calls of a turn that may begin now, in order."""
    ordered = sorted(calls, key=_place)
    return [
        call
        for n, call in enumerate(ordered)
        if call.state is _S.CLEARED and not any(_holds(other, call) for other in ordered[:n])
    ]


def stranded(calls: Sequence[Call]) -> list[Call]:
    """The cleared changes of a turn whose ground has gone since they were cleared, in order."""
    ordered = sorted(calls, key=_place)
    return [
        call
        for n, call in enumerate(ordered)
        if call.state is _S.CLEARED
        and not _reads(call)
        and any(_broke(other, call.cleared) for other in ordered[:n])
    ]


def waits_for(call: Call, calls: Sequence[Call]) -> list[Call]:
    """The earlier calls of its turn that keep a cleared call from beginning."""
    return [
        other
        for other in sorted(calls, key=_place)
        if _place(other) < _place(call) and _holds(other, call)
    ]


def _holds(earlier: Call, later: Call) -> bool:
    """True while the later call may not begin because of the earlier one."""
    if earlier.state in _UNDERWAY:
        return not (_reads(earlier) and _reads(later))
    return earlier.state is _S.PARKED and not _reads(earlier) and not _reads(later)


def _broke(earlier: Call, cleared: datetime | None) -> bool:
    """True when the earlier call, a change, came to nothing after the later one was cleared."""
    if _reads(earlier) or earlier.state not in _BROKEN:
        return False
    return cleared is None or earlier.ended is None or earlier.ended > cleared


def _reads(call: Call) -> bool:
    return call.reach is Reach.READS


def _place(call: Call) -> tuple[int, int]:
    return call.ordinal, call.number


def owed(calls: Sequence[Call]) -> list[Call]:
    """Those whose next step a worker owes; not those that wait behind a person's answer."""
    return [
        call
        for call in calls
        if call.state in OWED
        and not (
            call.state is _S.CLEARED
            and any(other.state is _S.PARKED for other in waits_for(call, calls))
        )
    ]
