"""One text for one value (RFC 8785), and none for what cannot be shown faithfully."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calls.call import Call, Facts
from assistant.domain.canonical import canonical, digest
from assistant.domain.errors import BadArguments

SAFE = 2**53 - 1
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-SAFE, SAFE)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4)
)
objects = st.dictionaries(text, values, max_size=6)


def shuffled(value: Any) -> Any:
    """The same value with its members in another order."""
    if isinstance(value, dict):
        members = list(value.items())
        random.Random(3).shuffle(members)
        return {name: shuffled(item) for name, item in members}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@given(objects)
def test_the_order_of_members_makes_no_difference(value: dict[str, Any]) -> None:
    assert digest(value) == digest(shuffled(value))


@given(objects)
def test_it_reads_back_as_the_same_value(value: dict[str, Any]) -> None:
    assert json.loads(canonical(value), parse_int=float) == value


@given(objects, text, scalars)
def test_another_value_has_another_digest(value: dict[str, Any], name: str, change: Any) -> None:
    changed = {**value, name: change}
    same = canonical(changed) == canonical(value)
    assert (digest(changed) == digest(value)) is same


@pytest.mark.parametrize(
    "bad",
    [
        float("nan"),
        float("inf"),
        float("-inf"),
        2**53 + 1,
        2**53,
        -(2**53),
        "\ud800",
        {1: "x"},
        pytest.param(object(), id="an object"),
        b"bytes",
        [[{"deep": float("nan")}]],
    ],
    ids=repr,
)
def test_what_json_cannot_say_exactly_is_refused(bad: Any) -> None:
    with pytest.raises(BadArguments):
        digest({"value": bad})


def test_the_example_of_the_rfc_comes_out_as_there() -> None:
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    assert (
        canonical(value)
        == (
            '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
            '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
        ).encode()
    )


@given(objects, st.sampled_from(["id", "tool", "version", "args", "destination", "state"]))
def test_a_yes_covers_the_call_as_it_was_shown_and_nothing_else(
    args: dict[str, Any], change: str
) -> None:
    shown = Call(
        id="c1",
        owner="o",
        conversation="t",
        turn=1,
        ordinal=0,
        tool="create_event",
        facts=Facts(args=args, destination="home", state={"uid": '"1"'}),
    )
    facts = {
        "args": {**args, "and another": 1},
        "destination": "work",
        "state": {"uid": '"2"'},
    }
    if change in facts:
        other = shown.facts.model_copy(update={change: facts[change]})
        changed = shown.model_copy(update={"facts": other})
    else:
        changed = shown.model_copy(update={change: "another"})
    told = shown.model_copy(update={"result": "parked", "number": 7, "fence": 3})
    assert told.binding == shown.binding
    assert changed.binding != shown.binding


def _bound(**changes: Any) -> Call:
    values = {"id": "c1", "owner": "o", "conversation": "t", "turn": 1, "ordinal": 0}
    facts = Facts(args={"title": "Tea"}, destination="home", state={"uid": '"1"'})
    return Call(**{**values, "tool": "create_event", "facts": facts, "trace": "a" * 32, **changes})


def test_a_binding_says_its_version_and_covers_the_trace() -> None:
    call = _bound()
    assert call.binding.startswith("2:")
    assert call.is_bound_by(call.binding)
    assert not _bound(trace="b" * 32).is_bound_by(call.binding)


def test_a_binding_of_the_first_version_is_checked_as_it_was_made() -> None:
    first = "d25598ca1b133eb04b0c84fc5b3052f2cde95f17deb0d28bcadb4bb438cb2911"
    assert _bound().is_bound_by(first)
    assert _bound(trace="b" * 32).is_bound_by(first)
    assert not _bound(tool="delete_event").is_bound_by(first)


@pytest.mark.parametrize("prefix", ["", "1:", "3:", "02:", "2", "2::", " 2:", "v2:"])
def test_a_binding_of_an_unknown_version_is_no(prefix: str) -> None:
    call = _bound()
    assert not call.is_bound_by(f"{prefix}{call.binding.removeprefix('2:')}")
    assert not call.is_bound_by("")
