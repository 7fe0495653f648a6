"""A process that reads mail and may die of it.

A stranger's message gets so many seconds and so many bytes, and only a process can be held to both.
One is kept warm and answers one message at a time through a pipe. There is nothing else between: no
thread, no queue, and no shared lock that a killed process could leave taken. It is a plain child
process, which a daemonic worker (Celery's prefork children) may have too.
"""

import gc
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from threading import Lock
from types import FrameType

from assistant.domain.errors import Unreachable, Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import Parsed
from ingest import text
from ingest.parse import parse

START_SECONDS = 60.0
"""A machine under load may need a while for the imports; a mail is not to blame for that."""
MAILS = 2_000
"""After which a fresh process takes over, so that what parsers leak does not add up."""
_GRACE = 2.0

_MAIN = (
    "import sys; sys.path[:] = {path!r}; from ingest.reader import serve; serve({fd}, {limits!r})"
)


class _DiedError(Exception):
    """The process is gone; the argument is its exit code."""


@dataclass
class _Child:
    process: Popen[bytes]
    pipe: Connection
    mails: int = 0

    def end(self, *, grace: float = _GRACE) -> int:
        """Its exit code; negative for the signal that ended it."""
        self.pipe.close()  # on which it ends by itself, unless it is busy
        with suppress(TimeoutExpired):
            return self.process.wait(grace)
        self.process.kill()
        return self.process.wait()


@dataclass
class _Desk:
    """What one process of ours has: a parser, and the lock that keeps it to one mail at a time."""

    lock: Lock = field(default_factory=Lock)
    child: _Child | None = None

    def dismiss(self, *, grace: float = _GRACE) -> int:
        child, self.child = self.child, None
        return child.end(grace=grace) if child else 0


class ParseProcess:
    """``parse`` in another process. Any thread may call it, also after a fork of this process.

    It starts with the first mail and again whenever it is needed; it ends with ``close()`` or with
    the process that started it, however that ends.
    """

    def __init__(self, limits: MailLimits) -> None:
        self._limits = limits
        self._desks: dict[int, _Desk] = {}

    def read(self, raw: bytes) -> Parsed:
        """Read one message.

        Raises:
            Unreadable: as ``parse`` does; or it took more than ``parse_seconds`` or
                ``parse_memory``; or the process died of it, twice, as once may be an accident.
            Unreachable: the process could not be started.
        """
        if len(raw) > self._limits.message:
            raise Unreadable(f"it has {len(raw)} bytes, and {self._limits.message} is the most")
        with self._at_desk() as desk:
            try:
                answer = self._ask(desk, raw)
            except _DiedError:
                answer = self._ask_again(desk, raw)
        if isinstance(answer, str):
            raise Unreadable(answer)
        return answer

    def close(self) -> None:
        with self._at_desk() as desk:
            desk.dismiss()

    @contextmanager
    def _at_desk(self) -> Iterator[_Desk]:
        # A forked process has its own: the lock may have been taken, the child is not its child.
        desk = self._desks.setdefault(os.getpid(), _Desk())
        with desk.lock:
            yield desk

    def _ask_again(self, desk: _Desk, raw: bytes) -> Parsed | str:
        try:
            return self._ask(desk, raw)
        except _DiedError as error:
            return f"the process that read it died of it (exit code {error})"

    def _ask(self, desk: _Desk, raw: bytes) -> Parsed | str:
        """The message, or why there is none in plain words."""
        child = self._child(desk)
        child.mails += 1
        try:
            child.pipe.send_bytes(raw)
            if child.pipe.poll(self._limits.parse_seconds):
                answer: Parsed | str = child.pipe.recv()
                return answer
        except (EOFError, OSError) as error:
            raise _DiedError(desk.dismiss()) from error
        except BaseException:  # an interrupted wait: its answer would be taken for the next mail's
            desk.dismiss(grace=0)
            raise
        desk.dismiss(grace=0)
        return f"reading it took more than {self._limits.parse_seconds:g} s"

    def _child(self, desk: _Desk) -> _Child:
        child = desk.child
        if child and (child.mails >= MAILS or child.process.poll() is not None):
            desk.dismiss()
        if not desk.child:
            desk.child = _start(self._limits)
        return desk.child


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
            raise Unreachable(f"the process that reads mail does not start ({error})") from error
    child = _Child(process, ours)
    with suppress(EOFError, OSError):
        if ours.poll(START_SECONDS) and ours.recv():
            return child
    raise Unreachable(f"the process that reads mail does not start (exit code {child.end()})")


# In the other process


def serve(fd: int, limits: dict[str, float]) -> None:
    """Read what comes through the pipe until its other end is gone."""
    for whole_group in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(whole_group, signal.SIG_IGN)  # whoever started us decides when we end
    signal.signal(signal.SIGALRM, _ring)
    bounds = MailLimits.model_validate(limits)
    _limit_memory(bounds.parse_memory)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError), Connection(fd) as pipe:
        gc.collect()
        gc.freeze()  # what is there by now stays; each collection would walk through it again
        pipe.send("ready")
        while True:
            pipe.send(_answer(pipe.recv_bytes(), bounds))


def _answer(raw: bytes, limits: MailLimits) -> Parsed | str:
    def timed(source: str) -> str:
        signal.setitimer(signal.ITIMER_REAL, limits.html_seconds)
        try:
            return text.from_html(source)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    try:
        return parse(raw, limits, from_html=timed)
    except Unreadable as error:
        return str(error.args[0])
    except MemoryError:
        return f"reading it took more than {limits.parse_memory} bytes of memory"


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("it took too long")


def _limit_memory(extra: int) -> None:
    """Let the address space grow by ``extra`` bytes over what the interpreter has now.

    Where the system tells no size (no ``/proc``) or keeps no such limit (macOS), only time limits.
    """
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + extra
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
