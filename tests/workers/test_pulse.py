"""Beats go on whatever a database says to one of them."""

import threading
from collections.abc import Sequence
from typing import cast

from assistant.domain.errors import Denied
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Think
from assistant.domain.store import Store
from workers.processes.job_heartbeat import JobHeartbeat


class Faltering:
    """A store that refuses the first beat for good."""

    def __init__(self) -> None:
        self.beats = 0
        self.third = threading.Event()

    def beat(self, claims: Sequence[str]) -> None:
        self.beats += 1
        if self.beats == 1:
            raise Denied("a read-only moment")
        if claims and self.beats > 2:
            self.third.set()


def test_a_refused_beat_is_not_the_last() -> None:
    store = Faltering()
    pulse = JobHeartbeat(store=cast("Store", store), every=0.01, deadline=60)
    job = Job(owner="owner", trace="t", message=Think(id="t"), claim="c", attempts=1)
    with pulse.holding(job):
        assert store.third.wait(5)
