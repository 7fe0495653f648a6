"""Walk over the days that an RRULE names, through dateutil, within bounds.

Works on wall times: naive datetimes, a day being its midnight.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import dropwhile, islice, takewhile
from typing import Any

from dateutil.rrule import rrule, rrulestr

from assistant.domain.calendar.series import BadSeries, TooFrequent

_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_BY_DAY = ("BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYSETPOS")
_BY_TIME = ("BYHOUR", "BYMINUTE", "BYSECOND")
_KEYS = frozenset(("FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", *_BY_DAY, *_BY_TIME))
_LONGEST_LIST = 366
_MOST_A_DAY = 24
_MARGIN = 800  # days: the rest of the first year and of the last
_LONGEST_MONTH = dict(zip(range(1, 13), (31, 29, *(31, 30, 31, 30, 31), *(31, 30, 31, 30, 31))))  # noqa: B905
_WEEK = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


@dataclass(frozen=True, slots=True)
class DayRule:
    """One RRULE, checked. ``until`` is the last moment, as a wall time of the series."""

    text: str
    """Without COUNT and UNTIL."""
    frequency: str
    interval: int
    count: int | None
    until: datetime | None
    written: Any

    def walls(
        self, start: datetime, *, after: datetime | None = None, before: datetime
    ) -> Iterator[datetime]:
        """Yield what the rule names from ``start`` on, within ``after`` and ``before``.

        Skips to ``after`` in one step, unless the occurrences must be counted.
        """
        end = min(before, self.until) if self.until else before
        begin = start
        if after and self.count is None:
            begin = max(start, self._skipped(start, after))
        try:
            rule = rrulestr(self._complete(start), dtstart=begin, ignoretz=True).replace(until=end)
            _bound(rule, end - begin)
            walls: Iterator[datetime] = islice(iter(rule), self.count)
            if after:
                walls = dropwhile(lambda wall: wall < after, walls)
            yield from takewhile(lambda wall: wall <= end, walls)
        except _AllLookedAt:
            return
        except (ValueError, OverflowError, IndexError, TypeError) as problem:
            raise BadSeries("its rule cannot be read") from problem

    def _complete(self, start: datetime) -> str:
        """Write out what the rule takes from the first occurrence (RFC 5545, 3.3.10)."""
        text, keys = self.text, {part.partition("=")[0] for part in self.text.split(";")}
        if not keys & {"BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY"}:
            if self.frequency == "WEEKLY":
                text += f";BYDAY={_WEEK[start.weekday()]}"
            if self.frequency == "YEARLY" and "BYMONTH" not in keys:
                text += f";BYMONTH={start.month}"
            if self.frequency in ("MONTHLY", "YEARLY"):
                text += f";BYMONTHDAY={start.day}"
        return text

    def _skipped(self, start: datetime, after: datetime) -> datetime:
        """Return the begin of a period of the rule, at least one period before ``after``."""
        every = self.interval
        if self.frequency in ("DAILY", "WEEKLY"):
            length = every * (7 if self.frequency == "WEEKLY" else 1)
            periods = (after - start).days // length - 2
            return start + timedelta(days=max(periods, 0) * length)
        months = every * (12 if self.frequency == "YEARLY" else 1)
        apart = (after.year - start.year) * 12 + after.month - start.month
        periods = apart // months - 2
        if periods <= 0:
            return start
        month = start.year * 12 + (0 if self.frequency == "YEARLY" else start.month - 1)
        year, month = divmod(month + periods * months, 12)
        return start.replace(year=year, month=month + 1, day=1)


def checked(written: Any, until: datetime | None) -> DayRule:
    """Check an RRULE.

    Raises:
        TooFrequent: it repeats more often than daily.
        BadSeries: it cannot be read, or computing it would take too long.
    """
    parts = {str(key).upper(): _list(value) for key, value in written.items()}
    frequency = str(parts.get("FREQ", [""])[0]).upper()
    if frequency in ("SECONDLY", "MINUTELY", "HOURLY"):
        raise TooFrequent(f"it repeats {frequency.lower()}, and at most daily is read")
    ours = {key: value for key, value in parts.items() if not key.startswith("X-")}
    if frequency not in _FREQUENCIES or not ours.keys() <= _KEYS:
        raise BadSeries("its rule cannot be read")
    if any(not value or len(value) > _LONGEST_LIST for value in ours.values()):
        raise BadSeries("its rule is too long")
    often = 1
    for key in _BY_TIME:
        often *= len(ours.get(key, [0]))
    if often > _MOST_A_DAY:
        raise TooFrequent(f"it repeats {often} times a day")
    interval, count = _number(ours, "INTERVAL"), _number(ours, "COUNT")
    months, days = ours.get("BYMONTH"), ours.get("BYMONTHDAY")
    if months and days and not _exists(months, days):
        raise BadSeries("its rule names a day that does not exist")
    text = _text(ours)
    try:
        if not isinstance(rrulestr(text), rrule):
            raise BadSeries("its rule cannot be read")
    except (ValueError, TypeError, KeyError, IndexError, OverflowError) as problem:
        raise BadSeries("its rule cannot be read") from problem
    return DayRule(text, frequency, interval or 1, count, until, written)


class _AllLookedAt(Exception):
    pass


class _Months(tuple[int, ...]):  # noqa: SLOT001 (its length varies)
    """The months of a rule, which count the days that dateutil compares with them."""

    left = 0

    def __contains__(self, month: object) -> bool:
        self.left -= 1
        if self.left < 0:
            raise _AllLookedAt
        return super().__contains__(month)


def _bound(rule: Any, span: timedelta) -> None:
    """Make dateutil stop after the span: for a day that never comes it looks to the year 9999."""
    if rule._bymonth is None and rule._bynweekday:  # noqa: SLF001
        return  # the first Monday of a year: other days than with months, and quick
    months = _Months(rule._bymonth or range(1, 13))  # noqa: SLF001
    months.left = max(span.days, 0) + _MARGIN
    rule._bymonth = months  # noqa: SLF001


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _text(parts: dict[str, list[Any]]) -> str:
    kept = {key: value for key, value in parts.items() if key not in ("COUNT", "UNTIL")}
    return ";".join(f"{key}={','.join(str(each) for each in kept[key])}" for key in kept)


def _number(parts: dict[str, list[Any]], name: str) -> int | None:
    if name not in parts:
        return None
    try:
        value = int(parts[name][0])
    except (ValueError, TypeError) as problem:
        raise BadSeries("its rule cannot be read") from problem
    if value < 1:
        raise BadSeries(f"its rule has {name} {value}")
    return min(value, 10**6)  # beyond all years that are read


def _exists(months: list[Any], days: list[Any]) -> bool:
    try:
        return any(abs(int(day)) <= _LONGEST_MONTH[int(month)] for day in days for month in months)
    except (ValueError, KeyError) as problem:
        raise BadSeries("its rule cannot be read") from problem
