"""What the proofs found once, each as a story."""

from datetime import timedelta

import pytest

from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.call import Reach
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import Unreachable
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.grants import Bound, Fit, Grant
from assistant.flows.approvals.plans import approve_plan
from assistant.flows.approvals.similar import approve_similar, draft_similar, scope_digest
from tests.proof.stage import Stage
from tests.proof.witness import all_is_told, nothing_is_wrong
from tests.world import MONDAY

EVENT = Want(tool="create_event", args={"title": "Tea", "start": "2026-11-30"})
FILE = Want(tool="write_file", args={"path": "a.txt", "content": "x"})
SHARE = Want(tool="write_file", args={"path": "shared:/a.txt", "content": "x"})
LIST = Want(tool="list_files")
TEA = Event(uid="tea", title="Tea", when=When(start=MONDAY, end=MONDAY + timedelta(hours=1)))
ASK = "version: 1\ndefault: ask\n"


def granted(stage: Stage, *, uses: int = 1, hours: float = 1) -> Grant:
    """A policy that asks about all, and a grant that lets one file be shared."""
    stage.saves(ASK)
    wanted = Grant(
        id="g",
        owner="owner",
        tool="write_file",
        version="1",
        scope=(
            Bound(arg="path", fit=Fit.LITERAL, value="shared:/a.txt"),
            Bound(arg="content", fit=Fit.ANY),
            Bound(arg="overwrite", fit=Fit.ANY),
        ),
        destination="files",
        reach=Reach.SENDS,
        created=stage.clock.now(),
        by="terminal:owner",
        expires=stage.clock.now() + timedelta(hours=hours),
        uses=uses,
    )
    with stage.store.begin(stage.cause) as tx:
        return tx.add_grant(wanted)


def test_the_last_use_of_a_grant_counts_when_the_call_runs(stage: Stage) -> None:
    granted(stage)
    stage.wants(SHARE)
    assert stage.call().state is CallState.DONE
    stage.wants(Want(tool="write_file", args={**SHARE.args, "overwrite": True}))
    assert stage.call("A2").state is CallState.PARKED


def test_a_grant_that_was_revoked_before_the_call_ran_lets_nothing_run(stage: Stage) -> None:
    grant = granted(stage)
    stage.wants(SHARE, settle=False)
    stage.answer_next()
    with stage.store.begin(stage.cause) as tx:
        tx.revoke_grants([grant.id], by="terminal:owner", at=stage.clock.now())
    stage.settle()
    assert stage.call().state is CallState.VOID
    assert stage.files() == []


def test_a_clock_set_back_makes_no_expired_grant_fresh(stage: Stage) -> None:
    granted(stage, uses=9)
    stage.wants(SHARE, settle=False)
    stage.answer_next()
    stage.clock.passes(hours=2)
    stage.store.raise_high_water()
    stage.clock.passes(hours=-2)
    stage.settle()
    assert stage.call().state is CallState.VOID
    assert stage.files() == []


def test_a_read_that_waited_for_what_lockdown_voids_is_done(stage: Stage) -> None:
    stage.wants(FILE, LIST, settle=False)
    stage.answer_next()
    stage.enters(Mode.LOCKDOWN)
    stage.settle()
    assert [call.state for call in stage.calls_made()] == [CallState.VOID, CallState.DONE]
    nothing_is_wrong(stage)
    all_is_told(stage)


def test_the_model_hears_of_a_no_although_what_was_to_follow_is_asked_about_again(
    stage: Stage,
) -> None:
    stage.wants(EVENT, FILE)
    stage.clock.passes(seconds=1)
    approval = stage.approval(stage.call("A1"))
    assert approval is not None
    stage.answers(Verb.DENY, "A1", card=approval.card)
    stage.settle()
    assert stage.call("A3").state is CallState.PARKED
    assert stage.model.views[-1].entries[-1].calls[0].outcome == "denied: the owner said no"
    all_is_told(stage)


def test_the_model_hears_of_a_failure_although_what_was_to_follow_is_asked_about_again(
    stage: Stage,
) -> None:
    stage.wants(EVENT, FILE)
    stage.clock.passes(seconds=1)
    stage.calendar._address = "memory://elsewhere/ as owner"
    stage.yes("A1")
    assert stage.call("A1").state is CallState.FAILED
    assert stage.call("A3").state is CallState.PARKED
    all_is_told(stage)


def test_a_yes_that_was_given_in_time_and_comes_to_bear_too_late_does_nothing(
    stage: Stage,
) -> None:
    stage.wants(EVENT)
    stage.yes(settle=False)
    stage.clock.passes(hours=73)
    stage.settle()
    assert stage.call().state is CallState.VOID
    assert "expired" in stage.call().result
    assert stage.calendar.writes == 0


def test_lockdown_can_be_left_although_the_clock_was_set_back(stage: Stage) -> None:
    stage.enters(Mode.LOCKDOWN)
    stage.store.raise_high_water()
    stage.clock.passes(hours=-30)
    stage.leaves(Mode.NORMAL)
    with stage.store.read(stage.cause) as tx:
        assert tx.mode().mode is Mode.NORMAL


def test_what_was_refused_before_its_object_was_found_cannot_be_edited(stage: Stage) -> None:
    stage.wants(Want(tool="update_event", args={"event": "Tea", "start": "2026-11-30"}))
    assert stage.call().state is CallState.REFUSED
    stage.calendar.put(TEA)
    answer = stage.changes(stage.call(), {"event": "Tea"}, card="")
    assert answer is not None
    assert not answer.accepted
    assert len(stage.calls_made()) == 1


@pytest.mark.parametrize("verb", ["undo", "ask again", "yes", "APPROVE", "", "approve "])
def test_what_is_neither_yes_nor_no_is_no_yes(stage: Stage, verb: str) -> None:
    stage.wants(EVENT)
    approval = stage.approval(stage.call())
    assert approval is not None
    answer = stage.answers(verb, "A1", card=approval.card)  # type: ignore[arg-type]  # as a careless channel might
    stage.settle()
    assert not answer.accepted
    assert stage.call().state is CallState.PARKED


@pytest.mark.parametrize("by", ["", "model", "signal:disk"])
def test_nobody_and_no_model_answers(stage: Stage, by: str) -> None:
    stage.wants(EVENT)
    approval = stage.approval(stage.call())
    assert approval is not None
    answer = stage.answers(Verb.APPROVE, "A1", card=approval.card, by=by)
    stage.settle()
    assert not answer.accepted
    again = stage.approval(stage.call())
    assert again is not None
    assert again.state is ApprovalState.OPEN


@pytest.mark.parametrize("by", ["", "model", "signal:disk"])
def test_nobody_and_no_model_grants(stage: Stage, by: str) -> None:
    stage.saves(ASK)
    stage.wants(SHARE)
    ctx, approval = stage.ctx, stage.approval(stage.call())
    assert approval is not None
    scope = scope_digest(draft_similar("A1", by=by, cause=stage.cause, ctx=ctx))
    answer = approve_similar(
        "A1", by=by, card=approval.card, scope=scope, cause=stage.cause, ctx=ctx
    )
    assert not answer.accepted
    with stage.store.read(stage.cause) as tx:
        assert tx.grants(ended=True) == []
    assert stage.call().state is CallState.PARKED


@pytest.mark.parametrize("by", ["", "model", "signal:disk"])
def test_nobody_and_no_model_approves_a_plan(stage: Stage, by: str) -> None:
    stage.saves(ASK)
    stage.wants(SHARE, EVENT)
    cards = {call.id: found.card for call in stage.calls_made() if (found := stage.approval(call))}
    answer = approve_plan("A1", by=by, cards=cards, cause=stage.cause, ctx=stage.ctx)
    assert not answer.accepted
    assert {call.state for call in stage.calls_made()} == {CallState.PARKED}


def test_a_retry_is_not_begun_in_lockdown(stage: Stage) -> None:
    stage.wants(FILE, settle=False)
    stage.within = lambda _call: _lose(stage)
    stage.rests()
    assert stage.call().state is CallState.VOID
    assert stage.files() == []


def _lose(stage: Stage) -> None:
    stage.enters(Mode.LOCKDOWN)
    raise Unreachable("away for a moment")
