"""Read a rule of recurrence (RFC 5545, 3.3.10) without expanding it, and say it in words."""

from datetime import date, datetime
from typing import Any, NamedTuple

from icalendar import vRecur

from assistant.domain.calendar.invitations.invitation import RULE_LIMIT
from ingest.text import line

_UNITS = {
    "DAILY": ("day", "days"),
    "WEEKLY": ("week", "weeks"),
    "MONTHLY": ("month", "months"),
    "YEARLY": ("year", "years"),
}
_WITHIN_A_DAY = ("BYHOUR", "BYMINUTE", "BYSECOND")
_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
_NTH = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last"}
_MOST_INTERVAL = 999


class ReadRule(NamedTuple):
    rrule: str
    """The rule as it was written; empty where it is refused."""
    words: str
    defect: str = ""


def read_rule(value: str) -> ReadRule:
    """Return a rule that repeats daily at the most; any other only as words."""
    shown = line(value, 200)
    if len(value) > RULE_LIMIT:
        return ReadRule("", f"by a rule: {shown}", "its rule of recurrence is too long")
    try:
        rule: dict[str, Any] = dict(vRecur.from_ical(value))
    except Exception:  # noqa: BLE001 - it does not document what it raises
        rule = {}
    frequency = str(next(iter(rule.get("FREQ", ())), ""))
    if not frequency:
        return ReadRule("", f"by a rule: {shown}", "its rule of recurrence cannot be read")
    several = any(len(rule.get(name, ())) > 1 for name in _WITHIN_A_DAY)
    if frequency not in _UNITS or several:
        return ReadRule("", f"by a rule: {shown}", "it repeats more than once a day")
    interval = _number(rule, "INTERVAL")
    if not 1 <= interval <= _MOST_INTERVAL:
        return ReadRule("", f"by a rule: {shown}", "its rule of recurrence cannot be read")
    return ReadRule(line(value, RULE_LIMIT), _words(rule, frequency, interval, shown))


def _words(rule: dict[str, Any], frequency: str, interval: int, shown: str) -> str:
    one, many = _UNITS[frequency]
    said = f"every {one}" if interval == 1 else f"every {interval} {many}"
    named = {"FREQ", "INTERVAL", "WKST", "COUNT", "UNTIL", "BYDAY"}
    days = [_day(str(each)) for each in rule.get("BYDAY", ())]
    if any(not day for day in days) or set(map(str, rule)) - named:
        by = ";".join(part for part in shown.split(";") if part.upper().startswith("BY"))
        said += f" ({by})"
    elif days:
        said += f" on {_listed(days)}"
    if count := _number(rule, "COUNT", 0):
        said += f", {count} times"
    until = next(iter(rule.get("UNTIL", ())), None)
    if isinstance(until, date):
        day = until.date() if isinstance(until, datetime) else until
        said += f", until {day:%a} {day.day} {day:%b %Y}"
    return said


def _day(written: str) -> str:
    nth, day = written[:-2].removeprefix("+"), _DAYS.get(written[-2:].upper(), "")
    if not day or (nth and nth not in _NTH):
        return ""
    return f"the {_NTH[nth]} {day}" if nth else day


def _listed(days: list[str]) -> str:
    return days[0] if len(days) == 1 else f"{', '.join(days[:-1])} and {days[-1]}"


def _number(rule: dict[str, Any], name: str, default: int = 1) -> int:
    found = next(iter(rule.get(name, ())), default)
    return found if isinstance(found, int) else default
