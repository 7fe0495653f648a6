"""Take a calendar object apart into its components (RFC 5545, 3.1 and 3.4), leniently.

Only the lines that are asked for reach a library, one by one: a whole object would have its zones
and rules expanded, and a zone that it defines kept for the next mail.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from icalendar.parser import Contentline

COMPONENTS = 200
"""The most components of one object that are looked at."""
LINES = 20_000
"""The most lines of one object that are read, as they were folded."""
VALUE = 4_096
"""The most characters of one line that are read."""
_KEPT = 2_000
"""The most lines of one component that are kept."""
_NAMES = frozenset({
    "ACKNOWLEDGED", "ACTION", "ATTACH", "ATTENDEE", "BEGIN", "CALSCALE", "CATEGORIES", "CLASS",
    "COLOR", "COMMENT", "COMPLETED", "CONFERENCE", "CONTACT", "CREATED", "DALARM", "DAYLIGHT",
    "DESCRIPTION", "DTEND", "DTSTAMP", "DTSTART", "DUE", "DURATION", "END", "EXDATE", "EXRULE",
    "FREEBUSY", "GEO", "IMAGE", "LAST-MODIFIED", "LOCATION", "METHOD", "NAME", "ORGANIZER",
    "PERCENT-COMPLETE", "PRIORITY", "PRODID", "RDATE", "RECURRENCE-ID", "REFRESH-INTERVAL",
    "RELATED-TO", "REPEAT", "REQUEST-STATUS", "RESOURCES", "RRULE", "SEQUENCE", "SOURCE",
    "STATUS", "STYLED-DESCRIPTION", "SUMMARY", "TRANSP", "TRIGGER", "TZID", "TZNAME",
    "TZOFFSETFROM", "TZOFFSETTO", "TZURL", "UID", "URL", "VERSION",
})  # fmt: skip
_NAME = re.compile(r"[ \t]*([A-Za-z][A-Za-z0-9-]{0,60})[;:]")
_LINE: Any = Contentline  # icalendar gives it no types
_BREAK = re.compile(r"\r\n|\n|\r")


class CalendarLine(NamedTuple):
    name: str
    """In capital letters."""
    text: str
    """All of it, unfolded, cut at ``VALUE``."""

    def read(self) -> tuple[dict[str, str], str]:
        """Return its parameters, names in capital letters, and its value."""
        try:
            _, parameters, value = _LINE(self.text).parts()
            named = {
                str(key).upper(): ",".join(each) if isinstance(each, list) else str(each)
                for key, each in parameters.items()
            }
        except Exception:  # noqa: BLE001 - it does not document what it raises on broken lines
            return {}, self.text.rpartition(":")[2]
        return named, str(value)


@dataclass
class Component:
    name: str
    lines: list[CalendarLine] = field(default_factory=list)
    children: list["Component"] = field(default_factory=list)

    def first(self, name: str) -> CalendarLine | None:
        return next((line for line in self.lines if line.name == name), None)

    def value(self, name: str) -> str:
        found = self.first(name)
        return found.read()[1].strip() if found else ""

    def all(self, name: str) -> list[CalendarLine]:
        return [line for line in self.lines if line.name == name]


class CalendarText(NamedTuple):
    calendars: tuple[Component, ...]
    defects: tuple[str, ...]


def components(text: str) -> CalendarText:
    """Return the VCALENDAR components of a text. Raises nothing."""
    defects: list[str] = []
    root = Component("")
    stack = [root]
    count = 0
    for line in _lines(text, defects):
        if line.name == "BEGIN":
            count += 1
            if count > COMPONENTS:
                defects.append(f"only its first {COMPONENTS} components were read")
                break
            inner = Component(line.text.partition(":")[2].strip().upper()[:40])
            stack[-1].children.append(inner)
            stack.append(inner)
        elif line.name == "END":
            name = line.text.partition(":")[2].strip().upper()[:40]
            if any(each.name == name for each in stack[1:]):
                while stack.pop().name != name:
                    defects.append("a component of it does not end")
        elif len(stack[-1].lines) < _KEPT:
            stack[-1].lines.append(line)
    if len(stack) > 1:
        defects.append("it ends too early")
    found = tuple(each for each in root.children if each.name == "VCALENDAR")
    return CalendarText(found, tuple(dict.fromkeys(defects)))


def _lines(text: str, defects: list[str]) -> Iterator[CalendarLine]:
    """Yield the lines unfolded. What begins no line goes on with the one before."""
    raws = _BREAK.split(text, LINES)
    if len(raws) > LINES:
        defects.append(f"only its first {LINES:,} lines were read")
    name = ""
    parts: list[str] = []
    room = 0
    for raw in raws[:LINES]:
        begun = _name(raw, name)
        if begun:
            if parts:
                yield CalendarLine(name, "".join(parts))
            name, parts, room = begun, [], VALUE
            more = raw.lstrip(" \t")
        elif not parts or not raw.strip():
            continue
        elif raw[0] in " \t":
            more = raw[1:]
        else:
            defects.append("a folded line of it was broken, and was joined again")
            more = raw
        if room > 0:
            parts.append(more[:room])
            room -= len(more)
    if parts:
        yield CalendarLine(name, "".join(parts))


def _name(raw: str, inside: str) -> str:
    """Return the property that a line begins; an indented one begins a component at the most."""
    named = _NAME.match(raw)
    if not named:
        return ""
    name = named[1].upper()
    if raw[0] in " \t":
        return name if inside != "DESCRIPTION" and name in {"BEGIN", "END"} else ""
    return name if name in _NAMES or name.startswith("X-") else ""
