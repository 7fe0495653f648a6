"""Beats go on whatever a database says to one of them."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest

from assistant.domain.errors import Denied
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Run, Think
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


class Counting:
    """A store that says which claims were beaten for last."""

    def __init__(self) -> None:
        self.claims: Sequence[str] = ()
        self.beats = 0

    def beat(self, claims: Sequence[str]) -> None:
        self.claims = claims
        self.beats += 1


@dataclass
class Held:
    """A job that is held, on a clock in the test's hand."""

    store: Counting = field(default_factory=Counting)
    now: float = 0.0
    hung: int = 0

    def __post_init__(self) -> None:
        self.job = Job(owner="owner", trace="t", message=Run(id="c"), claim="c", attempts=1)
        self.pulse = JobHeartbeat(
            store=cast("Store", self.store),
            every=0.005,
            deadline=60,
            at_deadline=self.hang,
            monotonic=lambda: self.now,
        )

    def hang(self) -> None:
        self.hung += 1

    def beaten(self) -> bool:
        """Whether it is beaten for from now on."""
        since = self.store.beats
        while self.store.beats < since + 2:
            threading.Event().wait(0.005)
        return list(self.store.claims) == ["c"]


def test_a_job_is_beaten_for_until_its_deadline() -> None:
    held = Held()
    with held.pulse.holding(held.job):
        held.now = 59
        assert (held.beaten(), held.hung) == (True, 0)
        held.now = 60
        assert not held.beaten()
        assert held.hung > 0


@pytest.mark.parametrize("seconds", [20.0, 3600.0])
def test_a_job_that_runs_a_tool_is_beaten_for_as_long_as_that_may_take_and_no_longer(
    seconds: float,
) -> None:
    held = Held()
    with held.pulse.holding(held.job):
        held.now = 10
        held.pulse.extend(held.job, seconds)
        held.now = 10 + seconds + 59
        assert (held.beaten(), held.hung) == (True, 0)
        held.now = 10 + seconds + 60
        assert not held.beaten()
        assert held.hung > 0


def test_a_job_that_is_not_held_is_not_beaten_for() -> None:
    held = Held()
    with held.pulse.holding(held.job):
        pass
    held.pulse.extend(held.job, 20)
    assert not held.beaten()


def test_a_refused_beat_is_not_the_last() -> None:
    store = Faltering()
    pulse = JobHeartbeat(store=cast("Store", store), every=0.01, deadline=60)
    job = Job(owner="owner", trace="t", message=Think(id="t"), claim="c", attempts=1)
    with pulse.holding(job):
        assert store.third.wait(5)
