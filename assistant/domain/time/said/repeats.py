"""Read how something repeats: ``every Tuesday until March``, ``monthly on the 3rd``."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from assistant.domain.calendar.recurrence import Frequency
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.days import DAY, DayReader, nth_weekday
from assistant.domain.time.said.language import Unit, WordKind
from assistant.domain.time.said.lexer import SaidWords
from assistant.domain.time.said.values import Repeated, Repeats, Span, Unclear

_FREQUENCIES = {
    Unit.DAY: Frequency.DAILY,
    Unit.WEEK: Frequency.WEEKLY,
    Unit.MONTH: Frequency.MONTHLY,
    Unit.YEAR: Frequency.YEARLY,
}
_WORKDAYS = (0, 1, 2, 3, 4)
_SEARCHED = 70
"""Days within which a monthly repeat has its first."""
_ALWAYS = 28
"""Up to this day, every month has it."""
_VAGUE = "Say at what time it is, such as: every Tuesday at 15:00."
_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class _Head(NamedTuple):
    repeats: Repeats
    begin: int
    end: int


class _Limit(NamedTuple):
    begin: int
    end: int
    until: date | None = None
    number: int = 0
    unit: int | None = None
    note: str = ""


def read_repeats(text: str, almanac: Almanac) -> Repeated | None:
    """Return what a text says that repeats, its first time with it; None where nothing repeats.

    Raises:
        Unclear: it could mean several things, or there is no such time.
    """
    words = almanac.words(text)
    head = _head(words) if words else None
    if not words or not head:
        return None
    repeats = head.repeats
    limit = _limit(words, head.end, almanac.today)
    tokens = words.tokens
    behind = SaidWords(tokens[head.end : limit.begin] + tokens[limit.end :])
    part = behind.is_at(0, WordKind.PART)  # "every morning at 8" is at 8 in the morning
    rest = SaidWords(tokens[: head.begin] + behind.tokens[part:] + behind.tokens[:part])
    day = _first_day(repeats, almanac.today)
    first = _first(rest, day, almanac)
    if first and isinstance(first.start, datetime) and first.start < almanac.now:
        day = _first_day(repeats, day + DAY)
        first = _first(rest, day, almanac)
    if not first:
        return None
    repeats = _limited(repeats, limit, day)
    if repeats.until and repeats.until < day:
        raise Unclear(f"That ends before its first, which is on {day}.")
    notes = [first.note, limit.note]
    if repeats.month_day and repeats.month_day > _ALWAYS:
        notes.append(f"Months without day {repeats.month_day} are left out.")
    return Repeated(repeats, first, " ".join(filter(None, notes)))


def say_repeats(repeats: Repeats) -> str:
    """Write ``every 2 weeks on Tuesday until 28 Feb 2027``, which reads as the same repeat."""
    until = repeats.until
    limit = f" until {until.day} {until:%b %Y}" if until else ""
    times = f", {repeats.count} times" if repeats.count else ""
    return f"{_said(repeats)}{limit}{times}"


def _said(repeats: Repeats) -> str:
    named = [_WEEKDAYS[day] for day in repeats.weekdays]
    days = " and ".join([", ".join(named[:-1]), named[-1]] if named[1:] else named)
    if repeats.ordinal:
        days = f"{_ORDINALS[repeats.ordinal]} {days}"
    if repeats.interval == 1 and repeats.weekdays == _WORKDAYS:
        return "every weekday"
    if repeats.interval == 1 and days:
        return f"every {days}{' of the month' if repeats.ordinal else ''}"
    unit = next(unit for unit, one in _FREQUENCIES.items() if one is repeats.frequency)
    name = unit.name.lower()
    every = f"every {name}" if repeats.interval == 1 else f"every {repeats.interval} {name}s"
    if days:
        return f"{every} on {'the ' if repeats.ordinal else ''}{days}"
    if repeats.month_day:
        return f"{every} on day {repeats.month_day}"
    return every


def _head(words: SaidWords) -> _Head | None:
    for at in range(len(words.tokens)):
        if words.is_at(at, WordKind.EVERY):
            return _of_month(words, at) or _every(words, at)
        if (unit := words.at(at, WordKind.EACH)) is not None:
            return _on(words, at, at + 1, Repeats(_FREQUENCIES[Unit(unit)]))
    return None


def _of_month(words: SaidWords, at: int) -> _Head | None:
    """Read ``on the first monday of every month``; ``at`` is the place of ``every``."""
    if words.at(at + 1, WordKind.UNIT) != Unit.MONTH:
        return None
    end = at + 2
    weekday_at = at - 1 - words.is_at(at - 1, WordKind.OF, WordKind.IN)
    ordinal, weekday = _ordinal(words, weekday_at - 1), words.at(weekday_at, WordKind.WEEKDAY)
    if ordinal is None or weekday is None:
        return None
    begin = weekday_at - 1
    begin -= words.is_at(begin - 1, WordKind.THE)
    begin -= words.is_at(begin - 1, WordKind.ON)
    repeats = Repeats(Frequency.MONTHLY, weekdays=(weekday,), ordinal=ordinal)
    return _Head(repeats, begin, end)


def _every(words: SaidWords, begin: int) -> _Head | None:
    at = begin + 1
    if words.is_at(at, WordKind.PART):
        return _Head(Repeats(Frequency.DAILY), begin, at)
    if words.is_at(at, WordKind.WORKDAYS):
        return _Head(Repeats(Frequency.WEEKLY, weekdays=_WORKDAYS), begin, at + 1)
    ordinal = _ordinal(words, at)
    if ordinal is not None and words.is_at(at + 1, WordKind.WEEKDAY):
        return _nth(words, begin, ordinal)
    interval = 1
    for kind in (WordKind.OTHER, WordKind.ORDINAL, WordKind.NUMBER, WordKind.PLACED):
        if (number := words.at(at, kind)) is not None:
            interval, at = number, at + 1
            break
    return _every_nth(words, begin, at, interval) if interval > 0 else None


def _every_nth(words: SaidWords, begin: int, at: int, interval: int) -> _Head | None:
    """Read what is between: ``weeks``, ``tuesday and friday``."""
    if (unit := words.at(at, WordKind.UNIT)) is not None:
        if unit not in _FREQUENCIES:
            raise Unclear("It can repeat once a day at the most.")
        return _on(words, begin, at + 1, Repeats(_FREQUENCIES[Unit(unit)], interval))
    weekdays, end = _weekdays(words, at)
    if not weekdays:
        return None
    return _Head(Repeats(Frequency.WEEKLY, interval, weekdays=weekdays), begin, end)


def _nth(words: SaidWords, begin: int, ordinal: int) -> _Head:
    """Read ``every first monday``. The second could be every other one, or of the month."""
    weekdays = (words.at(begin + 2, WordKind.WEEKDAY) or 0,)
    end = begin + 3
    monthly = Repeats(Frequency.MONTHLY, weekdays=weekdays, ordinal=ordinal)
    after = end + words.is_at(end, WordKind.OF, WordKind.IN)
    after += words.is_at(after, WordKind.THE, WordKind.EVERY)
    if words.at(after, WordKind.UNIT) == Unit.MONTH:
        return _Head(monthly, begin, after + 1)
    if ordinal in {1, -1}:
        return _Head(monthly, begin, end)
    weekly = Repeats(Frequency.WEEKLY, ordinal, weekdays=weekdays)
    said = words.text(begin, end)
    raise Unclear(
        f'"{said}" could be: {say_repeats(weekly)}, or: {say_repeats(monthly)}. Write one of them.',
        (weekly, monthly),
        (said,),
    )


def _on(words: SaidWords, begin: int, end: int, repeats: Repeats) -> _Head:
    """Read on which days of a week or a month it is, where that is said."""
    at = end + words.is_at(end, WordKind.ON)
    said_on = at > end
    at += words.is_at(at, WordKind.THE)
    if repeats.frequency is Frequency.WEEKLY:
        weekdays, after = _weekdays(words, at)
        if weekdays:
            return _Head(replace(repeats, weekdays=weekdays), begin, after)
    if repeats.frequency is Frequency.MONTHLY:
        ordinal, weekday = _ordinal(words, at), words.at(at + 1, WordKind.WEEKDAY)
        if ordinal is not None and weekday is not None:
            repeats = replace(repeats, weekdays=(weekday,), ordinal=ordinal)
            return _Head(repeats, begin, at + 2)
        if said_on and (day := _month_day(words, at)):
            return _Head(replace(repeats, month_day=day[0]), begin, day[1])
    return _Head(repeats, begin, end)


def _month_day(words: SaidWords, at: int) -> tuple[int, int] | None:
    """Read ``3rd``, ``3.`` or ``day 3``."""
    at += words.at(at, WordKind.UNIT) == Unit.DAY
    for kind in (WordKind.PLACED, WordKind.ORDINAL, WordKind.NUMBER):
        day = words.at(at, kind)
        if day is not None and not words.is_at(
            at + 1, WordKind.HOUR, WordKind.MERIDIEM, WordKind.MONTH
        ):
            if not 1 <= day <= 31:  # noqa: PLR2004
                raise Unclear(f"No month has a day {day}.")
            return day, at + 1
    return None


def _weekdays(words: SaidWords, at: int) -> tuple[tuple[int, ...], int]:
    found: list[int] = []
    end = at
    while (weekday := words.at(at, WordKind.WEEKDAY)) is not None:
        found.append(weekday)
        end = at + 1
        at = end + words.is_at(end, WordKind.COMMA)
        at += words.is_at(at, WordKind.AND)
        if at == end:
            break
    return tuple(sorted(set(found))), end


def _ordinal(words: SaidWords, at: int) -> int | None:
    ordinal = words.at(at, WordKind.ORDINAL)
    return words.at(at, WordKind.LAST) if ordinal is None else ordinal


def _limit(words: SaidWords, begin: int, today: date) -> _Limit:
    """Read until when, or how often, behind a place; one without a length is none."""
    end = len(words.tokens)
    for at in range(begin, end):
        number, unit = words.at(at, WordKind.NUMBER), words.at(at + 1, WordKind.UNIT)
        before = at - words.is_at(at - 1, WordKind.COMMA, WordKind.FOR)
        if number and words.is_at(at + 1, WordKind.TIMES):
            return _Limit(before, at + 2, number=number)
        if number and unit and unit >= Unit.DAY and words.is_at(at - 1, WordKind.FOR):
            return _Limit(at - 1, at + 2, number=number, unit=unit)
    for at in range(end - 1, begin - 1, -1):
        if not words.is_at(at, WordKind.TO, WordKind.THROUGH):
            continue
        if month := _until_month(words, at, today):
            return month
        if found := DayReader(words, today).day(at + 1):
            return _Limit(at, found.end, until=found.day)
    return _Limit(end, end)


def _until_month(words: SaidWords, at: int, today: date) -> _Limit | None:
    month, year = words.at(at + 1, WordKind.MONTH), words.at(at + 2, WordKind.NUMBER)
    has_year = year is not None and len(words.tokens[at + 2].text) == len("2026")
    if not month or words.is_at(at + 2, WordKind.PLACED) or (year is not None and not has_year):
        return None
    if year is None:
        year = today.year + (month < today.month)
        if month == today.month:
            raise Unclear(f"Say until which day, such as: until {today + 30 * DAY}.")
    begins, end = date(year, month, 1), at + 2 + has_year
    name = words.tokens[at + 1].text.capitalize()
    if words.is_at(at, WordKind.THROUGH):
        return _Limit(at, end, until=(begins + 31 * DAY).replace(day=1) - DAY)
    until = begins - DAY
    note = f"Until {name} is taken as until {until.day} {until:%b %Y}."
    return _Limit(at, end, until=until, note=note)


def _first_day(repeats: Repeats, begin: date) -> date:
    days = (begin + n * DAY for n in range(_SEARCHED))
    day = next((day for day in days if _is_on(repeats, day)), None)
    if day is None:
        raise Unclear("I cannot tell on which day it begins.")
    return day


def _is_on(repeats: Repeats, day: date) -> bool:
    if repeats.ordinal:
        return any(
            day == nth_weekday(day.replace(day=1), repeats.ordinal, weekday)
            for weekday in repeats.weekdays
        )
    if repeats.weekdays and day.weekday() not in repeats.weekdays:
        return False
    return repeats.month_day is None or repeats.month_day == day.day


def _first(rest: SaidWords, day: date, almanac: Almanac) -> Span | None:
    """Return the first: all day, or at the time of day that the rest of the words name."""
    if not rest.tokens:
        return Span(day, day + DAY)
    span = replace(almanac, on=day).span_of(rest)
    if span and span.rough:
        raise Unclear(_VAGUE)
    return span if span and span.bare else None


def _limited(repeats: Repeats, limit: _Limit, first: date) -> Repeats:
    if limit.until:
        return replace(repeats, until=limit.until)
    if not limit.number:
        return repeats
    if limit.unit is None:
        return replace(repeats, count=limit.number)
    unit, number = Unit(limit.unit), limit.number
    if _FREQUENCIES[unit] is repeats.frequency and number % repeats.interval == 0:
        each = len(repeats.weekdays) or 1
        count = number // repeats.interval * each
        return replace(repeats, count=count)
    try:
        return replace(repeats, until=_after(first, number, unit) - DAY)
    except (ValueError, OverflowError) as error:
        raise Unclear("Say until which day, such as: until 31 December.") from error


def _after(first: date, number: int, unit: Unit) -> date:
    if unit in {Unit.DAY, Unit.WEEK}:
        return first + timedelta(days=number * (7 if unit is Unit.WEEK else 1))
    months = first.month - 1 + number * (12 if unit is Unit.YEAR else 1)
    return first.replace(year=first.year + months // 12, month=months % 12 + 1)
