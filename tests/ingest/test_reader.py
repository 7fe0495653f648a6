"""The process that reads mail may die; whoever asked it may not."""

import base64
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import billiard  # type: ignore[import-untyped]
import psutil
import pytest

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.mail import MailContext
from ingest.parse import parse
from ingest.reader import ParseProcess
from tests.ingest.messages import HEAD, PLAIN, UNREADABLE, mixed, words

pytestmark = pytest.mark.process

SLOW = mixed(*[words("<table><tr>" + "<td>a</td>" * 40_000, "html")] * 4)
LARGE = HEAD + b"\r\n" + b"line line line\r\n" * 1_000_000


@pytest.fixture
def reader() -> Iterator[ParseProcess]:
    reader = ParseProcess(MailLimits(parse_seconds=20))
    yield reader
    reader.close()


def read_elsewhere(_n: int) -> str:
    reader = ParseProcess(MailLimits())
    try:
        return reader.read(PLAIN).subject
    finally:
        reader.close()


def children() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children()
        if child.status() != psutil.STATUS_ZOMBIE
        and "ingest.parse_server" in " ".join(child.cmdline())
    ]


def test_a_mail_is_read_as_it_would_be_here(reader: ParseProcess) -> None:
    raw = mixed(words("hi"), b"Content-Type: image/png\r\n\r\n\x89PNG")
    assert reader.read(raw) == parse(raw, MailLimits())


def test_what_is_known_of_a_mail_goes_with_it(reader: ParseProcess) -> None:
    redirected = Envelope(mail_from="SRS0=abcd=xy=firm.example=ann@relay.example")
    assert reader.read(PLAIN, MailContext(envelope=redirected)).forward.original_mail_from


def test_a_large_mail_goes_through(reader: ParseProcess) -> None:
    assert len(reader.read(LARGE).text) > 14_000_000


def test_what_cannot_be_read_says_so_and_the_process_stays(reader: ParseProcess) -> None:
    reader.read(PLAIN)
    before = children()
    with pytest.raises(Unreadable, match="more than 1000 header fields"):
        reader.read(UNREADABLE)
    assert children() == before


def test_a_mail_that_takes_too_long_is_unreadable_and_the_next_one_is_read() -> None:
    reader = ParseProcess(MailLimits(parse_seconds=0.3))
    began = time.monotonic()
    with pytest.raises(Unreadable, match=r"more than 0\.3 s"):
        reader.read(SLOW)
    assert time.monotonic() - began < 60
    assert reader.read(PLAIN).subject == "Lunch"
    reader.close()


def test_a_mail_that_takes_too_much_memory_is_unreadable_and_the_next_one_is_read() -> None:
    reader = ParseProcess(MailLimits(parse_memory=32 * 1024 * 1024))
    with pytest.raises(Unreadable, match="bytes of memory"):
        reader.read(LARGE)
    assert reader.read(PLAIN).subject == "Lunch"
    reader.close()


CODINGS = {
    "base64": base64.encodebytes(bytes(range(256)) * 32_768),
    "8bit": bytes(range(1, 256)) * 32_768,
    "binary": bytes(range(256)) * 32_768,
}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the peak")
@pytest.mark.parametrize("coding", CODINGS)
def test_reading_takes_at_most_ten_times_the_memory_of_the_mail(
    reader: ParseProcess, coding: str
) -> None:
    head = f"Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: {coding}\r\n\r\n"
    raw = mixed(words("hi"), head.encode() + CODINGS[coding])
    reader.read(PLAIN)
    (child,) = children()
    before = peak(child)
    assert len(reader.read(raw).attachments[0].data) > 8_000_000
    assert peak(child) - before < 10 * len(raw)


def peak(child: psutil.Process) -> int:
    """The most memory that a process had, in bytes."""
    status = Path(f"/proc/{child.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def test_html_that_takes_too_long_is_read_without_its_tags() -> None:
    reader = ParseProcess(MailLimits(html_seconds=0.05))
    parsed = reader.read(HEAD + words("<table><tr>" + "<td>a</td>" * 40_000, "html"))
    assert (parsed.subject, len(parsed.text.split())) == ("Lunch", 40_000)
    assert "its HTML took too long" in parsed.defects[0]
    reader.close()


def test_a_process_that_was_killed_between_two_mails_is_replaced(reader: ParseProcess) -> None:
    reader.read(PLAIN)
    (child,) = children()
    child.kill()
    assert reader.read(PLAIN).subject == "Lunch"


def test_a_process_that_is_killed_at_work_gets_a_second_chance(reader: ParseProcess) -> None:
    reader.read(PLAIN)
    (child,) = children()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(reader.read, LARGE)
        time.sleep(0.1)
        child.kill()
        assert answer.result(timeout=30).subject == "Lunch"


def test_a_mail_that_kills_twice_is_unreadable(reader: ParseProcess) -> None:
    reader.read(PLAIN)
    (slot,) = reader._quick._slots.values()
    assert slot.child
    had = {slot.child.process.pid: slot.child.mails}
    killed: set[int] = set()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(reader.read, SLOW)
        while not answer.done():
            child = slot.child  # there is one only when it has started
            # Killed before it was asked, it would be replaced, and that is no death of this mail.
            asked = child and child.mails > had.get(child.process.pid, 0)
            if child and asked and child.process.pid not in killed:
                killed.add(child.process.pid)
                child.process.kill()
            time.sleep(0.01)
    with pytest.raises(Unreadable, match=r"died \(exit code -9\)"):
        answer.result()
    assert len(killed) == 2


def test_signals_for_the_whole_group_do_not_end_it_before_its_parent_says_so(
    reader: ParseProcess,
) -> None:
    reader.read(PLAIN)
    (child,) = children()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(child.pid, number)
    reader.read(PLAIN)
    assert children() == [child]


def test_threads_share_one_process_and_get_their_own_answers(reader: ParseProcess) -> None:
    mails = [PLAIN.replace(b"Lunch", b"Lunch %d" % n) for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert [p.subject for p in pool.map(reader.read, mails)] == [
            f"Lunch {n}" for n in range(40)
        ]
    assert len(children()) == 1


def test_closing_ends_the_process_and_reading_starts_another(reader: ParseProcess) -> None:
    reader.read(PLAIN)
    reader.close()
    assert children() == []
    assert reader.read(PLAIN).subject == "Lunch"


def test_a_process_retires_after_many_mails(
    reader: ParseProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.child.MAILS", 2)
    reader.read(PLAIN)
    (first,) = children()
    reader.read(PLAIN)
    assert children() == [first]
    reader.read(PLAIN)
    assert first not in children()


def test_a_forked_process_has_a_reader_of_its_own(reader: ParseProcess) -> None:
    reader.read(PLAIN)

    def child() -> None:
        subject = reader.read(PLAIN).subject
        reader.close()
        os._exit(0 if subject == "Lunch" else 1)

    fork = get_context("fork").Process(target=child)
    fork.start()
    fork.join(30)
    assert fork.exitcode == 0
    assert reader.read(PLAIN).subject == "Lunch"


def test_it_works_in_the_daemonic_children_of_a_prefork_pool() -> None:
    pool = billiard.Pool(1)
    try:
        assert pool.map(read_elsewhere, [1]) == ["Lunch"]
    finally:
        pool.terminate()
        pool.join()


def test_an_interpreter_that_forgot_to_close_ends_at_once_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    script = tmp_path / "forget.py"
    script.write_text(
        "from assistant.domain.limits import MailLimits\n"
        "from ingest.reader import ParseProcess\n"
        "reader = ParseProcess(MailLimits())\n"
        "print(reader.read(b'Subject: x\\r\\n\\r\\nhi').subject)\n"
        "(slot,) = reader._quick._slots.values()\n"
        "print(slot.child.process.pid)\n"
    )
    code = f"import sys; sys.path[:] = {sys.path!r}; exec(open({str(script)!r}).read())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True
    )
    subject, pid = done.stdout.split()
    assert subject == "x"
    assert _gone(int(pid))


def _gone(pid: int) -> bool:
    for _ in range(100):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False
