"""Strip an iCalendar object of everything but its title and its times.

Nobody's name, no note, place, alarm or link gets into the copy. A line is kept only by its name.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from icalendar.parser import Contentlines, Parameters

from assistant.adapters.calendar.icalendar_objects import UNREADABLE

_RULE = frozenset({"DTSTART", "RRULE", "RDATE"})
_PHASE = _RULE | {"TZOFFSETFROM", "TZOFFSETTO", "TZNAME"}
_LINES: Mapping[str, frozenset[str]] = {
    "VCALENDAR": frozenset({"VERSION"}),
    "VEVENT": _RULE
    | {"UID", "SUMMARY", "DTEND", "DURATION", "EXDATE", "EXRULE", "RECURRENCE-ID", "STATUS"},
    "VTIMEZONE": frozenset({"TZID"}),
    "STANDARD": _PHASE,
    "DAYLIGHT": _PHASE,
}
_WITHIN: Mapping[str, frozenset[str]] = {
    "": frozenset({"VCALENDAR"}),
    "VCALENDAR": frozenset({"VEVENT", "VTIMEZONE"}),
    "VTIMEZONE": frozenset({"STANDARD", "DAYLIGHT"}),
}
_PARAMETERS = frozenset({"TZID", "VALUE", "RANGE"})
_LINE = re.compile(r"""(?P<name>[A-Za-z0-9-]+)(?P<said>(?:;(?:[^":;]|"[^"]*")*)*):(?P<value>.*)""")
"""Its name, its parameters and its value, which stays as it is written."""
_ESCAPED = re.compile(r"\\(.)")
_REPEATING = frozenset({"RRULE", "RDATE", "RECURRENCE-ID"})


class Stripped(NamedTuple):
    uid: str
    ics: str
    repeats: bool


def stripped(ics: bytes) -> Stripped:
    """Return what is kept of an object; an empty ``ics`` where it has no event.

    Raises:
        ValueError: it is no iCalendar object.
    """
    try:
        lines = list(_kept(ics.decode()))
    except UNREADABLE as problem:
        raise ValueError("it is no iCalendar object") from problem
    if not lines:
        raise ValueError("it is no iCalendar object")
    names = {(component, name) for component, name, _ in lines}
    if ("VEVENT", "BEGIN") not in names:
        return Stripped(uid="", ics="", repeats=False)
    uid = next((line for at, name, line in lines if (at, name) == ("VEVENT", "UID")), "")
    return Stripped(
        uid=_ESCAPED.sub(_unescaped, uid.partition(":")[2]),
        ics="\r\n".join(line for _, _, line in lines) + "\r\n",
        repeats=any(component == "VEVENT" and name in _REPEATING for component, name in names),
    )


def _unescaped(found: re.Match[str]) -> str:
    return "\n" if found[1] in "nN" else found[1]


def _kept(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the component, the name and the whole of each line that is kept."""
    within: list[str] = []
    left_out: list[str] = []
    for line in Contentlines.from_ical(text):  # type: ignore[no-untyped-call]
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        name, value = found["name"].upper(), found["value"]
        kind = value.strip().upper()
        if name == "BEGIN":
            if left_out or kind not in _WITHIN.get(within[-1] if within else "", ()):
                left_out.append(kind)
                continue
            within.append(kind)
            yield kind, name, f"BEGIN:{kind}"
        elif name == "END":
            if left_out:
                left_out.pop()
            elif within:
                yield within[-1], name, f"END:{within.pop()}"
        elif within and not left_out and name in _LINES[within[-1]]:
            yield within[-1], name, f"{name}{_parameters(found['said'])}:{value}"


def _parameters(said: str) -> str:
    if not said:
        return ""
    given = Parameters.from_ical(said.removeprefix(";"))  # type: ignore[no-untyped-call]
    kept = Parameters({key: value for key, value in given.items() if key in _PARAMETERS})
    return f";{kept.to_ical().decode()}" if kept else ""
