"""Job rows inside a transaction: written and removed with the facts they belong to."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import text

from assistant.adapters.sql.driver import Autocommit, Prepared
from assistant.adapters.sql.parts import epoch
from assistant.adapters.sql.rows import Rows
from assistant.domain.errors import AlreadyThere, LeaseLost
from assistant.domain.jobs.job import Doorbell, Job
from assistant.domain.messages import Message

RING_AFTER = 60.0
"""Seconds after which a job is rung again although its queue's canary has not passed."""

_EMIT = Prepared(
    text("""
INSERT INTO job (id, owner, trace, kind, queue, due, rung, ring_after, rings, attempts, claim,
                 worker, beat, again, failed, error, waits_for, waits_since)
VALUES (:id, :owner, :trace, :kind, :queue, :due, :rung, :ring_after, 0, 0, NULL,
        '', 0, FALSE, FALSE, '', '', 0)
ON CONFLICT (id) DO UPDATE SET
  again = (job.claim IS NOT NULL),
  due = CASE WHEN job.claim IS NULL AND (job.failed OR excluded.due < job.due)
             THEN excluded.due ELSE job.due END,
  rung = CASE WHEN excluded.rung > job.rung THEN excluded.rung ELSE job.rung END,
  ring_after = CASE WHEN excluded.rung > job.rung THEN excluded.ring_after ELSE job.ring_after END,
  rings = CASE WHEN job.failed THEN 0 ELSE job.rings END,
  attempts = CASE WHEN job.failed THEN 0 ELSE job.attempts END,
  error = CASE WHEN job.failed THEN '' ELSE job.error END,
  trace = CASE WHEN job.failed THEN excluded.trace ELSE job.trace END,
  failed = FALSE
WHERE job.owner = excluded.owner
""")
)

_DONE = Prepared(text("DELETE FROM job WHERE id = :id AND claim = :claim AND NOT again"))

_AGAIN = text("""
UPDATE job SET claim = NULL, again = FALSE, attempts = 0, due = :now, rung = :now,
               ring_after = :ring_after, rings = 0, error = '', waits_for = '', waits_since = 0
WHERE id = :id AND claim = :claim
""")

_HOLD = Prepared(text("UPDATE job SET beat = beat + 1 WHERE id = :id AND claim = :claim"))

_FAIL = text("""
UPDATE job SET claim = NULL, failed = NOT again, again = FALSE, attempts = 0, due = :now, rung = 0,
               error = :error, waits_for = '', waits_since = 0
WHERE id = :id AND claim = :claim
""")


class JobRows(Rows):
    """Job rows are written last, in the order of their names, so that no transactions deadlock.

    Whoever emits holds the conversation already; whoever ends a job must therefore not hold its row
    while waiting for that conversation.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._emitted: dict[str, tuple[Message, float]] = {}
        self._ended: dict[str, tuple[Job, str | None]] = {}
        self.bells: list[Doorbell] = []
        """What to ring once this is committed."""

    def emit(self, message: Message, *, due: datetime | None = None) -> None:
        self._must_write()
        when = epoch(due or self._now)
        earlier = self._emitted.get(message.name)
        self._emitted[message.name] = (message, min(when, earlier[1]) if earlier else when)

    def done(self, job: Job) -> None:
        self._must_write()
        self._ended[job.message.name] = (job, None)

    def fail(self, job: Job, error: str) -> None:
        self._must_write()
        self._ended[job.message.name] = (job, error)

    def finish(self, autocommit: Autocommit) -> None:
        """Run the last statements. A transaction that needs only one runs that by itself."""
        if not self._transaction.begun and self._finish_with_one(autocommit):
            return
        self._write_jobs()

    def _finish_with_one(self, autocommit: Autocommit) -> bool:
        """Do it with a single statement; False if that cannot be done."""
        if len(self._emitted) + len(self._ended) != 1:
            return False
        for message, due in self._emitted.values():
            if autocommit.run(_EMIT, self._row(message, due), durable=True).changed == 1:
                self._ring_for(message, due)
                return True
        for job, error in self._ended.values():
            if error is None and autocommit.run(_DONE, _mine(job), durable=True).changed == 1:
                return True
        return False

    def _write_jobs(self) -> None:
        waiting = sorted(self._emitted)
        for name, (job, error) in sorted(self._ended.items()):
            self._write([other for other in waiting if other < name])
            waiting = [other for other in waiting if other >= name]
            if error is None:
                self._strike_off(job)
            else:
                self._give_up(job, error)
        self._write(waiting)

    def _strike_off(self, job: Job) -> None:
        mine = _mine(job)
        if self._count(_DONE, mine):
            return
        now = self._now.timestamp()
        if not self._count(_AGAIN, {**mine, "now": now, "ring_after": now + RING_AFTER}):
            raise LeaseLost(job.message.name)
        self._ring(job.message)

    def beat(self, job: Job) -> None:
        self._must_write()
        if not self._count(_HOLD, _mine(job)):
            raise LeaseLost(job.message.name)

    def _give_up(self, job: Job, error: str) -> None:
        values = {
            "id": job.message.name,
            "claim": job.claim,
            "now": self._now.timestamp(),
            "error": error,
        }
        if not self._count(_FAIL, values):
            raise LeaseLost(job.message.name)

    def _write(self, names: Sequence[str]) -> None:
        if not names:
            return
        emitted = [self._emitted[name] for name in names]
        if self._count_each(_EMIT, [self._row(*order) for order in emitted]) != len(names):
            raise AlreadyThere(f"a job of another owner: one of {', '.join(names)}")
        for message, due in emitted:
            self._ring_for(message, due)

    def _row(self, message: Message, due: float) -> dict[str, Any]:
        now = self._now.timestamp()
        return {
            "id": message.name,
            "owner": self.cause.owner,
            "trace": self.cause.trace,
            "kind": message.kind,
            "queue": message.queue.value,
            "due": due,
            "rung": now if due <= now else 0.0,
            "ring_after": max(due, now) + RING_AFTER,
        }

    def _ring_for(self, message: Message, due: float) -> None:
        if due <= self._now.timestamp():
            self._ring(message)

    def _ring(self, message: Message) -> None:
        bell = Doorbell(job=message.name, kind=message.kind, queue=message.queue)
        if bell not in self.bells:
            self.bells.append(bell)


def _mine(job: Job) -> dict[str, Any]:
    return {"id": job.message.name, "claim": job.claim}
