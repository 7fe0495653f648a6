"""The fake: a store in a dict, with the same promises as the one in SQL."""

import logging
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Lock

from pydantic import ValidationError

from assistant.domain.audit import chain as audit_chain
from assistant.domain.audit.chain import Head
from assistant.domain.errors import BadArguments, Conflict, Transient
from assistant.domain.failpoints import hit
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import CANARY, EXPECTED, Cause, Doorbell, Job, JobFacts
from assistant.domain.jobs.ports import Bell
from assistant.domain.messages import Message, Queue, parse
from assistant.domain.text.sound import sound
from assistant.domain.time.clock import Clock
from tests.memory_audits import heads
from tests.memory_jobs import RING_AFTER
from tests.memory_state import Canary, JobRow, State, aware
from tests.memory_tx import MemoryTx

PATIENCE = 5.0
SKEW = timedelta(seconds=5)
LONGEST_WAIT = timedelta(hours=1)

log = logging.getLogger(__name__)


class MemoryStore:
    """See ``assistant.ports.Store``. Writers take turns; readers see what was committed last."""

    def __init__(
        self, *, bell: Bell, clock: Clock, owners: Iterable[str] = ("owner", "other")
    ) -> None:
        self._bell = bell
        self._clock = clock
        self._state = State(owners=dict.fromkeys(owners, 0))
        self._writer = Lock()
        self._strange: set[str] = set()

    @contextmanager
    def begin(self, cause: Cause) -> Generator[MemoryTx]:
        with self._writing() as state:
            tx = MemoryTx(state, cause=cause, now=self._clock.now(), writing=True)
            yield tx
            tx.finish()
            hit("commit.before")
        hit("commit.after")
        if tx.bells:
            with suppress(Transient):  # the relay rings later
                self._bell.ring(tx.bells)

    @contextmanager
    def read(self, cause: Cause) -> Generator[MemoryTx]:
        yield MemoryTx(self._state, cause=cause, now=self._clock.now(), writing=False)

    @contextmanager
    def _writing(self) -> Generator[State]:
        """A copy, taken over at the end if nothing was raised."""
        if not self._writer.acquire(timeout=PATIENCE):
            raise Conflict("another transaction does not end")
        try:
            state = self._state.copy()
            yield state
            self._state = state
        finally:
            self._writer.release()

    def whose(self, channel: str, person: str) -> str:
        found = self._state.people.get((channel, person))
        return found.owner if found else ""

    def expect(self, message: Message) -> None:
        with suppress(Transient):
            self._bell.ring([Doorbell(job=message.name, kind=EXPECTED, queue=message.queue)])

    def waits(self, job: str) -> bool:
        row = self._state.jobs.get(job)
        return row is not None and row.waiting and row.due <= self._clock.now()

    def claim(self, job: str, *, worker: str) -> Job | None:
        del worker
        try:
            message = parse(job)
        except ValidationError as error:
            raise BadArguments(f"no message is named {job!r}") from error
        with self._writing() as state:
            row = state.jobs.get(job)
            if row is None or not row.waiting or row.due > self._clock.now():
                return None
            claim, attempts = new_id(), row.attempts + 1
            state.jobs[job] = replace(row, claim=claim, attempts=attempts, beat=0)
        return Job(**row.cause.model_dump(), message=message, claim=claim, attempts=attempts)

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        later = aware(due)
        self._change(
            [job.claim],
            lambda row: replace(
                _freed(row), due=later, ring_after=later + RING_AFTER, error=sound(error)
            ),
        )

    def beat(self, claims: Sequence[str]) -> None:
        self._change(claims, lambda row: replace(row, beat=row.beat + 1))

    def release(self, claims: Sequence[str]) -> int:
        now = self._clock.now()
        return self._change(claims, lambda row: replace(_freed(row), due=now))

    def held(self) -> dict[str, tuple[str, int]]:
        rows = self._state.jobs.items()
        return {name: (row.claim, row.beat) for name, row in rows if row.claim}

    def _change(self, claims: Sequence[str], change: Callable[[JobRow], JobRow]) -> int:
        """Change the jobs that are held by these claims; how many there were."""
        with self._writing() as state:
            mine = {name: row for name, row in state.jobs.items() if row.claim in {*claims} - {""}}
            state.jobs.update({name: change(row) for name, row in mine.items()})
        return len(mine)

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        now = self._clock.now()
        with self._writing() as state:
            if state.high_water.get("at", now) > now + SKEW:
                _go_by(state, now)
            self._tell_of_strangers(state)
            ready = [row for row in state.jobs.values() if _unheard(row, state.canaries, now)]
            rung = sorted(ready, key=lambda row: row.due)[:limit]
            for row in rung:
                state.jobs[row.message.name] = replace(
                    row,
                    rung=now,
                    rings=min(row.rings + 1, 6),
                    ring_after=now + RING_AFTER * 2**row.rings,
                )
        return [row.bell for row in rung]

    def _tell_of_strangers(self, state: State) -> None:
        found = {
            row.message.queue for row in state.jobs.values() if row.waiting and not _known(row)
        }
        if new := found - self._strange:
            self._strange |= new
            words = "jobs wait in a queue that is not known here, and are left alone: %s"
            log.warning(words, ", ".join(sorted(new)))

    def jobs(self, *, trace: str = "", failed: bool | None = None) -> Sequence[JobFacts]:
        rows = sorted(self._state.jobs.values(), key=lambda row: row.due)
        return [
            _facts(row)
            for row in rows
            if trace in ("", row.cause.trace) and failed in (None, row.failed)
        ]

    def sent_canary(self, queue: Queue) -> Doorbell:
        sent = self._clock.now().timestamp()
        with self._writing() as state:
            canary = state.canaries.get(queue, Canary())
            state.canaries[queue] = replace(canary, sent=sent)
        return Doorbell(job=repr(sent), kind=CANARY, queue=queue)

    def passed_canary(self, bell: str, queue: Queue) -> None:
        with self._writing() as state:
            canary = state.canaries.get(queue)
            if canary is not None and float(bell) <= canary.sent:
                sent = datetime.fromtimestamp(float(bell), UTC)
                passed = max(canary.passed or sent, sent)
                seen = self._clock.now()
                state.canaries[queue] = replace(canary, passed=passed, seen=seen)

    def canaries(self) -> dict[Queue, datetime]:
        seen = {queue: canary.seen for queue, canary in self._state.canaries.items()}
        return {queue: at for queue, at in seen.items() if at}

    def chain(self, *, limit: int = 500) -> int:
        with self._writing() as state:
            loose = [entry for entry in state.audits.values() if entry.place is None][:limit]
            newest = max((entry.place or 0 for entry in state.audits.values()), default=0)
            chained = audit_chain.chain(loose, heads=heads(state), place=newest)
            state.audits.update({entry.number: entry for entry in chained})
        return len(chained)

    def heads(self) -> Mapping[str, Head]:
        return heads(self._state)

    def drop_tokens(self, *, before: datetime) -> int:
        with self._writing() as state:
            old = [hash for hash, token in state.tokens.items() if token.expires < before]
            for hash in old:
                del state.tokens[hash]
            return len(old)

    def raise_high_water(self) -> None:
        now = self._clock.now()
        with self._writing() as state:
            state.high_water["at"] = max(now, state.high_water.get("at", now))


def _freed(row: JobRow) -> JobRow:
    return replace(row, claim="", again=False, rung=None, rings=0)


def _known(row: JobRow) -> bool:
    return row.message.queue in list(Queue)


def _go_by(state: State, now: datetime) -> None:
    """The clock was set back: what was written by it need not wait until it catches up."""
    for name, row in state.jobs.items():
        ahead = row.rung is not None and row.rung > now + SKEW
        tried = row.rung is None and row.attempts > 0 and row.due > now + LONGEST_WAIT
        if row.waiting and (ahead or tried):
            state.jobs[name] = replace(row, due=min(row.due, now), rung=None, rings=0)
    for queue, canary in state.canaries.items():
        if canary.passed and canary.passed > now + SKEW:
            state.canaries[queue] = replace(canary, passed=None)


def _unheard(row: JobRow, canaries: dict[Queue, Canary], now: datetime) -> bool:
    """Whether a job's bell was never rung, or must be lost."""
    if not row.waiting or row.due > now or not _known(row):
        return False
    passed = canaries.get(row.message.queue, Canary()).passed
    overtaken = row.rung is not None and passed is not None and row.rung < passed
    return row.rung is None or row.rung < row.due or overtaken or row.ring_after <= now


def _facts(row: JobRow) -> JobFacts:
    return JobFacts(
        id=row.message.name,
        owner=row.cause.owner,
        trace=row.cause.trace,
        queue=row.message.queue,
        due=row.due,
        attempts=row.attempts,
        claimed=bool(row.claim),
        failed=row.failed,
        error=row.error,
    )
