"""The hours of each weekday in which the owner may be given appointments."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import NamedTuple, Self
from zoneinfo import ZoneInfo

from assistant.domain.errors import BadArguments
from assistant.domain.time.wall_clock import first_moment

_DAY = timedelta(days=1)
_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_SUCH = "Mon-Fri 09:00-17:00, Sat 10:00-12:00"
_WRITTEN = re.compile(
    r"(?P<first>[a-z]{3})(?:[-–](?P<last>[a-z]{3}))? +"
    r"(?P<begins>[0-9]{1,2}:[0-9]{2})[-–](?P<ends>[0-9]{1,2}:[0-9]{2})",
    re.IGNORECASE,
)


class Shift(NamedTuple):
    """Hours of one day, the end excluded. An end that is not later is on the next day."""

    begins: time
    ends: time


class WorkingHours(NamedTuple):
    """The shifts of each weekday, Monday first; a day may have none."""

    shifts: tuple[tuple[Shift, ...], ...]

    @classmethod
    def on(cls, *weekdays: int, begins: time, ends: time) -> Self:
        """Return the same shift on each of these weekdays, where Monday is 0."""
        shift = (Shift(begins, ends),)
        return cls(tuple(shift if day in weekdays else () for day in range(7)))

    @classmethod
    def always(cls) -> Self:
        """Return all hours of all days."""
        return cls.on(*range(7), begins=time(), ends=time())

    def of_day(self, day: date, zone: ZoneInfo) -> Iterator[tuple[datetime, datetime]]:
        """Yield the hours that begin on a day, as moments in UTC. Raises ``OverflowError``."""
        for shift in self.shifts[day.weekday()]:
            last = day if shift.ends > shift.begins else day + _DAY
            begins = first_moment(datetime.combine(day, shift.begins), zone)
            ends = first_moment(datetime.combine(last, shift.ends), zone)
            if begins < ends:
                yield begins, ends


OFFICE_HOURS = WorkingHours.on(0, 1, 2, 3, 4, begins=time(9), ends=time(17))


def read_working_hours(text: str) -> WorkingHours:
    """Read ``Mon-Fri 09:00-17:00``, several separated by commas; empty: ``OFFICE_HOURS``.

    Raises ``BadArguments``, which says what is wrong.
    """
    parts = [" ".join(part.split()) for part in text.split(",")]
    if parts == [""]:
        return OFFICE_HOURS
    days: list[list[Shift]] = [[] for _ in _NAMES]
    for part in parts:
        first, last, shift = _read_part(part)
        for n in range((last - first) % 7 + 1):
            days[(first + n) % 7].append(shift)
    return WorkingHours(tuple(tuple(sorted(shifts)) for shifts in days))


def say_working_hours(hours: WorkingHours) -> str:
    """Write ``Mon–Fri 09:00–17:00``, days of the same hours together."""
    runs = [(shifts, list(days)) for shifts, days in groupby(range(7), hours.shifts.__getitem__)]
    return ", ".join(f"{_say_days(days)} {_say_shifts(shifts)}" for shifts, days in runs if shifts)


def _read_part(part: str) -> tuple[int, int, Shift]:
    """Return the first and the last weekday, and the hours."""
    found = _WRITTEN.fullmatch(part)
    if not found:
        raise BadArguments(f"{part!r} is no weekdays with hours, such as {_SUCH}")
    first = _weekday(found["first"])
    last = _weekday(found["last"]) if found["last"] else first
    begins = _time(found["begins"])
    ends = time() if found["ends"] == "24:00" else _time(found["ends"])
    if begins == ends != time():
        raise BadArguments(f"{part!r} ends when it begins")
    return first, last, Shift(begins, ends)


def _weekday(name: str) -> int:
    try:
        return _NAMES.index(name.capitalize())
    except ValueError as error:
        raise BadArguments(f"{name!r} is no weekday: {', '.join(_NAMES)}") from error


def _time(text: str) -> time:
    try:
        return time.fromisoformat(text.zfill(5))
    except ValueError as error:
        raise BadArguments(f"{text!r} is no time of day, such as 09:00") from error


def _say_days(days: Sequence[int]) -> str:
    first, last = _NAMES[days[0]], _NAMES[days[-1]]
    return first if first == last else f"{first}–{last}"


def _say_shifts(shifts: Sequence[Shift]) -> str:
    return " and ".join(
        f"{shift.begins:%H:%M}–{'24:00' if shift.ends == time() else f'{shift.ends:%H:%M}'}"
        for shift in shifts
    )
