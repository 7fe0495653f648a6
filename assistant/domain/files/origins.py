"""Who wrote what a file holds: told by the rows around it, never by whoever writes it down."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Origin
from assistant.domain.files.version import FileVersion

_MODEL = "model"


def origin_of(call: Call | None, same: Sequence[FileVersion]) -> tuple[Origin, str]:
    """The origin of a new version that a call writes, and where words from outside come from.

    What came from outside stays so, whoever writes the same bytes again. What an undo brings back
    is what it was. Else it is the call that counts: one from a conversation that had outside text
    in view writes outside text.

    Args:
        call: the call that writes, None where there is no row of it.
        same: the versions of the same path with the same bytes, the oldest first.
    """
    outside = next((version for version in same if version.origin is Origin.OUTSIDE), None)
    if outside is not None:
        return Origin.OUTSIDE, outside.source
    if call is None:
        return Origin.OUTSIDE, "a call that nothing is known of"
    if call.undoes and same:
        return same[0].origin, same[0].source
    if call.tainted:
        return Origin.OUTSIDE, f"{call.handle}, asked for with outside text in view"
    return (Origin.ASSISTANT if call.actor == _MODEL else Origin.OWNER), ""
