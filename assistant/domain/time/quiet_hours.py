"""Quiet hours: when notices wait that nobody asked for just then."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Self

from assistant.domain.time.moments import zone_of
from assistant.domain.time.wall_clock import first_moment

_SPAN = re.compile(r"(\d{1,2}:\d\d) ?[-–] ?(\d{1,2}:\d\d)")
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class QuietHours:
    """From one time of the day to another, on the owner's clocks; it may span midnight."""

    begins: time
    ends: time

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``22:00-07:00``. Raises ``ValueError``."""
        found = _SPAN.fullmatch(text.strip())
        if found is None:
            raise ValueError("write when they begin and end, such as 22:00-07:00")
        begins, ends = clock_time(found[1]), clock_time(found[2])
        if begins == ends:
            raise ValueError("they begin when they end: leave the setting empty for none")
        return cls(begins, ends)

    def end(self, now: datetime, zone: str) -> datetime | None:
        """Return when the quiet hours end that ``now`` is in, in UTC; None if it is in none."""
        there = zone_of(zone)
        today = now.astimezone(there).date()
        for day in (today - _DAY, today):
            last = day if self.begins < self.ends else day + _DAY
            begin = first_moment(datetime.combine(day, self.begins), there)
            end = first_moment(datetime.combine(last, self.ends), there)
            if begin <= now < end:
                return end
        return None


def clock_time(text: str) -> time:
    """Read ``7:30``. Raises ``ValueError``."""
    hour, colon, minute = text.strip().partition(":")
    if not (colon and hour.isascii() and hour.isdigit() and minute.isdigit() and len(minute) == 2):  # noqa: PLR2004
        raise ValueError("write a time of day, such as 07:30")
    try:
        return time(int(hour), int(minute))
    except ValueError as error:
        raise ValueError("write a time of day, such as 07:30") from error
