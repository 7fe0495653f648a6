"""What is typed at a command, read: JSON objects, ``name=value`` pairs, times that have passed."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import zone_of
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.values import Unclear
from assistant.domain.time.typed_times import read_times, takes_time

_CALL = re.compile(r"#?[Aa][0-9]{1,9}|[0-9a-f]{16}")
"""A call's handle, or its id."""
_CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_WRITTEN = re.compile(r"[0-9]{4}-")
"""Begins a time that is written by ISO 8601, or is meant to be."""
LENGTH = "length"
"""The name by which an event's length is typed, in the place of its end."""
_LENGTH = re.compile(
    r"(?:([0-9]{1,3}(?:\.[0-9]{1,2})?) ?h(?:ours?|rs?)?)? ?(?:([0-9]{1,4}) ?m(?:in(?:ute)?s?)?)?"
)
_SUCH = "14:15 or 2026-11-30 14:15"
_DAY_ALONE = len("2026-11-30")
_SPAN = re.compile(r"([0-9]{1,6}) ?(m|mins?|minutes?|h|hours?|d|days?|w|weeks?)")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


def names_a_call(word: str) -> bool:
    """Whether a word is a call's handle, or its id."""
    return _CALL.fullmatch(word) is not None


def calls_in_words(text: str) -> list[str]:
    """The calls that a text names, such as ``A38, A39 and A40``; none where it says more."""
    words = [word for word in text.replace(",", " ").split() if word.lower() != "and"]
    return words if all(map(names_a_call, words)) else []


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
    if twice := [name for n, name in enumerate(names) if name in names[:n]]:
        raise BadArguments(f"{twice[0]} is given twice; once is enough.")
    properties = parameters.get("properties", {})
    return {name: _value(text, properties.get(name, {})) for name, _, text in pairs}


def typed(words: Sequence[str], parameters: Mapping[str, Any], *, zone: str) -> dict[str, Any]:
    """The arguments of the owner's own call: a time without an offset is one in ``zone``.

    Raises ``BadArguments`` as ``arguments`` does, and for a time that is none there, or two.
    """
    return read_times(arguments(words, parameters), parameters, zone=zone)


def edits(
    text: str, parameters: Mapping[str, Any], *, was: Mapping[str, Any], zone: str, now: datetime
) -> dict[str, Any]:
    """What a call is to have otherwise: a JSON object, or ``title=Team lunch start=14:15``.

    In pairs a time of day alone is one on the day it was, or on that of a new start; a time may be
    said in words, ``start=tomorrow``, and a day alone then keeps the time of day; an event whose
    start alone is moved keeps its length; and ``length=45m`` says when it ends.

    Args:
        text: as it was typed.
        parameters: the tool's JSON Schema.
        was: the arguments as they are.
        zone: the owner's IANA zone.
        now: aware; words such as ``tomorrow`` are meant from then.

    Raises:
        BadArguments: it is neither.
    """
    if not text.strip() or text.lstrip().startswith("{"):
        read = json_object(text)
        _refuse_no_times(read, parameters)
        return read
    found = arguments(_joined(text, parameters), parameters)
    for name in sorted(found, reverse=True):  # the start before the end, which may follow its day
        value = found[name]
        if isinstance(value, str) and _CLOCK.fullmatch(value):
            day = _day_of(was.get(name), zone)
            if name == "end":
                day = _day_of_end(found.get("start"), was, zone) or day
            found[name] = f"{day} {value.zfill(5)}" if day else value
    found |= dict(_said_in_words(found, parameters, was, Almanac(now, zone_of(zone))))
    _refuse_no_times(found, parameters)
    if _has_length(parameters) and LENGTH in found:
        return _with_length(found, was, zone)
    if "start" in found and "end" not in found:
        found |= _same_length(found["start"], was, zone)
    return found


def _said_in_words(
    found: Mapping[str, Any],
    parameters: Mapping[str, Any],
    was: Mapping[str, Any],
    almanac: Almanac,
) -> Iterator[tuple[str, str]]:
    """Yield the times that are said in words, as ISO 8601. Raises ``BadArguments``."""
    properties = parameters.get("properties", {})
    for name, value in found.items():
        takes = takes_time(properties.get(name, {}), parameters)
        if not (takes and isinstance(value, str)) or _WRITTEN.match(value.strip()):
            continue
        try:
            span = almanac.span(value)
        except Unclear as unclear:
            raise BadArguments(f"{name}: {unclear}") from unclear
        if span is None:
            continue
        if span.rough or (span.end is not None and not span.all_day):
            raise BadArguments(f"{name} takes one time, such as {_SUCH}, not {value!r}.")
        yield name, _on_that_day(span.start, was.get(name), almanac.zone)


def _on_that_day(start: date, was: object, zone: ZoneInfo) -> str:
    """Write a time; of a day alone, the time of day that it was on that day."""
    if isinstance(start, datetime):
        return start.isoformat()
    before = _local(was, zone.key)
    timed = before is not None and len(str(was).strip()) > _DAY_ALONE
    return f"{start} {before:%H:%M:%S}" if before is not None and timed else start.isoformat()


def _refuse_no_times(found: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
    """Raise ``BadArguments`` where a word stands in the place of a time."""
    properties = parameters.get("properties", {})
    for name, value in found.items():
        if (
            isinstance(value, str)
            and value.strip()
            and takes_time(properties.get(name, {}), parameters)
        ):
            try:
                datetime.fromisoformat(" ".join(value.split()))
            except ValueError as error:
                such = "2026-11-30 14:15" if _CLOCK.fullmatch(value) else _SUCH
                raise BadArguments(f"{name} takes a time such as {such}, not {value!r}.") from error


def _joined(text: str, parameters: Mapping[str, Any]) -> list[str]:
    """The pairs; what follows one without a name of its own belongs to its value."""
    try:
        words = shlex.split(text)
    except ValueError:  # an apostrophe
        words = text.split()
    names = {*parameters.get("properties", {}), *([LENGTH] * _has_length(parameters))}
    pairs: list[str] = []
    for word in words:
        name, equals, _ = word.partition("=")
        if pairs and not (equals and name in names):
            pairs[-1] += f" {word}"
        else:
            pairs.append(word)
    return pairs


def _day_of(was: object, zone: str) -> str:
    local = _local(was, zone)
    return local.date().isoformat() if local else ""


def _day_of_end(start: object, was: Mapping[str, Any], zone: str) -> str:
    """The day on which an event ends that begins at ``start``, or where it began; empty if unknown.

    It ends as many days later as before.
    """
    began, ended = _local(was.get("start"), zone), _local(was.get("end"), zone)
    begins = _local(start, zone) or began
    if begins is None:
        return ""
    later = ended.date() - began.date() if began and ended else timedelta(0)
    return (begins.date() + later).isoformat()


def _has_length(parameters: Mapping[str, Any]) -> bool:
    properties = parameters.get("properties", {})
    return {"start", "end"} <= set(properties) and LENGTH not in properties


def _with_length(found: Mapping[str, Any], was: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """What is to be otherwise, with the end in the place of the length."""
    given = {name: value for name, value in found.items() if name != LENGTH}
    read = _LENGTH.fullmatch(str(found[LENGTH]).strip().lower())
    hours, minutes = (float(read[part] or 0) for part in (1, 2)) if read else (0.0, 0.0)
    lasts = timedelta(hours=hours, minutes=minutes)
    if not lasts:
        raise BadArguments("a length is written as 45m, 1h or 1h30m.")
    if "end" in given:
        raise BadArguments("an end and a length were given; one of them is enough.")
    start = given.get("start", was.get("start"))
    begins = _local(start, zone)
    if begins is None or len(str(start).strip()) == _DAY_ALONE:
        raise BadArguments("only what begins at a time of day has a length; give end=2026-12-02.")
    ends = (begins.astimezone(UTC) + lasts).astimezone(zone_of(zone))
    return {**given, "end": ends.isoformat()}


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
    if read := _SPAN.fullmatch(text):
        try:
            return now.astimezone(UTC) - int(read[1]) * _UNITS[read[2][0]]
        except OverflowError:
            pass
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
    read: dict[str, Any] = {}
    for name, value in pairs:
        if name in read:
            raise ValueError(f"{name} is given twice")
        read[name] = value
    return read


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")
