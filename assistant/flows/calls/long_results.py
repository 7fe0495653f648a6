"""Cut a long result for the model, and keep the whole in a file."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Origin
from assistant.domain.errors import AssistantError, NotFound
from assistant.domain.files.ports import Blobs, FileTx
from assistant.domain.files.version import FileVersion
from assistant.domain.limits import CallLimits
from assistant.domain.policy.decide import Verdict
from assistant.domain.policy.decisions import MODEL
from assistant.domain.text.truncation import truncated
from assistant.tools.contract.results import Result

log = logging.getLogger(__name__)

WHOLE = "private:/.results/{handle}.txt"
"""Path of the whole of a result that was cut for the model."""


@dataclass(frozen=True)
class Cut:
    """The text that the model is told of a result, and the file of the whole if that was cut."""

    text: str
    whole: FileVersion | None = None


def shorten(call: Call, result: Result, *, blobs: Blobs, limits: CallLimits) -> Cut:
    """Cut a result for the model. Call it outside any transaction: it stores the whole's bytes.

    If they cannot be stored, the result is cut all the same: what happened must be recorded.
    """
    if call.actor != MODEL:  # shown to the owner alone, whole
        return Cut(result.text)
    path = WHOLE.format(handle=call.handle) if _ran_unasked(call) else ""
    limit = partial(truncated, max_chars=limits.result, max_lines=limits.result_lines)
    told = limit(result.text, whole=path)
    if not told.cut or not path:
        return Cut(told.text)
    try:
        return Cut(told.text, _store_bytes(call, result, path, blobs))
    except AssistantError as error:
        log.warning("the whole result of %s is not kept: %s", call.handle, error)
        return Cut(limit(result.text).text)


def _ran_unasked(call: Call) -> bool:
    """Whether the call ran without a yes, so that a model may read its whole result in a file.

    Files are read without a yes. What needed one to be read must not be open to reading there.
    """
    return call.actor == MODEL and call.verdict in (Verdict.ALLOW, Verdict.REPORT)


def _store_bytes(call: Call, result: Result, path: str, blobs: Blobs) -> FileVersion:
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


def keep_whole(tx: FileTx, file: FileVersion) -> str:
    """Record the file of a whole result, whose bytes are stored already; return its path."""
    with suppress(NotFound):  # an earlier attempt may have written the file
        file = file.model_copy(update={"version": tx.file(file.path).version})
    tx.write_file(file)
    return file.path
