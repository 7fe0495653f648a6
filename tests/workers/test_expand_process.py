"""The process that expands series may die; whoever asked it gets all the others."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import psutil
import pytest

from assistant.adapters.calendar.expansion import expand_here
from assistant.domain.calendar.series import Expanded
from tests.contract.calendar_benches import vevent
from workers.expanding.process import ExpandProcess
from workers.expanding.question import NO_TIME, TOO_LONG

pytestmark = pytest.mark.process

BERLIN = ZoneInfo("Europe/Berlin")
START = datetime(2026, 11, 1, tzinfo=UTC)
END = START + timedelta(days=30)


def series(uid: str, *lines: str, rule: str = "FREQ=DAILY") -> bytes:
    start = "DTSTART;TZID=Europe/Berlin:20250101T090000"
    return vevent(f"UID:{uid}", "SUMMARY:x", start, f"RRULE:{rule}", *lines).encode()


GOOD = [series("a"), series("b", rule="FREQ=WEEKLY;BYDAY=MO,WE"), series("c", rule="FREQ=MONTHLY")]
SLOW = series("slow", *("X-A:b" for _ in range(60_000)))
"""Has more lines than can be read in a moment, or in little memory."""


@pytest.fixture
def process() -> Iterator[ExpandProcess]:
    process = ExpandProcess()
    yield process
    process.close()


@pytest.fixture
def hurried() -> Iterator[ExpandProcess]:
    process = ExpandProcess(seconds=0.2)
    yield process
    process.close()


def child() -> psutil.Process:
    (found,) = (
        each
        for each in psutil.Process().children()
        if each.status() != psutil.STATUS_ZOMBIE and "workers.expanding" in " ".join(each.cmdline())
    )
    return found


def expanded(process: ExpandProcess, objects: list[bytes]) -> list[Expanded]:
    return list(process(objects, START, END, zone=BERLIN))


def test_series_are_expanded_as_they_would_be_here(process: ExpandProcess) -> None:
    odd = [series("hours", rule="FREQ=HOURLY"), b"garbage", *GOOD]
    found = expanded(process, odd)
    assert found == list(expand_here(odd, START, END, zone=BERLIN))
    assert [bool(one.unread) for one in found] == [True, True, False, False, False]
    assert "hourly" in found[0].unread


def test_nothing_is_started_for_nothing(process: ExpandProcess) -> None:
    assert expanded(process, []) == []
    with pytest.raises(ValueError, match="not enough values"):
        child()


def test_a_series_that_takes_too_long_is_named_and_the_others_are_answered(
    hurried: ExpandProcess,
) -> None:
    good = list(expand_here(GOOD, START, END, zone=BERLIN))
    found = expanded(hurried, [GOOD[0], SLOW, *GOOD[1:]])
    assert found == [good[0], Expanded(unread=TOO_LONG), *good[1:]]
    assert child().is_running()


def test_a_series_that_took_too_long_is_not_tried_again(hurried: ExpandProcess) -> None:
    expanded(hurried, [SLOW])
    spent = sum(child().cpu_times()[:2])
    assert expanded(hurried, [SLOW, GOOD[2]])[0].unread == TOO_LONG
    assert sum(child().cpu_times()[:2]) - spent < 0.2


def test_many_that_take_long_do_not_add_up_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.expanding.process.ALL_SECONDS", 0.5)
    process = ExpandProcess(seconds=0.2)
    try:
        slow = [SLOW.replace(b"UID:slow", b"UID:slow%d" % n) for n in range(5)]
        found = expanded(process, [*slow, *GOOD])
        assert [one.unread for one in found[:2]] == [TOO_LONG] * 2
        assert [one.unread for one in found[-3:]] == [NO_TIME] * 3
        # These are remembered, so that the next question has time for the others.
        again = expanded(process, [*slow[:2], *GOOD])
        assert [one.unread for one in again] == [TOO_LONG, TOO_LONG, "", "", ""]
    finally:
        process.close()


def test_a_series_that_takes_too_much_memory_is_named_and_the_others_are_answered() -> None:
    process = ExpandProcess(seconds=5, memory=6 * 1024 * 1024)
    try:
        found = expanded(process, [GOOD[0], SLOW, *GOOD[1:]])
        good = list(expand_here(GOOD, START, END, zone=BERLIN))
        assert [found[0], *found[2:]] == good
        assert found[1].unread
    finally:
        process.close()


def test_a_series_that_the_process_dies_of_is_named_and_the_others_are_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("workers.expanding.process.SERVER", "tests.workers.dying_server")
    process = ExpandProcess()
    try:
        good = list(expand_here(GOOD, START, END, zone=BERLIN))
        for _ in range(2):
            found = expanded(process, [GOOD[0], series("deadly"), *GOOD[1:]])
            assert [found[0], *found[2:]] == good
            assert "died" in found[1].unread
    finally:
        process.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV])
def test_a_process_that_was_killed_is_started_again(process: ExpandProcess, how: int) -> None:
    good = expanded(process, GOOD)
    os.kill(child().pid, how)
    assert expanded(process, GOOD) == good


def test_threads_share_it(process: ExpandProcess) -> None:
    ask: Callable[[int], list[Expanded]] = lambda _: expanded(process, GOOD)  # noqa: E731
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(12)))
    assert all(answer == answers[0] for answer in answers)


def test_it_loads_no_reader_of_mail() -> None:
    code = "import sys; import workers.expanding.server; print('ingest.parse' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
