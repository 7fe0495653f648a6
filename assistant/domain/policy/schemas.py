"""Look up what a JSON Schema permits at a path, as far as rules of a policy need it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.domain.policy.rules import Scalar, text_of

Schema = Mapping[str, Any]
_COMPOUND = ("array", "object")
_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_ANYTHING: Schema = {}


@dataclass(frozen=True)
class Shape:
    """The values that an argument can have."""

    kinds: frozenset[str]
    """The JSON Schema types of single values; empty for any type."""
    texts: frozenset[str] | None
    """The only values, as conditions compare them; None if the schema lists none."""
    many: bool
    """True when the argument can hold several values."""

    def takes(self, value: Scalar) -> bool:
        """Return whether an argument can have this value."""
        return not self.kinds or bool(self.kinds & _kinds_of(value))


def shape_at(schema: Schema, path: Sequence[str]) -> Shape | None:
    """Return the shape of the arguments at a dotted path, through lists; None if there is none."""
    nodes = _opened(schema, schema)
    many = False
    for step in path:
        nodes, through_lists = _single(nodes, schema)
        many = many or through_lists
        nodes = [inner for node in nodes for inner in _below(node, step, schema)]
        if not nodes:
            return None
    nodes, through_lists = _single(nodes, schema)
    return _shape(nodes, many=many or through_lists)


def names_of(schema: Schema) -> list[str]:
    """Return the names of the arguments."""
    return sorted({name for node in _opened(schema, schema) for name in node.get("properties", {})})


def reached(node: object, root: Schema) -> list[Schema]:
    """Return a node, what it refers to, and its alternatives; each once."""
    found: list[Schema] = []
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if isinstance(here, Mapping):
            waiting += _behind(here, root)
        found.append(here if isinstance(here, Mapping) else _ANYTHING)
    return found


def _opened(node: object, root: Schema) -> list[Schema]:
    """Return a node, or in its place what it refers to or its alternatives; each once."""
    return [here for here in reached(node, root) if not _behind(here, root) or "properties" in here]


def _behind(node: Schema, root: Schema) -> list[object]:
    """Return what a node refers to, and its alternatives."""
    inner = [one for word in _ALTERNATIVES for one in node.get(word, ())]
    return [*inner, _referred(str(node["$ref"]), root)] if "$ref" in node else inner


def _referred(reference: str, root: Schema) -> object:
    here: Any = root
    for step in reference.removeprefix("#").strip("/").split("/"):
        here = here.get(step, {}) if isinstance(here, Mapping) else {}
    return here


def _single(nodes: Sequence[Schema], root: Schema) -> tuple[list[Schema], bool]:
    """Return the nodes, each list replaced by its items, and whether there was a list."""
    found: list[Schema] = []
    seen: set[int] = set()
    waiting = list(nodes)
    lists = False
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        kinds = _types(node)
        if "array" in kinds:
            lists = True
            waiting += _opened(node.get("items", _ANYTHING), root)
        if kinds != ("array",):
            found.append(node)
    return found, lists


def _below(node: Schema, step: str, root: Schema) -> Iterator[Schema]:
    properties = node.get("properties", {})
    if step in properties:
        yield from _opened(properties[step], root)
    elif "object" in _types(node) or not _types(node):
        more = node.get("additionalProperties", not properties)
        if more is not False:
            yield from _opened(more, root)


def _types(node: Schema) -> tuple[str, ...]:
    said = node.get("type")
    if said is None:
        return ("object",) if "properties" in node else ()
    return (said,) if isinstance(said, str) else tuple(said)


def _shape(nodes: Sequence[Schema], *, many: bool) -> Shape:
    real = [(_types(node), _listed(node)) for node in nodes if _types(node) != ("null",)]
    loose = any(not types and values is None for types, values in real)
    kinds = {kind for types, _ in real for kind in types} - {"null", *_COMPOUND}
    kinds |= {kind for _, values in real for value in values or () for kind in _kinds_of(value)}
    closed = bool(real) and all(values is not None for _, values in real)
    texts = frozenset(text_of(value) for _, values in real for value in values or ())
    return Shape(
        kinds=frozenset() if loose else frozenset(kinds),
        texts=texts if closed else None,
        many=many or loose or any(set(types) & set(_COMPOUND) for types, _ in real),
    )


def _listed(node: Schema) -> list[Scalar] | None:
    values = node.get("enum", [node["const"]] if "const" in node else None)
    return None if values is None else [one for one in values if one is not None]


def _kinds_of(value: Scalar) -> frozenset[str]:
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if isinstance(value, str):
        return frozenset({"string"})
    whole = isinstance(value, int) or value.is_integer()
    return frozenset({"integer", "number"} if whole else {"number"})
