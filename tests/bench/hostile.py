"""What hostile and large mails cost: the waiting of others, and memory."""

import sqlite3
import time
from base64 import encodebytes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from smtplib import SMTP
from statistics import median, quantiles
from typing import NamedTuple

import psutil

from assistant.domain.limits import MailLimits, MiB
from ingest.reader import ParseProcess
from tests.bench.comparison import Aim, Comparison
from tests.bench.mails import short
from tests.bench.weight import running
from tests.ingest.messages import HEAD, PLAIN, mixed, words
from workers.data_folder import SQLITE
from workers.settings import Settings

CROWDED = Aim(most=2.0)
MEMORY = Aim(most=10.0)
BOMBS = 20
BENIGN = 40
RHYTHM = 0.25
"""Seconds from one benign mail to the next."""
LARGE = 20 * MiB
_PATIENCE = 600.0
_CELLS = "<table><tr>" + ("<td>a</td>" * 80 + "\r\n") * 500
_BOMB = mixed(*[words(_CELLS, "html")] * 4)
"""Two seconds of computing, and then it is read."""
_ALL = "SELECT id FROM mail"
_UNREAD = "SELECT id FROM mail WHERE state IN ('stored', 'held')"
_UNTOLD = "SELECT id FROM mail WHERE state <> 'announced'"


def bench_hostile(folder: Path, *, size: int, rounds: int) -> list[Comparison]:
    """Seconds until a mail is read over SMTP, and the memory of the process that reads."""
    folder.mkdir(exist_ok=True)
    benign = max(5, min(BENIGN, size))
    crowds = [_crowd(folder / f"crowd-{number}", benign) for number in range(min(rounds, 3))]
    large = LARGE if size > 1 else MiB
    return [
        _waiting("told", [(behind.told, alone.told) for behind, alone in crowds], CROWDED),
        _waiting("read", [(behind.read, alone.read) for behind, alone in crowds], None),
        *(_memory(name, make(large)) for name, make in _LARGE_MAILS.items()),
    ]


def _waiting(what: str, found: Sequence[tuple[float, float]], aim: Aim | None) -> Comparison:
    return Comparison(
        name=f"p95 until a mail is {what}, behind {BOMBS} bombs and beside none",
        unit="s",
        ours=median(behind for behind, _ in found),
        beside=median(alone for _, alone in found),
        ratios=tuple(behind / alone for behind, alone in found),
        aim=aim,
    )


# The waiting of others


class _P95(NamedTuple):
    """Seconds from the answer of the door."""

    read: float
    told: float


def _crowd(folder: Path, benign: int) -> tuple[_P95, _P95]:
    """Return the p95 of benign mails behind bombs, and of others before, with nothing to do."""
    with running(folder) as up, _door(up.smtp_port) as send:
        alone = _p95(folder, send, [short(number) for number in range(benign)])
        for number in range(BOMBS):
            send(_BOMB + b"%d\r\n" % number)
        behind = _p95(folder, send, [short(1_000 + number) for number in range(benign)])
    return behind, alone


@contextmanager
def _door(port: int) -> Iterator[Callable[[bytes], None]]:
    to = Settings().inbox_address
    with SMTP("127.0.0.1", port, timeout=_PATIENCE) as door:

        def send(raw: bytes) -> None:
            door.sendmail("ann@example.org", to, raw)

        yield send


def _p95(folder: Path, send: Callable[[bytes], None], mails: list[bytes]) -> _P95:
    """Send mails in a rhythm; look at the database until the owner is told of all of them."""
    began: dict[str, float] = {}
    read: dict[str, float] = {}
    told: dict[str, float] = {}
    start = time.monotonic()
    with closing(sqlite3.connect(f"file:{folder / SQLITE}?mode=ro", uri=True)) as database:
        while len(told) < len(mails):
            sent = len(began)
            if sent < len(mails) and time.monotonic() >= start + sent * RHYTHM:
                before = _ids(database, _ALL)
                send(mails[sent])
                [id] = _ids(database, _ALL) - before
                began[id] = time.monotonic()
            for query, done in ((_UNREAD, read), (_UNTOLD, told)):
                waiting, now = _ids(database, query), time.monotonic()
                done.update((id, now) for id in began.keys() - done.keys() - waiting)
            if time.monotonic() > start + _PATIENCE:
                raise TimeoutError(f"the owner was told of {len(told)} of {len(mails)} mails")
            time.sleep(0.005)
    return _P95(
        *(quantiles((done[id] - began[id] for id in began), n=20)[-1] for done in (read, told))
    )


def _ids(database: sqlite3.Connection, query: str) -> set[str]:
    return {id for (id,) in database.execute(query)}


# Memory


def _memory(name: str, raw: bytes) -> Comparison:
    """Return how much the process that reads grows by one mail, beside the mail's size."""
    reader = ParseProcess(MailLimits())
    try:
        reader.read(PLAIN)
        [slot] = reader._quick._slots.values()
        assert slot.child
        process = psutil.Process(slot.child.process.pid)
        before = _peak(process)
        reader.read(raw)
        grown = (_peak(process) - before) / MiB
    finally:
        reader.close()
    size = len(raw) / MiB
    return Comparison(
        name=f"memory of reading {size:.0f} MiB {name}, beside its size",
        unit="MiB",
        ours=grown,
        beside=size,
        ratios=(grown / size,),
        aim=MEMORY,
    )


def _peak(process: psutil.Process) -> int:
    """Return the most bytes of memory that a process ever had."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


def _base64(size: int) -> bytes:
    data = encodebytes(Random(1).randbytes(size * 54 // 73 // 57 * 57))
    coded = (
        b"Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
    return mixed(words("See the file."), coded + data.replace(b"\n", b"\r\n"))


def _binary(size: int) -> bytes:
    coded = (
        b"Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: binary\r\n\r\n"
    )
    return mixed(words("See the file."), coded + Random(1).randbytes(size))


def _eight_bit(size: int) -> bytes:
    line = "Wir sehen uns am Montag, schöne Grüße aus Köln. ".encode()
    return (
        HEAD
        + b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        + (line + b"\r\n") * (size // (len(line) + 2))
    )


_LARGE_MAILS: Mapping[str, Callable[[int], bytes]] = {
    "of base64": _base64,
    "of 8-bit text": _eight_bit,
    "of binary": _binary,
}
