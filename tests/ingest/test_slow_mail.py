"""A mail that takes long costs those behind it little, and is held only after its ten seconds."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread, Timer

import psutil
import pytest

from assistant.domain.errors import ReaderBusy, Unreadable
from assistant.domain.limits import MailLimits
from ingest.reader import ParseProcess
from tests.ingest.messages import PLAIN, mixed, nested, words

pytestmark = [pytest.mark.process, pytest.mark.timeout(600)]
# Work of a second takes a minute where twenty others want the machine, and starting a process
# several. These limits only end what would never end.
PATIENCE = 300

BOMB = mixed(*[words("<table><tr>" + "<td>a</td>" * 40_000, "html")] * 4)
"""Some four seconds of computing."""
LONG = nested(18, b"line\r\n" * 60_000)
"""Some tenths of a second of computing, and then it is read."""


@pytest.fixture
def reader() -> Iterator[ParseProcess]:
    reader = ParseProcess(MailLimits(parse_cpu_seconds=0.2, slow_cpu_seconds=0.5))
    yield reader
    reader.close()


def bomb(number: int) -> bytes:
    return BOMB + b"%d\r\n" % number


def cpu_of(reader: ParseProcess) -> float:
    (slot,) = reader._quick._slots.values()
    assert slot.child
    times = psutil.Process(slot.child.process.pid).cpu_times()
    return times.user + times.system


def patiently(reader: ParseProcess, raw: bytes) -> str:
    """Read a mail as a worker does, which comes again later."""
    while True:
        try:
            return reader.read(raw).subject
        except ReaderBusy:
            time.sleep(0.05)


def test_a_mail_that_does_not_finish_moves_to_the_slow_process_and_is_read() -> None:
    reader = ParseProcess(MailLimits(parse_cpu_seconds=0.02, slow_cpu_seconds=60))
    assert reader.read(LONG).subject == "Lunch"
    assert reader._slow._slots
    assert reader._spent == {}
    reader.close()


def test_a_mail_is_held_only_after_its_seconds_in_the_slow_process(reader: ParseProcess) -> None:
    with pytest.raises(Unreadable, match=r"more than 0\.5 s of computing time"):
        reader.read(BOMB)
    assert reader.read(PLAIN).subject == "Lunch"


def test_neither_process_is_started_again_for_a_mail_that_takes_long(reader: ParseProcess) -> None:
    reader.read(PLAIN)
    with pytest.raises(Unreadable):
        reader.read(BOMB)
    (slot,) = reader._slow._slots.values()
    assert slot.child
    assert slot.child.process.poll() is None
    assert slot.child.mails == 1


@pytest.mark.slow
def test_a_second_slow_mail_comes_again_later_and_keeps_no_thread(reader: ParseProcess) -> None:
    with pytest.raises(Unreadable):
        reader.read(BOMB)
    (slot,) = reader._slow._slots.values()
    with slot.taken(wait=True), pytest.raises(ReaderBusy, match="Other mails are read first"):
        reader.read(BOMB)
    before = cpu_of(reader)
    with slot.taken(wait=True), pytest.raises(ReaderBusy):
        reader.read(BOMB)
    assert cpu_of(reader) - before < 0.1  # the quick process knows it by now
    with pytest.raises(Unreadable):
        reader.read(BOMB)


def test_a_mail_makes_way_for_others_and_has_its_second_in_the_end() -> None:
    reader = ParseProcess(MailLimits(parse_cpu_seconds=1.0, slow_cpu_seconds=0.3))
    reader.read(PLAIN)
    (slot,) = reader._quick._slots.values()
    slot.waiting.append(None)
    with pytest.raises(ReaderBusy, match="others wait"):
        reader.read(BOMB)
    slot.waiting.pop()
    with pytest.raises(Unreadable):
        reader.read(BOMB)
    reader.close()


def test_a_mail_that_comes_again_keeps_nobody_waiting(reader: ParseProcess) -> None:
    reader.read(PLAIN)
    (slot,) = reader._quick._slots.values()
    reader._note(BOMB, 0.01)
    with slot.taken(wait=True), pytest.raises(ReaderBusy):
        reader.read(BOMB)
    assert slot.child
    asked = slot.child.mails
    with ThreadPoolExecutor(1) as pool:
        again = pool.submit(reader.read, BOMB)
        while slot.child.mails == asked and not again.done():  # it only grows: none misses it
            time.sleep(0.001)
        assert reader.read(PLAIN).subject == "Lunch"
        with pytest.raises((ReaderBusy, Unreadable)):
            again.result(timeout=PATIENCE)


def test_closing_holds_no_mail_that_is_being_read_slowly() -> None:
    reader = ParseProcess(MailLimits(parse_cpu_seconds=0.02, slow_cpu_seconds=60))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(reader.read, LONG)
        while not reader._slow._slots and not answer.done():
            time.sleep(0.01)
        reader._slow.close()
        assert answer.result(timeout=PATIENCE).subject == "Lunch"
    reader.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_mails_behind_twenty_bombs_wait_for_their_shares_alone() -> None:
    """In computing time of the quick process, which no other work of the machine changes."""
    reader = ParseProcess(MailLimits(slow_cpu_seconds=0.2))
    reader.read(PLAIN)
    began = cpu_of(reader)
    benign = [PLAIN.replace(b"Lunch", b"Lunch %d" % n) for n in range(30)]
    jobs: Queue[bytes] = Queue()
    read: dict[bytes, float] = {}
    failed: list[BaseException] = []
    for raw in (*map(bomb, range(20)), *benign):
        jobs.put(raw)

    def work() -> None:
        while len(read) < len(benign) and not failed:
            with suppress(Empty):
                raw = jobs.get(timeout=0.2)
                try:
                    reader.read(raw)
                    read[raw] = cpu_of(reader) - began
                except ReaderBusy:  # a worker has it come again later, which keeps no thread
                    Timer(1.0, jobs.put, [raw]).start()
                except Exception as error:  # noqa: BLE001 - a thread cannot raise it to the test
                    if raw in benign or not isinstance(error, Unreadable):
                        failed.append(error)

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    reader.close()
    assert failed == []
    assert sorted(read) == sorted(benign)
    # Each of the twenty has its share, and a few have more of it, as it happens.
    assert max(read.values()) < 10


@pytest.mark.slow
def test_two_threads_and_two_processes_each_get_their_answers(tmp_path: Path) -> None:
    script = tmp_path / "two.py"
    script.write_text(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from assistant.domain.limits import MailLimits\n"
        "from ingest.reader import ParseProcess\n"
        "from tests.ingest.messages import PLAIN\n"
        "from tests.ingest.test_slow_mail import LONG, patiently\n"
        "reader = ParseProcess(MailLimits(parse_cpu_seconds=0.02, slow_cpu_seconds=60))\n"
        "mails = [LONG, PLAIN, PLAIN.replace(b'Lunch', b'Two'), LONG + b'again']\n"
        "with ThreadPoolExecutor(2) as pool:\n"
        "    print(list(pool.map(lambda raw: patiently(reader, raw), mails)))\n"
        "reader.close()\n"
    )
    code = f"import sys; sys.path[:] = {sys.path!r}; exec(open({str(script)!r}).read())"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        out, _ = process.communicate(timeout=PATIENCE)
        assert out == "['Lunch', 'Lunch', 'Two', 'Lunch']\n"


@pytest.mark.slow
def test_a_slow_process_that_is_killed_is_replaced(reader: ParseProcess) -> None:
    with pytest.raises(Unreadable):
        reader.read(BOMB)
    (slot,) = reader._slow._slots.values()
    assert slot.child
    slot.child.process.kill()
    with pytest.raises(Unreadable, match="computing time"):
        reader.read(BOMB)
