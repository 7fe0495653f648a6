from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import pytest

from assistant.bus import OUTAGE_WAITS, PATIENCE, Bus, Route
from assistant.domain.errors import (
    BLOBS,
    DATABASE,
    AssistantError,
    Busy,
    LeaseLost,
    Outage,
    Permanent,
    Transient,
    Unreachable,
)
from assistant.domain.jobs.job import Job, JobFacts
from assistant.domain.messages import Message, Run, Think
from assistant.domain.store import Store
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


@dataclass
class Failing:
    """A store that writes nothing about a job while ``away``."""

    store: Store
    away: bool = False

    def __getattr__(self, name: str) -> Any:
        if self.away:
            raise Outage("no answer", part=DATABASE)
        return getattr(self.store, name)


def away(desk: Desk) -> Failing:
    """The database of this desk, which comes back after a while of waiting."""
    failing = Failing(desk.bed.store)
    desk.bus._store = cast("Store", failing)
    desk.meanwhile = lambda: setattr(failing, "away", desk.waited < 600)
    return failing


def test_an_outage_is_no_try_however_long_it_lasts(desk: Desk) -> None:
    began = desk.bed.clock.now()
    tried = 0
    while desk.bed.clock.now() < began + timedelta(minutes=10):
        desk.will(Outage("the bucket", part=BLOBS))
        assert desk.answer()
        tried += 1
        job = desk.only_job()
        assert (job.claimed, job.failed, job.attempts) == (False, False, 0)
        assert (job.waits_for, job.waits_since) == ("the blobs", began)
        assert "the bucket" in job.error
        wait = (job.due - desk.bed.clock.now()).total_seconds()
        assert 0.75 * OUTAGE_WAITS[0] <= wait <= 1.25 * OUTAGE_WAITS[1]
        desk.bed.clock.time = job.due
    assert tried < 90
    assert desk.answer()
    assert desk.reasons == []
    assert desk.bed.store.jobs() == []


def test_after_an_outage_there_are_as_many_tries_as_before(desk: Desk) -> None:
    desk.will(Outage("gone", part=BLOBS), *[Unreachable("no model")] * TRIES)
    for _ in range(TRIES):
        desk.answer()
        desk.bed.clock.passes(hours=1)
    assert desk.reasons == []
    assert (desk.only_job().waits_for, desk.only_job().waits_since) == ("", None)
    desk.answer()
    assert desk.runs == TRIES + 1
    [reason] = desk.reasons
    assert "no model" in reason


def test_an_outage_hides_no_job_that_takes_its_workers_down(desk: Desk) -> None:
    for _ in range(TRIES):
        desk.will(Outage("gone", part=BLOBS))
        desk.answer()
        desk.bed.clock.passes(hours=1)
        desk.bed.store.release([desk.bed.claimed().claim])
    assert desk.answer()
    assert desk.runs == TRIES
    assert desk.reasons == ["it was tried 3 times and never ended"]


def test_each_part_is_waited_for_since_it_was_away(desk: Desk) -> None:
    desk.will(Outage("gone", part=BLOBS), Outage("silent", part="Discord"))
    desk.answer()
    desk.bed.clock.passes(minutes=1)
    desk.answer()
    assert (desk.only_job().waits_for, desk.only_job().waits_since) == (
        "Discord",
        START + timedelta(minutes=1),
    )


def test_a_part_that_says_how_long_it_will_be_away_is_heard(desk: Desk) -> None:
    outage = Outage("rate limit", part="Discord")
    outage.after = 600.0
    desk.will(outage)
    desk.answer()
    assert desk.only_job().due == START + timedelta(seconds=600)


def test_a_clock_set_back_keeps_no_job_waiting_for_a_part_that_is_back(desk: Desk) -> None:
    desk.will(Outage("gone", part=BLOBS))
    desk.answer()
    desk.bed.store.raise_high_water()
    desk.bed.clock.passes(days=-3)
    assert desk.bed.rung() == ["think:t"]


@pytest.mark.parametrize(
    "error", [Outage("gone", part=DATABASE), Unreachable("no model")], ids=repr
)
def test_a_try_is_given_back_as_soon_as_the_database_is_there(
    desk: Desk, error: AssistantError
) -> None:
    database = away(desk)

    def lose(_job: Job) -> None:
        database.away = True
        raise error

    desk.acts.append(lose)
    assert desk.answer()
    assert desk.waited >= 600
    job = desk.only_job()
    assert (job.claimed, job.failed) == (False, False)
    assert job.attempts == (0 if isinstance(error, Outage) else 1)
    desk.bed.clock.passes(minutes=1)
    assert desk.answer()
    assert desk.reasons == []


def test_the_reason_for_giving_up_outlasts_a_database_that_is_away(desk: Desk) -> None:
    database = away(desk)

    def lose(_job: Job) -> None:
        database.away = True
        raise Permanent("no such mail")

    gave_up = desk.gave_up

    def in_vain(message: Message, job: Job, reason: str) -> None:
        if database.away:
            raise Outage("no answer", part=DATABASE)
        gave_up(message, job, reason)

    desk.bus._routes = {Think: Route(run=desk.run, gave_up=in_vain)}
    desk.acts.append(lose)
    assert desk.answer()
    assert desk.reasons == ["Trying again would not help: no such mail"]
    assert desk.only_job().failed
