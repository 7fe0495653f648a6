"""Threads that write at the same moment share one transaction."""

import signal
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest

from assistant.adapters.sql.driver.group_commit import GroupCommit, PendingWrite
from assistant.adapters.sql.driver.prepared import Compiled, SqlResult
from assistant.domain.errors import Unreachable

THREADS = 6


def pending(text: str) -> PendingWrite:
    return PendingWrite(Compiled(text, (), {}, (), (), ()), given=None, durable=True)


def answer(done: Future[SqlResult]) -> str:
    [row] = done.result(30).rows
    return str(row["answer"])


class Database:
    """Answers each statement with its key in capitals, and holds the first batch back."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.begun, self.goes_on = Event(), Event()
        self.fails: Exception | None = None

    def run_batch(self, batch: Sequence[PendingWrite]) -> None:
        self.batches.append(sorted(one.statement.text for one in batch))
        self.begun.set()
        assert self.goes_on.wait(30)
        if self.fails:
            raise self.fails
        for one in batch:
            one.result = SqlResult([{"answer": one.statement.text.upper()}], 1)
            if one.statement.text == "bad":
                one.error = ValueError("bad")


def written(database: Database, keys: Sequence[str]) -> list[Future[SqlResult]]:
    """The first by itself; all others ask while it is being written."""
    group = GroupCommit(database.run_batch)
    database.begun.clear()
    database.goes_on.clear()
    with ThreadPoolExecutor(THREADS) as pool:
        first = pool.submit(group.write, pending(keys[0]))
        assert database.begun.wait(30)
        others = [pool.submit(group.write, pending(key)) for key in keys[1:]]
        while len(group._pending) < len(others):
            assert not first.done()
        database.goes_on.set()
    return [first, *others]


def test_all_that_is_asked_meanwhile_is_written_together_next() -> None:
    database = Database()
    done = written(database, "abcde")
    assert [answer(one) for one in done] == ["A", "B", "C", "D", "E"]
    assert database.batches == [["a"], ["b", "c", "d", "e"]]


def test_what_fails_by_itself_fails_nobody_else() -> None:
    done = written(Database(), ["a", "b", "bad", "c"])
    with pytest.raises(ValueError, match="bad"):
        done[2].result()
    assert [answer(done[n]) for n in (0, 1, 3)] == ["A", "B", "C"]


def test_what_fails_as_a_whole_is_told_to_each_and_those_who_come_later_are_served() -> None:
    database = Database()
    database.fails = Unreachable("no disk")
    done = written(database, "abc")
    for one in done:
        with pytest.raises(Unreachable, match="no disk"):
            one.result()
    database.fails = None
    assert [answer(one) for one in written(database, "de")] == ["D", "E"]


def test_whoever_is_interrupted_while_waiting_keeps_nobody_waiting() -> None:
    database = Database()
    group = GroupCommit(database.run_batch)

    def interrupt(*_: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(group.write, pending("a"))
            assert database.begun.wait(30)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(InterruptedError):
                group.write(pending("b"))
            third = pool.submit(group.write, pending("c"))
            database.goes_on.set()
            assert (answer(first), answer(third)) == ("A", "C")
    finally:
        signal.signal(signal.SIGALRM, before)


def test_whoever_is_interrupted_keeps_nobody_waiting() -> None:
    class Interrupted(Database):
        def run_batch(self, batch: Sequence[PendingWrite]) -> None:
            super().run_batch(batch)
            if batch[0].statement.text == "a":
                raise KeyboardInterrupt

    done = written(Interrupted(), "ab")
    with pytest.raises(KeyboardInterrupt):
        done[0].result()
    assert answer(done[1]) == "B"
