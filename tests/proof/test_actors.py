"""Several people, clocks and workers at one call at the same moment: one outcome, one effect.

Real threads on real databases. Each round's seed is in the message of what fails.
"""

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Lock
from time import sleep
from typing import Any

import pytest

from assistant.domain.approvals.approval import ApprovalAnswer, ApprovalState, Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import AssistantError
from assistant.domain.governance.modes import Mode
from assistant.domain.messages import Expire
from assistant.flows.approvals.plans import approve_plan, deny_plan
from tests.bed import race
from tests.proof.conftest import TIMES
from tests.proof.stage import Stage
from tests.proof.witness import all_is_told, nothing_is_wrong
from tests.stores import Fresh
from tests.world import ME

ROUNDS = {"sqlite": 8, "postgres": 12}
IN_ONE_STORE = 4
"""Rounds in the same store, one after the other."""
_SEED = 20_261_123
_S, _A = CallState, ApprovalState
_OUTCOMES = {
    (_S.DONE, _A.APPROVED),
    (_S.DONE, _A.VOID),
    (_S.DENIED, _A.DENIED),
    (_S.EXPIRED, _A.EXPIRED),
    (_S.VOID, _A.VOID),
    (_S.VOID, _A.APPROVED),
    (_S.SUPERSEDED, _A.VOID),
    (_S.CANCELLED, _A.APPROVED),
}
"""How a call and its approval can end together. Done with a void yes: lockdown came too late.
Void with a yes: the yes had expired when its call was to run.
"""
_WANTS = (
    Want(tool="create_event", args={"title": "Tea", "start": "2026-11-30"}),
    Want(tool="send_message", args={"words": "x"}),
    Want(tool="run_command", args={"words": "x"}),
    Want(tool="write_file", args={"path": "public:/a.txt", "content": "x", "overwrite": True}),
)

Act = Callable[[], object]


class Round:
    """One call that waits, and all who are at it."""

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        self.stage = stage
        self.chance = chance
        self.accepted: list[str] = []
        self._lock = Lock()
        stage.wants(self._wanted())
        self.call = stage.calls_made()[-1]
        approval = stage.approval(self.call)
        assert approval is not None, self.call
        self.approval = approval
        self.edited = ""

    def _wanted(self) -> Want:
        stage_words = {"title": f"Tea {self.chance.random()}"}
        wanted = self.chance.choice(_WANTS)
        return wanted.model_copy(
            update={"args": {k: stage_words.get(k, v) for k, v in wanted.args.items()}}
        )

    def actors(self) -> dict[str, Act]:
        return {
            "yes": partial(self.press, Verb.APPROVE),
            "second yes": partial(self.press, Verb.APPROVE),
            "no": partial(self.press, Verb.DENY),
            "edit": self._edit,
            "expire": self._expire,
            "lockdown": self._lockdown,
            "stop": self.stage.stops,
            "worker": self.work,
            "other worker": self.work,
        }

    def press(self, verb: Verb) -> ApprovalAnswer:
        card, word = self.approval.card, self.call.word
        answer = self.stage.answers(verb, self.call, card=card, word=word)
        self._note(answer, verb)
        return answer

    def _note(self, answer: ApprovalAnswer | None, what: str) -> None:
        with self._lock:
            if answer is not None and answer.accepted:
                self.accepted.append(what)

    def _edit(self) -> None:
        args = {"title": "Other"} if self.call.tool == "create_event" else {}
        args = args or ({"content": "y"} if self.call.tool == "write_file" else {"words": "y"})
        answer = self.stage.changes(self.call, args, card=self.approval.card)
        self._note(answer, "edit")
        if answer is not None and answer.accepted:
            self.edited = answer.call

    def _expire(self) -> None:
        """Its time comes, for everybody at once."""
        self.stage.clock.time = self.approval.expires + timedelta(seconds=1)
        with self.stage.store.begin(self.stage.cause) as tx:
            tx.emit(Expire(id=self.call.id))
        self.stage.works(f"expire:{self.call.id}")

    def _lockdown(self) -> None:
        self.stage.enters(Mode.LOCKDOWN)

    def work(self) -> None:
        """Takes the call's run as soon as it is there, if it is ever."""
        for _ in range(40):
            self.stage.works(f"run:{self.call.id}")

    def is_over(self) -> None:
        stage = self.stage
        stage.rests()
        call = stage.call(self.call.id)
        approval = stage.approval(call)
        assert approval is not None
        if call.state is not _S.PARKED:
            assert (call.state, approval.state) in _OUTCOMES
        assert len(self.accepted) <= 1, self.accepted
        times = Counter(stage.effects())[call.id]
        assert times <= 1
        if times:
            assert self.accepted == ["approve"]
        if call.state is _S.SUPERSEDED:
            assert self.accepted == ["edit"]
            new = stage.call(self.edited)
            assert new.state in (_S.PARKED, _S.EXPIRED, _S.VOID)
            assert not Counter(stage.effects())[new.id], "nobody said yes to what it became"
        assert self.accepted.count("deny") == (call.state is _S.DENIED)

    def clears_up(self) -> None:
        """The assistant is as it was, and nothing waits."""
        stage = self.stage
        with stage.store.read(stage.cause) as tx:
            locked = tx.mode().mode is Mode.LOCKDOWN
        if not locked:
            stage.enters(Mode.LOCKDOWN)
        stage.leaves(Mode.NORMAL)
        stage.settle()


def rounds(fresh: Fresh, kind: str, seed: int, *always: str) -> Counter[str]:
    """So many rounds; what came of the calls, by state."""
    chance = random.Random(seed)
    ended: Counter[str] = Counter()
    for number in range(ROUNDS[kind] * TIMES):
        if number % IN_ONE_STORE == 0:
            stage = Stage(fresh())
            stage.alone = False
            stage.saves("version: 1\ndefault: ask\n")
        this = Round(stage, chance)
        everyone = this.actors()
        others = sorted(everyone.keys() - set(always) - {"worker"})
        names = [*always, "worker", *chance.sample(others, chance.randrange(3))]
        late = [chance.choice([0.0, 0.001, 0.003]) for _ in names]
        raised = race(*[_late(everyone[name], by) for name, by in zip(names, late, strict=True)])
        told = f"seed {seed}, round {number}: {names}, {raised}"
        try:
            _none_stumbled(raised)
            this.is_over()
            nothing_is_wrong(stage)
            all_is_told(stage)
        except AssertionError as error:
            raise AssertionError(f"{told}: {error}") from error
        ended[stage.call(this.call.id).state] += 1
        this.clears_up()
    return ended


def _late(act: Act, seconds: float) -> Act:
    """The same, a moment later."""

    def later() -> object:
        sleep(seconds)
        return act()

    return later


def _none_stumbled(raised: list[object]) -> None:
    """Who comes second is told so in words."""
    errors = [error for error in raised if isinstance(error, AssistantError)]
    assert not errors, errors


@pytest.mark.slow
@pytest.mark.timeout(600 * TIMES)
@pytest.mark.parametrize(
    "at_it",
    [
        ("yes", "no"),
        ("yes", "second yes"),
        ("yes", "expire"),
        ("yes", "edit"),
        ("yes", "lockdown"),
        ("yes", "stop"),
        ("yes", "no", "edit", "expire", "lockdown", "second yes"),
    ],
    ids=" against ".join,
)
def test_of_all_who_are_at_a_call_one_decides_it(
    kind: str, fresh: Fresh, at_it: tuple[str, ...], tell: Callable[[str], None]
) -> None:
    ended = rounds(fresh, kind, _SEED + len("".join(at_it)), *at_it)
    came = ", ".join(f"{count} {state}" for state, count in sorted(ended.items()))
    tell(f"races on {kind}, {' against '.join(at_it)}: {came}")


@pytest.mark.timeout(600 * TIMES)
def test_of_yes_to_all_and_no_to_all_of_a_plan_one_counts(kind: str, fresh: Fresh) -> None:
    chance = random.Random(_SEED)
    stage = Stage(fresh())
    stage.alone = False
    stage.saves("version: 1\ndefault: ask\n")
    for number in range(ROUNDS[kind] * TIMES):
        stage.wants(*_WANTS[:3])
        calls = stage.waiting()
        how: dict[str, Any] = {
            "by": ME,
            "cards": {call.id: stage.card_of(call.handle) for call in calls},
            "cause": stage.cause,
            "ctx": stage.ctx,
        }
        yes = partial(approve_plan, calls[0].id, only_shown=True, **how)
        no = partial(deny_plan, calls[0].id, **how)
        one = partial(stage.answers, Verb.DENY, calls[1], card=how["cards"][calls[1].id])
        at_it = {"yes": yes, "again": yes, "no": no, **({"one": one} if number % 2 else {})}
        late = [chance.choice([0.0, 0.001, 0.003]) for _ in at_it]
        said = race(*[_late(act, by) for act, by in zip(at_it.values(), late, strict=True)])
        _none_stumbled(said)
        stage.rests()
        told = f"seed {_SEED}, round {number}: {said}"
        ended = [stage.call(call.id).state for call in calls]
        answers = dict(zip(at_it, said, strict=True))
        accepted = [
            name
            for name, one in answers.items()
            if isinstance(one, ApprovalAnswer) and one.accepted
        ]
        to_all = {"yes", "again", "no"} & set(accepted)
        assert len(to_all) == 1 or (not to_all and accepted == ["one"]), told
        if "one" in accepted:
            assert ended[1] is _S.DENIED, told
            assert to_all or ended[::2] == [_S.PARKED] * 2, told
        elif "no" in accepted:
            assert ended == [_S.DENIED] * 3, told
        else:
            assert ended == [_S.DONE] * 3, told
        assert all(Counter(stage.effects())[call.id] <= 1 for call in calls), told
        nothing_is_wrong(stage)
        for call in stage.waiting():  # what followed a no is asked about again
            stage.answers(Verb.DENY, call, card=stage.card_of(call.handle))
        stage.rests()


@pytest.mark.timeout(600 * TIMES)
def test_a_stop_as_the_call_begins_is_in_time_or_says_that_it_is_not(
    kind: str, fresh: Fresh
) -> None:
    chance = random.Random(_SEED)
    stage = Stage(fresh())
    stage.alone = False
    stage.saves("version: 1\ndefault: ask\n")
    for number in range(ROUNDS[kind] * TIMES):
        this = Round(stage, chance)
        this.press(Verb.APPROVE)
        late = chance.choice([0.0, 0.001, 0.002, 0.003])
        raised = race(_late(stage.stops, late), this.work, this.work)
        _none_stumbled(raised)
        stopped = str(raised[0])
        this.is_over()
        nothing_is_wrong(stage)
        call = stage.call(this.call.id)
        told = f"seed {_SEED}, round {number}: {stopped}, {call}"
        assert (call.state is _S.CANCELLED) == (f"Not done: {call.handle}." in stopped), told
