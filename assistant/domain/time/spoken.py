"""Find the days, times and lengths that a person names in words, in English and German.

It serves to tell whether a time stands in what the owner typed. What it does not understand it
leaves out: a card then says so in red.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

_DAYS = (
    ("mon", "monday", "montag"),
    ("tue", "tues", "tuesday", "dienstag"),
    ("wed", "wednesday", "mittwoch"),
    ("thu", "thur", "thurs", "thursday", "donnerstag"),
    ("fri", "friday", "freitag"),
    ("sat", "saturday", "samstag", "sonnabend"),
    ("sun", "sunday", "sonntag"),
)
_WEEKDAY = {name: number for number, names in enumerate(_DAYS) for name in names}
_MONTHS = (
    ("jan", "january", "januar"),
    ("feb", "february", "februar"),
    ("mar", "march", "märz"),
    ("apr", "april"),
    ("may", "mai"),
    ("jun", "june", "juni"),
    ("jul", "july", "juli"),
    ("aug", "august"),
    ("sep", "sept", "september"),
    ("oct", "october", "okt", "oktober"),
    ("nov", "november"),
    ("dec", "december", "dez", "dezember"),
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_AHEAD = {"today": 0, "tonight": 0, "heute": 0, "tomorrow": 1, "morgen": 1, "übermorgen": 2}
_PAST = timedelta(days=31)
"""A day and month without a year are of the next year, if they are longer ago than this."""

_WEEKDAYS = re.compile(rf"\b(next |nächsten? )?({'|'.join(_WEEKDAY)})\b")
_NAMES = "|".join(_MONTH)
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}})(?:\.|st|nd|rd|th)? (?:of )?({_NAMES})\b\.?(?:,? (\d{{4}}))?"
)
_MONTH_FIRST = re.compile(rf"\b({_NAMES})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?")
_NUMBERS = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})?")
_CLOCK = re.compile(r"\b([01]?\d|2[0-3])[:.h]([0-5]\d)(?![\d.])(?: ?(am|pm))?")
_HOUR = re.compile(r"\b(1[0-2]|0?[1-9]) ?(am|pm)\b")
_AT = re.compile(
    r"\b(?:at|from|to|until|till|um|von|bis|ab) ([01]?\d|2[0-3])(?![\d:.h/]|\.? ?(?:\d|[ap]m))"
)
_OF_HOURS = re.compile(r"\b([01]?\d|2[0-3]) ?(?:uhr|o'clock)\b")
_SPAN = re.compile(r"\b([01]?\d|2[0-3]) ?[-–] ?([01]?\d|2[0-3])(?: ?(am|pm|uhr))?\b(?![:.\-/]\d)")
_LENGTH = re.compile(r"\b(\d{1,3}) ?(minutes?|mins?|minuten|hours?|hrs?|stunden?|h)\b")
_NOON = 12


@dataclass(frozen=True)
class SpokenTimes:
    """The days, times of day and lengths that some texts name."""

    days: frozenset[date]
    clocks: frozenset[time]
    lengths: frozenset[timedelta]

    def name(self, moment: datetime) -> bool:
        """Return whether the texts name this local moment, its day and its time."""
        return moment.date() in self.days and moment.time() in self.clocks


def spoken_times(text: str, *, today: date) -> SpokenTimes:
    """Return what a text names, where it was typed on the day ``today``."""
    plain = " ".join(text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    return SpokenTimes(
        days=frozenset(_days(plain, today)),
        clocks=frozenset(_clocks(plain)),
        lengths=frozenset(_lengths(plain)),
    )


def _days(plain: str, today: date) -> Iterator[date]:
    yield from _from_today(plain, today)
    for next, name in _WEEKDAYS.findall(plain):
        first = today + timedelta(days=(_WEEKDAY[name] - today.weekday()) % 7)
        yield first
        if next or first == today:  # said on a Monday, ``monday`` can be that of the next week
            yield first + timedelta(days=7)
    for year, month, day in _ISO.findall(plain):
        yield from _dated(int(year), int(month), int(day))
    for day, name, year in _DAY_FIRST.findall(plain):
        yield from _near(year, _MONTH[name], int(day), today)
    for name, day, year in _MONTH_FIRST.findall(plain):
        yield from _near(year, _MONTH[name], int(day), today)
    for day, month, year in _NUMBERS.findall(plain):
        yield from _near(year, int(month), int(day), today)


def _from_today(plain: str, today: date) -> Iterator[date]:
    for word, ahead in _AHEAD.items():
        if re.search(rf"\b{word}\b", plain):
            yield today + timedelta(days=ahead)
    if "day after tomorrow" in plain:
        yield today + timedelta(days=2)
    monday = today - timedelta(days=today.weekday())
    for words, ahead in (("this week", 0), ("diese woche", 0), ("next week", 7)):
        if words in plain:
            yield from (monday + timedelta(days=ahead + n) for n in range(8))


def _near(year: str, month: int, day: int, today: date) -> Iterator[date]:
    if year:
        yield from _dated(int(year), month, day)
        return
    for found in _dated(today.year, month, day):
        yield from [found] if found >= today - _PAST else _dated(today.year + 1, month, day)


def _dated(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return


def _clocks(plain: str) -> Iterator[time]:
    if re.search(r"\b(?:noon|mittags?)\b", plain):
        yield time(_NOON)
    if re.search(r"\b(?:midnight|mitternacht)\b", plain):
        yield time(0)
    for hour, minute, half in _CLOCK.findall(plain):
        yield time(_of_half(int(hour), half), int(minute))
    for hour, half in _HOUR.findall(plain):
        yield time(_of_half(int(hour), half))
    for hour in (*_AT.findall(plain), *_OF_HOURS.findall(plain)):
        yield from _either_half(int(hour))
    for first, last, half in _SPAN.findall(plain):
        for hour in (int(first), int(last)):
            yield from [time(_of_half(hour, half))] if half in ("am", "pm") else _either_half(hour)


def _of_half(hour: int, half: str) -> int:
    if not half or not 1 <= hour <= _NOON:
        return hour
    return hour % _NOON + (_NOON if half == "pm" else 0)


def _either_half(hour: int) -> Iterator[time]:
    """Take ``at 3`` for the morning or the afternoon, as people leave it to the other to know."""
    yield time(hour)
    if 1 <= hour < _NOON:
        yield time(hour + _NOON)


def _lengths(plain: str) -> Iterator[timedelta]:
    if re.search(r"\bhalf an hour\b|\bhalbe stunde\b", plain):
        yield timedelta(minutes=30)
    if re.search(r"(?<!half )\b(?:an|one|eine) (?:hour|stunde)\b", plain):
        yield timedelta(hours=1)
    for count, unit in _LENGTH.findall(plain):
        yield timedelta(**{"minutes" if unit.startswith("m") else "hours": int(count)})
