"""Forms: to edit a call's arguments, to give a reason, to type a word.

Limits: https://docs.discord.com/developers/components/reference#text-input
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.adapters.discord.text import shortened, units
from assistant.domain.errors import BadArguments
from assistant.domain.time.typed_times import takes_time

Schema = Mapping[str, Any]

WHOLE = "{...}"
"""The ``custom_id`` of an input that holds all arguments as JSON."""

_MOST_INPUTS = 5
_MOST = 4_000
_TITLE = 45
_DESCRIPTION = 100
_LONG = 500
_NAME = 100
_UNNAMED = "…"
_LABEL, _TEXT_INPUT = 18, 4
_SHORT, _PARAGRAPH = 1, 2
_ONE_OF = ("anyOf", "oneOf", "allOf")
_TIME = "such as 2026-11-30 10:00, in your own zone"
_YES_NO = {"true": True, "yes": True, "false": False, "no": False}
_HOW = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list as JSON, such as [1, 2]",
    "object": 'an object as JSON, such as {"a": 1}',
    "null": "null",
    "string": "a text",
}


def modal(title: str, custom_id: str, schema: Schema, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form of a call's arguments, filled in: the ``data`` of an answer of type 9.

    Args:
        title: the title of the form.
        custom_id: the id that comes back with the form.
        schema: JSON Schema of the arguments.
        values: the present arguments.

    Raises:
        BadArguments: a value is longer than Discord's 4,000 characters.
    """
    properties = schema.get("properties", {})
    fits = 0 < len(properties) <= _MOST_INPUTS and set(values) <= set(properties)
    if fits and all(0 < units(name) <= _NAME and name != WHOLE for name in properties):
        inputs = [_input(name, schema, values) for name in properties]
    else:
        inputs = [_whole(values)]
    return _form(title, custom_id, inputs)


def read_modal(schema: Schema, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a submitted form, with the types of the schema.

    An empty input is left out, or is null where the argument is required and may be null. A text is
    taken as typed, except that ``null`` may mean null, and a text that needs JSON's quotes (``""``,
    ``"null"``) is read as JSON.

    Args:
        schema: JSON Schema of the arguments.
        fields: the typed texts, by the ``custom_id`` of their inputs.

    Raises:
        BadArguments: an input is not valid; names the argument and what it must be.
    """
    if set(fields) == {WHOLE}:
        return _read_whole(fields[WHOLE])
    required = schema.get("required", ())
    found = {}
    for name, node in schema.get("properties", {}).items():
        text = fields.get(name, "")
        kinds = _kinds(node, schema)
        if text.strip():
            found[name] = _read(name, text, kinds)
        elif name in required:
            if "null" not in kinds:
                raise BadArguments(f"{name}: is required; {_wanted(kinds)}")
            found[name] = None
    return found


def text_modal(
    title: str,
    custom_id: str,
    label: str,
    *,
    required: bool = True,
    placeholder: str = "",
    long: bool = False,
    most: int = _MOST,
) -> dict[str, Any]:
    """Return a form with one input, whose ``custom_id`` is ``text``: for a reason or a word.

    ``most``: the most characters of the input.
    """
    style = _PARAGRAPH if long else _SHORT
    typed = _text_input("text", style, required=required, placeholder=placeholder, most=most)
    return _form(title, custom_id, [_labelled(label, "", typed)])


def _form(title: str, custom_id: str, inputs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "title": shortened(title, _TITLE) or _UNNAMED,
        "custom_id": custom_id,
        "components": inputs,
    }


def _labelled(label: str, description: str, typed: dict[str, Any]) -> dict[str, Any]:
    said = {"description": shortened(description, _DESCRIPTION)} if description else {}
    return {
        "type": _LABEL,
        "label": shortened(label, _TITLE) or _UNNAMED,
        **said,
        "component": typed,
    }


def _text_input(
    custom_id: str,
    style: int,
    *,
    required: bool,
    value: str = "",
    placeholder: str = "",
    most: int = _MOST,
) -> dict[str, Any]:
    typed = {
        "type": _TEXT_INPUT,
        "custom_id": custom_id,
        "style": style,
        "required": required,
        "max_length": min(most, _MOST),
    }
    if value:
        typed["value"] = value
    if placeholder:
        typed["placeholder"] = shortened(placeholder, _DESCRIPTION)
    return typed


def _input(name: str, schema: Schema, values: Mapping[str, Any]) -> dict[str, Any]:
    node = schema["properties"][name]
    kinds = _kinds(node, schema)
    value = _fitting(name, _written(values[name], kinds)) if name in values else ""
    typed = _text_input(
        name,
        _style(node, schema, value),
        required=name in schema.get("required", ()) and "null" not in kinds,
        value=value,
        placeholder=_TIME if takes_time(node, schema) else _wanted(kinds),
    )
    return _labelled(node.get("title", name), node.get("description", ""), typed)


def _style(node: Schema, root: Schema, value: str) -> int:
    long = "\n" in value or units(value) > _DESCRIPTION
    return _PARAGRAPH if long or any(map(_is_long, _alternatives(node, root))) else _SHORT


def _is_long(node: Schema) -> bool:
    if not _kinds_of_node(node) or _kinds_of_node(node) & {"array", "object"}:
        return True
    known = {"format", "enum", "const"} & set(node) or "string" not in _kinds_of_node(node)
    return not known and node.get("maxLength", _MOST) > _LONG


def _whole(values: Mapping[str, Any]) -> dict[str, Any]:
    written = json.dumps(dict(values), ensure_ascii=False, indent=2)
    if units(written) > _MOST:
        written = json.dumps(dict(values), ensure_ascii=False, separators=(",", ":"))
    typed = _text_input(WHOLE, _PARAGRAPH, required=True, value=_fitting("arguments", written))
    return _labelled("Arguments", "All of them, as one JSON object", typed)


def _read_whole(text: str) -> dict[str, Any]:
    try:
        found = _from_json(text)
    except ValueError as error:
        raise BadArguments(f"arguments: this is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadArguments("arguments: must be one JSON object, such as {}")
    return found


def _fitting(name: str, text: str) -> str:
    if units(text) > _MOST:
        raise BadArguments(
            f"{name}: is longer than the {_MOST} characters of a form here; edit it in the terminal"
        )
    return text


def _written(value: Any, kinds: frozenset[str]) -> str:
    """Return the text that a person would type for this value."""
    if isinstance(value, str) and _is_plain(value, kinds):
        return value
    return json.dumps(value, ensure_ascii=False)


def _is_plain(text: str, kinds: frozenset[str]) -> bool:
    """Return whether this text, when typed, is read as itself."""
    return bool(text.strip()) and _takes_text(kinds) and _as_text(text, kinds) == text


def _read(name: str, text: str, kinds: frozenset[str]) -> Any:
    if _takes_text(kinds):
        return _as_text(text, kinds)
    if "boolean" in kinds and text.strip().lower() in _YES_NO:
        return _YES_NO[text.strip().lower()]
    try:
        value = _from_json(text)
    except ValueError as error:
        raise BadArguments(f"{name}: {_wanted(kinds)}") from error
    if not _fits(value, kinds):
        raise BadArguments(f"{name}: {_wanted(kinds)}")
    return value


def _as_text(text: str, kinds: frozenset[str]) -> Any:
    """Return the text, or its JSON value if the schema permits that or it must be quoted."""
    try:
        value = _from_json(text)
    except ValueError:
        return text
    if isinstance(value, str):
        return text if _is_plain(value, kinds) else value
    return value if _fits(value, kinds) else text


def _takes_text(kinds: frozenset[str]) -> bool:
    return not kinds or "string" in kinds


def _fits(value: Any, kinds: frozenset[str]) -> bool:
    return not kinds or bool(_kinds_of(value) & kinds)


def _wanted(kinds: frozenset[str]) -> str:
    return " or ".join(_HOW[kind] for kind in _HOW if kind in kinds - {"null"}) or "a value"


def _kinds(node: object, root: Schema) -> frozenset[str]:
    """Return the JSON Schema types that are permitted here; empty for any."""
    each = [_kinds_of_node(one) for one in _alternatives(node, root)]
    return frozenset().union(*each) if all(each) else frozenset()


def _alternatives(node: object, root: Schema) -> Iterator[Schema]:
    """Yield the alternatives of a node, references resolved."""
    if not isinstance(node, Mapping):
        yield {}
    elif "$ref" in node:
        yield from _alternatives(_referred(node["$ref"], root), root)
    elif alternatives := [one for word in _ONE_OF for one in node.get(word, ())]:
        for one in alternatives:
            yield from _alternatives(one, root)
    else:
        yield node


def _kinds_of_node(node: Schema) -> frozenset[str]:
    values = node.get("enum", [node["const"]] if "const" in node else [])
    said = node.get("type", [kind for value in values for kind in _kinds_of(value)])
    return frozenset([said] if isinstance(said, str) else said)


def _referred(reference: str, root: Schema) -> object:
    here: Any = root
    for step in reference.removeprefix("#/").split("/"):
        here = here.get(step) if isinstance(here, Mapping) else None
    return here


def _kinds_of(value: Any) -> frozenset[str]:
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return frozenset({"integer", "number"})
    names = {float: "number", str: "string", list: "array", dict: "object", type(None): "null"}
    return frozenset({names[type(value)]})


def _from_json(text: str) -> Any:
    """Parse JSON (RFC 8259). Raises ``ValueError``, also for numbers or nesting beyond limits."""
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("too many brackets within each other") from error


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)
