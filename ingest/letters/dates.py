"""Read when a message was sent, as mail programs of many languages write it.

Only what is certain: a year of four digits, a day that is not one of two readings, a time, and a
zone. dateparser is not used: it guesses all of these, and takes milliseconds for each.
"""

import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import NamedTuple

from ingest.letters.tables import MONTHS, ZONES

_READ = 120
_DIGITS_LETTERS = re.compile(r"\d+|[^\W\d_]+")
_NUMERIC = re.compile(r"(?<!\d)(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?!\d)")
_IDEOGRAPHS = re.compile(r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日")
_TIME = re.compile(r"(?<!\d)(\d{1,2}) ?[:.h時] ?(\d{2})(?: ?[:.m分] ?(\d{2}))?(?!\d)")
_OFFSET = re.compile(r"(?:gmt|utc)? ?([+-])(\d{1,2}):?(\d{2})?(?!\d)")
_CAPITALS = re.compile(r"[A-Z]{2,5}\b")
_AFTERNOON = ("pm", "p.m", "p. m", "午後")
_MORNING = ("am", "a.m", "a. m", "午前")
_MINUS = str.maketrans("\u2212\u2013", "--")
_NOON = 12
_ONE_MONTH = 12
_FIRST_YEAR, _LAST_YEAR = 1970, 2100
_TWO_DIGITS = 2


class _Day(NamedTuple):
    year: int
    month: int
    day: int
    end: int
    start: int


def moment(words: str, zone: tzinfo | None = None) -> datetime | None:
    """Return the moment that the words name, or None where they do not say it for certain.

    Args:
        words: the value of a Date or Sent header, or the date of a line like "On ... wrote:".
        zone: where the words name no zone, the one that is meant; without it they name no moment.
    """
    asked = unicodedata.normalize("NFKC", words[:_READ]).translate(_MINUS)
    folded = asked.casefold()
    if len(folded) != len(asked):  # such as the Turkish İ: places would not agree
        asked = folded
    day = _numeric(folded) or _ideographs(folded) or _named(folded)
    if day is None:
        return None
    # The time stands behind the date everywhere but in a few programs.
    time = _TIME.search(folded, day.end) or _TIME.search(folded[: day.start])
    if time is None:
        return None
    hour = _hour(folded, time)
    where = _zone(asked, folded, time.end(), zone)
    if where is None or hour is None:
        return None
    try:
        return datetime(
            day.year, day.month, day.day, hour, int(time[2]), int(time[3] or 0), tzinfo=where
        )
    except ValueError:
        return None


def names_a_moment(words: str) -> bool:
    """Return whether words hold a date and a time, or a date with a year, in any reading."""
    said = unicodedata.normalize("NFKC", words[:_READ]).casefold()
    numbers = [int(found) for found in _DIGITS_LETTERS.findall(said) if found.isdecimal()]
    has_year = any(_FIRST_YEAR <= number < _LAST_YEAR for number in numbers)
    has_date = _NUMERIC.search(said) is not None
    has_time = _TIME.search(said) is not None
    return (has_year and len(numbers) > 1) or (has_date and has_time)


def _numeric(said: str) -> _Day | None:
    for found in _NUMERIC.finditer(said):
        first, mark, second, third = found[1], found[2], int(found[3]), found[4]
        if len(first) > _TWO_DIGITS:
            return _day(int(first), second, int(third), found)
        year = int(third) + (2000 if len(third) == _TWO_DIGITS and mark == "." else 0)
        if mark == "/" and int(first) <= _ONE_MONTH and second <= _ONE_MONTH:
            # 4/11 is a day in April or in November; the same number twice is one day.
            return _day(year, second, int(first), found) if int(first) == second else None
        if mark == "/" and second > _ONE_MONTH:
            return _day(year, int(first), second, found)
        return _day(year, second, int(first), found)
    return None


def _ideographs(said: str) -> _Day | None:
    found = _IDEOGRAPHS.search(said)
    return _day(int(found[1]), int(found[2]), int(found[3]), found) if found else None


def _day(year: int, month: int, day: int, found: re.Match[str]) -> _Day | None:
    if not _FIRST_YEAR <= year < _LAST_YEAR:
        return None
    return _Day(year, month, day, found.end(), found.start())


_BETWEEN = frozenset({"de", "of", "del", "d", "st", "nd", "rd", "th", "er", "º", "ª", "o", "a"})


def _named(said: str) -> _Day | None:
    """Read a date whose month is a word: ``3 Nov 2025``, ``November 3rd, 2025``."""
    words = [found for found in _DIGITS_LETTERS.finditer(said) if found[0] not in _BETWEEN]
    for day_first in (True, False):  # "mar 3 nov" is a Tuesday in November
        for number in range(len(words) - 1):
            day, month = words[number], words[number + 1]
            if not day_first:
                day, month = month, day
            if day[0].isdecimal() and len(day[0]) <= _TWO_DIGITS and month[0] in MONTHS:
                return _with_year(
                    day, month, words[number + 2 :], words[max(0, number - 1) : number]
                )
    return None


def _with_year(
    day: re.Match[str],
    month: re.Match[str],
    after: list[re.Match[str]],
    before: list[re.Match[str]],
) -> _Day | None:
    for place, year in enumerate((*after[:5], *before)):
        if not year[0].isdecimal() or len(year[0]) != 2 * _TWO_DIGITS:
            continue
        if not _FIRST_YEAR <= int(year[0]) < _LAST_YEAR:
            return None
        # Behind the time, as in "Nov 4 09:31:00 CET 2025", the year is not the end of the date.
        ends = year.end() if place == 0 and after else max(day.end(), month.end())
        return _Day(
            int(year[0]), MONTHS[month[0]], int(day[0]), ends, min(day.start(), month.start())
        )
    return None


def _hour(said: str, time: re.Match[str]) -> int | None:
    hour = int(time[1])
    after = said[time.end() :].lstrip(" ,")[:4]
    before = said[: time.start()].rstrip()[-2:]
    late = after.startswith(_AFTERNOON) or before in _AFTERNOON
    early = after.startswith(_MORNING) or before in _MORNING
    if not (late or early):
        return hour
    if hour > _NOON:
        return hour if late else None
    return hour % _NOON + (_NOON if late else 0)


def _zone(asked: str, said: str, place: int, zone: tzinfo | None) -> tzinfo | None:
    """Return the zone behind the time; the given one if none is named; None for an unknown one."""
    behind = said[place:]
    trimmed = behind.lstrip(" ,(.")
    for noon in (*_AFTERNOON, *_MORNING):
        if trimmed.startswith(noon):
            trimmed = trimmed[len(noon) :].lstrip(" ,(.")
            break
    for filler in ("uhr", "h ", "o'clock"):
        trimmed = trimmed.removeprefix(filler).lstrip(" ,(.")
    if found := _OFFSET.match(trimmed):
        minutes = int(found[2]) * 60 + int(found[3] or 0)
        if minutes >= 24 * 60:
            return None
        return timezone(timedelta(minutes=-minutes if found[1] == "-" else minutes))
    word = _DIGITS_LETTERS.match(trimmed)
    if word and word[0] in ZONES:
        return timezone(timedelta(minutes=ZONES[word[0]])) if ZONES[word[0]] else UTC
    start = len(said) - len(trimmed)
    if _CAPITALS.match(asked[start:]) or "heure" in trimmed or "zeit" in trimmed:
        return None
    return zone
