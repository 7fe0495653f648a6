from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from assistant.bus import PATIENCE, Bus, Route
from assistant.domain.errors import Busy, LeaseLost, Permanent, Transient, Unreachable
from assistant.domain.jobs.job import Job, JobFacts
from assistant.domain.messages import Message, Run, Think
from tests.bed import START, Bed
from tests.stores import Fresh

TRIES = 3
BACKOFF = {1: 5.0, 2: 50.0}


@dataclass
class Desk:
    """A bus with one route, whose handler does what the test says."""

    bed: Bed
    acts: list[Callable[[Job], None]] = field(default_factory=list)
    runs: int = 0
    reasons: list[str] = field(default_factory=list)
    around: list[str] = field(default_factory=list)
    waited: float = 0.0
    meanwhile: Callable[[], object] = lambda: None
    """What happens elsewhere while the bus waits for a moment."""

    def __post_init__(self) -> None:
        self.bus = Bus(
            {Think: Route(run=self.run, gave_up=self.gave_up)},
            store=self.bed.store,
            clock=self.bed.clock,
            worker="test",
            tries=TRIES,
            backoff=BACKOFF.__getitem__,
            around=self.holding,
            monotonic=lambda: self.waited,
            sleep=self.sleep,
        )

    def sleep(self, seconds: float) -> None:
        self.waited += seconds
        self.meanwhile()

    @contextmanager
    def holding(self, job: Job) -> Generator[None]:
        self.around.append(f"began {job.message.name}")
        yield
        self.around.append(f"ended {job.message.name}")

    def run(self, message: Message, job: Job) -> None:
        assert message == Think(id="t")
        self.runs += 1
        act = self.acts.pop(0) if self.acts else self.bed.end
        act(job)

    def gave_up(self, message: Message, job: Job, reason: str) -> None:
        assert message == Think(id="t")
        self.reasons.append(reason)
        self.bed.write(lambda tx: tx.fail(job, reason))

    def will(self, *outcomes: Exception) -> None:
        self.acts.extend(raising(outcome) for outcome in outcomes)

    def answer(self) -> bool:
        return self.bus.answer("think:t")

    def only_job(self) -> JobFacts:
        [job] = self.bed.store.jobs()
        return job


def raising(error: Exception) -> Callable[[Job], None]:
    def act(_job: Job) -> None:
        raise error

    return act


@pytest.fixture
def desk(fresh: Fresh) -> Desk:
    bed = Bed(fresh())
    bed.emit()
    return Desk(bed)


def test_a_bell_has_its_job_carried_out_once(desk: Desk) -> None:
    assert desk.answer()
    assert not desk.answer()
    assert desk.runs == 1
    assert desk.bed.store.jobs() == []


def test_a_bell_without_a_job_does_nothing(desk: Desk) -> None:
    assert not desk.bus.answer("think:gone")
    assert desk.around == []


def test_a_job_whose_bell_was_rung_ahead_is_waited_for_and_carried_out_once(
    fresh: Fresh,
) -> None:
    desk = Desk(Bed(fresh()))
    desk.meanwhile = desk.bed.emit
    assert desk.bus.expect("think:t")
    assert (desk.runs, desk.waited < PATIENCE) == (1, True)
    assert not desk.bus.answer("think:t")


def test_a_job_that_does_not_follow_its_bell_is_left_to_its_own(fresh: Fresh) -> None:
    desk = Desk(Bed(fresh()))
    assert not desk.bus.expect("think:t")
    assert PATIENCE <= desk.waited < 2 * PATIENCE
    desk.bed.emit()
    assert desk.answer()
    assert desk.runs == 1


def test_a_job_is_held_while_it_runs(desk: Desk) -> None:
    def look(job: Job) -> None:
        assert desk.around == ["began think:t"]
        desk.bed.end(job)

    desk.acts.append(look)
    desk.answer()
    assert desk.runs == 1
    assert desk.around == ["began think:t", "ended think:t"]


def test_what_falters_is_tried_again_after_a_while(desk: Desk) -> None:
    desk.will(Unreachable("no model"))
    assert desk.answer()
    job = desk.only_job()
    assert (job.claimed, job.failed, job.due) == (False, False, START + timedelta(seconds=5))
    assert "no model" in job.error
    assert not desk.answer()
    desk.bed.clock.passes(seconds=5)
    assert desk.answer()
    assert desk.bed.store.jobs() == []
    assert desk.reasons == []


def test_each_wait_is_that_of_its_try(desk: Desk) -> None:
    desk.will(Unreachable("one"), Unreachable("two"))
    desk.answer()
    desk.bed.clock.passes(seconds=5)
    desk.answer()
    assert desk.only_job().due == START + timedelta(seconds=55)


def test_a_service_that_says_how_long_to_wait_is_heard(desk: Desk) -> None:
    busy = Busy("rate limit")
    busy.after = 600.0
    desk.will(busy)
    desk.answer()
    assert desk.only_job().due == START + timedelta(seconds=600)


def test_a_short_wait_asked_for_does_not_shorten_the_backoff(desk: Desk) -> None:
    busy = Busy("rate limit")
    busy.after = 1.0
    desk.will(busy)
    desk.answer()
    assert desk.only_job().due == START + timedelta(seconds=5)


@pytest.mark.parametrize("error", [Transient("away"), ZeroDivisionError("oops")], ids=repr)
def test_after_the_last_try_it_is_given_up_with_its_reason(desk: Desk, error: Exception) -> None:
    desk.will(*[error] * TRIES)
    for _ in range(TRIES):
        assert desk.answer()
        desk.bed.clock.passes(hours=1)
    assert desk.runs == TRIES
    [reason] = desk.reasons
    assert str(error) in reason
    assert (desk.only_job().failed, desk.only_job().error) == (True, reason)
    assert not desk.answer()


def test_what_cannot_be_is_given_up_at_once(desk: Desk) -> None:
    desk.will(Permanent("no such mail"))
    desk.answer()
    assert desk.runs == 1
    assert desk.reasons == ["Trying again would not help: no such mail"]
    assert desk.only_job().failed


def test_a_defect_does_not_lose_the_job(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    desk.will(ZeroDivisionError("oops"))
    desk.answer()
    assert desk.only_job().error == "ZeroDivisionError: oops"
    assert caplog.records[-1].exc_info is not None
    desk.bed.clock.passes(seconds=5)
    desk.answer()
    assert desk.bed.store.jobs() == []


def test_what_takes_its_workers_down_is_not_tried_for_ever(desk: Desk) -> None:
    for _ in range(TRIES):
        job = desk.bed.claimed()
        desk.bed.store.release([job.claim])
    assert desk.answer()
    assert desk.runs == 0
    assert desk.reasons == ["it was tried 3 times and never ended"]
    assert desk.only_job().failed


def test_whoever_lost_the_lease_leaves_the_job_to_its_new_holder(desk: Desk) -> None:
    def lose(job: Job) -> None:
        desk.bed.store.release([job.claim])
        desk.bed.claimed()
        desk.bed.end(job)

    desk.acts.append(lose)
    assert desk.answer()
    assert desk.only_job().claimed
    assert desk.reasons == []


def test_a_lease_lost_while_giving_up_is_quiet_too(desk: Desk) -> None:
    def lose(job: Job) -> None:
        desk.bed.store.release([job.claim])
        raise Permanent("no")

    desk.acts.append(lose)
    assert desk.answer()
    job = desk.only_job()
    assert (job.failed, job.claimed, job.attempts) == (False, False, 1)


def test_a_retry_of_a_lost_lease_disturbs_nobody(desk: Desk) -> None:
    def lose(job: Job) -> None:
        desk.bed.store.release([job.claim])
        desk.bed.claimed()
        raise Unreachable("late")

    desk.acts.append(lose)
    desk.answer()
    assert (desk.only_job().claimed, desk.only_job().error) == (True, "")


def test_a_lease_lost_is_no_failure_of_the_job(desk: Desk) -> None:
    desk.will(LeaseLost("think:t"))
    desk.answer()
    assert not desk.only_job().failed
    assert desk.reasons == []


def test_a_message_without_a_route_is_not_lost(desk: Desk) -> None:
    desk.bed.emit(Run(id="r"))
    with pytest.raises(KeyError):
        desk.bus.answer("run:r")
    assert {job.id for job in desk.bed.store.jobs()} == {"think:t", "run:r"}
