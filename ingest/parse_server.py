"""The process in which ``reader`` has mail read. Only it loads the parsers.

Other work that must be bounded is served by the same loop, with a table of its own.
"""

import gc
import os
import resource
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from ingest.child import ChildOrder, ChildReply
from ingest.cpu_time import CpuTime, ring

Work = Callable[[bytes], object]
MakeWork = Callable[[ChildOrder, MailLimits], Work]


def serve(
    fd: int, limits: dict[str, float], *, nice: int = 0, work: Mapping[str, MakeWork] | None = None
) -> None:
    """Answer each order that comes through the pipe, until its other end is closed.

    ``work`` has what is done for each kind of order; without it, mail is read.
    """
    table = work if work is not None else _of_mail()
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
            _answer(pipe, cpu, bounds, loaded, table)


def _of_mail() -> Mapping[str, MakeWork]:
    from ingest.parsing.served import WORK  # noqa: PLC0415 (loads the parsers)

    return WORK


def _answer(
    pipe: Connection,
    cpu: CpuTime,
    limits: MailLimits,
    loaded: set[str],
    table: Mapping[str, MakeWork],
) -> None:
    order: ChildOrder = pipe.recv()
    work = table[order.kind](order, limits)  # loads what the work needs, which is not its time
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
