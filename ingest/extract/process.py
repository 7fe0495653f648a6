"""Find the kind and the text of files in a process that may be killed."""

from assistant.domain.limits import MailLimits
from assistant.domain.mail.attached import AttachmentText, FileKind
from ingest.child import ChildOrder, ChildProcess, ChildReply
from ingest.extract.signatures import UNKNOWN

_NICE = 5
_KIND_SECONDS = 1.0
_CLOCK_SECONDS = 100.0
"""Seconds on the clock for a process that hangs: somebody waits for the answer."""


class ExtractProcess:
    """Runs ``kind_of`` and ``text_of`` in another process. Any thread may use it.

    What the file does to that process becomes a defect of the answer. The process starts with the
    first file, and ends with ``close()`` or with the process that started it.
    """

    def __init__(self, limits: MailLimits) -> None:
        self._limits = limits
        clock = min(limits.parse_seconds, _CLOCK_SECONDS)
        self._child = ChildProcess(limits.model_copy(update={"parse_seconds": clock}), nice=_NICE)

    def kind_of(self, data: bytes, declared: str, name: str) -> FileKind:
        """Return what a file is. Raises ``Outage`` if the process could not be started."""
        reply = self._ask("kind", data, _KIND_SECONDS, declared, name)
        return reply.value if isinstance(reply.value, FileKind) else FileKind(*UNKNOWN)

    def text_of(self, data: bytes, kind: FileKind) -> AttachmentText:
        """Return the text of a file. Raises ``Outage`` if the process could not be started."""
        seconds = self._limits.extract_cpu_seconds
        reply = self._ask("text", data, seconds, *kind)
        if isinstance(reply.value, AttachmentText):
            return reply.value
        if reply.unfinished:
            return AttachmentText(
                defects=(f"reading it took more than {seconds:g} s of computing",)
            )
        return AttachmentText(defects=(reply.refused,))

    def close(self) -> None:
        self._child.close()

    def _ask(self, what: str, data: bytes, seconds: float, *about: str) -> ChildReply:
        order = ChildOrder(kind=what, seconds=seconds, share=seconds, about=about)
        return self._child.ask(order, data)
