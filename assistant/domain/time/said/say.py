"""Write a span as a person would say it. What is written reads as the same span."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from assistant.domain.time.local_times import moments_at
from assistant.domain.time.said.values import Span


def say_span(span: Span, zone: ZoneInfo) -> str:
    """Write ``Mon 30 Nov 2026, 10:00 to 10:30``; a time that comes twice with its offset."""
    if not isinstance(span.start, datetime):
        last = (span.end or span.start + timedelta(days=1)) - timedelta(days=1)
        return _day(span.start) if last <= span.start else f"{_day(span.start)} to {_day(last)}"
    start = span.start.astimezone(zone)
    if not isinstance(span.end, datetime):
        return _moment(start, zone)
    end = span.end.astimezone(zone)
    same = end.date() == start.date() and _plain(start, zone) and _plain(end, zone)
    return f"{_moment(start, zone)} to {f'{end:%H:%M}' if same else _moment(end, zone)}"


def _moment(local: datetime, zone: ZoneInfo) -> str:
    return f"{_day(local)}, {local:%H:%M}" if _plain(local, zone) else local.isoformat()


def _plain(local: datetime, zone: ZoneInfo) -> bool:
    """Whether the day, the hour and the minute tell which moment it is."""
    once = len(moments_at(local.replace(tzinfo=None, fold=0), zone)) == 1
    return once and not (local.second or local.microsecond)


def _day(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b %Y}"
