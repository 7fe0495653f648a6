"""The ports with places before and after each act. See ``places``."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import datetime

from assistant.adapters.sql.store import SqlStore, SqlTx
from assistant.bus import Around
from assistant.domain.calls.call import Call
from assistant.domain.conversation.deliveries import Attempt, Posted, Shown
from assistant.domain.conversation.ports import Channel
from assistant.domain.files.ports import Blobs
from assistant.domain.jobs.job import EXPECTED, Cause, Doorbell, Job
from assistant.domain.jobs.ports import Bell
from assistant.domain.messages import Queue
from assistant.flows.calls.run import Watch, Watched
from workers.failpoints.places import at_hand, hit


class FailpointStore(SqlStore):
    """The store, with places around each write."""

    @contextmanager
    def begin(self, cause: Cause) -> Generator[SqlTx]:
        with super().begin(cause) as tx:
            yield tx
            hit("commit.before")
        hit("commit.after")

    def claim(self, job: str, *, worker: str) -> Job | None:
        with _around("claim", kind=job.partition(":")[0]):
            return super().claim(job, worker=worker)

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        with _around("retry"):
            super().retry(job, due=due, error=error)

    def postpone(self, job: Job, *, due: datetime, part: str, error: str) -> None:
        with _around("postpone"):
            super().postpone(job, due=due, part=part, error=error)

    def beat(self, claims: Sequence[str]) -> None:
        with _around("beat"):
            super().beat(claims)

    def release(self, claims: Sequence[str]) -> int:
        with _around("release"):
            return super().release(claims)

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        with _around("due"):
            return super().due(limit=limit)

    def sent_canary(self, queue: Queue) -> Doorbell:
        with _around("sent_canary"):
            return super().sent_canary(queue)

    def passed_canary(self, bell: str, queue: Queue) -> None:
        with _around("passed_canary"):
            super().passed_canary(bell, queue)

    def chain(self, *, limit: int = 500) -> int:
        with _around("chain"):
            return super().chain(limit=limit)

    def drop_tokens(self, *, before: datetime) -> int:
        with _around("drop_tokens"):
            return super().drop_tokens(before=before)

    def raise_high_water(self) -> None:
        with _around("raise_high_water"):
            super().raise_high_water()


class FailpointBell:
    """A bell with places around each ring."""

    def __init__(self, bell: Bell) -> None:
        self._bell = bell

    def ring(self, bells: Sequence[Doorbell]) -> None:
        ahead = all(bell.kind == EXPECTED for bell in bells)
        with _around("expect" if ahead else "publish"):
            self._bell.ring(bells)


class FailpointBlobs:
    """Blobs with places around each put and delete."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs

    def put(self, name: str, data: bytes) -> None:
        with _around("blob"):
            self._blobs.put(name, data)

    def get(self, name: str) -> bytes:
        return self._blobs.get(name)

    def delete(self, name: str) -> None:
        with _around("blob.delete"):
            self._blobs.delete(name)

    def names(self, prefix: str = "") -> Iterable[str]:
        return self._blobs.names(prefix)

    def check(self) -> None:
        self._blobs.check()


class FailpointChannel:
    """A channel with places around all it shows."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.name = channel.name
        self.far = channel.far

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        with _around("show", kind=shown.kind):
            return self._channel.show(place, shown, attempt=attempt)


def with_effects(watch: Watch) -> Watch:
    """Put places around the execution of each watched call."""

    @contextmanager
    def watching(job: Job, call: Call) -> Generator[Watched]:
        with _around("effect"), watch(job, call) as watched:
            yield watched

    return watching


def with_kinds(around: Around) -> Around:
    """Let places know the kind of the job that is being carried out."""

    @contextmanager
    def holding(job: Job) -> Generator[None]:
        with at_hand(job.message.kind), around(job):
            yield

    return holding


@contextmanager
def _around(act: str, *, kind: str = "") -> Generator[None]:
    """Hit the place before an act, and the one after it unless the act raised."""
    hit(f"{act}.before", kind=kind)
    yield
    hit(f"{act}.after", kind=kind)
