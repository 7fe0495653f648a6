"""What a bus of confirmations promises, kept by approvals: each question has its own answer."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.domain.approvals import Answer, Approval, ApprovalState, Verb
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.modes import Mode
from assistant.domain.talk import Want
from tests.bed import race
from tests.proof.conftest import TIMES, Fresh
from tests.proof.stage import Stage
from tests.proof.witness import nothing_is_wrong

Question = tuple[Call, Approval]

quick = settings(
    max_examples=4 * TIMES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
answers = st.lists(st.booleans(), min_size=2, max_size=5)
_BECAME = {True: CallState.DONE, False: CallState.DENIED}


def asked(stage: Stage, count: int, *, at_once: bool = False) -> list[Question]:
    """So many questions, each of its own turn or all of one; alike but for who they are."""
    want = Want(tool="send_message", args={"words": "the same"})
    stage.saves("version: 1\ndefault: ask\n")
    if at_once:
        stage.wants(*[want] * count)
    for _ in range(0 if at_once else count):
        stage.wants(want)
    return [(call, found) for call in stage.calls_made() if (found := stage.approval(call))]


def answer(stage: Stage, question: Question, *, yes: bool) -> Answer:
    call, approval = question
    return stage.answers(Verb.APPROVE if yes else Verb.DENY, call, card=approval.card)


def became(stage: Stage, questions: Sequence[Question]) -> list[CallState]:
    return [stage.call(call.id).state for call, _ in questions]


@quick
@given(count=st.integers(1, 8), at_once=st.booleans())
def test_each_question_has_an_id_of_its_own(fresh: Fresh, count: int, *, at_once: bool) -> None:
    """Property 38: any set of confirmation requests have unique correlation ids.

    Here: ids of call and approval, what the yes is bound to, and the card, though all ask the same.
    """
    questions = asked(Stage(fresh()), count, at_once=at_once)
    assert len(questions) == count
    names: list[Callable[[Question], Any]] = [
        lambda q: q[0].id,
        lambda q: q[0].handle,
        lambda q: q[1].id,
        lambda q: q[1].binding,
        lambda q: q[1].card,
    ]
    for name in names:
        assert len({name(question) for question in questions}) == count


@quick
@given(said=answers, order=st.randoms(use_true_random=False))
def test_an_answer_reaches_the_question_it_is_for(
    fresh: Fresh, said: list[bool], order: Any
) -> None:
    """Property 39: a response goes to the request of its correlation id, in whatever order."""
    stage = Stage(fresh())
    questions = asked(stage, len(said))
    pairs = list(zip(questions, said, strict=True))
    order.shuffle(pairs)
    for n, (question, yes) in enumerate(pairs):
        (call, _), (_, others) = question, pairs[n - 1][0]
        assert not stage.answers(Verb.APPROVE, call, card=others.card).accepted
        assert answer(stage, question, yes=yes).accepted
        stage.clock.passes(seconds=1)
    stage.rests()
    assert became(stage, questions) == [_BECAME[yes] for yes in said]
    assert sorted(stage.effects()) == sorted(
        call.id for (call, _), yes in zip(questions, said, strict=True) if yes
    )
    nothing_is_wrong(stage)


@quick
@given(said=st.lists(st.sampled_from([True, False, None]), min_size=2, max_size=5))
def test_a_question_that_nobody_answers_expires(fresh: Fresh, said: list[bool | None]) -> None:
    """Property 40: a request without a response in time ends with a time-out that is told."""
    stage = Stage(fresh())
    questions = asked(stage, len(said))
    for question, yes in zip(questions, said, strict=True):
        if yes is not None:
            assert answer(stage, question, yes=yes).accepted
    stage.rests()
    stage.clock.passes(hours=73)
    stage.rests()
    for question, yes in zip(questions, said, strict=True):
        call = stage.call(question[0].id)
        assert call.state is (CallState.EXPIRED if yes is None else _BECAME[yes])
        if yes is None:
            assert call.result == "it expired before the owner answered; nothing was done"
            assert not answer(stage, question, yes=True).accepted
    nothing_is_wrong(stage)


@quick
@given(said=answers)
def test_questions_that_are_answered_at_once_do_not_meet(fresh: Fresh, said: list[bool]) -> None:
    """Property 41: concurrent requests are handled each on its own."""
    stage = Stage(fresh())
    questions = asked(stage, len(said))
    stage.alone = False
    taken = race(
        *[
            partial(answer, stage, question, yes=yes)
            for question, yes in zip(questions, said, strict=True)
        ]
    )
    assert all(isinstance(one, Answer) and one.accepted for one in taken), taken
    stage.rests()
    assert became(stage, questions) == [_BECAME[yes] for yes in said]
    nothing_is_wrong(stage)


@quick
@given(said=st.lists(st.booleans(), min_size=1, max_size=4), lockdown=st.booleans())
def test_a_question_that_is_called_off_is_answered_so(
    fresh: Fresh, said: list[bool], *, lockdown: bool
) -> None:
    """Property 42: a cancelled request ends as cancelled, is told so, and takes no answer after.

    A stop cancels what has its yes and has not begun; lockdown ends what waits as well.
    """
    stage = Stage(fresh())
    questions = asked(stage, len(said))
    for question, yes in zip(questions, said, strict=True):
        if yes:
            assert answer(stage, question, yes=True).accepted
    if lockdown:
        stage.enters(Mode.LOCKDOWN)
    else:
        stage.stops()
    ended = CallState.VOID if lockdown else CallState.CANCELLED
    waits = CallState.VOID if lockdown else CallState.PARKED
    assert became(stage, questions) == [ended if yes else waits for yes in said]
    stage.rests()
    assert stage.effects() == []
    for question, yes in zip(questions, said, strict=True):
        call, approval = stage.call(question[0].id), stage.approval(question[0])
        assert approval is not None
        if call.state is ended:
            assert call.result in ("the owner stopped it", _VOID)
            assert not answer(stage, question, yes=True).accepted
        else:
            assert (approval.state, yes) == (ApprovalState.OPEN, False)
    nothing_is_wrong(stage)


_VOID = "void: the house went into lockdown; nothing was done"
