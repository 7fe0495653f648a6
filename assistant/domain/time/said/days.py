"""Read the day that words name: ``next friday``, ``3rd of december``, ``a week from tuesday``."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple, NoReturn

from assistant.domain.time.said.language import Unit, WordKind
from assistant.domain.time.said.lexer import SaidWords
from assistant.domain.time.said.values import Span, Unclear

EXAMPLES = "2026-11-30 10:00-11:00, tomorrow at 15:00, friday, 24 December"
NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
YEARS = range(1970, 2101)
DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)
_LEAP = 9
"""Within so many years there is always a 29 February."""
_FIFTH = 5


class FoundDay(NamedTuple):
    """A day, and the place of the word behind it."""

    day: date
    end: int
    from_now: bool = False


@dataclass(frozen=True)
class DayReader:
    """Reads the days of a text that is said on the day ``today``."""

    words: SaidWords
    today: date

    def day(self, at: int) -> FoundDay | None:
        """Return the day that begins at a place; None for none. Raises ``Unclear``."""
        try:
            found = self._checked(at) or self._single(at)
        except (OverflowError, ValueError):
            self._unread(at, at + 1)
        if found and found.day.year not in YEARS:
            raise Unclear(f"{found.day.isoformat()} is too far away.")
        return found

    def _single(self, at: int) -> FoundDay | None:
        return (
            self._dated(at)
            or self._counted(at)
            or self._of_month(at)
            or self._end_of_month(at)
            or self._weekday(at)
            or self._in_week(at)
        )

    def _checked(self, at: int) -> FoundDay | None:
        """Read a weekday with its date, which must agree."""
        weekday = self.words.at(at, WordKind.WEEKDAY)
        if weekday is None:
            return None
        after = at + 1 + self.words.is_at(at + 1, WordKind.COMMA)
        after += self.words.is_at(after, WordKind.THE)
        found = self._dated(after)
        if found and found.day.weekday() != weekday:
            named = self.words.text(at, at + 1)
            raise Unclear(f"{found.day} is no {named}; leave one of the two out.")
        return found

    def _dated(self, at: int) -> FoundDay | None:
        """Read a date in numbers, or with the name of its month."""
        words = self.words
        at += words.is_at(at, WordKind.THE)
        if words.is_at(at, WordKind.DAY):
            return self._in_numbers(at)
        if (fixed := words.at(at, WordKind.FIXED)) is not None:
            return self._year(at, at + 1, fixed // 100, fixed % 100)
        number = _first(
            words.at(at, kind) for kind in (WordKind.PLACED, WordKind.ORDINAL, WordKind.NUMBER)
        )
        if number is not None and number > 0:
            of = at + 1 + words.is_at(at + 1, WordKind.OF)
            if month := words.at(of, WordKind.MONTH):
                return self._year(at, of + 1, month, number)
        month = words.at(at, WordKind.MONTH)
        number = _first(words.at(at + 1, kind) for kind in (WordKind.PLACED, WordKind.NUMBER))
        if month and number and not words.is_at(at + 2, WordKind.MERIDIEM, WordKind.HOUR):
            return self._year(at, at + 2, month, number)
        return None

    def _in_numbers(self, at: int) -> FoundDay | None:
        token = self.words.tokens[at]
        if token.day:
            return FoundDay(token.day, at + 1)
        if not token.days:
            return None if self.words.is_at(at, WordKind.FRACTION) else self._unread(at, at + 1)
        readings = [self._next(one) if isinstance(one, tuple) else one for one in token.days]
        if self.words.at(at, WordKind.SLASHED) == 0 or len(readings) > 1:
            ways = " or ".join(dict.fromkeys(day.isoformat() for day in readings))
            raise Unclear(
                f"{token.text} can be read in two ways; write the day like {ways}.",
                tuple(Span(day, day + DAY) for day in readings),
                (token.text,),
            )
        if isinstance(token.days[0], tuple):
            month, day = token.days[0]
            return self._year(at, at + 1, month, day)
        return FoundDay(readings[0], at + 1)

    def _year(self, begin: int, end: int, month: int, day: int) -> FoundDay:
        """Return a day of a year; where none is said, the next such day."""
        comma = end + self.words.is_at(end, WordKind.COMMA)
        year = self.words.at(comma, WordKind.NUMBER)
        if year is not None and len(self.words.tokens[comma].text) == len("2026"):
            if (on := _date(year, month, day)) is None:
                self._unread(begin, comma + 1)
            return FoundDay(on, comma + 1)
        try:
            return FoundDay(self._next((month, day)), end)
        except StopIteration:
            self._unread(begin, end)

    def _next(self, of: tuple[int, int]) -> date:
        years = range(self.today.year, self.today.year + _LEAP)
        days = (_date(year, *of) for year in years)
        return next(day for day in days if day and day >= self.today)

    def _counted(self, at: int) -> FoundDay | None:
        """Read a day that is counted from another: ``in 3 days``, ``a week from tuesday``."""
        words = self.words
        if (days := words.at(at, WordKind.DAYS)) is not None:
            return FoundDay(self.today + days * DAY, at + 1, from_now=True)
        back = words.is_at(at, WordKind.BEFORE)
        if (back or words.is_at(at, WordKind.IN)) and (amount := self._amount(at + 1)):
            number = -amount[0] if back else amount[0]
            return FoundDay(self._plus(at, number, amount[1]), at + 3, from_now=True)
        if not (amount := self._amount(at)):
            return None
        if words.is_at(at + 2, WordKind.AGO):
            return FoundDay(self._plus(at, -amount[0], amount[1]), at + 3, from_now=True)
        if words.is_at(at + 2, WordKind.FROM) and words.is_at(
            at + 3, WordKind.WEEKDAY, WordKind.DAYS
        ):
            base = self._counted(at + 3) or self._weekday(at + 3)
            assert base  # noqa: S101  # as just told
            if amount[1] in {Unit.DAY, Unit.WEEK}:
                days = amount[0] * (7 if amount[1] == Unit.WEEK else 1)
                return FoundDay(base.day + days * DAY, base.end, from_now=True)
        return None

    def _amount(self, at: int) -> tuple[int, int] | None:
        number, unit = self.words.at(at, WordKind.NUMBER), self.words.at(at + 1, WordKind.UNIT)
        return (number, unit) if number and unit and unit >= Unit.DAY else None

    def _plus(self, at: int, number: int, unit: int) -> date:
        if unit in {Unit.DAY, Unit.WEEK}:
            return self.today + number * (WEEK if unit == Unit.WEEK else DAY)
        months = self.today.month - 1 + number * (12 if unit == Unit.YEAR else 1)
        year, month = self.today.year + months // 12, months % 12 + 1
        if day := _date(year, month, self.today.day):
            return day
        return self._unread(at, at + 3)

    def _of_month(self, at: int) -> FoundDay | None:
        """Read ``first monday in january`` and ``last friday of the month``."""
        words = self.words
        at += words.is_at(at, WordKind.THE)
        ordinal = _first((words.at(at, WordKind.ORDINAL), words.at(at, WordKind.LAST)))
        weekday = words.at(at + 1, WordKind.WEEKDAY)
        if ordinal is None or weekday is None:
            return None
        month = self._month(at + 2)
        if not month:
            return None
        begin, end, again = month
        day = nth_weekday(begin, ordinal, weekday)
        if day and day >= self.today:
            return FoundDay(day, end)
        later = _next_month(begin) if again is None else begin.replace(year=begin.year + again)
        other = nth_weekday(later, ordinal, weekday)
        if again == 1 and other:
            return FoundDay(other, end)
        said = words.text(at, end)
        readings = tuple(Span(one, one + DAY) for one in (day, other) if one)
        told = f"{said} {_or(readings) or 'does not exist'}. Write the date."
        raise Unclear(told, readings, (said,))

    def _month(self, at: int) -> tuple[date, int, int | None] | None:
        """Return the first day of a month, the place behind it, and after how many years again.

        None for the years means that it was told from this month; 0 that its year was said.
        """
        words = self.words
        at += words.is_at(at, WordKind.IN, WordKind.OF)
        if month := words.at(at, WordKind.MONTH):
            year = words.at(at + 1, WordKind.NUMBER)
            if year is not None and year in YEARS:
                return date(year, month, 1), at + 2, 0
            year = self.today.year + (month < self.today.month)
            return date(year, month, 1), at + 1, 1
        further = words.is_at(at, WordKind.NEXT)
        at += words.is_at(at, WordKind.NEXT, WordKind.THIS, WordKind.THE)
        if words.at(at, WordKind.UNIT) != Unit.MONTH:
            return None
        begin = self.today.replace(day=1)
        return (_next_month(begin) if further else begin), at + 1, None

    def _end_of_month(self, at: int) -> FoundDay | None:
        words = self.words
        if words.is_at(at, WordKind.END_OF_MONTH):
            return FoundDay(_next_month(self.today.replace(day=1)) - DAY, at + 1)
        if not words.is_at(at, WordKind.END_OF) or not (month := self._month(at + 1)):
            return None
        return FoundDay(_next_month(month[0]) - DAY, month[1])

    def _weekday(self, at: int) -> FoundDay | None:
        words = self.words
        word = next(
            (one for one in (WordKind.NEXT, WordKind.THIS, WordKind.LAST) if words.is_at(at, one)),
            None,
        )
        place = at + (word is not None)
        weekday = words.at(place, WordKind.WEEKDAY)
        if weekday is None:
            return None
        if not word and (week := self._week(place + 1)) is not None:
            return FoundDay(week + weekday * DAY, place + 3)
        ahead = (weekday - self.today.weekday() - 1) % 7 + 1
        first = self.today + ahead * DAY
        same = weekday == self.today.weekday()
        if word is WordKind.LAST:
            return FoundDay(first - (2 if same else 1) * WEEK, place + 1, from_now=True)
        in_this_week = weekday > self.today.weekday()
        soon = first - WEEK if word is WordKind.THIS else first
        if (word is WordKind.NEXT and in_this_week) or (word and same):
            readings = tuple(Span(day, day + DAY) for day in (soon, soon + WEEK))
            said = words.text(at, place + 1)
            such = f"Write it like {readings[0].start} or {readings[1].start}."
            raise Unclear(f'"{said}" {_or(readings)}. {such}', readings, (said,))
        return FoundDay(first, place + 1)

    def _in_week(self, at: int) -> FoundDay | None:
        """Read ``next week tuesday``; a weekday before its week is read with the weekdays."""
        at += self.words.is_at(at, WordKind.IN, WordKind.THE) and self.words.is_at(
            at + 1, WordKind.NEXT
        )
        monday, weekday = self._week(at), self.words.at(at + 2, WordKind.WEEKDAY)
        if monday is None or weekday is None:
            return None
        return FoundDay(monday + weekday * DAY, at + 3)

    def _week(self, at: int) -> date | None:
        """Return the Monday of ``this week`` or ``next week``."""
        words = self.words
        if words.at(at + 1, WordKind.UNIT) != Unit.WEEK or not words.is_at(
            at, WordKind.THIS, WordKind.NEXT
        ):
            return None
        return self.today - self.today.weekday() * DAY + WEEK * words.is_at(at, WordKind.NEXT)

    def _unread(self, begin: int, end: int) -> NoReturn:
        text = self.words.text(begin, end)
        raise Unclear(f'I cannot tell which day "{text}" is. Write it like one of: {EXAMPLES}.')


def nth_weekday(begin: date, ordinal: int, weekday: int) -> date | None:
    """Return such a weekday of the month that begins on a day; -1 is the last."""
    if ordinal < 0:
        last = begin.replace(day=monthrange(begin.year, begin.month)[1])
        return last - (last.weekday() - weekday) % 7 * DAY
    day = begin + ((weekday - begin.weekday()) % 7 + 7 * (ordinal - 1)) * DAY
    return day if day.month == begin.month and ordinal <= _FIFTH else None


def _or(readings: tuple[Span, ...]) -> str:
    said = " or ".join(f"{one.start:%a} {one.start.day} {one.start:%b %Y}" for one in readings)
    return f"could be {said}" if said else ""


def _next_month(begin: date) -> date:
    return (begin + 31 * DAY).replace(day=1)


def _first(numbers: Iterator[int | None] | tuple[int | None, ...]) -> int | None:
    return next((number for number in numbers if number is not None), None)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
