"""Any sequence of what people, models, clocks and workers do: nothing happens without its yes."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from assistant.domain.approvals import Verb
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call, Reach
from assistant.domain.errors import Denied, Unreachable, Unsure
from assistant.domain.events import Event, When
from assistant.domain.grants import similar
from assistant.domain.ids import new_id
from assistant.domain.modes import NEXT, Mode
from assistant.domain.talk import Want
from assistant.flows.judging import request_of
from tests.proof.conftest import TIMES, Fresh
from tests.proof.stage import ME, Stage, soon
from tests.proof.witness import all_is_told, nothing_is_wrong
from tests.world import OWNER

EXAMPLES = {"memory": 40, "sqlite": 10, "postgres": 10}
STEPS = 30
"""Of one sequence."""
TEN = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
POLICIES = (
    "version: 1\n",
    "version: 1\ndefault: ask\n",
    "version: 1\ndefault: deny\n",
    "version: 1\nautorun: none\n",
    "version: 1\nrules: [{tool: create_event, action: allow}, {tool: wipe, action: allow}]\n",
    "version: 1\nrules: [{tool: '*', action: allow}]\n",
    "version: 1\nrules: [{tool: update_event, action: deny}, {tool: write_file, action: ask}]\n",
)
HOURS = st.sampled_from([0.0, 0.2, 1, 8, 13, 25, 73, -1, -30])

times = st.sampled_from(["2026-11-30", "2026-11-30T10:00:00+01:00", "2026-12-24T18:00:00+01:00"])
titles = st.sampled_from(["Tea", "Rent"])
events = st.sampled_from(["mine-1", "mine-2", "Tea", "Rent"])
paths = st.sampled_from(["a.txt", "b.txt", "shared:/a.txt", "public:/a.txt"])
words = st.sampled_from(["x", "y"])


def _want(tool: str, **args: st.SearchStrategy[Any]) -> st.SearchStrategy[Want]:
    return st.fixed_dictionaries(args).map(lambda given: Want(tool=tool, args=given))


wants = st.one_of(
    _want("create_event", title=titles, start=times),
    _want("update_event", event=events, start=times),
    _want("update_event", event=events, title=titles),
    _want("delete_event", event=events),
    _want("write_file", path=paths, content=words, overwrite=st.booleans()),
    _want("delete_file", path=paths),
    _want("read_file", path=paths),
    _want("list_files", prefix=st.just("private:/")),
    _want("get_events_availability", start=times, end=times),
    _want("recall"),
    _want("remember", words=words),
    _want("send_message", words=words),
    _want("wipe", words=words),
    _want("run_command", words=words),
    _want("approve_call", words=words),
    _want("no_such_tool", words=words),
    _want("create_event", title=titles),
)


class House(RuleBasedStateMachine):
    """One owner, one model, one queue, of which nobody knows who comes next."""

    fresh: Fresh

    @initialize(first=wants)
    def begins(self, first: Want) -> None:
        self.stage = Stage(self.fresh())
        self.cards: list[str] = []
        self.hands = 0
        self.latest = self.stage.clock.now()
        for uid, title in (("mine-1", "Tea"), ("mine-2", "Rent")):
            self._puts(uid, title)
        self.stage.wants(first)

    def _puts(self, uid: str, title: str, day: int = 0) -> None:
        when = When(start=TEN + timedelta(days=day), end=TEN + timedelta(days=day, hours=1))
        self.stage.calendar.put(Event(uid=uid, title=title, when=when))

    # The model

    @rule(asked=st.lists(wants, min_size=1, max_size=4))
    def asks(self, asked: list[Want]) -> None:
        """The owner says something, and the model asks for this."""
        self.stage.wants(*asked)

    @rule(asked=st.lists(wants, min_size=1, max_size=4))
    def will_ask(self, asked: list[Want]) -> None:
        """The same; the work is left to be done."""
        self.stage.wants(*asked, settle=False)

    # The owner

    def _any_call(self, which: int) -> Call:
        calls = self.stage.calls_made()
        return calls[which % len(calls)]

    def _waiting(self, which: int) -> Call:
        """One that waits, if any does."""
        waiting = [c for c in self.stage.calls_made() if c.state is CallState.PARKED]
        return waiting[which % len(waiting)] if waiting else self._any_call(which)

    def _card(self, call: Call) -> str:
        approval = self.stage.approval(call)
        return approval.card if approval else "0" * 64

    @precondition(lambda self: self.stage.calls_made())
    @rule(which=st.integers(0, 50), at_once=st.booleans())
    def says_yes(self, which: int, *, at_once: bool) -> None:
        """The right button, the right card, the right word."""
        call = self._waiting(which)
        self.stage.answers(Verb.APPROVE, call, card=self._card(call), word=call.word)
        if at_once:
            self.stage.settle()

    @precondition(lambda self: self.stage.calls_made())
    @rule(which=st.integers(0, 50))
    def says_no(self, which: int) -> None:
        call = self._waiting(which)
        self.stage.answers(Verb.DENY, call, card=self._card(call))

    @precondition(lambda self: self.stage.calls_made())
    @rule(
        which=st.integers(0, 50),
        other=st.integers(0, 50),
        how=st.sampled_from(["old card", "no card", "owner", "word", "handle", "by", "verb"]),
    )
    def answers_wrongly(self, which: int, other: int, how: str) -> None:
        call = self._waiting(which)
        card = self._card(call)
        old = self.cards[other % len(self.cards)] if self.cards else ""
        before = self.stage.approval(call)
        press: dict[str, dict[str, Any]] = {
            "old card": {"card": old if old != card else ""},
            "no card": {"card": ""},
            "owner": {"card": card, "owner": "other", "word": call.word},
            "word": {"card": card if call.word else "", "word": "yes"},
            "handle": {"card": card, "call": f"A{10_000 + which}"},
            "by": {"card": card, "by": "model", "word": call.word},
            "verb": {"card": card, "verb": "undo", "word": call.word},
        }
        given: dict[str, Any] = {"verb": Verb.APPROVE, "call": call, **press[how]}
        answer = self.stage.answers(given.pop("verb"), given.pop("call"), **given)
        assert not answer.accepted
        assert self.stage.approval(call) == before

    @precondition(lambda self: self.stage.calls_made())
    @rule(which=st.integers(0, 50), title=titles, path=paths)
    def edits(self, which: int, title: str, path: str) -> None:
        call = self._waiting(which)
        args = {"path": path} if "file" in call.tool else {"title": title}
        self.stage.changes(call, args, card=self._card(call))

    @precondition(lambda self: self.stage.calls_made())
    @rule(which=st.integers(0, 50), similar=st.booleans())
    def says_yes_to_more(self, which: int, *, similar: bool) -> None:
        """To calls like it, or to all that wait with it; as it is shown."""
        self.stage.settle()
        call = self._waiting(which)
        if f"{OWNER}:card-{call.id}" in self.stage.wall.shown and call.state is CallState.PARKED:
            with suppress(Denied):
                _ = self.stage.similar(call.handle) if similar else self.stage.plan(call.handle)

    @precondition(lambda self: self.stage.calls_made())
    @rule(which=st.integers(0, 50), at_once=st.booleans())
    def undoes(self, which: int, *, at_once: bool) -> None:
        done = [call for call in self.stage.calls_made() if call.state is CallState.DONE]
        changes = [call for call in done if call.reach is not Reach.READS]
        call = changes[which % len(changes)] if changes else self._any_call(which)
        self.stage.undoes(call.handle, settle=at_once)

    @rule(want=wants)
    def does_it_without_a_model(self, want: Want) -> None:
        self.stage.calls(want.tool, **want.args)

    @rule(anew=st.booleans())
    def stops(self, *, anew: bool) -> None:
        self.stage.stops()
        if anew:
            self.stage.begins_anew()

    @rule(
        what=st.sampled_from(POLICIES)
        | st.sampled_from([Mode.LOCKDOWN, Mode.NORMAL, Mode.ALERT, Mode.RECOVERY])
        | st.integers(0, 50)
        | st.none()
    )
    def governs(self, what: str | int | Mode | None) -> None:
        """A policy, a mode, a grant for calls like this one; or all grants are revoked."""
        if isinstance(what, Mode):
            self._enters(what)
        elif isinstance(what, str):
            self.stage.saves(what)
        elif what is not None and self.stage.calls_made():
            self._grants(self._waiting(what))
        else:
            self._revokes()

    def _enters(self, mode: Mode) -> None:
        with self.stage.store.read(self.stage.cause) as tx:
            now = tx.mode().mode
        if mode in NEXT[now] and now is Mode.LOCKDOWN:
            self.stage.leaves(mode)
        elif mode in NEXT[now]:
            self.stage.enters(mode)

    def _grants(self, call: Call) -> None:
        stage = self.stage
        with stage.store.begin(stage.cause) as tx:
            talk = tx.conversation(call.conversation)
            request = request_of(call, talk, stage.ctx)
            now = tx.high_water(stage.clock.now())
            with suppress(Denied):
                made = similar(request, id=new_id(), by=ME, now=now, call=call.id, trace="t")
                tx.add_grant(made.model_copy(update={"uses": 2}))

    def _revokes(self) -> None:
        stage = self.stage
        with stage.store.begin(stage.cause) as tx:
            tx.revoke_grants(by=ME, at=tx.high_water(stage.clock.now()))

    # The world

    @rule(what=st.sampled_from(["mine-1", "mine-2", "made", "private:/a.txt", "shared:/a.txt"]))
    def changes_by_hand(self, what: str) -> None:
        """Events and files are what the owner makes of them, whoever else is at it."""
        self.hands += 1
        if what == "made":
            self._renames_what_was_made()
        elif ":" in what:
            self._writes(what)
        else:
            self._puts(what, "Tea" if self.hands % 2 else "Rent", day=self.hands % 3)

    def _renames_what_was_made(self) -> None:
        calendar = self.stage.calendar
        for uid in [uid for uid in calendar._stored if uid.startswith("assistant-")][:1]:
            title = f"By hand {self.hands}"
            calendar.put(calendar.get(uid).model_copy(update={"title": title}))

    def _writes(self, path: str) -> None:
        self.stage.puts_file(path, f"by hand {self.hands}")

    @rule(how=st.sampled_from(["away", "no answer, done", "no answer", "before", "after"]))
    def stumbles(self, how: str) -> None:
        """The calendar is away for the next change, or the next worker is lost at its change."""
        if how in ("before", "after"):
            self.stage.dies = how
        else:
            error = Unreachable(how) if how == "away" else Unsure(how)
            self.stage.calendar.fail_next(error, happened="done" in how)

    @rule(hours=HOURS)
    def time_passes(self, hours: float) -> None:
        """Clocks can be set back; what was seen of them stays seen."""
        self.stage.store.raise_high_water()
        self.latest = max(self.latest, self.stage.clock.now())
        self.stage.clock.passes(hours=hours)

    # The workers

    @precondition(lambda self: self.stage.queue.bells)
    @rule(which=st.integers(0, 50), twice=st.booleans())
    def one_works(self, which: int, *, twice: bool) -> None:
        bells = self.stage.queue.bells
        bells.rotate(which % len(bells))
        name = bells.popleft().job
        for _ in range(1 + twice):
            self.stage.works(name)

    @precondition(lambda self: self.stage.calls_made())
    @rule(which=st.integers(0, 50), at_once=st.booleans())
    def is_ordered_again(self, which: int, *, at_once: bool) -> None:
        call = self._any_call(which)
        self.stage.orders_again(call)
        if at_once:
            self.stage.works(f"run:{call.id}")

    @rule()
    def catches_up(self) -> None:
        self.stage.settle()

    # What must be so

    @invariant()
    def nothing_is_wrong(self) -> None:
        if hasattr(self, "stage"):
            soon(self.stage)
            nothing_is_wrong(self.stage)
            self.cards += [
                approval.card
                for call in self.stage.calls_made()[-4:]
                if (approval := self.stage.approval(call)) is not None
            ]

    def teardown(self) -> None:
        if hasattr(self, "stage"):
            self.stage.dies = ""
            self.stage.clock.time = max(self.latest, self.stage.clock.time)
            self.stage.rests()
            nothing_is_wrong(self.stage)
            all_is_told(self.stage)
            _COUNTED["sequences"] += 1
            _COUNTED["acts"] += len(self.stage.acts)
            _COUNTED["effects"] += len(self.stage.effects())
            _COUNTED["calls"] += len(self.stage.calls_made())


_COUNTED = {"sequences": 0, "calls": 0, "acts": 0, "effects": 0}


def test_no_sequence_leads_to_an_effect_without_its_yes(
    kind: str, fresh: Fresh, tell: Callable[[str], None]
) -> None:
    class Here(House):
        pass

    Here.fresh = staticmethod(fresh)
    before = dict(_COUNTED)
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=EXAMPLES[kind] * TIMES,
            report_multiple_bugs=False,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink] if TIMES > 1 else [Phase.generate],
            print_blob=True,
        ),
    )
    counted = ", ".join(f"{_COUNTED[name] - before[name]} {name}" for name in _COUNTED)
    tell(f"sequences on {kind}: {counted}")
    assert _COUNTED["effects"] > before["effects"], "nothing was ever done: nothing was proved"


pytestmark = pytest.mark.timeout(120 * TIMES)
