"""ReadMail's CPU, in one process and in two, beside the same done by hand."""

import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

import psutil

from assistant.domain.ids import new_trace
from assistant.domain.jobs.job import Job
from assistant.domain.mail.mail import MailContext, Parsed
from assistant.domain.messages import ReadMail
from ingest.announce import Notices
from ingest.child import MAILS
from ingest.parse import parse
from ingest.receive import receive
from ingest.stages import read_mail
from tests.bench.by_hand import ByHand
from tests.bench.comparison import Aim, Comparison, compare
from tests.bench.mails import SHAPES, short
from workers.parts import Assistant, silent_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import OWNER, Settings

READING = Aim(most=1.3)
Make = Callable[[int], bytes]
Read = Callable[[bytes, MailContext], Parsed]


def bench_reading(folder: Path, *, size: int, rounds: int) -> list[Comparison]:
    """Milliseconds of CPU a mail, over ``size / 5`` mails of each shape.

    Fewer where another process reads, if all rounds together would outlive it: its CPU is counted.
    """
    here = max(1, size // 5)
    elsewhere = max(1, min(here, MAILS // (len(SHAPES) * (rounds + 1) + 1)))
    with _desk(folder / "ours") as desk:
        by_hand = ByHand(folder / "by-hand")

        def reading(what: str, make: Make, mails: int, read: Read, aim: Aim | None) -> Comparison:
            return compare(
                what,
                "ms CPU",
                ours=partial(desk.cpu_of_reading, make, mails, read),
                beside=lambda: _cpu_by_hand(by_hand, desk.fresh(make, mails)),
                rounds=rounds,
                aim=aim,
            )

        found = [
            measured
            for shape, make in SHAPES.items()
            for measured in (
                reading(f"ReadMail, {shape}", make, here, desk.here, READING),
                reading(
                    "the same, parsed in another process", make, elsewhere, desk.elsewhere, None
                ),
            )
        ]
        by_hand.close()
    return found


@dataclass
class _Desk:
    assistant: Assistant
    start: float = 0.0
    """Seconds of CPU that starting the process that reads took; one serves ``MAILS`` mails."""
    _numbers: "count[int]" = field(default_factory=count)

    def fresh(self, make: Make, mails: int) -> list[bytes]:
        return [make(next(self._numbers)) for _ in range(mails)]

    def here(self, raw: bytes, context: MailContext) -> Parsed:
        """In this process, which a message could take down."""
        return parse(raw, self.assistant.mail_limits, context)

    def elsewhere(self, raw: bytes, context: MailContext) -> Parsed:
        """In the process that may die of a message, as ``assistant up`` has it."""
        return self.assistant.parse_process.read(raw, context)

    def cpu_of_reading(self, make: Make, mails: int, read: Read) -> float:
        jobs = [self._received(raw) for raw in self.fresh(make, mails)]
        readers = psutil.Process().children()
        before = _cpu(readers)
        for job in jobs:
            self._read(job, read)
        start = self.start / MAILS if read == self.elsewhere else 0.0
        return ((_cpu(readers) - before) / mails + start) * 1000

    def warm_up(self) -> None:
        for read in (self.here, self.elsewhere):
            self._read(self._received(short(next(self._numbers))), read)
        self.start = sum(_cpu_of(reader) for reader in psutil.Process().children())

    def _received(self, raw: bytes) -> Job:
        """A claimed job to read this mail."""
        house = self.assistant
        mail = receive(
            raw,
            owner=OWNER,
            door="file",
            trace=new_trace(),
            store=house.store,
            blobs=house.blobs,
            clock=house.clock,
            limits=house.mail_limits,
        )
        job = house.store.claim(ReadMail(id=mail.id).name, worker="bench")
        assert job is not None
        return job

    def _read(self, job: Job, read: Read) -> None:
        house = self.assistant
        assert isinstance(job.message, ReadMail)
        read_mail(
            job.message,
            job,
            store=house.store,
            blobs=house.blobs,
            read=read,
            notices=Notices(home=house.home, zone="UTC", clock=house.clock),
        )


@contextmanager
def _desk(folder: Path) -> Generator[_Desk]:
    folder.mkdir()
    assistant = silent_assistant(Settings(data_dir=folder, log_level="warning"))
    prepare_database(assistant)
    desk = _Desk(assistant)
    desk.warm_up()
    try:
        yield desk
    finally:
        assistant.close()


def _cpu_by_hand(by_hand: ByHand, mails: list[bytes]) -> float:
    stored = [by_hand.receive(raw) for raw in mails]
    before = _cpu()
    for id in stored:
        by_hand.read(id)
    return (_cpu() - before) / len(mails) * 1000


def _cpu(children: Sequence[psutil.Process] = ()) -> float:
    """Seconds of CPU that this process and these children have used."""
    return time.process_time() + sum(_cpu_of(child) for child in children)


def _cpu_of(child: psutil.Process) -> float:
    if sys.platform == "linux":
        # clock_getcpuclockid(3): nanoseconds, where /proc counts in hundredths of a second.
        return time.clock_gettime((~child.pid << 3) | 2)
    times = child.cpu_times()
    return float(times.user + times.system)
