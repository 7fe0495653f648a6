"""What every store promises of its queue: nothing emitted is lost, nothing ended comes back."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Literal

import pytest

from assistant.domain.errors import AlreadyThere, BadArguments, LeaseLost
from assistant.domain.jobs.job import CANARY, EXPECTED, Doorbell
from assistant.domain.messages import Deliver, Expire, Message, Queue, Run, Think
from assistant.domain.store import Tx
from tests.bed import START, Bed, said

THINK = Think(id="t")
TOMORROW = START + timedelta(days=1)


# Emitting


def test_what_a_transaction_emits_is_rung_after_it_in_one_batch(bed: Bed) -> None:
    with bed.store.begin(bed.me) as tx:
        tx.emit(THINK)
        tx.emit(Run(id="r"))
        tx.emit(THINK)
        assert bed.bells.batches == []
    assert [sorted(batch) for batch in bed.bells.names] == [["run:r", "think:t"]]
    kinds = {bell.kind: bell.queue for bell in bed.bells.batches[0]}
    assert kinds == {"think": Queue.INTERACTIVE, "run": Queue.TOOLS}


def test_a_rollback_emits_nothing_and_rings_nothing(bed: Bed) -> None:
    def stumble(tx: Tx) -> None:
        tx.emit(THINK)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bed.write(stumble)
    assert bed.store.jobs() == []
    assert bed.bells.batches == []


def test_a_bell_out_of_order_does_not_undo_the_commit(bed: Bed) -> None:
    bed.bells.broken = True
    name = bed.emit()
    assert [job.id for job in bed.store.jobs()] == [name]
    bed.clock.passes(seconds=61)
    assert bed.rung() == [name]


def test_emitting_what_waits_adds_nothing(bed: Bed) -> None:
    bed.emit()
    bed.emit()
    assert len(bed.store.jobs()) == 1


def test_emitting_what_waits_never_delays_it(bed: Bed) -> None:
    bed.emit(due=START + timedelta(hours=1))
    bed.emit(due=TOMORROW)
    assert bed.store.jobs()[0].due == START + timedelta(hours=1)
    bed.emit()
    assert bed.store.jobs()[0].due == START
    assert bed.claimed().attempts == 1


def test_the_earlier_of_two_times_in_one_transaction_counts(bed: Bed) -> None:
    with bed.store.begin(bed.me) as tx:
        tx.emit(THINK, due=TOMORROW)
        tx.emit(THINK)
        tx.emit(THINK, due=TOMORROW)
    assert bed.bells.names == [["think:t"]]
    assert bed.store.jobs()[0].due == START


def test_a_timer_is_not_rung_before_it_is_due(bed: Bed) -> None:
    bed.emit(due=TOMORROW)
    assert bed.bells.batches == []
    assert bed.rung() == []


def test_emitting_what_a_worker_holds_has_it_done_once_more(bed: Bed) -> None:
    bed.emit()
    job = bed.claimed()
    bed.emit()
    assert bed.store.claim(job.message.name, worker="another") is None
    bed.write(lambda tx: tx.done(job))
    assert bed.bells.names[-1] == ["think:t"]
    again = bed.claimed()
    assert again.attempts == 1
    bed.write(lambda tx: tx.done(again))
    assert bed.store.jobs() == []


def test_a_job_may_order_itself_as_it_ends(bed: Bed) -> None:
    bed.emit(Expire(id="c"))
    job = bed.claimed("expire:c")
    with bed.store.begin(job) as tx:
        tx.done(job)
        tx.emit(Expire(id="c"), due=TOMORROW)
    [waiting] = bed.store.jobs()
    assert (waiting.due, waiting.claimed, waiting.attempts) == (TOMORROW, False, 0)


def test_emitting_what_had_failed_gives_it_a_fresh_start(bed: Bed) -> None:
    bed.emit()
    job = bed.claimed()
    bed.write(lambda tx: tx.fail(job, "no model"))
    bed.clock.passes(hours=1)
    bed.emit()
    [waiting] = bed.store.jobs()
    assert (waiting.failed, waiting.error, waiting.attempts) == (False, "", 0)
    assert bed.claimed().attempts == 1


def test_what_is_ordered_while_it_is_given_up_is_done_once_more(bed: Bed) -> None:
    bed.emit()
    job = bed.claimed()
    bed.emit()
    bed.write(lambda tx: tx.fail(job, "no model"))
    assert bed.rung() == ["think:t"]
    assert bed.claimed().attempts == 1


def test_a_job_of_another_owner_is_left_alone(bed: Bed) -> None:
    bed.emit(due=TOMORROW)
    with pytest.raises(AlreadyThere):
        bed.write(lambda tx: tx.emit(THINK), cause=bed.they)
    assert [(job.owner, job.due) for job in bed.store.jobs()] == [("owner", TOMORROW)]
    assert bed.bells.batches == []


def test_a_naive_due_time_is_refused(bed: Bed) -> None:
    naive = datetime(2026, 11, 23, 8, 0)  # noqa: DTZ001 (that is the point)
    with pytest.raises(BadArguments, match="naive"):
        bed.emit(due=naive)
    bed.emit()
    with pytest.raises(BadArguments, match="naive"):
        bed.store.retry(bed.claimed(), due=naive, error="")


# Claiming


def test_a_claim_tells_what_to_do_and_for_whom(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    assert (job.message, job.owner, job.trace, job.attempts) == (THINK, "owner", "a" * 32, 1)
    assert bed.store.jobs()[0].claimed


@pytest.mark.parametrize("name", ["think:gone", "run:t"])
def test_what_is_gone_cannot_be_claimed(bed: Bed, name: str) -> None:
    bed.emit()
    assert bed.store.claim(name, worker="worker") is None


def test_what_is_not_due_cannot_be_claimed(bed: Bed) -> None:
    name = bed.emit(due=START + timedelta(seconds=1))
    assert bed.store.claim(name, worker="worker") is None
    bed.clock.passes(seconds=1)
    assert bed.claimed(name).attempts == 1


def test_what_is_held_cannot_be_claimed(bed: Bed) -> None:
    name = bed.emit()
    bed.claimed(name)
    assert bed.store.claim(name, worker="another") is None


def test_what_failed_cannot_be_claimed_and_says_why(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.write(lambda tx: tx.fail(job, "no model"))
    assert bed.store.claim("think:t", worker="worker") is None
    [failed] = bed.store.jobs(failed=True)
    assert (failed.id, failed.error, failed.claimed) == ("think:t", "no model", False)


def test_a_name_of_no_message_is_refused_before_it_is_claimed(bed: Bed) -> None:
    with pytest.raises(BadArguments, match="dance:t"):
        bed.store.claim("dance:t", worker="worker")


def test_a_job_waits_from_its_commit_until_it_is_claimed(bed: Bed) -> None:
    assert not bed.store.waits("think:t")
    bed.emit()
    assert bed.store.waits("think:t")
    bed.claimed()
    assert not bed.store.waits("think:t")


def test_what_is_not_due_or_has_failed_does_not_wait(bed: Bed) -> None:
    name = bed.emit(due=START + timedelta(seconds=1))
    assert not bed.store.waits(name)
    bed.clock.passes(seconds=1)
    assert bed.store.waits(name)
    job = bed.claimed(name)
    bed.write(lambda tx: tx.fail(job, "no model"))
    assert not bed.store.waits(name)


def test_a_job_that_is_expected_is_rung_before_there_is_one(bed: Bed) -> None:
    bed.store.expect(THINK)
    assert bed.bells.batches == [[Doorbell(job="think:t", kind=EXPECTED, queue=Queue.INTERACTIVE)]]
    assert bed.store.jobs() == []


def test_an_expected_job_needs_no_broker(bed: Bed) -> None:
    bed.bells.broken = True
    bed.store.expect(THINK)
    assert bed.emit() == "think:t"


# Ending


def test_done_strikes_a_job_off(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.write(lambda tx: tx.done(job))
    assert bed.store.jobs() == []


@pytest.mark.parametrize("how", ["done", "fail"])
def test_whoever_lost_the_lease_commits_nothing(bed: Bed, how: str) -> None:
    job = bed.claimed(bed.emit())
    conversation = bed.conversation()
    bed.store.release([job.claim])
    bed.claimed()

    def end(tx: Tx) -> None:
        tx.append(conversation, said(), answer=True)
        tx.emit(Run(id="r"))
        if how == "done":
            tx.done(job)
        else:
            tx.fail(job, "no model")

    with pytest.raises(LeaseLost):
        bed.write(end)
    assert bed.look(lambda tx: tx.entries(conversation, last=9)) == []
    assert [row.id for row in bed.store.jobs()] == ["think:t"]
    assert bed.bells.names == [["think:t"]]


def test_a_job_that_is_gone_cannot_be_ended_twice(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.write(lambda tx: tx.done(job))
    with pytest.raises(LeaseLost):
        bed.write(lambda tx: tx.done(job))
    with pytest.raises(LeaseLost):
        bed.write(lambda tx: tx.fail(job, "late"))


def test_a_retry_waits_until_it_is_due(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.store.retry(job, due=START + timedelta(seconds=8), error="the model is busy")
    [waiting] = bed.store.jobs()
    assert (waiting.error, waiting.claimed, waiting.attempts) == ("the model is busy", False, 1)
    assert bed.rung() == []
    assert bed.store.claim("think:t", worker="worker") is None
    bed.clock.passes(seconds=8)
    assert bed.rung() == ["think:t"]
    assert bed.claimed().attempts == 2


def test_a_retry_of_a_lost_lease_does_nothing(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.store.release([job.claim])
    bed.claimed()
    bed.store.retry(job, due=TOMORROW, error="late")
    [held] = bed.store.jobs()
    assert (held.claimed, held.error, held.due) == (True, "", START)


# Leases


def test_beats_are_counted_by_claim(bed: Bed) -> None:
    bed.emit()
    bed.emit(Run(id="r"))
    first, second = bed.claimed(), bed.claimed("run:r")
    bed.store.beat([])
    bed.store.beat([first.claim])
    bed.store.beat([first.claim, second.claim, "a claim long gone"])
    bed.write(lambda tx: tx.beat(second))
    assert bed.store.held() == {"think:t": (first.claim, 2), "run:r": (second.claim, 2)}


def test_a_new_claim_counts_from_zero(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.store.beat([job.claim])
    bed.store.release([job.claim])
    assert bed.store.held() == {}
    again = bed.claimed()
    assert bed.store.held() == {"think:t": (again.claim, 0)}
    assert again.claim != job.claim


def test_holding_what_is_lost_says_so(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.store.release([job.claim])
    with pytest.raises(LeaseLost):
        bed.write(lambda tx: tx.beat(job))


def test_what_was_taken_from_a_dead_worker_is_rung_and_tried_again(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    assert bed.store.release(["a claim long gone"]) == 0
    assert bed.store.release([]) == 0
    assert bed.store.release([job.claim]) == 1
    assert bed.store.release([job.claim]) == 0
    assert bed.rung() == ["think:t"]
    assert bed.claimed().attempts == 2


# The relay


def test_what_was_just_rung_is_not_rung_again(bed: Bed) -> None:
    bed.emit()
    assert bed.rung() == []
    bed.clock.passes(seconds=59)
    assert bed.rung() == []


def test_a_lost_bell_is_rung_again_after_a_while_and_then_less_often(bed: Bed) -> None:
    bed.emit()
    for wait in (60, 60, 120, 240):
        bed.clock.passes(seconds=wait - 1)
        assert bed.rung() == []
        bed.clock.passes(seconds=1)
        assert bed.rung() == ["think:t"]


def test_a_lost_bell_is_rung_again_once_a_later_canary_has_passed(bed: Bed) -> None:
    early = bed.store.sent_canary(THINK.queue)
    bed.clock.passes(seconds=1)
    bed.emit()
    bed.store.passed_canary(early.job, THINK.queue)
    assert bed.rung() == []
    bed.clock.passes(seconds=1)
    late = bed.store.sent_canary(THINK.queue)
    other = bed.store.sent_canary(Queue.SLOW)
    bed.store.passed_canary(other.job, Queue.SLOW)
    assert bed.rung() == []
    bed.store.passed_canary(late.job, THINK.queue)
    assert bed.rung() == ["think:t"]
    assert bed.rung() == []


def test_a_canary_that_comes_late_takes_nothing_back(bed: Bed) -> None:
    early = bed.store.sent_canary(THINK.queue)
    bed.clock.passes(seconds=1)
    bed.emit()
    bed.clock.passes(seconds=1)
    late = bed.store.sent_canary(THINK.queue)
    bed.store.passed_canary(late.job, THINK.queue)
    bed.store.passed_canary(early.job, THINK.queue)
    assert bed.rung() == ["think:t"]


@pytest.mark.parametrize("forged", ["1e308", "inf", "nan"])
def test_a_canary_that_nobody_sent_rings_nothing(bed: Bed, forged: str) -> None:
    bed.store.sent_canary(THINK.queue)
    bed.emit()
    bed.store.passed_canary(forged, THINK.queue)
    assert [bed.rung(), bed.rung()] == [[], []]
    assert bed.store.canaries() == {}


def test_a_due_timer_is_rung_once(bed: Bed) -> None:
    bed.emit(Expire(id="c"), due=TOMORROW)
    bed.clock.passes(days=1)
    assert bed.rung() == ["expire:c"]
    assert bed.rung() == []


def test_a_timer_made_earlier_is_rung_once_by_whoever_did(bed: Bed) -> None:
    bed.emit(due=TOMORROW)
    bed.emit()
    assert bed.bells.names == [["think:t"]]
    assert bed.rung() == []


def test_held_and_failed_jobs_are_not_rung(bed: Bed) -> None:
    bed.claimed(bed.emit())
    bed.emit(Run(id="r"))
    failed = bed.claimed("run:r")
    bed.write(lambda tx: tx.fail(failed, "no"))
    bed.clock.passes(days=1)
    assert bed.rung() == []


def test_the_relay_takes_the_longest_due_first_and_no_more_than_asked(bed: Bed) -> None:
    for minutes in (3, 1, 2):
        bed.emit(Deliver(id=f"d{minutes}"), due=START + timedelta(minutes=minutes))
    bed.clock.passes(hours=1)
    taken = [{bell.job for bell in bed.store.due(limit=2)} for _ in range(3)]
    assert taken == [{"deliver:d1", "deliver:d2"}, {"deliver:d3"}, set()]


class Elsewhere(StrEnum):
    """A queue of another version of the program."""

    LATER = "later"


class Dance(Message):
    queue = Elsewhere.LATER  # type: ignore[assignment]  # that is the point
    kind: Literal["dance"] = "dance"


def test_a_job_of_a_queue_that_is_not_known_here_is_left_alone_and_told_of_once(
    bed: Bed, caplog: pytest.LogCaptureFixture
) -> None:
    soon = START + timedelta(seconds=1)
    bed.emit(Dance(id="d"), due=soon)
    bed.emit(due=soon)
    bed.clock.passes(seconds=2)
    assert bed.rung() == ["think:t"]
    bed.clock.passes(seconds=60)
    assert bed.rung() == ["think:t"]
    told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert told == ["jobs wait in a queue that is not known here, and are left alone: later"]
    waiting = {job.id: job for job in bed.store.jobs()}
    assert (waiting["dance:d"].queue, waiting["dance:d"].due) == ("later", soon)


def test_however_many_wait_in_an_unknown_queue_the_others_are_rung(bed: Bed) -> None:
    for n in range(3):
        bed.emit(Dance(id=f"d{n}"), due=START + timedelta(seconds=1))
    bed.emit(due=START + timedelta(seconds=2))
    bed.clock.passes(seconds=3)
    assert [bell.job for bell in bed.store.due(limit=2)] == ["think:t"]


# A clock that was set back


def set_back(bed: Bed, **span: float) -> None:
    """As the last tick noted the time, the clock turned out to be wrong."""
    bed.store.raise_high_water()
    bed.clock.passes(**{unit: -size for unit, size in span.items()})


def test_what_was_due_before_the_clock_was_set_back_is_due(bed: Bed) -> None:
    bed.emit()
    bed.emit(Expire(id="c"), due=START + timedelta(minutes=1))
    bed.clock.passes(minutes=1)
    assert sorted(bed.rung()) == ["expire:c", "think:t"]
    set_back(bed, hours=5)
    assert sorted(bed.rung()) == ["expire:c", "think:t"]
    assert bed.rung() == []
    assert bed.claimed().attempts == 1
    bed.end(bed.claimed("expire:c"))


def test_what_is_ordered_again_after_the_clock_was_set_back_is_rung_again(bed: Bed) -> None:
    bed.emit()
    set_back(bed, hours=5)
    bed.emit()
    assert bed.bells.names == [["think:t"], ["think:t"]]
    bed.rung()
    bed.clock.passes(seconds=60)
    assert bed.rung() == ["think:t"]
    assert bed.claimed().attempts == 1


def test_a_timer_is_not_early_because_the_clock_was_set_back(bed: Bed) -> None:
    hour = START + timedelta(hours=1)
    bed.emit(Expire(id="c"), due=hour)
    bed.clock.passes(minutes=59)
    set_back(bed, hours=5)
    bed.emit(Expire(id="d"), due=hour)
    assert bed.rung() == []
    assert bed.store.claim("expire:c", worker="worker") is None
    bed.clock.passes(hours=5, seconds=59)
    assert bed.rung() == []
    bed.clock.passes(seconds=1)
    assert sorted(bed.rung()) == ["expire:c", "expire:d"]


def test_a_retry_does_not_wait_until_a_clock_that_was_set_back_catches_up(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.store.retry(job, due=START + timedelta(seconds=30), error="busy")
    set_back(bed, hours=5)
    assert bed.rung() == ["think:t"]
    again = bed.claimed()
    assert again.attempts == 2
    bed.store.retry(again, due=bed.clock.now() + timedelta(seconds=30), error="busy")
    assert bed.rung() == []
    bed.clock.passes(seconds=30)
    assert bed.rung() == ["think:t"]


def test_what_was_taken_from_the_dead_before_the_clock_was_set_back_is_due(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    bed.store.release([job.claim])
    set_back(bed, hours=5)
    assert bed.rung() == ["think:t"]
    assert bed.claimed().attempts == 2


def test_a_canary_of_a_clock_that_was_set_back_rings_nothing_over_and_over(bed: Bed) -> None:
    late = bed.store.sent_canary(THINK.queue)
    bed.store.passed_canary(late.job, THINK.queue)
    set_back(bed, hours=5)
    bed.emit()
    assert bed.rung() == []
    bed.clock.passes(seconds=1)
    bed.store.passed_canary(bed.store.sent_canary(THINK.queue).job, THINK.queue)
    assert bed.rung() == ["think:t"]


def test_what_is_held_while_the_clock_is_set_back_stays_so(bed: Bed) -> None:
    job = bed.claimed(bed.emit())
    set_back(bed, hours=5)
    assert bed.rung() == []
    assert bed.store.held() == {"think:t": (job.claim, 0)}
    bed.end(job)


def test_a_canary_has_its_queue_and_no_job(bed: Bed) -> None:
    bell = bed.store.sent_canary(Queue.TOOLS)
    assert (bell.kind, bell.queue) == (CANARY, Queue.TOOLS)
    assert bed.store.jobs() == []


def test_a_queue_that_no_canary_has_crossed_is_absent(bed: Bed) -> None:
    bell = bed.store.sent_canary(Queue.TOOLS)
    bed.store.sent_canary(Queue.SLOW)
    assert bed.store.canaries() == {}
    bed.clock.passes(seconds=2)
    bed.store.passed_canary(bell.job, Queue.TOOLS)
    assert bed.store.canaries() == {Queue.TOOLS: START + timedelta(seconds=2)}


# Looking at it


def test_jobs_are_listed_by_trace_and_by_failure(bed: Bed) -> None:
    bed.emit()
    bed.write(lambda tx: tx.emit(Run(id="r")), cause=bed.they)
    job = bed.claimed()
    bed.write(lambda tx: tx.fail(job, "no"))
    assert {row.id for row in bed.store.jobs()} == {"think:t", "run:r"}
    assert [row.id for row in bed.store.jobs(trace="a" * 32)] == ["think:t"]
    assert [row.id for row in bed.store.jobs(failed=True)] == ["think:t"]
    [other] = bed.store.jobs(failed=False)
    assert (other.id, other.owner, other.queue) == ("run:r", "other", Queue.TOOLS)
    assert other.due == START.astimezone(UTC)
