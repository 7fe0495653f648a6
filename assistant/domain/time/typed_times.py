"""Read and write times as a person types them: without an offset, they are in the owner's zone.

This is for people only: models must give offsets, and a tool refuses a model's time without one.
A field is a time where its schema says ``format: date-time``
(https://json-schema.org/understanding-json-schema/reference/type#dates-and-times).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from assistant.domain.errors import BadArguments
from assistant.domain.policy.schemas import Schema, reached
from assistant.domain.time.local_times import moments_at, nearest_moments
from assistant.domain.time.moments import zone_of

_Change = Callable[[str, object, str], str]
"""Maps a time's text, the text before the edit, and its path to the new text."""
_BETWEEN = frozenset("Tt ")
"""What may stand between a day and a time (RFC 3339, 5.6)."""


def read_times(
    typed: Mapping[str, Any], schema: Schema, *, zone: str, was: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the arguments that a person typed, each time with its offset (RFC 3339).

    Changes nothing but times without an offset; the tool refuses what is not valid. A time that the
    person did not change, also one written by ``write_times``, keeps its earlier text.

    Args:
        typed: the arguments, some or all.
        schema: JSON Schema of all arguments.
        zone: IANA name of the owner's zone.
        was: the arguments before the edit.

    Raises:
        BadArguments: a time does not exist in that zone, or comes twice, as the clocks change.
    """
    there = zone_of(zone)

    def read(text: str, before: object, path: str) -> str:
        if text == before:
            return text
        moment = _read(text)
        if moment is not None and moment.tzinfo is None:
            text = _in_zone(moment, there, path)
        return before if isinstance(before, str) and text == _written(before, there) else text

    return _each(typed, was or {}, schema, read)


def write_times(args: Mapping[str, Any], schema: Schema, *, zone: str) -> dict[str, Any]:
    """Return the arguments with each time as the owner would type it, for editing.

    Times get no offset, as another day may have another offset; but a time that comes twice, as the
    clocks are put back, keeps its own. A time without an offset stays as it is.
    """
    there = zone_of(zone)
    return _each(args, {}, schema, lambda text, _before, _path: _as_typed(text, there))


def takes_time(node: object, root: Schema) -> bool:
    """Return whether the schema node permits a time."""
    return _is_time(reached(node, root))


def _in_zone(local: datetime, zone: ZoneInfo, path: str) -> str:
    """Return the local time with the zone's offset, if there is exactly one (PEP 495)."""
    when = f"{local:%H:%M} on {local.date()}"
    try:
        moments = [_rfc(moment) for moment in moments_at(local, zone)]
    except OverflowError as error:
        raise BadArguments(f"{path}: {when} is beyond the calendar") from error
    if not moments:
        before, after = (_rfc(moment) for moment in nearest_moments(local, zone))
        raise BadArguments(
            f"{path}: {when} does not exist in {zone}: the clocks are put forward over it; "
            f"the nearest are {before} and {after}"
        )
    if len(moments) == 1:
        return moments[0]
    first, second = moments
    raise BadArguments(
        f"{path}: {when} comes twice in {zone}, as the clocks are put back: "
        f"write {first} for the first, {second} for the second"
    )


def _written(text: str, zone: ZoneInfo) -> str:
    moment = _read(text)
    if moment is None or moment.tzinfo is None:
        return text
    try:
        return _rfc(moment.astimezone(zone))
    except OverflowError:  # at either end of the calendar
        return text


def _as_typed(text: str, zone: ZoneInfo) -> str:
    written = _written(text, zone)
    moment = _read(written)
    if moment is None or moment.tzinfo is None:
        return text
    local = moment.replace(tzinfo=None)
    try:
        if _in_zone(local, zone, "") != written:
            return written
    except BadArguments:
        return written
    whole = not (local.second or local.microsecond)
    return local.isoformat(sep=" ", timespec="minutes" if whole else "auto")


def _rfc(moment: datetime) -> str:
    """Write it by RFC 3339, in UTC where the offset is no whole minute, as long ago."""
    offset = moment.utcoffset() or timedelta()
    if offset % timedelta(minutes=1):
        moment = moment.astimezone(UTC)
    return moment.isoformat()


def _read(text: str) -> datetime | None:
    """Parse a day with a time; None for anything else, such as a day alone."""
    text = " ".join(text.split())
    if not _BETWEEN & set(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _each(
    args: Mapping[str, Any], was: Mapping[str, Any], schema: Schema, change: _Change
) -> dict[str, Any]:
    """Return the arguments with ``change`` applied to every time."""
    walk = _Walk(root=schema, change=change)
    top = reached(schema, schema)
    try:
        return {
            name: walk.changed(value, was.get(name), _below(top, name, schema), name)
            for name, value in args.items()
        }
    except RecursionError as error:
        raise BadArguments("too many lists or objects within each other") from error


@dataclass(frozen=True, kw_only=True)
class _Walk:
    """Walks a value and its schema in parallel, as deep as the schema goes."""

    root: Schema
    change: _Change

    def changed(self, value: Any, before: object, nodes: Sequence[Schema], path: str) -> Any:
        if isinstance(value, str):
            return self.change(value, before, path) if _is_time(nodes) else value
        if not nodes:
            return value
        if isinstance(value, Mapping):
            return {
                name: self._inner(one, before, name, nodes, path) for name, one in value.items()
            }
        if isinstance(value, list):
            return [self._inner(one, before, n, nodes, path) for n, one in enumerate(value)]
        return value

    def _inner(
        self, value: Any, before: object, step: str | int, nodes: Sequence[Schema], path: str
    ) -> Any:
        inner = _below(nodes, step, self.root)
        return self.changed(value, _before(before, step), inner, f"{path}.{step}")


def _before(value: Any, step: str | int) -> object:
    """Return what was at this step; None for nothing."""
    if isinstance(value, Mapping):
        return value.get(step)
    known = isinstance(value, list) and isinstance(step, int) and step < len(value)
    return value[step] if known else None


def _below(nodes: Sequence[Schema], step: str | int, root: Schema) -> list[Schema]:
    """Return the schema nodes for this step of a value."""
    inner = (
        _of_list(node, step) if isinstance(step, int) else _of_object(node, step) for node in nodes
    )
    return [one for node in inner if node is not None for one in reached(node, root)]


def _of_object(node: Schema, name: str) -> object:
    return node.get("properties", {}).get(name, node.get("additionalProperties"))


def _of_list(node: Schema, n: int) -> object:
    first = node.get("prefixItems", ())
    return first[n] if n < len(first) else node.get("items")


def _is_time(nodes: Iterable[Schema]) -> bool:
    return any(node.get("format") == "date-time" for node in nodes)
