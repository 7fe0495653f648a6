"""What every store promises when two are at it at once: one wins, and nothing is lost."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Event

from assistant.domain.approvals import Approval, ApprovalState
from assistant.domain.call_states import OWED, CallState
from assistant.domain.calls import Call
from assistant.domain.errors import AssistantError, BadArguments, Conflict, LeaseLost, NotFound
from assistant.domain.jobs import Cause, Job
from assistant.domain.messages import Deliver, Message, Run, Think
from assistant.domain.talk import Role
from assistant.ports import Tx
from tests.bed import START, Bed, a_call, a_delivery, a_mail, race, said

ROUNDS = 8


def often(act: Callable[[int], object]) -> None:
    for n in range(ROUNDS):
        act(n)


def test_one_claim_wins(bed: Bed) -> None:
    def once(n: int) -> None:
        name = bed.emit(Run(id=f"r{n}"))
        claims = race(*[lambda: bed.store.claim(name, worker="worker")] * 4)
        assert sum(isinstance(job, Job) for job in claims) == 1

    often(once)


def test_one_move_wins(bed: Bed) -> None:
    def once(_n: int) -> None:
        call = bed.call()
        moves = race(*[lambda: bed.write(lambda tx: tx.move(call, CallState.RUNNING))] * 3)
        assert Counter(type(move) for move in moves) == {Call: 1, Conflict: 2}
        assert bed.look(lambda tx: tx.call(call.id)).fence == 1

    often(once)


def test_one_answer_wins(bed: Bed) -> None:
    def settle(approval: Approval, to: ApprovalState) -> ApprovalState:
        return bed.write(lambda tx: tx.settle(approval, to, by=to, reason="", at=START)).state

    def once(_n: int) -> None:
        approval = bed.approval(bed.call())
        answers = race(
            partial(settle, approval, ApprovalState.APPROVED),
            partial(settle, approval, ApprovalState.DENIED),
        )
        [won] = [answer for answer in answers if isinstance(answer, ApprovalState)]
        assert any(isinstance(answer, Conflict) for answer in answers)
        assert bed.look(lambda tx: tx.approval(approval.call)).by == won

    often(once)


def test_one_sighting_is_the_first(bed: Bed) -> None:
    def once(n: int) -> None:
        seen = race(*[lambda: bed.write(lambda tx: tx.first_sight("terminal", f"e{n}"))] * 3)
        assert Counter(map(str, seen)) == {"True": 1, "False": 2}

    often(once)


def test_one_conversation_is_begun(bed: Bed) -> None:
    def once(n: int) -> None:
        talks = race(*[lambda: bed.talk(f"place {n}")] * 3)
        assert len({str(talk) for talk in talks}) == 1

    often(once)


def test_one_conversation_follows_a_long_silence(bed: Bed) -> None:
    def once(_n: int) -> None:
        old = bed.talk()
        bed.clock.passes(hours=1)
        talks = {str(talk) for talk in race(*[bed.talk] * 3)}
        assert len(talks) == 1
        assert old not in talks

    often(once)


def test_the_same_mail_through_two_doors_is_one(bed: Bed) -> None:
    def once(n: int) -> None:
        mail = a_mail(f"mail {n}")
        added = race(*[lambda: bed.write(lambda tx: tx.add_mail(mail))] * 3)
        ids = [None if answer is None else getattr(answer, "id", answer) for answer in added]
        assert Counter(ids) == {None: 1, mail.id: 2}

    often(once)


def test_calls_get_numbers_of_their_own(bed: Bed) -> None:
    talk = bed.talk()
    race(*[lambda: often(lambda _: bed.call(conversation=talk))] * 3)
    numbers = [call.number for call in bed.look(lambda tx: tx.calls())]
    assert numbers == list(range(3 * ROUNDS, 0, -1))


def test_entries_get_places_without_a_gap(bed: Bed) -> None:
    talk = bed.talk()
    given: list[int] = []

    def speak(_n: int) -> None:
        given.append(bed.write(lambda tx: tx.append(talk, said(), answer=True)))

    race(*[partial(often, speak)] * 3)
    assert sorted(given) == list(range(1, 3 * ROUNDS + 1))
    assert [entry.seq for entry in bed.look(lambda tx: tx.entries(talk, last=99))] == sorted(given)
    assert bed.look(lambda tx: tx.conversation(talk)).heard == 3 * ROUNDS


def test_one_who_stumbles_leaves_no_gap_to_the_others(bed: Bed) -> None:
    talk = bed.talk()

    def stumble(tx: Tx) -> None:
        tx.append(talk, said(), answer=True)
        raise AssistantError("stumbled")

    def once(_n: int) -> None:
        speak = partial(bed.write, lambda tx: tx.append(talk, said(), answer=True))
        race(speak, partial(bed.write, stumble), speak)

    often(once)
    seqs = [entry.seq for entry in bed.look(lambda tx: tx.entries(talk, last=99))]
    assert seqs == list(range(1, 2 * ROUNDS + 1))


# Jobs


def test_one_order_given_many_times_at_once_is_one_job(bed: Bed) -> None:
    often(lambda n: race(*[lambda: bed.emit(Run(id=f"r{n}"))] * 4))
    assert sorted(job.id for job in bed.store.jobs()) == [f"run:r{n}" for n in range(ROUNDS)]


def test_an_order_given_as_the_work_ends_is_never_lost(bed: Bed) -> None:
    def once(_n: int) -> None:
        job = bed.claimed(bed.emit())
        race(lambda: bed.emit() and None, partial(bed.end, job))
        [left] = bed.store.jobs()
        assert not left.claimed
        bed.end(bed.claimed())
        assert bed.store.jobs() == []

    often(once)


def test_work_that_ends_as_it_is_taken_away_ends_once(bed: Bed) -> None:
    talk = bed.talk()
    ends: list[int] = []

    def end(job: Job) -> int:
        with bed.store.begin(job) as tx:
            tx.done(job)
            return tx.append(talk, said(), answer=False)

    def once(_n: int) -> None:
        job = bed.claimed(bed.emit())
        ended, released = race(partial(end, job), lambda: bed.store.release([job.claim]))
        if isinstance(ended, LeaseLost):
            assert released == 1
            ended = end(bed.claimed())
        assert isinstance(ended, int)
        ends.append(ended)
        assert bed.store.jobs() == []

    often(once)
    assert ends == list(range(1, ROUNDS + 1))


def test_a_due_job_is_rung_once_however_many_ticks_there_are(bed: Bed) -> None:
    often(lambda n: bed.emit(Run(id=f"r{n}"), due=START.replace(hour=9)))
    bed.clock.passes(hours=2)
    rung = race(*[bed.rung] * 4)
    names = Counter(name for mine in rung if isinstance(mine, list) for name in mine)
    names.update(bed.rung())
    assert names == {f"run:r{n}": 1 for n in range(ROUNDS)}


def test_two_jobs_that_end_and_order_each_other_do_not_wait_in_a_circle(bed: Bed) -> None:
    def end(job: Job, order: Message) -> None:
        with bed.store.begin(job) as tx:
            tx.done(job)
            tx.emit(order)

    def once(_n: int) -> None:
        first, second = Run(id="a"), Run(id="z")
        one, other = bed.claimed(bed.emit(first)), bed.claimed(bed.emit(second))
        assert race(partial(end, one, second), partial(end, other, first)) == [None, None]
        for row in bed.store.jobs():
            bed.end(bed.claimed(row.id))

    often(once)


# Talks


def test_of_two_outcomes_that_end_together_one_sees_nothing_owed(bed: Bed) -> None:
    """Without the conversation's lock each would see the other open, and the talk would stall."""

    def end(call: Call) -> bool:
        with bed.store.begin(bed.me) as tx:
            tx.conversation(call.conversation, lock=True)
            tx.move(tx.call(call.id, lock=True), CallState.DONE)
            owed = tx.calls(conversation=call.conversation, turn=call.turn, states=OWED)
            outcome = said(role=Role.OUTCOME, call=call.id)
            tx.append(call.conversation, outcome, answer=not owed)
            return not owed

    def once(n: int) -> None:
        talk = bed.talk(f"place {n}")
        calls = [bed.call(conversation=talk, state=CallState.RUNNING) for _ in range(3)]
        last = race(*[partial(end, call) for call in calls])
        assert Counter(map(str, last)) == {"True": 1, "False": 2}
        assert bed.look(lambda tx: tx.conversation(talk)).owed

    often(once)


def test_looking_does_not_wait_for_a_writer(bed: Bed) -> None:
    talk = bed.talk()
    with bed.store.begin(bed.me) as tx:
        tx.append(talk, said(), answer=True)
        seen = race(*[lambda: bed.look(lambda t: t.conversation(talk).heard)] * 3)
    assert seen == [0, 0, 0]


@dataclass
class Day:
    """What goes on at once in one conversation, each with the locks that its flow takes."""

    bed: Bed
    talk: str
    parked: list[Call]

    def hear(self, n: int) -> None:
        with self.bed.store.begin(self.bed.me) as tx:
            tx.first_sight("terminal", f"e{n}")
            found = tx.conversation_in("terminal", "here", idle=60.0)
            tx.append(found.id, said(), answer=True)
            tx.emit(Think(id=found.id))

    def think(self, _n: int) -> None:
        job = self.bed.store.claim(f"think:{self.talk}", worker="thinker")
        if job is None:
            return
        with self.bed.store.begin(job) as tx:
            tx.done(job)
            now = tx.conversation(self.talk, lock=True)
            tx.thought(self.talk, seen=now.heard, tainted=False)
            placed = tx.add_call(a_call(self.talk))
            tx.want(a_delivery("words", id=f"words-{placed.id}"))
            tx.want(a_delivery("thinking", id="status"))
            tx.emit(Run(id=placed.id))

    def press(self, n: int) -> None:
        with self.bed.store.begin(self.bed.me) as tx:
            tx.conversation(self.talk, lock=True)
            call = tx.call(self.parked[n].id, lock=True)
            tx.settle(tx.approval(call.id), ApprovalState.APPROVED, by="me", reason="", at=START)
            tx.move(call, CallState.CLEARED)
            tx.want(a_delivery(f"pressed {n}", id="status"))
            tx.emit(Run(id=call.id))

    def run(self, _n: int) -> None:
        for row in self.bed.store.jobs():
            if row.id.startswith("run:"):
                job = self.bed.store.claim(row.id, worker="runner")
                if job is not None:
                    self._carry_out(job)

    def _carry_out(self, job: Job) -> None:
        with self.bed.store.begin(job) as tx:
            running = tx.move(tx.call(job.message.id, lock=True), CallState.RUNNING)
            tx.hold(job)
        with self.bed.store.begin(job) as tx:
            tx.conversation(self.talk, lock=True)
            tx.move(tx.call(running.id, lock=True), CallState.DONE)
            tx.want(a_delivery(f"ran {running.id}", id="status"))
            tx.append(self.talk, said(role=Role.OUTCOME), answer=True)
            tx.emit(Think(id=self.talk))
            tx.done(job)

    def deliver(self, _n: int) -> None:
        job = self.bed.store.claim("deliver:status", worker="deliverer")
        if job is None:
            return
        with self.bed.store.begin(job) as tx:
            tx.done(job)
            tx.shown(tx.delivery("status", lock=True), handle="m1")
            tx.emit(Deliver(id="status"))

    def tick(self, over: Event) -> None:
        while not over.wait(0.001):
            self.bed.store.beat([claim for claim, _ in self.bed.store.held().values()])
            self.bed.store.due()


def test_hearing_thinking_pressing_running_and_beating_never_wait_in_a_circle(bed: Bed) -> None:
    """Conversation, call, delivery, and jobs last: in that order nobody meets crosswise."""
    talk = bed.talk()
    parked = [bed.call(conversation=talk, state=CallState.PARKED) for _ in range(ROUNDS)]
    for call in parked:
        bed.approval(call)
    day, over = Day(bed, talk, parked), Event()
    with ThreadPoolExecutor(1) as ticker:
        ticking = ticker.submit(day.tick, over)
        acts = (day.hear, day.think, day.press, day.run, day.deliver)
        raised = race(*[partial(often, act) for act in acts])
        over.set()
        ticking.result()
    assert raised == [None] * len(acts)


def test_many_threads_write_at_once_and_what_fails_fails_by_itself(bed: Bed) -> None:
    stranger = Cause(owner="nobody", trace="c" * 32)

    def work(number: int) -> str:
        message = Think(id=f"{number:02}")
        cause = stranger if number % 10 == 0 else bed.me
        try:
            bed.write(lambda tx: tx.emit(message), cause=cause)
        except (NotFound, BadArguments):
            return "refused"
        job = bed.store.claim(message.name, worker="worker")
        assert job is not None
        assert bed.store.claim(message.name, worker="another") is None
        bed.end(job)
        return "done"

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(work, range(80)))
    assert told == ["refused" if number % 10 == 0 else "done" for number in range(80)]
    assert bed.store.jobs() == []
