"""Find the arguments of a call that its owner typed.

Where every value of a call stands in the owner's own words, the words of others did not choose it.
This is about what a card says alone: what the policy knows of others' words does not change by it.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from assistant.domain.text.comparable import comparable
from assistant.domain.time.moments import zone_of
from assistant.domain.time.spoken import SpokenTimes, spoken_times

_SHORTEST = 3
"""A text of fewer characters stands in any words by chance, where it is not quoted."""
_QUOTED = re.compile(r"(?<!\w)[\"'“„«»](.{1,2})[\"'”“»«](?!\w)")
"""A short text in quotation marks."""
_HOUR = timedelta(hours=1)
"""How long an event lasts of which nobody says how long."""
_DAY = timedelta(days=1)


def typed_arguments(
    args: Mapping[str, Any],
    words: Sequence[str],
    *,
    known_as: Mapping[str, str],
    now: datetime,
    zone: str,
) -> tuple[str, ...]:
    """Return the names of the arguments whose values stand in these words, or resolve from them.

    Args:
        args: as the model asked for them.
        words: what the owner typed, each text by itself.
        known_as: what the card shows for an argument in the place of its value.
        now: about when the words were typed.
        zone: the owner's IANA zone.
    """
    given = {name: value for name, value in args.items() if value is not None}
    said = "\n".join(map(comparable, words))
    times = spoken_times("\n".join(words), today=now.astimezone(zone_of(zone)).date())
    moments = _typed_moments(given, times, zone)
    return tuple(
        name
        for name, value in given.items()
        if name in moments
        or (isinstance(value, str) and _stands_in(said, known_as.get(name, value)))
    )


def _stands_in(said: str, value: str) -> bool:
    """Return whether a text stands in others as whole words; a short one, in quotation marks."""
    wanted = comparable(value)
    if len(wanted) < _SHORTEST:
        return wanted in _QUOTED.findall(said)
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", said) is not None


def _typed_moments(args: Mapping[str, Any], times: SpokenTimes, zone: str) -> frozenset[str]:
    """Return the arguments that are moments or days and that the words name."""
    found = {name: at for name, value in args.items() if (at := _moment(value, zone)) is not None}
    typed = {name for name, at in found.items() if _is_named(at, times)}
    start, end = found.get("start"), found.get("end")
    if start is None or end is None or isinstance(start, datetime) != isinstance(end, datetime):
        return frozenset(typed)
    length = end - start
    plain = _HOUR if isinstance(start, datetime) else _DAY
    if "start" in typed and (length == plain or length in times.lengths):
        typed.add("end")
    if _are_whole_days(start, end, times):
        typed |= {"start", "end"}
    return frozenset(typed)


def _is_named(at: date, times: SpokenTimes) -> bool:
    return times.name(at) if isinstance(at, datetime) else at in times.days


def _are_whole_days(start: date, end: date, times: SpokenTimes) -> bool:
    """Return whether a range goes from midnight to midnight over days that the words name."""
    first, last = _midnight(start), _midnight(end)
    return (
        first is not None
        and last is not None
        and first < last
        and first in times.days
        and not {last, last - _DAY}.isdisjoint(times.days)
    )


def _midnight(at: date) -> date | None:
    if not isinstance(at, datetime):
        return at
    return at.date() if (at.hour, at.minute, at.second) == (0, 0, 0) else None


def _moment(value: Any, zone: str) -> date | None:
    """Return a day, or a moment on the owner's clock; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        if len(value) == len("2026-11-30"):
            return date.fromisoformat(value)
        at = datetime.fromisoformat(value)
        return at.astimezone(zone_of(zone)).replace(tzinfo=None) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None
