"""How often an event repeats, as the subset of RFC 5545 (3.3.10) that we write.

Never more than once a day. What others wrote may be outside the subset: ``from_rrule`` then raises
``BadRecurrence``, and such a series can still be read and changed.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from assistant.domain.errors import BadArguments

COUNT_LIMIT = 1000
INTERVAL_LIMIT = 400
LATEST_YEAR = 2199

_KEYS = frozenset(("FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "WKST"))
_DAY = re.compile(r"(-1|[+]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)
_TEXT_LIMIT = 500


class BadRecurrence(BadArguments):
    """The repetition is not valid."""


class Frequency(StrEnum):
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"


class Weekday(StrEnum):
    """A day of the week, in their order."""

    MONDAY = "MO"
    TUESDAY = "TU"
    WEDNESDAY = "WE"
    THURSDAY = "TH"
    FRIDAY = "FR"
    SATURDAY = "SA"
    SUNDAY = "SU"


WEEK = tuple(Weekday)


class DayOfWeek(BaseModel):
    """A weekday: each one, or the nth of its month, -1 being the last."""

    model_config = ConfigDict(frozen=True)
    day: Weekday
    nth: int | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.nth is not None and self.nth not in (-1, 1, 2, 3, 4, 5):
            raise ValueError("the nth weekday of a month is 1 to 5, or -1 for the last")
        return self

    def __str__(self) -> str:
        return f"{self.nth or ''}{self.day}"

    def holds(self, day: date) -> bool:
        if WEEK[day.weekday()] != self.day:
            return False
        if self.nth == -1:
            return (day + timedelta(days=7)).month != day.month
        return self.nth is None or (day.day + 6) // 7 == self.nth


MonthDay = Annotated[int, Field(ge=-1, le=31)]
Month = Annotated[int, Field(ge=1, le=12)]


class Recurrence(BaseModel):
    """How often an event repeats. Without ``count`` and ``until`` it has no end.

    A month without the day (the 31st, the fifth Monday) has no occurrence.

    Raises:
        ValidationError: the parts do not fit together. ``made`` raises ``BadRecurrence`` instead.
    """

    model_config = ConfigDict(frozen=True)
    frequency: Frequency
    interval: int = Field(default=1, ge=1, le=INTERVAL_LIMIT)
    weekdays: tuple[DayOfWeek, ...] = Field(default=(), max_length=7)
    month_days: tuple[MonthDay, ...] = Field(default=(), max_length=31)
    """1 to 31; -1 is the last day of the month."""
    months: tuple[Month, ...] = Field(default=(), max_length=12)
    count: int | None = Field(default=None, ge=1, le=COUNT_LIMIT)
    until: date | None = None
    """The last day on which an occurrence may begin, where the event takes place."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for problem in _problems(self):
            raise ValueError(problem)
        return self


def made(**parts: object) -> Recurrence:
    """Make a recurrence. Raises ``BadRecurrence`` with words for a person."""
    try:
        return Recurrence.model_validate(parts)
    except ValidationError as problem:
        raise BadRecurrence(_said(problem)) from None


def check(recurrence: Recurrence, start: date) -> None:
    """Check that a series may begin at ``start`` (a day, or a moment with its zone).

    Raises:
        BadRecurrence: it ends before it begins, or the first day is not one of its days.
    """
    first = _day(start)
    if recurrence.until and recurrence.until < first:
        raise BadRecurrence("it would end before it begins")
    if recurrence.until and recurrence.until.year > LATEST_YEAR:
        raise BadRecurrence(f"it may end in {LATEST_YEAR} at the latest, or have no end")
    if not holds(recurrence, first):
        raise BadRecurrence(f"the first day ({first:%A}, {first}) is not one of its days")


def holds(recurrence: Recurrence, day: date) -> bool:
    """Return whether a series of this kind may begin on this day."""
    if recurrence.months and day.month not in recurrence.months:
        return False
    if recurrence.weekdays and not any(each.holds(day) for each in recurrence.weekdays):
        return False
    last = (day + timedelta(days=1)).day == 1
    return not recurrence.month_days or any(
        day.day == each or (each == -1 and last) for each in recurrence.month_days
    )


def to_rrule(recurrence: Recurrence, start: date) -> str:
    """Return the value of an RRULE for a series that begins at ``start``.

    ``start`` is a day, or a moment with its zone, as UNTIL is in UTC then (RFC 5545, 3.3.10).
    """
    parts = [f"FREQ={recurrence.frequency.upper()}"]
    if recurrence.interval != 1:
        parts.append(f"INTERVAL={recurrence.interval}")
    if recurrence.months:
        parts.append("BYMONTH=" + ",".join(str(each) for each in recurrence.months))
    if recurrence.month_days:
        parts.append("BYMONTHDAY=" + ",".join(str(each) for each in recurrence.month_days))
    if recurrence.weekdays:
        parts.append("BYDAY=" + ",".join(str(each) for each in recurrence.weekdays))
    if recurrence.count:
        parts.append(f"COUNT={recurrence.count}")
    if recurrence.until:
        parts.append(f"UNTIL={_until_text(recurrence.until, start)}")
    return ";".join(parts)


def from_rrule(text: str, start: date) -> Recurrence:
    """Read the value of an RRULE of a series that begins at ``start``.

    Raises:
        BadRecurrence: it is no rule, or is outside the subset.
    """
    if len(text) > _TEXT_LIMIT:
        raise BadRecurrence("its rule is too long")
    pairs = [part.partition("=")[::2] for part in text.upper().split(";") if part]
    rule = dict(pairs)
    if len(rule) != len(pairs) or not rule.keys() <= _KEYS:
        raise BadRecurrence("its rule has parts that are not written here")
    if _week_start_matters(rule):
        raise BadRecurrence("its weeks do not begin on Monday")
    try:
        frequency = Frequency(rule.get("FREQ", "").lower())
    except ValueError:
        raise BadRecurrence("it repeats more often than daily, or not at all") from None
    return made(
        frequency=frequency,
        interval=_number(rule.get("INTERVAL", "1")),
        weekdays=tuple(_weekday(each) for each in _list(rule, "BYDAY")),
        month_days=tuple(_number(each) for each in _list(rule, "BYMONTHDAY")),
        months=tuple(_number(each) for each in _list(rule, "BYMONTH")),
        count=_number(rule["COUNT"]) if "COUNT" in rule else None,
        until=_until(rule["UNTIL"], start) if "UNTIL" in rule else None,
    )


def _problems(rule: Recurrence) -> Iterator[str]:
    """Yield what does not fit together, in words for a person."""
    if rule.count and rule.until:
        yield "give a number of times or a last day, and not both"
    yield from _problems_of_weekdays(rule)
    yield from _problems_of_dates(rule)
    for values in (rule.weekdays, rule.month_days, rule.months):
        if len(set(values)) != len(values):
            yield "a day or month is named twice"


def _problems_of_weekdays(rule: Recurrence) -> Iterator[str]:
    monthly = rule.frequency in (Frequency.MONTHLY, Frequency.YEARLY)
    nth = [each for each in rule.weekdays if each.nth is not None]
    if rule.weekdays and rule.frequency is Frequency.DAILY:
        yield "with weekdays it repeats weekly"
    if monthly and len(nth) != len(rule.weekdays):
        yield "say which weekday of the month, such as the first Monday"
    if nth and not monthly:
        yield "only a month has a first Monday"
    if rule.month_days and rule.weekdays:
        yield "give days of the month or weekdays, and not both"


def _problems_of_dates(rule: Recurrence) -> Iterator[str]:
    yearly = rule.frequency is Frequency.YEARLY
    days = bool(rule.month_days or rule.weekdays)
    if rule.month_days and not (yearly or rule.frequency is Frequency.MONTHLY):
        yield "only a monthly or yearly event has days of the month"
    if 0 in rule.month_days:
        yield "the days of a month are 1 to 31, or -1 for the last"
    if rule.months and not yearly:
        yield "only a yearly event has months"
    if yearly and days and not rule.months:
        yield "say which month of the year"
    if rule.months and not days:
        yield "say which day of the month"
    if rule.months and rule.month_days and not _exists(rule):
        yield "there is no such day in these months"


_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _exists(rule: Recurrence) -> bool:
    return any(day <= _LONGEST[month - 1] for month in rule.months for day in rule.month_days)


def _week_start_matters(rule: dict[str, str]) -> bool:
    return (
        rule.get("WKST", "MO") != "MO"
        and rule.get("FREQ") == "WEEKLY"
        and rule.get("INTERVAL", "1") != "1"
        and "," in rule.get("BYDAY", "")
    )


def _said(problem: ValidationError) -> str:
    first = problem.errors()[0]
    where = " ".join(str(each).replace("_", " ") for each in first["loc"] if isinstance(each, str))
    if where == "count" and first["type"] == "less_than_equal":
        return f"it may take place {COUNT_LIMIT} times at the most, or have no end"
    said = first["msg"].removeprefix("Value error, ")
    return f"{where}: {said}" if where else said


def _day(start: date) -> date:
    return start.date() if isinstance(start, datetime) else start


def _until_text(until: date, start: date) -> str:
    if not isinstance(start, datetime):
        return f"{until:%Y%m%d}"
    last = datetime.combine(until, start.time(), start.tzinfo)
    return f"{last.astimezone(UTC):%Y%m%dT%H%M%SZ}" if start.tzinfo else f"{last:%Y%m%dT%H%M%S}"


def _until(text: str, start: date) -> date:
    """Return the last day on which an occurrence may begin."""
    try:
        day = datetime.strptime(text[:8], "%Y%m%d").date()  # noqa: DTZ007 (a day has no zone)
        if len(text) == 8:  # noqa: PLR2004 (YYYYMMDD)
            return day
        moment = datetime.combine(day, time.fromisoformat(text[9:].removesuffix("Z")))
        if not isinstance(start, datetime):
            return day
        if text.endswith("Z") and start.tzinfo:
            moment = moment.replace(tzinfo=UTC).astimezone(start.tzinfo)
        earlier = moment.time() < start.time()
        return moment.date() - timedelta(days=1) if earlier else moment.date()
    except (ValueError, OverflowError):
        raise BadRecurrence("its last day is no date") from None


def _list(rule: dict[str, str], name: str) -> list[str]:
    return rule[name].split(",") if rule.get(name) else []


def _number(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        raise BadRecurrence("its rule has something else than a number")
    return int(text)


def _weekday(text: str) -> DayOfWeek:
    found = _DAY.fullmatch(text)
    if not found:
        raise BadRecurrence("its rule has weekdays that are not written here")
    return DayOfWeek(day=Weekday(found[2]), nth=int(found[1]) if found[1] else None)
