"""The line of record below a model's words: what changes came to, told by code from rows."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import CHANGED_NOTHING, STATES, CallState, Tally
from assistant.domain.policy.decisions import one_line
from assistant.domain.text.fence import unfence
from assistant.domain.text.quotes import quoted

_REASON = 160
"""Characters of the reason of a refusal."""


def ledger(calls: Sequence[Call]) -> str:
    """Say what the changes among these calls came to; empty if all of them are reads.

    Made from rows, whatever the model says about them.
    """
    changes = [call for call in calls if belongs(call)]
    if not changes:
        return ""
    said = [
        f"{group.value}: {', '.join(map(_named, found))}."
        for group in Tally
        if (found := [call for call in changes if _tally(call) is group])
    ]
    if all(call.state in CHANGED_NOTHING and not call.unclear for call in changes):
        said.insert(0, "Nothing was changed.")
    return " ".join(said)


def belongs(call: Call) -> bool:
    """Whether a call is told of: a change, or a read that was refused although it could be made."""
    refused = call.state is CallState.REFUSED and not call.facts.trouble
    return refused or call.reach is not Reach.READS


def why_refused(call: Call) -> str:
    """Say in words for its owner why a call was refused."""
    if call.told:
        return one_line(call.told, _REASON)
    why = unfence(call.result)
    while why.startswith(_PREFIX):
        why = why.removeprefix(_PREFIX)
    return one_line(why.replace("the owner", "you"), _REASON)


_PREFIX = "refused: "
"""How the model is told; it is there twice where too many calls waited."""


def _named(call: Call) -> str:
    if call.state is not CallState.REFUSED:
        return call.handle
    return f"{call.handle} ({quoted(why_refused(call))})"


def _tally(call: Call) -> Tally | None:
    return Tally.UNKNOWN if call.unclear else STATES[call.state].tally
