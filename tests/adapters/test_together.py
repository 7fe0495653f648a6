"""Threads that write at the same moment share one transaction."""

import signal
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from assistant.adapters.sql.together import Asked, Together
from assistant.domain.errors import Unreachable

THREADS = 6


def asked(text: str) -> Asked:
    return Asked(text=text, given=None, take=lambda found: found, durable=True)


class Database:
    """Answers each statement with its key in capitals, and holds the first batch back."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.begun, self.goes_on = Event(), Event()
        self.fails: Exception | None = None

    def carry_out(self, batch: Sequence[Asked]) -> None:
        self.batches.append(sorted(one.text for one in batch))
        self.begun.set()
        assert self.goes_on.wait(30)
        if self.fails:
            raise self.fails
        for one in batch:
            one.result = one.text.upper()
            if one.text == "bad":
                one.error = ValueError("bad")


def written(database: Database, keys: Sequence[str]) -> list[Future[Any]]:
    """The first by itself; all others ask while it is being written."""
    together = Together(database.carry_out)
    database.begun.clear()
    database.goes_on.clear()
    with ThreadPoolExecutor(THREADS) as pool:
        first = pool.submit(together.write, asked(keys[0]))
        assert database.begun.wait(30)
        others = [pool.submit(together.write, asked(key)) for key in keys[1:]]
        while len(together._asked) < len(others):
            assert not first.done()
        database.goes_on.set()
    return [first, *others]


def test_all_that_is_asked_meanwhile_is_written_together_next() -> None:
    database = Database()
    done = written(database, "abcde")
    assert [one.result() for one in done] == ["A", "B", "C", "D", "E"]
    assert database.batches == [["a"], ["b", "c", "d", "e"]]


def test_what_fails_by_itself_fails_nobody_else() -> None:
    done = written(Database(), ["a", "b", "bad", "c"])
    with pytest.raises(ValueError, match="bad"):
        done[2].result()
    assert [done[n].result() for n in (0, 1, 3)] == ["A", "B", "C"]


def test_what_fails_as_a_whole_is_told_to_each_and_those_who_come_later_are_served() -> None:
    database = Database()
    database.fails = Unreachable("no disk")
    done = written(database, "abc")
    for one in done:
        with pytest.raises(Unreachable, match="no disk"):
            one.result()
    database.fails = None
    assert [one.result() for one in written(database, "de")] == ["D", "E"]


def test_whoever_is_interrupted_while_waiting_keeps_nobody_waiting() -> None:
    database = Database()
    together = Together(database.carry_out)

    def interrupt(*_: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(together.write, asked("a"))
            assert database.begun.wait(30)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(InterruptedError):
                together.write(asked("b"))
            third = pool.submit(together.write, asked("c"))
            database.goes_on.set()
            assert (first.result(30), third.result(30)) == ("A", "C")
    finally:
        signal.signal(signal.SIGALRM, before)


def test_whoever_is_interrupted_keeps_nobody_waiting() -> None:
    class Interrupted(Database):
        def carry_out(self, batch: Sequence[Asked]) -> None:
            super().carry_out(batch)
            if batch[0].text == "a":
                raise KeyboardInterrupt

    done = written(Interrupted(), "ab")
    with pytest.raises(KeyboardInterrupt):
        done[0].result()
    assert done[1].result() == "B"
