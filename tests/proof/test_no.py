"""One by one: what is no yes, and what a yes does not cover. Each of them runs nothing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.call import Call, Facts
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.governance.modes import Mode
from assistant.domain.ids import new_id
from tests.proof.rows import rewrite
from tests.proof.stage import Stage
from tests.proof.test_sequences import TEN
from tests.proof.witness import nothing_is_wrong
from tests.stores import Fresh

CREATE = Want(tool="create_event", args={"title": "Tea", "start": "2026-11-30"})
MOVE = Want(tool="update_event", args={"event": "mine", "start": "2026-11-30T15:00:00+01:00"})
DELETE = Want(tool="delete_event", args={"event": "mine"})
SEND = Want(tool="send_message", args={"words": "hello"})
COMMAND = Want(tool="run_command", args={"words": "ls"})
TOMORROW = Want(
    tool="create_event",
    args={
        "title": "Tea",
        "start": "2026-11-24T10:00:00+01:00",
        "end": "2026-11-24T11:00:00+01:00",
    },
)
WIPE = Want(tool="delete_file", args={"path": "a.txt"})
MINE = Event(uid="mine", title="Dentist", when=When(start=TEN, end=TEN + timedelta(hours=1)))

Case = Callable[[Stage], None]


def prepared(stage: Stage, want: Want = CREATE) -> str:
    """A call that waits; its card."""
    stage.calendar.put(MINE)
    stage.puts_file("private:/a.txt", "the owner's own words")
    stage.saves("version: 1\ndefault: ask\n")
    stage.wants(want)
    approval = stage.approval(stage.call())
    assert approval is not None
    assert stage.call().state is CallState.PARKED
    return approval.card


def press(stage: Stage, card: str, **others: Any) -> None:
    """A yes that must not count; then all the work there is."""
    call = others.pop("call", "A1")
    answer = stage.answers(others.pop("verb", Verb.APPROVE), call, card=card, **others)
    assert not answer.accepted, answer.text
    stage.rests()


def ran_in_vain(stage: Stage) -> None:
    """A yes was given; then all the work there is."""
    stage.rests()
    state = stage.call().state
    assert state in (CallState.VOID, CallState.FAILED, CallState.SUPERSEDED), state


# Replay


def replayed_at_once(stage: Stage) -> None:
    card = prepared(stage, SEND)
    assert stage.yes(settle=False).accepted
    press(stage, card)
    _done_once(stage)


def replayed_later(stage: Stage) -> None:
    card = prepared(stage, SEND)
    stage.yes()
    stage.clock.passes(hours=1)
    press(stage, card)
    _done_once(stage)


def run_again(stage: Stage) -> None:
    prepared(stage, SEND)
    stage.yes()
    for _ in range(3):
        stage.orders_again(stage.call())
        stage.rests()
    _done_once(stage)


def run_by_a_bell_that_rings_thrice(stage: Stage) -> None:
    prepared(stage, SEND)
    stage.yes(settle=False)
    stage.queue.bells.extend([*stage.queue.bells] * 2)
    stage.rests()
    _done_once(stage)


def asked_again_after_it_was_done(stage: Stage) -> None:
    prepared(stage, SEND)
    stage.yes()
    stage.asks_again("A1")
    assert [call.handle for call in stage.calls_made()] == ["A1"]
    _done_once(stage)


def _done_once(stage: Stage) -> None:
    assert stage.effects() == [stage.call().id]
    stage.workshop.done.clear()


# Somebody else


def another_owner_by_handle(stage: Stage) -> None:
    press(stage, prepared(stage), owner="other")


def another_owner_by_id(stage: Stage) -> None:
    card = prepared(stage)
    press(stage, card, call=stage.call().id, owner="other")


def an_owner_who_does_not_exist(stage: Stage) -> None:
    press(stage, prepared(stage), owner="nobody")


def a_model(stage: Stage) -> None:
    press(stage, prepared(stage), by="model")


def nobody(stage: Stage) -> None:
    press(stage, prepared(stage), by="")


def another_owners_yes_in_the_rows(stage: Stage) -> None:
    prepared(stage)
    stage.yes(settle=False)
    approval = stage.approval(stage.call())
    assert approval is not None
    rewrite(stage, approval, owner="other")
    ran_in_vain(stage)


# Something else


def _changed_before(stage: Stage, want: Want = CREATE, **changes: Any) -> None:
    card = prepared(stage, want)
    rewrite(stage, stage.call(), **changes)
    press(stage, card)
    assert stage.call().state is CallState.PARKED


def _changed_after(stage: Stage, want: Want = CREATE, **changes: Any) -> None:
    prepared(stage, want)
    assert stage.yes(settle=False).accepted
    rewrite(stage, stage.call(), **changes)
    ran_in_vain(stage)


def _facts(**changes: Any) -> Callable[[Facts], Facts]:
    return lambda facts: facts.model_copy(
        update={name: change(getattr(facts, name)) for name, change in changes.items()}
    )


OTHER_TITLE = _facts(args=lambda args: {**args, "title": "Wedding"})
MORE_ARGUMENTS = _facts(args=lambda args: {**args, "attendees": ["eve@example.org"]})
OTHER_PLACE = _facts(destination=lambda _: "memory://elsewhere/ as owner")
OTHER_STATE = _facts(state=lambda state: dict.fromkeys(state, '"99"'))
NO_STATE = _facts(state=lambda _: {})

_CHANGES: dict[str, dict[str, Any]] = {
    "an argument": {"facts": OTHER_TITLE},
    "one argument more": {"facts": MORE_ARGUMENTS},
    "the destination": {"facts": OTHER_PLACE},
    "the state of its object": {"facts": OTHER_STATE},
    "no state of its object": {"facts": NO_STATE},
    "the tool": {"tool": "delete_event"},
    "the version of the tool": {"version": "0"},
}


def changed(when: str, **changes: Any) -> Case:
    make = {"before": _changed_before, "after": _changed_after}[when]
    return lambda stage: make(stage, MOVE, **changes)


def a_newer_tool(stage: Stage) -> None:
    from dataclasses import replace  # noqa: PLC0415 (here alone)

    prepared(stage, SEND)
    stage.yes(settle=False)
    tool = stage.toolbox["send_message"]
    stage.toolbox.register(replace(tool, traits=replace(tool.traits, version="2")))
    ran_in_vain(stage)


# The world moved


def the_event_moved_before(stage: Stage) -> None:
    prepared(stage, MOVE)
    stage.calendar.put(MINE.model_copy(update={"title": "Surgery"}))
    stage.yes()
    ran_in_vain(stage)


def the_event_moved_after(stage: Stage) -> None:
    prepared(stage, DELETE)
    stage.yes(settle=False)
    stage.calendar.put(MINE.model_copy(update={"title": "Surgery"}))
    ran_in_vain(stage)


def the_event_is_gone(stage: Stage) -> None:
    prepared(stage, MOVE)
    stage.yes(settle=False)
    stage.calendar.remove("mine")
    ran_in_vain(stage)


def the_place_is_taken(stage: Stage) -> None:
    prepared(stage)
    uid = stage.call().facts.args["uid"]
    stage.calendar.put(MINE.model_copy(update={"uid": uid}))
    stage.yes()
    assert stage.calendar.get(uid).title == "Dentist"


def the_calendar_is_another(stage: Stage) -> None:
    prepared(stage)
    stage.calendar._address = "memory://elsewhere/ as owner"
    stage.yes()
    ran_in_vain(stage)


def the_file_moved(stage: Stage) -> None:
    prepared(stage, WIPE)
    stage.yes(settle=False)
    stage.puts_file("private:/a.txt", "other words")
    ran_in_vain(stage)


# Too late


def expired(stage: Stage) -> None:
    card = prepared(stage)
    stage.clock.passes(hours=73)
    stage.settle()
    assert stage.call().state is CallState.EXPIRED
    press(stage, card)


def expired_and_nobody_noticed(stage: Stage) -> None:
    card = prepared(stage)
    stage.clock.passes(hours=73)
    answer = stage.answers(Verb.APPROVE, "A1", card=card)
    assert not answer.accepted
    assert "expired" in answer.text


def expired_on_the_dot(stage: Stage) -> None:
    card = prepared(stage)
    approval = stage.approval(stage.call())
    assert approval is not None
    stage.clock.time = approval.expires
    press(stage, card)


def expired_and_the_clock_was_set_back(stage: Stage) -> None:
    card = prepared(stage)
    stage.clock.passes(hours=73)
    stage.store.raise_high_water()
    stage.clock.passes(hours=-73)
    answer = stage.answers(Verb.APPROVE, "A1", card=card)
    assert not answer.accepted


def run_too_late(stage: Stage) -> None:
    prepared(stage)
    stage.yes(settle=False)
    stage.clock.passes(hours=73)
    ran_in_vain(stage)


def _run_at(stage: Stage, want: Want, late: timedelta) -> None:
    """Approved in time, and begun so long after its approval expired."""
    prepared(stage, want)
    assert stage.yes(settle=False).accepted
    approval = stage.approval(stage.call())
    assert approval is not None
    stage.clock.time = approval.expires + late


def run_an_hour_late_on_the_dot(stage: Stage) -> None:
    _run_at(stage, CREATE, timedelta(hours=1))
    ran_in_vain(stage)


def run_late_though_it_destroys(stage: Stage) -> None:
    _run_at(stage, WIPE, timedelta(hours=1))
    ran_in_vain(stage)


def run_late_though_it_executes(stage: Stage) -> None:
    _run_at(stage, COMMAND, timedelta(0))
    ran_in_vain(stage)


def run_once_it_is_moot(stage: Stage) -> None:
    """The event begins when its approval expires."""
    _run_at(stage, TOMORROW, timedelta(0))
    approval = stage.approval(stage.call())
    assert approval is not None
    assert approval.expires == datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
    ran_in_vain(stage)


def run_too_late_by_a_clock_set_back(stage: Stage) -> None:
    prepared(stage)
    stage.yes(settle=False)
    stage.clock.passes(hours=73)
    stage.store.raise_high_water()
    stage.clock.passes(hours=-73)
    ran_in_vain(stage)


# Void


def void_by_lockdown(stage: Stage) -> None:
    card = prepared(stage)
    stage.enters(Mode.LOCKDOWN)
    press(stage, card)


def void_by_lockdown_that_is_over(stage: Stage) -> None:
    card = prepared(stage)
    stage.enters(Mode.LOCKDOWN)
    stage.leaves()
    press(stage, card)


def void_by_lockdown_after_the_yes(stage: Stage) -> None:
    prepared(stage)
    stage.yes(settle=False)
    stage.enters(Mode.LOCKDOWN)
    stage.leaves()
    ran_in_vain(stage)


def void_by_a_policy(stage: Stage) -> None:
    card = prepared(stage)
    stage.saves("version: 1\ndefault: deny\n")
    press(stage, card)
    assert stage.call().state is CallState.VOID


def void_by_a_policy_after_the_yes(stage: Stage) -> None:
    prepared(stage)
    stage.yes(settle=False)
    stage.saves("version: 1\ndefault: deny\n")
    ran_in_vain(stage)


def edited(stage: Stage) -> None:
    card = prepared(stage)
    assert stage.changes(stage.call(), {"title": "Other"}, card=card) is not None
    press(stage, card)
    press(stage, card, call="A2")
    assert stage.call("A2").state is CallState.PARKED


def denied(stage: Stage) -> None:
    card = prepared(stage)
    assert stage.answers(Verb.DENY, "A1", card=card).accepted
    press(stage, card)
    stage.orders_again(stage.call())
    stage.rests()


def void_in_the_rows(stage: Stage) -> None:
    prepared(stage)
    stage.yes(settle=False)
    approval = stage.approval(stage.call())
    assert approval is not None
    rewrite(stage, approval, state=ApprovalState.VOID)
    ran_in_vain(stage)


def no_word_where_one_is_needed(stage: Stage) -> None:
    stage.enters(Mode.ALERT)
    card = prepared(stage)
    for word in ("", "yes", "confirm", "CONFIRM!"):
        press(stage, card, word=word)


# Malformed, and absent


def malformed(card: Callable[[str], str]) -> Case:
    return lambda stage: press(stage, card(prepared(stage)))


def unknown(handle: str) -> Case:
    def case(stage: Stage) -> None:
        card = prepared(stage)
        press(stage, card, call=handle)

    return case


def the_card_of_another_call(stage: Stage) -> None:
    prepared(stage)
    stage.wants(SEND)
    other = stage.approval(stage.call("A2"))
    assert other is not None
    press(stage, other.card)


def absent_approval(stage: Stage) -> None:
    """A row that is cleared, and a yes that nobody gave."""
    prepared(stage)
    _forged(stage)
    stage.rests()
    assert stage.call("A2").state is CallState.VOID


def open_approval(stage: Stage) -> None:
    prepared(stage)
    forged = _forged(stage)
    approval = stage.approval(stage.call())
    assert approval is not None
    copied = {"id": new_id(), "call": forged.id, "binding": forged.binding}
    with stage.store.begin(stage.cause) as tx:
        tx.add_approval(approval.model_copy(update=copied))
    stage.rests()
    assert stage.call("A2").state is CallState.VOID


def _forged(stage: Stage) -> Call:
    call = stage.call().model_copy(
        update={"id": new_id(), "turn": 99, "state": CallState.CLEARED, "verdict": "allow"}
    )
    with stage.store.begin(stage.cause) as tx:
        forged = tx.add_call(call)
    stage.orders_again(forged)
    return forged


def the_approval_is_gone(stage: Stage) -> None:
    prepared(stage)
    stage.yes(settle=False)
    approval = stage.approval(stage.call())
    assert approval is not None
    rewrite(stage, approval, gone=True)
    ran_in_vain(stage)


CASES: dict[str, Case] = {
    case.__name__.replace("_", " "): case
    for case in (
        replayed_at_once,
        replayed_later,
        run_again,
        run_by_a_bell_that_rings_thrice,
        asked_again_after_it_was_done,
        another_owner_by_handle,
        another_owner_by_id,
        an_owner_who_does_not_exist,
        a_model,
        nobody,
        another_owners_yes_in_the_rows,
        a_newer_tool,
        the_event_moved_before,
        the_event_moved_after,
        the_event_is_gone,
        the_place_is_taken,
        the_calendar_is_another,
        the_file_moved,
        expired,
        expired_and_nobody_noticed,
        expired_on_the_dot,
        expired_and_the_clock_was_set_back,
        run_too_late,
        run_an_hour_late_on_the_dot,
        run_late_though_it_destroys,
        run_late_though_it_executes,
        run_once_it_is_moot,
        run_too_late_by_a_clock_set_back,
        void_by_lockdown,
        void_by_lockdown_that_is_over,
        void_by_lockdown_after_the_yes,
        void_by_a_policy,
        void_by_a_policy_after_the_yes,
        edited,
        denied,
        void_in_the_rows,
        no_word_where_one_is_needed,
        the_card_of_another_call,
        absent_approval,
        open_approval,
        the_approval_is_gone,
    )
}
CASES |= {
    f"{what}, changed {when} the yes": changed(when, **changes)
    for what, changes in _CHANGES.items()
    for when in ("before", "after")
}
CASES |= {
    f"a card that is {name}": malformed(card)
    for name, card in {
        "absent": lambda _card: "",
        "blank": lambda _card: " ",
        "cut off": lambda card: card[:-1],
        "longer": lambda card: f"{card}0",
        "in capitals": str.upper,
        "followed by a line": lambda card: f"{card}\n",
        "a pattern": lambda _card: "%",
        "no text that any database takes": lambda card: f"{card}\x00",
    }.items()
}
CASES |= {
    f"no call: {handle!r}": unknown(handle)
    for handle in ("", "A", "A0", "A99", "A-1", "1e0", "%", "A1;", "\uff211", "A\uff11", "A" * 80)
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_done(case: str, fresh: Fresh) -> None:
    proves(CASES[case], Stage(fresh()))


@pytest.mark.parametrize("want", [CREATE, SEND, WIPE], ids=lambda want: want.tool)
def test_a_yes_in_time_is_good_for_an_hour_after_its_approval_expired(
    want: Want, fresh: Fresh
) -> None:
    """The queue was slow: that voids nothing."""
    stage = Stage(fresh())
    _run_at(stage, want, timedelta(minutes=59, seconds=59))
    stage.settle()
    assert stage.call().state is CallState.DONE
    assert not any(act.wrong for act in stage.acts)
    nothing_is_wrong(stage)


@pytest.mark.parametrize("want", [COMMAND, TOMORROW], ids=lambda want: want.tool)
def test_what_has_no_such_hour_runs_until_its_approval_expires(want: Want, fresh: Fresh) -> None:
    stage = Stage(fresh())
    _run_at(stage, want, timedelta(seconds=-1))
    stage.settle()
    assert stage.call().state is CallState.DONE
    nothing_is_wrong(stage)


def test_a_yes_pressed_within_that_hour_is_no_yes(fresh: Fresh) -> None:
    stage = Stage(fresh())
    card = prepared(stage)
    approval = stage.approval(stage.call())
    assert approval is not None
    stage.clock.time = approval.expires + timedelta(minutes=1)
    press(stage, card)
    assert stage.effects() == []


def proves(case: Case, stage: Stage) -> None:
    """Nothing is done in a case, whatever else comes of it."""
    before = set(stage.effects())
    case(stage)
    stage.dies = ""
    stage.rests()
    assert set(stage.effects()) == before, "something was done"
    assert stage.workshop.done == []
