"""Each kind of thing has one printed table of steps, and takes no other."""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain import approvals, call_states, mail, modes
from assistant.domain.approvals import ApprovalState
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call, Facts
from assistant.domain.errors import IllegalStep
from assistant.domain.mail import Mail, MailState
from assistant.domain.modes import Mode

TABLES: tuple[tuple[type[StrEnum], Mapping[Any, frozenset[Any]], StrEnum], ...] = (
    (CallState, call_states.NEXT, CallState.PROPOSED),
    (MailState, mail.NEXT, MailState.STORED),
    (ApprovalState, approvals.NEXT, ApprovalState.OPEN),
    (Mode, modes.NEXT, Mode.NORMAL),
)
each_table = pytest.mark.parametrize(
    ("states", "following", "first"), TABLES, ids=[table[0].__name__ for table in TABLES]
)


def call(state: CallState) -> Call:
    facts = Facts(args={})
    return Call(
        id="c", owner="o", conversation="t", turn=1, ordinal=0, tool="x", facts=facts, state=state
    )


def a_mail(state: MailState) -> Mail:
    return Mail(
        id="m",
        owner="o",
        sha256="0" * 64,
        size=1,
        door="file",
        raw="raw",
        received=datetime(2026, 11, 23, tzinfo=UTC),
        state=state,
    )


@each_table
def test_every_state_has_its_row(
    states: type[StrEnum], following: Mapping[Any, frozenset[Any]], first: StrEnum
) -> None:
    assert set(following) == set(states)
    assert set().union(*following.values()) <= set(states)
    assert first in following


@each_table
def test_every_state_can_be_reached(
    states: type[StrEnum], following: Mapping[Any, frozenset[Any]], first: StrEnum
) -> None:
    reached, fresh = {first}, {first}
    while fresh:
        fresh = {to for state in fresh for to in following[state]} - reached
        reached |= fresh
    assert reached == set(states)


@each_table
def test_no_step_leads_back_to_itself(
    states: type[StrEnum], following: Mapping[Any, frozenset[Any]], first: StrEnum
) -> None:
    assert [state for state in states if state in following[state]] == []
    assert first in states


@pytest.mark.parametrize("to", CallState)
@pytest.mark.parametrize("state", CallState)
def test_a_call_takes_the_steps_of_its_table_and_no_others(state: CallState, to: CallState) -> None:
    if to in call_states.NEXT[state]:
        assert call(state).step(to, result="because") == call(to).model_copy(
            update={"result": "because"}
        )
    else:
        with pytest.raises(IllegalStep, match=f"from {state} to {to}"):
            call(state).step(to)


@pytest.mark.parametrize("to", MailState)
@pytest.mark.parametrize("state", MailState)
def test_a_mail_takes_the_steps_of_its_table_and_no_others(state: MailState, to: MailState) -> None:
    if to in mail.NEXT[state]:
        assert a_mail(state).step(to).state is to
    else:
        with pytest.raises(IllegalStep, match=f"from {state} to {to}"):
            a_mail(state).step(to)


@given(st.lists(st.sampled_from(CallState), max_size=30))
def test_no_walk_runs_what_was_never_cleared(wishes: list[CallState]) -> None:
    walked = call(CallState.PROPOSED)
    path = [walked.state]
    for wish in wishes:
        if wish in call_states.NEXT[walked.state]:
            walked = walked.step(wish)
            path.append(walked.state)
    for before, state in pairwise(path):
        if state is CallState.RUNNING:
            assert before is CallState.CLEARED
        if state is CallState.DONE:
            assert before in (CallState.RUNNING, CallState.UNKNOWN)
    ended = [state for state in path if not call_states.NEXT[state]]
    assert ended in ([], [path[-1]])


@given(st.lists(st.sampled_from(ApprovalState), max_size=10))
def test_no_walk_approves_what_was_answered(wishes: list[ApprovalState]) -> None:
    state, yes = ApprovalState.OPEN, 0
    for wish in wishes:
        if wish in approvals.NEXT[state]:
            assert wish is not ApprovalState.APPROVED or state is ApprovalState.OPEN
            state, yes = wish, yes + (wish is ApprovalState.APPROVED)
    assert yes <= 1
