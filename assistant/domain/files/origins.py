"""Derive the origin of a file's content from rows, never from what a tool says."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Origin
from assistant.domain.files.version import FileVersion

_MODEL = "model"


def origin_of(call: Call | None, same: Sequence[FileVersion]) -> tuple[Origin, str]:
    """Return the origin of a new version that a call writes, and the source of outside text.

    Bytes that once came from outside stay outside. An undo restores the origin of the version that
    it restores. Otherwise the call decides: a tainted call writes outside text.

    Args:
        call: the call that writes, or None if it has no row.
        same: the earlier versions of this path with equal bytes, oldest first.
    """
    outside = next((version for version in same if version.origin is Origin.OUTSIDE), None)
    if outside is not None:
        return Origin.OUTSIDE, outside.source
    if call is None:
        return Origin.OUTSIDE, "an unknown call"
    if call.undoes and same:
        return same[0].origin, same[0].source
    if call.tainted:
        return Origin.OUTSIDE, f"{call.handle}, asked for with outside text in view"
    return (Origin.ASSISTANT if call.actor == _MODEL else Origin.OWNER), ""
