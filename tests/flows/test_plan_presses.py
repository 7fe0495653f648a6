"""Whatever is edited, answered and pressed: of a plan runs only what a pressed message showed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Action, Shown
from assistant.domain.errors import Permanent
from assistant.domain.governance.modes import Mode
from assistant.flows.approvals.plans import approve_plan, deny_plan
from assistant.flows.render.plan_card import MOST
from tests.flows.test_batches import booking
from tests.flows.test_overwrites import reads_a_mail
from tests.flows.test_plan_card import height, plans, said_in
from tests.operations import enters, leaves
from tests.stores import Fresh
from tests.world import ME, World

_LONG = "Tax for the flat in the old town by the river, second floor"
_TITLES = ("Rent", "Tax", "Rates for the old flat", _LONG)
_MESSAGE = st.integers(0, 30)
_STEP = st.integers(0, 5)
ACTS = st.one_of(
    st.tuples(st.just("all"), _MESSAGE),
    st.tuples(st.just("none"), _MESSAGE),
    st.tuples(st.just("yes"), _STEP),
    st.tuples(st.just("no"), _STEP),
    st.tuples(st.just("edit"), _STEP),
    st.tuples(st.just("passes"), st.sampled_from([1, 40, 80])),
    st.tuples(st.just("fails"), st.just(0)),
    st.tuples(st.just("lockdown"), st.just(0)),
)


@dataclass
class Reader:
    """The owner, who has every message of the plan that was ever shown, and presses any of them."""

    world: World
    messages: list[Shown] = field(default_factory=list)
    agreed: set[tuple[str, str]] = field(default_factory=set)
    """By call the digest of its card, of what a pressed message showed."""

    def looks(self) -> None:
        for shown in plans(self.world):
            if shown not in self.messages:
                self.messages.append(shown)

    def does(self, act: str, number: int) -> None:
        if act in {"all", "none"}:
            self._presses(self.messages[number % len(self.messages)], act)
        elif act == "passes":
            self.world.clock.passes(hours=number)
        elif act == "fails":
            self.world.calendar.fail_next(Permanent("the calendar said no"), happened=False)
        elif act == "lockdown":
            enters(self.world, Mode.LOCKDOWN)
            assert leaves(self.world, Mode.NORMAL).accepted
        elif waiting := self.world.waiting():
            self._answers(act, waiting[number % len(waiting)], number)
        self.world.settle()
        self.looks()

    def _presses(self, message: Shown, act: str) -> None:
        verb = Verb.PLAN if act == "all" else Verb.DENY_ALL
        pressed = next((one for one in message.actions if one.verb == verb), None)
        if pressed is None:
            return
        before = self._states()
        if act == "all":
            self.agreed |= set(pressed.terms.items())
            self._approves(pressed)
        else:
            deny_plan(
                pressed.subject,
                by=ME,
                cards=pressed.terms,
                cause=self.world.cause,
                ctx=self.world.ctx,
            )
        changed = {id for id, state in self._states().items() if before.get(id) is not state}
        assert changed <= self._touched(pressed), "a press answers what its message showed alone"

    def _approves(self, pressed: Action) -> None:
        approve_plan(
            pressed.subject,
            by=ME,
            cards=pressed.terms,
            only_shown=True,
            cause=self.world.cause,
            ctx=self.world.ctx,
        )

    def _touched(self, pressed: Action) -> set[str]:
        """What a press may change at once: its steps, and what was approved to follow one."""
        approved = {id for id, _ in self.agreed}
        new = {call.id for call in self._calls() if call.supersedes in approved}
        return set(pressed.terms) | approved | new

    def _answers(self, act: str, call: Call, number: int) -> None:
        if act == "edit":
            self.world.edits(call.handle, title=f"{_TITLES[number % len(_TITLES)]} {number}")
            return
        if act == "yes":
            self.agreed.add((call.id, self.world.card_of(call.handle)))
        self.world.presses(Verb.APPROVE if act == "yes" else Verb.DENY, call.handle)

    def _calls(self) -> list[Call]:
        with self.world.store.read(self.world.cause) as tx:
            return list(tx.calls(limit=500))

    def _states(self) -> Mapping[str, CallState]:
        return {call.id: call.state for call in self._calls()}

    def ran_only_what_was_agreed(self) -> None:
        with self.world.store.read(self.world.cause) as tx:
            ran = {entry.subject for entry in tx.audit(kind="call.running")}
            calls = [tx.call(id) for id in ran]
            booked = [call for call in calls if call.tool == "create_event"]
            cards = {(call.id, tx.approval(call.id).card) for call in booked}
        assert cards <= self.agreed
        assert self.world.calendar.writes <= len(cards)

    def was_told_all_of_what_strangers_led_to(self) -> None:
        for message in self.messages:
            assert height(message) <= MOST, message
            yes = next((one for one in message.actions if one.verb == Verb.PLAN), None)
            for id in yes.terms if yes else ():
                call = self.world.call_of(id)
                said = " ".join(said_in(message))
                assert not call.tainted or f"“{call.facts.args['title']}”" in said


@pytest.mark.slow
@given(
    tainted=st.booleans(),
    titles=st.lists(st.sampled_from(_TITLES), min_size=2, max_size=5),
    acts=st.lists(ACTS, max_size=7),
)
def test_of_a_plan_runs_only_what_a_pressed_message_showed(
    fresh: Fresh, *, tainted: bool, titles: list[str], acts: list[tuple[str, int]]
) -> None:
    world = World(fresh())
    reader = Reader(world)
    if tainted:
        reads_a_mail(world)
    world.asks(*(booking(f"{title} {n}", 10 + n) for n, title in enumerate(titles)))
    reader.looks()
    for act, number in acts:
        reader.does(act, number)
    reader.ran_only_what_was_agreed()
    reader.was_told_all_of_what_strangers_led_to()
