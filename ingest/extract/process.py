"""Find the kind and the text of files in a process that may be killed."""

from assistant.domain.limits import MailLimits
from ingest.child import ChildOrder, ChildProcess, ChildReply
from ingest.extract.extracted import Extracted
from ingest.extract.kinds import FileKind
from ingest.extract.signatures import UNKNOWN

_NICE = 5
_KIND_SECONDS = 1.0


class ExtractProcess:
    """Runs ``kind_of`` and ``text_of`` in another process. Any thread may use it.

    What the file does to that process becomes a defect of the answer. The process starts with the
    first file, and ends with ``close()`` or with the process that started it.
    """

    def __init__(self, limits: MailLimits) -> None:
        self._limits = limits
        self._child = ChildProcess(limits, nice=_NICE)

    def kind_of(self, data: bytes, declared: str, name: str) -> FileKind:
        """Return what a file is. Raises ``Outage`` if the process could not be started."""
        reply = self._ask("kind", data, _KIND_SECONDS, declared, name)
        return reply.value if isinstance(reply.value, FileKind) else FileKind(*UNKNOWN)

    def text_of(self, data: bytes, kind: FileKind) -> Extracted:
        """Return the text of a file. Raises ``Outage`` if the process could not be started."""
        seconds = self._limits.extract_cpu_seconds
        reply = self._ask("text", data, seconds, *kind)
        if isinstance(reply.value, Extracted):
            return reply.value
        if reply.unfinished:
            return Extracted(defects=(f"reading it took more than {seconds:g} s of computing",))
        return Extracted(defects=(reply.refused,))

    def close(self) -> None:
        self._child.close()

    def _ask(self, what: str, data: bytes, seconds: float, *about: str) -> ChildReply:
        order = ChildOrder(kind=what, seconds=seconds, share=seconds, about=about)
        return self._child.ask(order, data)
