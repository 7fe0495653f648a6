"""A long result is cut for the model, and kept whole in a file."""

from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Origin
from assistant.domain.errors import (
    NotFound,
)
from assistant.domain.files.ports import Blobs
from assistant.domain.files.version import FileVersion
from assistant.domain.limits import CallLimits
from assistant.domain.policy.decide import Verdict
from assistant.domain.policy.decisions import MODEL
from assistant.domain.store import Tx
from assistant.domain.text.truncation import truncated
from assistant.tools.contract.results import Result

WHOLE = "private:/.results/{handle}.txt"
"""Where the whole of a result is, of which the model is shown the beginning."""


@dataclass(frozen=True)
class Cut:
    """A result as it is told, and the file that holds all of it where that is not all."""

    text: str
    whole: FileVersion | None = None


def shorten(call: Call, result: Result, *, blobs: Blobs, limits: CallLimits) -> Cut:
    """Cut a result for the model; outside any transaction, as this keeps the bytes of the whole."""
    if call.actor != MODEL:  # no model is shown it, and its owner wants it whole
        return Cut(result.text)
    path = WHOLE.format(handle=call.handle) if _open(call) else ""
    told = truncated(
        result.text, max_chars=limits.result, max_lines=limits.result_lines, whole=path
    )
    return Cut(told.text, _kept(call, result, path, blobs) if told.cut and path else None)


def _open(call: Call) -> bool:
    """Whether a model may read the whole of it without a yes, as it may read any file.

    What asked before it was read once is not let out by this back door.
    """
    return call.actor == MODEL and call.verdict in (Verdict.ALLOW, Verdict.REPORT)


def _kept(call: Call, result: Result, path: str, blobs: Blobs) -> FileVersion:
    data = result.text.encode()
    digest = sha256(data).hexdigest()
    blob = f"results/{call.owner}/{call.id}-{digest[:16]}"
    blobs.put(blob, data)
    return FileVersion(
        path=path,
        size=len(data),
        sha256=digest,
        blob=blob,
        origin=Origin.OUTSIDE if result.outside or call.tainted else Origin.ASSISTANT,
        source=result.source,
        by="assistant",
    )


def keep_whole(tx: Tx, file: FileVersion) -> str:
    """Put the whole result, whose bytes are kept already, among the owner's files; its path."""
    with suppress(NotFound):  # an attempt before this one may have left its own
        file = file.model_copy(update={"version": tx.file(file.path).version})
    tx.write_file(file)
    return file.path
