"""The hours of each weekday in which the owner may be given appointments."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple, Self
from zoneinfo import ZoneInfo

from assistant.domain.time.wall_clock import first_moment

_DAY = timedelta(days=1)


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
