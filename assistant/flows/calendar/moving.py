"""Ask anew about what waits, once another calendar is used."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.messages import Repropose
from assistant.domain.store import Tx
from assistant.tools.calendar.args import CALENDAR
from assistant.tools.contract.toolbox import Toolbox

_MANY = 1_000


def ask_for_another_calendar(tx: Tx, toolbox: Toolbox, *, address: str = "") -> Sequence[Call]:
    """Order that each call which waits for another calendar is asked about anew; return them.

    Use it in the transaction that stores which calendar is used, or no longer.

    Args:
        tx: that transaction.
        toolbox: the tools, which say what is about a calendar.
        address: of the calendar that is used from now on; empty where that is none of the owner's.
    """
    waiting = tx.calls(states={CallState.PARKED}, limit=_MANY)
    found = [call for call in waiting if _is_elsewhere(call, toolbox, address)]
    for call in found:
        tx.emit(Repropose(id=call.id))
    return found


def _is_elsewhere(call: Call, toolbox: Toolbox, address: str) -> bool:
    tool = toolbox.get(call.tool)
    return (
        tool is not None
        and set(CALENDAR.apps) <= set(tool.scopes.apps)
        and call.facts.destination not in ("", address)
    )
