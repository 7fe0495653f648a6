"""Find the days that a text names, in English and German: ``Friday``, ``30.11.``, ``tomorrow``."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

_FULL_WEEKDAYS = (
    ("monday", "montag"),
    ("tuesday", "dienstag"),
    ("wednesday", "mittwoch"),
    ("thursday", "donnerstag"),
    ("friday", "freitag"),
    ("saturday", "samstag", "sonnabend"),
    ("sunday", "sonntag"),
)
_SHORT_WEEKDAYS = (
    ("Mon", "Mo"),
    ("Tue", "Tues", "Di"),
    ("Wed", "Mi"),
    ("Thu", "Thur", "Thurs", "Do"),
    ("Fri", "Fr"),
    ("Sat", "Sa"),
    ("Sun", "So"),
)
_FULL_MONTHS = (
    ("january", "januar", "jänner"),
    ("february", "februar"),
    ("march", "märz"),
    ("april",),
    ("may", "mai"),
    ("june", "juni"),
    ("july", "juli"),
    ("august",),
    ("september",),
    ("october", "oktober"),
    ("november",),
    ("december", "dezember"),
)
_SHORT_MONTHS = ("jan", "feb", "mar", "apr", "", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_OTHER_MONTHS = {"sept": 9, "okt": 10, "dez": 12, "mär": 3}
_RELATIVE = {
    "today": 0,
    "tonight": 0,
    "heute": 0,
    "tomorrow": 1,
    "morgen": 1,
    "übermorgen": 2,
}
WEEKDAYS = {
    name.lower(): number
    for names in (_FULL_WEEKDAYS, _SHORT_WEEKDAYS)
    for number, alike in enumerate(names)
    for name in alike
}
MONTHS = (
    {name: number for number, names in enumerate(_FULL_MONTHS, 1) for name in names}
    | {name: number for number, name in enumerate(_SHORT_MONTHS, 1) if name}
    | _OTHER_MONTHS
)

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_LONG_DAY = "|".join(name for names in _FULL_WEEKDAYS for name in names)
_SHORT_DAY = "|".join(name for names in _SHORT_WEEKDAYS for name in names if len(name) > 2)  # noqa: PLR2004
_SHORTEST_DAY = "|".join(names[-1] for names in _SHORT_WEEKDAYS)
_DAY = re.compile(
    r"(?<![\w.,/-])(?P<iso>(?P<iso_year>\d{4})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d))(?!\d)"
    r"|(?<![\w.,/-])(?P<dotted>(?P<dotted_day>\d{1,2})\. ?(?P<dotted_month>\d{1,2})\."
    r"(?: ?(?P<dotted_year>\d{4}|\d\d)(?![\d.:]))?)"
    r"|(?<![\w.,/-])(?P<slashed>(?P<slashed_one>\d{1,2})/(?P<slashed_two>\d{1,2})"
    r"/(?P<slashed_year>\d{4}|\d\d))(?![\w/])"
    rf"|(?<![\w.,/-])(?i:(?P<named>(?P<named_day>\d{{1,2}})(?:st|nd|rd|th|\.)? ?(?:of )?"
    rf"(?P<named_month>{_MONTH})\b\.?(?:,? (?P<named_year>\d{{4}})(?!\d))?))"
    rf"|\b(?i:(?P<first>(?P<first_month>{_MONTH})\.? (?P<first_day>\d{{1,2}})(?:st|nd|rd|th)?"
    r"(?![\d:])(?:,? (?P<first_year>\d{4})(?!\d))?))"
    rf"|\b(?P<weekday>(?i:{_LONG_DAY})|(?:{_SHORT_DAY})\b|(?:{_SHORTEST_DAY})(?=[.,] ?\d))"
    r"|\b(?P<relative>(?i:today|tonight|tomorrow|heute|übermorgen)|(?<!Guten )morgen)\b"
)
_HORIZON = timedelta(days=300)
_PAST = timedelta(days=30)
_CENTURY = 2000


class NamedDay(NamedTuple):
    """A day as a text names it. ``readings``: day, month and, where it says one, the year."""

    words: str
    start: int
    end: int
    readings: tuple[tuple[int, int, int | None], ...] = ()
    weekday: int | None = None
    """Monday is 0."""
    offset: int | None = None
    """Days after the one on which it was written."""

    def day(self, written: date | None) -> date | None:
        """Return the day where it is sure; None for a weekday, or for two ways to read it.

        Args:
            written: the day on which the text was written, for a day without a year.
        """
        if self.offset is not None:
            return _later(written, self.offset) if written else None
        found = {day for one in self.readings if (day := _day_of(one, written))}
        return found.pop() if len(found) == 1 else None


def named_days(text: str) -> Iterator[NamedDay]:
    """Yield the days that a text names, in their order."""
    for found in _DAY.finditer(text):
        words, start, end = found[0], found.start(), found.end()
        if weekday := found["weekday"]:
            number = WEEKDAYS[weekday.lower()]
            yield NamedDay(words, start, end, weekday=number)
        elif relative := found["relative"]:
            yield NamedDay(words, start, end, offset=_RELATIVE[relative.lower()])
        else:
            readings = tuple(one for one in _readings(found) if _exists(one))
            if readings and not _is_verb(found):
                yield NamedDay(words, start, end, readings=readings)


def next_weekday(weekday: int, after: date) -> date | None:
    """Return the first such weekday after a day; None where the calendar ends before."""
    return _later(after, (weekday - after.weekday() - 1) % 7 + 1)


def _is_verb(found: re.Match[str]) -> bool:
    """Return whether ``may`` is rather no month: ``5 may fail``."""
    return found["named_month"] == "may" and not found["named_year"]


def _readings(found: re.Match[str]) -> Iterator[tuple[int, int, int | None]]:
    kind = next(
        kind for kind in ("iso", "dotted", "slashed", "named", "first") if found[kind] is not None
    )
    year = _year(found[f"{kind}_year"])
    if kind == "slashed":
        one, two = int(found["slashed_one"]), int(found["slashed_two"])
        yield one, two, year
        yield two, one, year
        return
    month = found[f"{kind}_month"].lower()
    number = int(month) if month.isdigit() else MONTHS[month]
    yield int(found[f"{kind}_day"]), number, year


def _year(said: str | None) -> int | None:
    if not said:
        return None
    return int(said) if len(said) > 2 else _CENTURY + int(said)  # noqa: PLR2004


def _exists(reading: tuple[int, int, int | None]) -> bool:
    day, month, year = reading
    return _date(year if year is not None else _CENTURY, month, day) is not None


def _day_of(reading: tuple[int, int, int | None], written: date | None) -> date | None:
    day, month, year = reading
    if year is not None:
        return _date(year, month, day)
    if written is None:
        return None
    near = (_date(written.year + step, month, day) for step in (-1, 0, 1))
    return next((at for at in near if at and -_PAST <= at - written <= _HORIZON), None)


def _later(day: date, by: int) -> date | None:
    try:
        return day + timedelta(days=by)
    except OverflowError:
        return None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
