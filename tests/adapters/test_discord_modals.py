"""A form holds the arguments of a call, and what comes back are arguments again."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.discord.modals import WHOLE, modal, read_modal, text_modal
from assistant.adapters.discord.text import units
from assistant.domain.errors import BadArguments
from assistant.tools.calendar.args import CreateEvent, UpdateEvent
from assistant.tools.files.args import WriteFile

Case = tuple[dict[str, Any], dict[str, Any]]

tricky = st.sampled_from(
    ["", " ", "null", '"null"', '""', '"\\"\\""', "5", "true", "[1]", "{", '"a"']
)
strings = st.text(max_size=20) | tricky
scalars: dict[str, st.SearchStrategy[Any]] = {
    "string": strings,
    "integer": st.integers(),
    "number": st.floats(allow_nan=False, allow_infinity=False) | st.integers(),
    "boolean": st.booleans(),
    "null": st.none(),
    "array": st.lists(strings | st.integers(), max_size=3),
    "object": st.dictionaries(strings, st.booleans() | st.none(), max_size=3),
}


def one_of(kinds: list[str]) -> st.SearchStrategy[tuple[dict[str, Any], Any]]:
    """A node that may be of these kinds, written in one of JSON Schema's ways, and a value."""
    each = [{"type": kind} for kind in kinds]
    nodes = [{"type": kinds}, {"anyOf": each}, {"oneOf": each}, *(each if len(each) == 1 else [])]
    value = st.one_of([scalars[kind] for kind in kinds])
    return st.tuples(st.sampled_from(nodes), value)


arguments = st.one_of(
    st.lists(st.sampled_from(sorted(scalars)), min_size=1, max_size=3, unique=True).flatmap(one_of),
    st.tuples(st.just({}), st.one_of(list(scalars.values()))),
    st.tuples(st.just({"$ref": "#/$defs/Text"}), strings),
    st.tuples(st.just({"enum": ["a", "null", None]}), st.sampled_from(["a", "null", None])),
)


@st.composite
def cases(draw: st.DrawFn, most: int = 7) -> Case:
    """A schema and arguments that fit it."""
    names = draw(st.lists(st.text("abcXYZ_", min_size=1, max_size=8), max_size=most, unique=True))
    found = {name: draw(arguments) for name in names}
    given_names = {name for name in names if draw(st.booleans())}
    required = [name for name in given_names if draw(st.booleans())]
    schema = {
        "type": "object",
        "properties": {name: node for name, (node, _) in found.items()},
        "required": required,
        "$defs": {"Text": {"type": "string"}},
    }
    return schema, {name: found[name][1] for name in names if name in given_names}


def typed(form: dict[str, Any]) -> dict[str, str]:
    """What comes back of a form that nobody touched."""
    inputs = [component["component"] for component in form["components"]]
    return {one["custom_id"]: one.get("value", "") for one in inputs}


@given(cases())
def test_a_form_that_nobody_touched_gives_the_arguments_back(case: Case) -> None:
    schema, args = case
    back = read_modal(schema, typed(modal("Edit", "f:1", schema, args)))
    assert back == args
    assert json.dumps(back, sort_keys=True) == json.dumps(args, sort_keys=True)


@given(cases(), st.text(max_size=80))
def test_a_form_is_one_that_discord_takes(case: Case, title: str) -> None:
    schema, args = case
    form = modal(title, "f:1", schema, args)
    assert 1 <= units(form["title"]) <= 45
    assert 1 <= len(form["components"]) <= 5
    for component in form["components"]:
        one = component["component"]
        assert 1 <= units(component["label"]) <= 45
        assert units(component.get("description", "")) <= 100
        assert units(one.get("placeholder", "")) <= 100
        assert units(one.get("value", "")) <= one["max_length"] == 4_000
        assert one["style"] == 2 or "\n" not in one.get("value", "")


_EVENT = CreateEvent.model_json_schema()
TYPED = {
    **_EVENT,
    "properties": {name: _EVENT["properties"][name] for name in ("title", "start", "end")},
}
"""What a person types of an event: a form leaves lists and objects out."""


def test_a_tools_arguments_come_filled_in() -> None:
    args = {"title": "Rent", "start": "2026-11-30"}
    form = modal("A1: Create event", "f:1", TYPED, args)
    assert form["title"] == "A1: Create event"
    assert form["custom_id"] == "f:1"
    title, start, end = form["components"]
    assert title == {
        "type": 18,
        "label": "Title",
        "component": {
            "type": 4,
            "custom_id": "title",
            "style": 1,
            "required": True,
            "max_length": 4_000,
            "value": "Rent",
            "placeholder": "a text",
        },
    }
    assert start["component"]["value"] == "2026-11-30"
    assert end["component"]["required"] is False
    assert "value" not in end["component"]


def test_long_texts_have_room_and_descriptions_are_told() -> None:
    form = modal("Edit", "f:1", WriteFile.model_json_schema(), {"path": "a.txt", "content": "x"})
    path, content, overwrite = form["components"]
    assert path["description"].startswith("private:/notes/a.txt")
    assert [one["component"]["style"] for one in (path, content, overwrite)] == [1, 2, 1]
    assert overwrite["component"]["placeholder"] == "true or false"


def test_an_empty_time_shows_how_one_is_typed() -> None:
    form = modal("Edit", "f:1", TYPED, {"title": "Rent", "start": "2026-11-30"})
    hints = [one["component"]["placeholder"] for one in form["components"]]
    assert hints == ["a text", *["such as 2026-11-30 10:00, in your own zone"] * 2]


def test_what_is_left_empty_is_left_out() -> None:
    schema = UpdateEvent.model_json_schema()
    assert read_modal(schema, {"event": "Rent", "on": "", "title": " "}) == {"event": "Rent"}
    with pytest.raises(BadArguments, match="event: is required; a text"):
        read_modal(schema, {"event": ""})


def test_what_must_be_there_and_may_be_null_is_null_when_empty() -> None:
    node = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    schema = {"properties": {"a": node}, "required": ["a"]}
    assert read_modal(schema, {"a": ""}) == {"a": None}


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("integer", " 5 ", 5),
        ("number", "2.5", 2.5),
        ("boolean", "Yes", True),
        ("boolean", "false", False),
        ("array", '["a", 1]', ["a", 1]),
        ("object", '{"a": null}', {"a": None}),
        ("string", '"quoted"', '"quoted"'),
        ("string", "5", "5"),
    ],
)
def test_values_are_typed_by_the_schema(kind: str, text: str, value: Any) -> None:
    schema = {"properties": {"a": {"type": kind}}}
    assert read_modal(schema, {"a": text}) == {"a": value}


@pytest.mark.parametrize(
    ("kind", "text", "fix"),
    [
        ("integer", "2.5", "a: a whole number"),
        ("integer", "soon", "a: a whole number"),
        ("integer", "true", "a: a whole number"),
        ("number", "1e999", "a: a number"),
        ("number", "NaN", "a: a number"),
        ("boolean", "1", "a: true or false"),
        ("array", "a, b", r"a: a list as JSON, such as \[1, 2\]"),
        ("object", "[]", "a: an object as JSON"),
        ("array", "[" * 3_999, "a: a list as JSON"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_fix(kind: str, text: str, fix: str) -> None:
    with pytest.raises(BadArguments, match=fix):
        read_modal({"properties": {"a": {"type": kind}}}, {"a": text})


def test_more_than_five_arguments_are_one_text_of_json() -> None:
    schema = {"properties": {name: {"type": "integer"} for name in "abcdef"}}
    args = dict.fromkeys("abcdef", 1)
    form = modal("Edit", "f:1", schema, args)
    (one,) = form["components"]
    assert one["component"]["custom_id"] == WHOLE
    assert one["component"]["style"] == 2
    assert read_modal(schema, typed(form)) == args
    with pytest.raises(BadArguments, match="not JSON"):
        read_modal(schema, {WHOLE: "{"})
    with pytest.raises(BadArguments, match="one JSON object"):
        read_modal(schema, {WHOLE: "[]"})


def test_arguments_that_no_schema_names_are_not_lost() -> None:
    schema = {"properties": {"a": {"type": "integer"}}}
    assert read_modal(schema, typed(modal("E", "f", schema, {"a": 1, "b": 2}))) == {"a": 1, "b": 2}


@pytest.mark.parametrize("count", [1, 6])
def test_what_is_too_long_is_for_the_terminal(count: int) -> None:
    schema = {"properties": {name: {"type": "string"} for name in "abcdef"[:count]}}
    with pytest.raises(BadArguments, match=r"4000 characters .* in the terminal"):
        modal("Edit", "f:1", schema, {"a": "\U0001f600" * 2_001})


def test_a_reason_or_a_word_is_one_input() -> None:
    form = text_modal("Deny A1", "f:1", "Reason", required=False, placeholder="why", long=True)
    assert form == {
        "title": "Deny A1",
        "custom_id": "f:1",
        "components": [
            {
                "type": 18,
                "label": "Reason",
                "component": {
                    "type": 4,
                    "custom_id": "text",
                    "style": 2,
                    "required": False,
                    "max_length": 4_000,
                    "placeholder": "why",
                },
            }
        ],
    }
