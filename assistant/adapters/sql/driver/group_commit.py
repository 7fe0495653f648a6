"""Commit the writes of several threads together, with one flush to the disk.

The first thread that writes leads: it runs everything that was added by then. Then one of the
threads that came meanwhile leads. A thread that writes alone waits for nobody, and pays nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from assistant.adapters.sql.driver.prepared import Compiled, SqlResult
from assistant.domain.errors import Unreachable


def _acquired() -> Lock:
    lock = Lock()
    lock.acquire()
    return lock


@dataclass(eq=False)
class PendingWrite:
    """A statement that waits to be run, and then what came of it."""

    statement: Compiled
    given: Any
    """Its parameters as the driver takes them."""
    durable: bool
    """Whether its commit has to be on the disk."""
    result: SqlResult = field(default_factory=lambda: SqlResult([], 0))
    error: Exception | None = None
    woken: Lock = field(default_factory=_acquired)
    leads: bool = False
    """Whether its thread is woken to lead the next batch, and not because its write is done."""

    def run(self, driver: Any) -> None:
        self.result = self.statement.run(driver, self.given)


class GroupCommit:
    """Runs the statements of all threads of a process in batches.

    Args:
        run_batch: sets the result or the error of each statement of a batch. What it raises, each
            of their threads raises.
    """

    def __init__(self, run_batch: Callable[[Sequence[PendingWrite]], None]) -> None:
        self._run_batch = run_batch
        self._lock = Lock()
        self._pending: list[PendingWrite] = []
        self._has_leader = False

    def write(self, mine: PendingWrite) -> SqlResult:
        """Return what came of it once it is committed. Raises its error."""
        with self._lock:
            self._pending.append(mine)
            waits, self._has_leader = self._has_leader, True
        if waits:
            self._wait(mine)
        if mine.leads or not waits:
            self._lead()
        if mine.error is not None:
            raise mine.error
        return mine.result

    def _wait(self, mine: PendingWrite) -> None:
        try:
            mine.woken.acquire()
        except BaseException:  # interrupted: nobody may wait for this thread to lead
            with self._lock:
                if mine in self._pending:
                    self._pending.remove(mine)
            if mine.leads:
                self._hand_over()
            raise

    def _lead(self) -> None:
        with self._lock:
            batch, self._pending = self._pending, []
        failed: Exception | None = Unreachable("the thread that ran it was interrupted")
        try:
            self._run_batch(batch)
            failed = None
        except Exception as error:  # noqa: BLE001 (each raises it, in its own thread)
            failed = error
        finally:
            self._hand_over()
            for write in batch:
                write.error = failed or write.error
                write.woken.release()

    def _hand_over(self) -> None:
        with self._lock:
            if not self._pending:
                self._has_leader = False
                return
            next = self._pending[0]
            next.leads = True
        next.woken.release()
