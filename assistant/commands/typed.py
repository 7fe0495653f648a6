"""What is typed at a command, read: JSON objects, ``name=value`` pairs, times that have passed."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import zone_of
from assistant.domain.time.typed_times import read_times

_CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_DAY_ALONE = len("2026-11-30")
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


def edits(
    text: str, parameters: Mapping[str, Any], *, was: Mapping[str, Any], zone: str
) -> dict[str, Any]:
    """What a call is to have otherwise: a JSON object, or ``title=Team lunch start=14:15``.

    In pairs a time of day alone is one on the day it was, and an event whose start alone is moved
    keeps its length.

    Args:
        text: as it was typed.
        parameters: the tool's JSON Schema.
        was: the arguments as they are.
        zone: the owner's IANA zone.

    Raises:
        BadArguments: it is neither.
    """
    if not text.strip() or text.lstrip().startswith("{"):
        return json_object(text)
    found = arguments(_joined(text, parameters), parameters)
    clocks = {
        name: f"{day} {value.zfill(5)}"
        for name, value in found.items()
        if isinstance(value, str)
        and _CLOCK.fullmatch(value)
        and (day := _day_of(was.get(name), zone))
    }
    found |= clocks
    if "start" in found and "end" not in found:
        found |= _same_length(found["start"], was, zone)
    return found


def _joined(text: str, parameters: Mapping[str, Any]) -> list[str]:
    """The pairs; what follows one without a name of its own belongs to its value."""
    try:
        words = shlex.split(text)
    except ValueError:  # an apostrophe
        words = text.split()
    pairs: list[str] = []
    for word in words:
        name, equals, _ = word.partition("=")
        if pairs and not (equals and name in parameters.get("properties", {})):
            pairs[-1] += f" {word}"
        else:
            pairs.append(word)
    return pairs


def _day_of(was: object, zone: str) -> str:
    local = _local(was, zone)
    return local.date().isoformat() if local else ""


def _same_length(start: object, was: Mapping[str, Any], zone: str) -> dict[str, str]:
    """The end of an event that lasts as long as before, where it has an end."""
    began, ended, begins = (_local(one, zone) for one in (was.get("start"), was.get("end"), start))
    if not (began and ended and begins):
        return {}
    days = {len(str(one).strip()) == _DAY_ALONE for one in (was["start"], was["end"], start)}
    if len(days) > 1:  # from a day to a time, or back
        return {}
    if days == {True}:
        return {"end": (begins.date() + (ended.date() - began.date())).isoformat()}
    lasts = ended.astimezone(UTC) - began.astimezone(UTC)
    return {"end": (begins.astimezone(UTC) + lasts).astimezone(zone_of(zone)).isoformat()}


def _local(value: object, zone: str) -> datetime | None:
    """A time on the owner's clock; None for what is none."""
    try:
        read = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if read is None:
        return None
    there = zone_of(zone)
    return read.astimezone(there) if read.tzinfo else read.replace(tzinfo=there)


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
