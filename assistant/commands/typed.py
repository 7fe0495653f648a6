"""What is typed at a command, read: JSON objects, ``name=value`` pairs, times that have passed."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from assistant.domain.errors import BadArguments
from assistant.domain.moments import zone_of
from assistant.domain.typed_times import read_times

_SPAN = re.compile(r"[0-9]{1,6} ?[a-z]{1,10}")


def json_object(text: str) -> dict[str, Any]:
    """A JSON object, strictly: names once only (RFC 7493), numbers that JSON has.

    Raises ``BadArguments``.
    """
    try:
        read = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadArguments(f"these arguments are no JSON: {error}") from error
    if not isinstance(read, dict):
        raise BadArguments('the arguments are an object, such as \'{"path": "a.txt"}\'')
    return read


def arguments(words: Sequence[str], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call, as one JSON object or as pairs: ``path=a.txt overwrite=true``.

    Args:
        words: as they were typed.
        parameters: the tool's JSON Schema; says which values are texts and which are JSON.

    Raises:
        BadArguments: they are neither.
    """
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return json_object(words[0])
    pairs = [word.partition("=") for word in words]
    if odd := [name for name, equals, _ in pairs if not (name and equals)]:
        raise BadArguments(f"{odd[0]!r} is neither name=value nor a JSON object")
    names = [name for name, _, _ in pairs]
    if len(set(names)) < len(names):
        raise BadArguments("a name occurs twice")
    properties = parameters.get("properties", {})
    return {name: _value(text, properties.get(name, {})) for name, _, text in pairs}


def typed(words: Sequence[str], parameters: Mapping[str, Any], *, zone: str) -> dict[str, Any]:
    """The arguments of the owner's own call: a time without an offset is one in ``zone``.

    Raises ``BadArguments`` as ``arguments`` does, and for a time that is none there, or two.
    """
    return read_times(arguments(words, parameters), parameters, zone=zone)


def moment(text: str, *, zone: str) -> datetime:
    """An ISO date or time, in the zone ``zone`` if it names none. Raises ``BadArguments``."""
    try:
        return _placed(datetime.fromisoformat(text), zone)
    except ValueError as error:
        raise BadArguments(f"{text!r} is no ISO date or time, such as 2026-11-30") from error


def past(text: str, *, zone: str, now: datetime) -> datetime:
    """An ISO date or time, in the zone ``zone`` if it names none, or how long ago: ``2h``, ``3d``.

    Raises ``BadArguments`` for anything else, and for what is yet to come.
    """
    try:
        then = datetime.fromisoformat(text)
    except ValueError:
        then = _ago(text.strip().lower(), now)
    then = _placed(then, zone)
    if then > now:
        raise BadArguments(f"{text!r} is yet to come")
    return then


def _placed(when: datetime, zone: str) -> datetime:
    return when if when.tzinfo else when.replace(tzinfo=zone_of(zone))


def _ago(text: str, now: datetime) -> datetime:
    if _SPAN.fullmatch(text):
        import dateparser  # noqa: PLC0415 (heavy)

        base = {"RELATIVE_BASE": now.astimezone(UTC).replace(tzinfo=None)}
        found: datetime | None = dateparser.parse(f"{text} ago", languages=["en"], settings=base)
        if found is not None:
            return found.replace(tzinfo=UTC)
    raise BadArguments(
        f"{text!r} is no ISO date or time, such as 2026-11-30T08:00, and no 2h or 3d"
    )


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    """A text where the tool takes one, else what it says as JSON."""
    kinds = [schema, *schema.get("anyOf", ())]
    if any(kind.get("type") == "string" or "$ref" in kind for kind in kinds):
        return text
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("a name occurs twice")
    return read


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")
