"""Parse mail in another process, which may be killed.

Parsing a stranger's message has a limit of time and of memory, and only a process can be held to
both. One process stays ready and parses one message at a time through a pipe. There is no thread,
no queue, and no shared lock that a killed process could leave locked. It is a plain child process,
which a daemonic worker (a child of Celery's prefork pool) may start too.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from subprocess import DEVNULL, Popen, TimeoutExpired
from threading import Lock

from assistant.domain.errors import MAIL_READER, Outage, Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import Parsed

START_SECONDS = 60.0
"""How long a process may take to start; under load, the imports take a while."""
MAILS = 2_000
"""The mails after which a new process takes over, so that leaks of the parsers do not add up."""
_GRACE = 2.0

_MAIN = (
    "import sys; sys.path[:] = {path!r}\n"
    "from ingest.parse_server import serve; serve({fd}, {limits!r})"
)


class _DiedError(Exception):
    """The process ended; the argument is its exit code."""


@dataclass
class _Child:
    process: Popen[bytes]
    pipe: Connection
    mails: int = 0

    def end(self, *, grace: float = _GRACE) -> int:
        """End the process; return its exit code, negative for a signal."""
        self.pipe.close()  # ends the process, unless it is busy
        with suppress(TimeoutExpired):
            return self.process.wait(grace)
        self.process.kill()
        return self.process.wait()


@dataclass
class _Slot:
    """The parser of one worker process, and the lock that gives it one mail at a time."""

    lock: Lock = field(default_factory=Lock)
    child: _Child | None = None

    def dismiss(self, *, grace: float = _GRACE) -> int:
        child, self.child = self.child, None
        return child.end(grace=grace) if child else 0


class ParseProcess:
    """Runs ``parse`` in another process. Any thread may use it, also after a fork.

    The process starts with the first mail, and again when needed. It ends with ``close()``, or when
    the process that started it ends for any reason.
    """

    def __init__(self, limits: MailLimits) -> None:
        self._limits = limits
        self._slots: dict[int, _Slot] = {}

    def read(self, raw: bytes) -> Parsed:
        """Parse one message.

        Raises:
            Unreadable: ``parse`` raised it; or parsing took more than ``parse_seconds`` or
                ``parse_memory``; or the process died twice, as once may be an accident.
            Outage: the process could not be started.
        """
        if len(raw) > self._limits.message:
            raise Unreadable(f"it has {len(raw)} bytes, and {self._limits.message} is the most")
        with self._slot() as slot:
            try:
                answer = self._ask(slot, raw)
            except _DiedError:
                answer = self._ask_again(slot, raw)
        if isinstance(answer, str):
            raise Unreadable(answer)
        return answer

    def close(self) -> None:
        with self._slot() as slot:
            slot.dismiss()

    @contextmanager
    def _slot(self) -> Iterator[_Slot]:
        # A forked process needs its own slot: it inherits a lock that may be taken, but no child.
        slot = self._slots.setdefault(os.getpid(), _Slot())
        with slot.lock:
            yield slot

    def _ask_again(self, slot: _Slot, raw: bytes) -> Parsed | str:
        try:
            return self._ask(slot, raw)
        except _DiedError as error:
            return f"the process that parsed it died (exit code {error})"

    def _ask(self, slot: _Slot, raw: bytes) -> Parsed | str:
        """Return the parsed message, or in plain words why there is none."""
        child = self._child(slot)
        child.mails += 1
        try:
            child.pipe.send_bytes(raw)
            if child.pipe.poll(self._limits.parse_seconds):
                answer: Parsed | str = child.pipe.recv()
                return answer
        except (EOFError, OSError) as error:
            raise _DiedError(slot.dismiss()) from error
        except BaseException:  # interrupted: the next mail would get this one's late answer
            slot.dismiss(grace=0)
            raise
        slot.dismiss(grace=0)
        return f"reading it took more than {self._limits.parse_seconds:g} s"

    def _child(self, slot: _Slot) -> _Child:
        child = slot.child
        if child and (child.mails >= MAILS or child.process.poll() is not None):
            slot.dismiss()
        if not slot.child:
            slot.child = _start(self._limits)
        return slot.child


def _start(limits: MailLimits) -> _Child:
    ours, theirs = Pipe()
    with theirs:
        code = _MAIN.format(path=sys.path, fd=theirs.fileno(), limits=limits.model_dump())
        try:
            process = Popen(
                [sys.executable, "-c", code],
                pass_fds=[theirs.fileno()],
                stdin=DEVNULL,
                stdout=DEVNULL,
            )
        except OSError as error:
            ours.close()
            raise Outage(f"it does not start ({error})", part=MAIL_READER) from error
    child = _Child(process, ours)
    with suppress(EOFError, OSError):
        if ours.poll(START_SECONDS) and ours.recv():
            return child
    raise Outage(f"it does not start (exit code {child.end()})", part=MAIL_READER)
