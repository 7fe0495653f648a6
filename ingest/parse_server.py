"""The process in which ``reader`` has mail parsed. Only it loads the parsers."""

import gc
import resource
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import Parsed
from ingest import html_text
from ingest.parse import parse


def serve(fd: int, limits: dict[str, float]) -> None:
    """Parse each message that comes through the pipe, until its other end is closed."""
    for whole_group in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(whole_group, signal.SIG_IGN)  # only the parent process ends this one
    signal.signal(signal.SIGALRM, _ring)
    bounds = MailLimits.model_validate(limits)
    _limit_memory(bounds.parse_memory)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError), Connection(fd) as pipe:
        gc.collect()
        gc.freeze()  # the imports stay; without this, each collection would walk them again
        pipe.send("ready")
        while True:
            pipe.send(_answer(pipe.recv_bytes(), bounds))


def _answer(raw: bytes, limits: MailLimits) -> Parsed | str:
    def timed(source: str) -> str:
        signal.setitimer(signal.ITIMER_REAL, limits.html_seconds)
        try:
            return html_text.from_html(source)
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
    """Let the address space grow by at most ``extra`` bytes from its present size.

    Does nothing where the system shows no size (no ``/proc``) or keeps no such limit (macOS).
    """
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + extra
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
