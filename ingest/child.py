"""A child process that answers one request at a time, and may die of one.

What reads a stranger's bytes has a limit of computing time and of memory, and only a process can be
held to both. One child stays ready and answers through a pipe. There is no thread, no queue, and
no shared lock that a killed process could leave locked. It is a plain child process, which a
daemonic worker (a child of Celery's prefork pool) may start too. Its other end is a module with a
function ``serve``: that of mail is ``parse_server``.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from subprocess import DEVNULL, Popen, TimeoutExpired
from threading import Lock
from typing import NamedTuple

from assistant.domain.errors import MAIL_READER, Outage, ReaderBusy
from assistant.domain.limits import MailLimits

START_SECONDS = 60.0
"""How long a process may take to start; under load, the imports take a while."""
MAILS = 2_000
"""The requests after which a new process takes over, so that leaks of the parsers do not add up."""
MAKE_WAY = signal.SIGUSR1
"""Tells the child that another request waits."""
_GRACE = 2.0

_MAIN = (
    "import sys; sys.path[:] = {path!r}\n"
    "from {server} import serve; serve({fd}, {limits!r}, nice={nice})"
)


class ChildOrder(NamedTuple):
    """What the child is asked. The bytes that it is about follow it through the pipe."""

    kind: str
    """Names what is done with the bytes: of mail ``parse``, ``kind`` or ``text``."""
    seconds: float
    """The CPU seconds that it may take."""
    share: float
    """The CPU seconds after which it is stopped as soon as another request waits."""
    crowded: bool = False
    """True where another request waits already."""
    about: tuple[str, ...] = ()
    """What else the child is to know."""


class ChildReply(NamedTuple):
    value: object = None
    refused: str = ""
    """Why there is no value, in words."""
    unfinished: bool = False
    """True where it was stopped after ``seconds``: its time was up, or another request waited."""
    seconds: float = 0.0
    """The CPU seconds that it took."""


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
    """The child of one worker process, and the lock that gives it one request at a time."""

    lock: Lock = field(default_factory=Lock)
    child: _Child | None = None
    waiting: list[None] = field(default_factory=list)

    @contextmanager
    def taken(self, *, wait: bool) -> Iterator[None]:
        if not self.lock.acquire(blocking=False):
            if not wait:
                raise ReaderBusy("another one is read that takes long")
            self.waiting.append(None)
            try:
                self._hurry()
                self.lock.acquire()
            finally:
                self.waiting.pop()
        try:
            yield
        finally:
            self.lock.release()

    def dismiss(self, *, grace: float = _GRACE) -> int:
        child, self.child = self.child, None
        return child.end(grace=grace) if child else 0

    def _hurry(self) -> None:
        if child := self.child:
            with suppress(OSError):  # it ended
                child.process.send_signal(MAKE_WAY)


class ChildProcess:
    """Has requests answered in another process. Any thread may use it, also after a fork.

    The process starts with the first request, and again when needed. It ends with ``close()``, or
    when the process that started it ends for any reason.

    Args:
        limits: ``parse_seconds`` and ``memory`` hold for every request.
        nice: how far its work stands behind that of other processes, 0 to 19.
        server: the module whose ``serve`` answers in the process.
        part: what the owner calls the process.
    """

    def __init__(
        self,
        limits: MailLimits,
        *,
        nice: int = 0,
        server: str = "ingest.parse_server",
        part: str = MAIL_READER,
    ) -> None:
        self._limits = limits
        self._nice = nice
        self._server = server
        self._part = part
        self._slots: dict[int, _Slot] = {}

    def ask(self, order: ChildOrder, data: bytes, *, wait: bool = True) -> ChildReply:
        """Return the answer; it is refused if the process died twice, as once may be an accident.

        Raises:
            Outage: the process could not be started.
            ReaderBusy: it answers another request, and ``wait`` is false.
        """
        slot = self._slot()
        with slot.taken(wait=wait):
            try:
                return self._ask(slot, order, data)
            except _DiedError:
                return self._ask_again(slot, order, data)

    def close(self) -> None:
        slot = self._slot()
        with slot.taken(wait=True):
            slot.dismiss()

    def _slot(self) -> _Slot:
        # A forked process needs its own slot: it inherits a lock that may be taken, but no child.
        return self._slots.setdefault(os.getpid(), _Slot())

    def _ask_again(self, slot: _Slot, order: ChildOrder, data: bytes) -> ChildReply:
        try:
            return self._ask(slot, order, data)
        except _DiedError as error:
            return ChildReply(refused=f"the process that parsed it died (exit code {error})")

    def _ask(self, slot: _Slot, order: ChildOrder, data: bytes) -> ChildReply:
        child = self._child(slot)
        child.mails += 1
        try:
            child.pipe.send(order._replace(crowded=bool(slot.waiting)))
            child.pipe.send_bytes(data)
            if child.pipe.poll(self._limits.parse_seconds):
                reply: ChildReply = child.pipe.recv()
                return reply
        except (EOFError, OSError) as error:
            code = slot.dismiss()
            if code == -signal.SIGXCPU:  # it did not listen when its time was up
                return ChildReply(unfinished=True, seconds=order.seconds)
            raise _DiedError(code) from error
        except BaseException:  # interrupted: the next request would get this one's late answer
            slot.dismiss(grace=0)
            raise
        slot.dismiss(grace=0)
        return ChildReply(refused=f"reading it took more than {self._limits.parse_seconds:g} s")

    def _child(self, slot: _Slot) -> _Child:
        child = slot.child
        if child and (child.mails >= MAILS or child.process.poll() is not None):
            slot.dismiss()
        if not slot.child:
            slot.child = self._start()
        return slot.child

    def _start(self) -> _Child:
        ours, theirs = Pipe()
        with theirs:
            limits = self._limits.model_dump()
            code = _MAIN.format(
                path=sys.path,
                server=self._server,
                fd=theirs.fileno(),
                limits=limits,
                nice=self._nice,
            )
            try:
                process = Popen(
                    [sys.executable, "-c", code],
                    pass_fds=[theirs.fileno()],
                    stdin=DEVNULL,
                    stdout=DEVNULL,
                )
            except OSError as error:
                ours.close()
                raise Outage(f"it does not start ({error})", part=self._part) from error
        child = _Child(process, ours)
        with suppress(EOFError, OSError):
            if ours.poll(START_SECONDS) and ours.recv():
                return child
        raise Outage(f"it does not start (exit code {child.end()})", part=self._part)
