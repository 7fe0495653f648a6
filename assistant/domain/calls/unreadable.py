"""Make a call of a stored row, also of one that cannot be read as a whole.

What cannot be read is left out, and the call has a trouble that says so. So it is listed with its
handle and can be denied, and it never runs; all other calls go on.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from assistant.domain.calls.call import Call, Facts
from assistant.domain.calls.states import CallState

_INSTEAD: Mapping[str, Any] = {
    "turn": 0,
    "ordinal": 0,
    "tool": "",
    "facts": Facts(args={}),
    "state": CallState.FAILED,
    "result": "",
    "told": "",
}
"""What stands for a field that has no default."""


def readable_call(row: Mapping[str, Any]) -> Call:
    """Return the call of a row, by the names of its fields.

    Raises:
        ValidationError: the row does not even say which call it is.
    """
    try:
        return Call.model_validate(row)
    except ValidationError as error:
        broken = sorted({str(one["loc"][0]) for one in error.errors()})
    fields = Call.model_fields
    kept = {name: value for name, value in row.items() if name not in broken}
    for name in broken:
        if name in _INSTEAD:
            kept[name] = _INSTEAD[name]
        elif name in fields and not fields[name].is_required():
            kept[name] = fields[name].get_default(call_default_factory=True)
    call = Call.model_validate(kept)
    trouble = f"its row in the database cannot be read: {', '.join(broken)}"
    return call.model_copy(update={"facts": call.facts.model_copy(update={"trouble": trouble})})
