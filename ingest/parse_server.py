"""The process in which ``reader`` has mail read. Only it loads the parsers."""

import gc
import os
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.attached import FileKind
from assistant.domain.mail.mail import MailContext
from ingest.child import ChildOrder, ChildReply
from ingest.cpu_time import CpuTime, limit_html, ring
from ingest.extract.kinds import kind_of
from ingest.html.seen import SeenText, seen_text
from ingest.parse import parse

Work = Callable[[bytes], object]
_LATER, _LATEST = 1.5, 0.2
"""The seconds of HTML times the one and plus the other: when the signal comes."""


def serve(fd: int, limits: dict[str, float], *, nice: int = 0) -> None:
    """Answer each order that comes through the pipe, until its other end is closed."""
    for whole_group in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(whole_group, signal.SIG_IGN)  # only the parent process ends this one
    signal.signal(signal.SIGVTALRM, ring)
    cpu = CpuTime()
    os.nice(nice)
    bounds = MailLimits.model_validate(limits)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no mail is left in a file when it dies
    _limit_memory(bounds.memory)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError), Connection(fd) as pipe:
        gc.collect()
        gc.freeze()  # the imports stay; without this, each collection would walk them again
        pipe.send("ready")
        loaded: set[str] = set()
        while True:
            _answer(pipe, cpu, bounds, loaded)


def _answer(pipe: Connection, cpu: CpuTime, limits: MailLimits, loaded: set[str]) -> None:
    order: ChildOrder = pipe.recv()
    work = _WORK[order.kind](order, limits)  # loads what the work needs, which is not its time
    if order.kind not in loaded:  # what was loaded is no memory of the mail
        loaded.add(order.kind)
        _limit_memory(limits.memory)
    given = [pipe.recv_bytes()]  # which is not kept while the answer is written
    too_much = ChildReply(refused=f"reading it took more than {limits.memory} bytes of memory")

    def guarded() -> ChildReply:
        try:
            return ChildReply(value=work(given.pop()))
        except Unreadable as error:
            return ChildReply(refused=str(error.args[0]))
        except MemoryError:
            return too_much

    reply = cpu.run(order, guarded)
    try:
        pipe.send(reply)
    except MemoryError:  # nothing of it was sent
        pipe.send(too_much)


def _parsing(order: ChildOrder, limits: MailLimits) -> Work:
    context = MailContext.model_validate_json(order.about[0])
    return partial(parse, limits=limits, context=context, read_html=_read_html)


def _read_html(source: str, seconds: float) -> SeenText:
    """Read HTML, which looks at its time itself. The signal is for where it does not."""
    later = _LATER * seconds + _LATEST
    try:
        return limit_html(later, partial(seen_text, seconds=seconds), source)
    except TimeoutError:  # the signal came while the tags were stripped
        return seen_text(source, seconds=0)


def _telling_kind(order: ChildOrder, _limits: MailLimits) -> Work:
    return partial(kind_of, declared=order.about[0], name=order.about[1])


def _extracting(order: ChildOrder, _limits: MailLimits) -> Work:
    from ingest.extract.extracted import ExtractLimits  # noqa: PLC0415 (not for mails alone)
    from ingest.extract.text import load, text_of  # noqa: PLC0415

    kind = FileKind(*order.about)
    load(kind)
    return partial(text_of, kind=kind, limits=ExtractLimits())


_WORK: dict[str, Callable[[ChildOrder, MailLimits], Work]] = {
    "parse": _parsing,
    "kind": _telling_kind,
    "text": _extracting,
}


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
