"""Threads that write to SQLite at the same moment share one transaction, and one flush.

Whoever comes first carries out what all have asked for by then, and one of those who came meanwhile
carries on. Who comes alone has nobody to wait for, and pays nothing for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from assistant.domain.errors import Unreachable


def _taken() -> Lock:
    lock = Lock()
    lock.acquire()
    return lock


@dataclass(eq=False)
class Asked:
    """A statement, and what came of it."""

    text: str
    given: Any
    """Its parameters as the driver takes them."""
    take: Callable[[Any], Any]
    """What is wanted of the cursor."""
    durable: bool
    """Whether its commit has to be on the disk."""
    result: Any = None
    error: Exception | None = None
    woken: Lock = field(default_factory=_taken)
    leads: bool = False
    """Whether its thread is woken to carry on, and not because it is done."""

    def run(self, driver: Any) -> None:
        self.result = self.take(driver.execute(self.text, self.given))


class Together:
    """Statements of all threads of a process, in batches.

    Args:
        carry_out: notes with each statement of a batch what came of it; what it raises is raised
            for all of them.
    """

    def __init__(self, carry_out: Callable[[Sequence[Asked]], None]) -> None:
        self._carry_out = carry_out
        self._lock = Lock()
        self._asked: list[Asked] = []
        self._led = False

    def write(self, mine: Asked) -> Any:
        """What came of it. Raises what went wrong with it."""
        with self._lock:
            self._asked.append(mine)
            waits, self._led = self._led, True
        if waits:
            self._wait(mine)
        if mine.leads or not waits:
            self._lead()
        if mine.error is not None:
            raise mine.error
        return mine.result

    def _wait(self, mine: Asked) -> None:
        try:
            mine.woken.acquire()
        except BaseException:  # interrupted: nobody may be waiting for this thread to carry on
            with self._lock:
                if mine in self._asked:
                    self._asked.remove(mine)
            if mine.leads:
                self._hand_over()
            raise

    def _lead(self) -> None:
        with self._lock:
            batch, self._asked = self._asked, []
        failed: Exception | None = Unreachable("whoever carried it out was interrupted")
        try:
            self._carry_out(batch)
            failed = None
        except Exception as error:  # noqa: BLE001 (each raises it, in its own thread)
            failed = error
        finally:
            self._hand_over()
            for asked in batch:
                asked.error = failed or asked.error
                asked.woken.release()

    def _hand_over(self) -> None:
        with self._lock:
            if not self._asked:
                self._led = False
                return
            next = self._asked[0]
            next.leads = True
        next.woken.release()
