"""Every byte that a yes covers can be read: nothing is cut, and nothing hides."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call, Facts, QuotedArgument, Reach, Risk
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Line
from assistant.domain.governance.modes import Mode
from assistant.flows.render.call_status import CallStatus, lookup_status
from assistant.flows.render.details import AS_JSON, details, seen
from assistant.flows.render.reasons import reasons
from tests.flows.test_batches import booking
from tests.world import ZONE, World

OLD = "".join(f"{n} milk\n" for n in range(150))
NEW = "".join(f"{n} soup\n" for n in range(150))
MAIL = b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\nPay 850 EUR to the landlord.\r\n"

invisible = st.sampled_from(
    ["\u202e", "\u200b", "\t", "\r", "\ufe0f", "\u3164", " ", "\n", AS_JSON]
)
texts = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(invisible | st.text()).map(
    "".join
)
values = st.recursive(
    texts | st.integers(-(2**53) + 1, 2**53 - 1) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


def a_call(**facts: Any) -> Call:
    given: dict[str, Any] = {"args": {"path": "private:/a"}, **facts}
    return Call(
        id="c1",
        owner="owner",
        number=17,
        conversation="t1",
        turn=1,
        ordinal=0,
        tool="tidy",
        facts=Facts(**given),
        state=CallState.PARKED,
    )


def told(call: Call) -> dict[str, str]:
    lines = details(CallStatus(call=call), None, zone=ZONE)
    assert len({line.label for line in lines}) == len(lines)
    return {line.label: line.value for line in lines}


def told_of(world: World, handle: str) -> dict[str, str]:
    call = world.call(handle)
    with world.store.read(world.cause) as tx:
        status = lookup_status(tx, call)
    lines: tuple[Line, ...] = details(status, world.toolbox.get(call.tool), zone=ZONE)
    return {line.label: line.value for line in lines}


def read(value: str) -> Any:
    """What an argument was, from how it is told."""
    head, broken, rest = value.partition("\n")
    return unseen(rest) if broken else json.loads(head)


def unseen(text: str) -> str:
    return "\n".join(
        json.loads(line.removeprefix(AS_JSON)) if line.startswith(AS_JSON) else line
        for line in text.split("\n")
    )


@given(values)
def test_an_argument_can_be_read_back_from_the_details(value: Any) -> None:
    assert read(told(a_call(args={"it": value}))["Argument it"]) == value


@given(texts)
def test_no_two_texts_are_shown_alike(text: str) -> None:
    assert unseen(seen(text)) == text


@given(texts, texts)
def test_only_what_can_be_seen_is_shown(text: str, other: str) -> None:
    call = a_call(
        args={text: other},
        destination=text,
        state={text: other},
        before={other: text},
        trouble=text,
        command=other,
        locations=(text,),
    )
    call = call.model_copy(update={"reasons": (text, other), "actor": text, "rule": other})
    for line in details(CallStatus(call=call), None, zone=ZONE):
        assert line.label.isprintable()
        for shown in line.value.split("\n"):
            assert shown.isprintable()
            assert not shown.endswith(" ")
            assert not {"\ufe0f", "\u3164"} & set(shown)


CHANGES: dict[str, Any] = {
    "args": {"path": "private:/b"},
    "destination": "elsewhere",
    "state": {"private:/a": "2"},
    "before": {"title": "Rent"},
    "own": True,
    "trouble": "it is full",
    "locations": ("public:/b",),
    "destructive": True,
    "made_here": True,
    "size": 7,
    "hosts": ("example.org",),
    "command": "rm -r /",
    "lapses": datetime(2026, 11, 30, 9, 0, tzinfo=UTC),
    "beside": {"conflicts": {"total": 1}},
}
DECIDED: dict[str, Any] = {
    "tool": "wipe",
    "version": "2",
    "asked": {"path": "b"},
    "risk": Risk.LOW,
    "reasons": ("base: because",),
    "tainted": False,
    "actor": "owner:terminal:ada",
    "reach": Reach.READS,
    "verdict": "ask",
    "layer": "base",
    "rule": "rules[1]",
    "policy": 3,
    "mode": Mode.ALERT,
    "grant": "g1",
    "word": "CONFIRM",
    "supersedes": "c0",
    "undoes": "c0",
    "copied": (QuotedArgument(arg="path", source="mail 1a2b"),),
    "trace": "f" * 32,
}


@pytest.mark.parametrize("name", list(Facts.model_fields))
def test_whatever_is_otherwise_of_the_facts_is_otherwise_in_the_details(name: str) -> None:
    before, after = told(a_call()), told(a_call(**{name: CHANGES[name]}))
    del before["A yes is bound to"], after["A yes is bound to"]
    assert before != after


@pytest.mark.parametrize("name", list(DECIDED))
def test_whatever_is_otherwise_of_the_decision_is_otherwise_in_the_details(name: str) -> None:
    before, after = told(a_call()), told(a_call().model_copy(update={name: DECIDED[name]}))
    before.pop("A yes is bound to")
    after.pop("A yes is bound to")
    assert before != after


def test_a_write_is_told_whole_where_its_card_is_cut(world: World) -> None:
    note = {"path": "public:/list", "content": OLD}
    world.asks(Want(tool="write_file", args=note))
    assert "1 more under Details" in world.card("A1").small
    assert read(told_of(world, "A1")["Argument content"]) == OLD
    world.presses(Verb.APPROVE, "A1")
    world.asks(Want(tool="write_file", args={**note, "content": NEW, "overwrite": True}))
    assert "more under Details" in world.card("A2").small
    whole = told_of(world, "A2")
    changes = whole["Difference"].split("\n")[2:]
    assert [line[1:] for line in changes if line[0] == "-"] == OLD.splitlines()
    assert [line[1:] for line in changes if line[0] == "+"] == NEW.splitlines()
    assert whole["Judged on"] == '"public:/list": "1"'
    assert "see details" not in "".join(whole.values())


def test_an_event_is_told_with_its_state_its_reasons_and_whose_words_led_there(
    world: World,
) -> None:
    mail = world.forwards(MAIL).id
    world.model.will(Turn(wants=(Want(tool="read_email", args={"id": mail}),)), Turn(text="Read."))
    world.says("what does it say?")
    world.asks(booking("Pay 850 EUR to the landlord."))
    call, whole = world.call("A2"), told_of(world, "A2")
    assert whole["Argument title"] == '"Pay 850 EUR to the landlord."'
    assert whole["Judged on"] == f'"assistant-{call.id}": nothing is there'
    assert whole["Reasons"].split("\n") == reasons(call)
    assert whole["Words of others"] == "were in view"
    assert whole["Copied: title"].startswith("from mail ")
    assert (whole["Policy"], whole["Mode"]) == ("none of your own", "normal")
    assert whole["A yes is bound to"] == f"SHA-256 {call.binding.removeprefix('2:')}"
    assert whole["Can be undone"] == "yes"
    assert whole["Trace"] == f"{call.trace} (assistant audit show A2)"


def test_what_was_asked_for_in_other_words_is_told_as_well(world: World) -> None:
    world.asks(Want(tool="write_file", args={"path": "list", "content": "milk"}))
    whole = told_of(world, "A1")
    assert whole["Argument path"] == '"private:/list"'
    assert whole["Asked for with path"] == '"list"'
    assert "Asked for with content" not in whole


def test_a_call_whose_tool_is_gone_is_told_all_the_same() -> None:
    assert told(a_call())["Tool now"] == "there is no tool of that name"


def test_what_would_happen_comes_first_and_ids_come_last(world: World) -> None:
    world.asks(booking("Rent"))
    labels = list(told_of(world, "A1"))
    order = ["How it stands", "Argument title", "Asked for by", "Can be undone", "Reasons", "Trace"]
    assert [one for one in labels if one in order] == order
    assert labels[-1] == "Trace"
    assert labels.index("Call") > labels.index("Reasons")
