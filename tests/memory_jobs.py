"""The queue of the store in memory, seen from a transaction."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from assistant.domain.errors import AlreadyThere, Denied, LeaseLost, NotFound
from assistant.domain.jobs.job import Cause, Doorbell, Job
from assistant.domain.messages import Message
from assistant.domain.text.sound import sound
from tests.memory_state import JobRow, State, aware

RING_AFTER = timedelta(seconds=60)
Found = TypeVar("Found")


class MemoryJobs:
    def __init__(self, state: State, *, cause: Cause, now: datetime, writing: bool) -> None:
        self.cause = cause
        self.bells: list[Doorbell] = []
        self._state = state
        self._now = now
        self._writing = writing
        self._emitted: dict[str, tuple[Message, datetime]] = {}
        self._ended: dict[str, tuple[Job, str | None]] = {}

    @property
    def _rows(self) -> State:
        """The state, for a change."""
        self._must_write()
        return self._state

    def _must_write(self) -> None:
        if not self._writing:
            raise Denied("this transaction only looks")

    def _mine(self, value: Found | None, what: str, owner: Callable[[Found], str]) -> Found:
        if value is None or owner(value) != self.cause.owner:
            raise NotFound(what)
        return value

    def emit(self, message: Message, *, due: datetime | None = None) -> None:
        self._must_write()
        when = aware(due) if due else self._now
        if message.name in self._emitted:
            when = min(when, self._emitted[message.name][1])
        self._emitted[message.name] = (message, when)

    def done(self, job: Job) -> None:
        self._must_write()
        self._ended[job.message.name] = (job, None)

    def fail(self, job: Job, error: str) -> None:
        self._must_write()
        self._ended[job.message.name] = (job, error)

    def hold(self, job: Job) -> None:
        row = self._held(job)
        self._rows.jobs[job.message.name] = replace(row, beat=row.beat + 1)

    def finish(self) -> None:
        for job, error in self._ended.values():
            self._end(job, error)
        for message, due in self._emitted.values():
            self._write(message, due)

    def _held(self, job: Job) -> JobRow:
        row = self._rows.jobs.get(job.message.name)
        if row is None or row.claim != job.claim:
            raise LeaseLost(job.message.name)
        return row

    def _end(self, job: Job, error: str | None) -> None:
        row = self._held(job)
        free = replace(
            row,
            claim="",
            again=False,
            attempts=0,
            due=self._now,
            error=sound(error or ""),
            rung=None,
        )
        if error is not None:
            self._state.jobs[job.message.name] = replace(free, failed=not row.again)
        elif row.again:
            after = self._now + RING_AFTER
            again = replace(free, rung=self._now, ring_after=after, rings=0)
            self._state.jobs[job.message.name] = again
            self._ring(again)
        else:
            del self._state.jobs[job.message.name]

    def _write(self, message: Message, due: datetime) -> None:
        if self.cause.owner not in self._state.owners:
            raise NotFound(f"owner {self.cause.owner}")
        now = due <= self._now
        fresh = JobRow(
            cause=Cause(owner=self.cause.owner, trace=self.cause.trace),
            message=message,
            due=due,
            rung=self._now if now else None,
            ring_after=max(due, self._now) + RING_AFTER,
        )
        row = self._state.jobs.get(message.name)
        if row is not None and row.cause.owner != self.cause.owner:
            raise AlreadyThere(f"a job of another owner: {message.name}")
        if row is None or row.failed:
            row = fresh
        elif row.claim:
            row = replace(row, again=True)
        else:
            row = replace(row, due=min(due, row.due))
            if now:
                row = replace(row, rung=fresh.rung, ring_after=fresh.ring_after)
        self._state.jobs[message.name] = row
        if now:
            self._ring(row)

    def _ring(self, row: JobRow) -> None:
        if row.bell not in self.bells:
            self.bells.append(row.bell)
