"""Write times for people, always with their zone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from assistant.domain.calendar.events import When
from assistant.domain.errors import BadArguments


def zone_of(name: str) -> ZoneInfo:
    """Return the IANA zone of this name. Raises ``BadArguments``."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadArguments(
            f"{name!r} is no time zone; use an IANA name such as Europe/Berlin"
        ) from (error)


def say_when(when: When, zone: str) -> str:
    """Write ``Mon 30 Nov 2026, 10:00 to 10:30 (Europe/Berlin)``; for a whole day, only the day."""
    if isinstance(when.start, datetime) and isinstance(when.end, datetime):
        start, end = (moment.astimezone(zone_of(zone)) for moment in (when.start, when.end))
        until = clock(end) if end.date() == start.date() else f"{_day(end)}, {clock(end)}"
        return f"{_day(start)}, {clock(start)} to {until} ({zone})"
    last = when.end - timedelta(days=1)
    if last <= when.start:
        return f"{_day(when.start)}, all day"
    return f"{_day(when.start)} to {_day(last)}, all day"


def say_moment(moment: datetime, zone: str) -> str:
    """Write ``Mon 30 Nov 2026, 10:00 (Europe/Berlin)``.

    A moment at either end of the calendar, which only a wrong clock gives, keeps its own zone.
    """
    try:
        local = moment.astimezone(zone_of(zone))
    except OverflowError:
        return f"{_day(moment)}, {moment:%H:%M} ({moment.tzname() or 'no zone'})"
    return f"{_day(local)}, {clock(local)} ({zone})"


def say_lately(moment: datetime, zone: str, *, now: datetime) -> str:
    """Write ``10:00`` where that is of the same day as ``now``, else as ``say_moment``."""
    local = moment.astimezone(zone_of(zone))
    same_day = local.date() == now.astimezone(zone_of(zone)).date()
    return clock(local) if same_day else say_moment(moment, zone)


def clock(local: datetime) -> str:
    """Write ``10:00``; with the offset where clocks are put back and the time comes twice."""
    twice = local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset()
    return local.isoformat(timespec="minutes")[11:] if twice else f"{local:%H:%M}"


def _day(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b %Y}"


def begins(when: When, zone: str) -> datetime:
    """Return the moment it begins; an all-day event begins at midnight in ``zone``."""
    return _moment(when.start, zone)


def ends(when: When, zone: str) -> datetime:
    """Return the moment it ends."""
    return _moment(when.end, zone)


def _moment(value: date, zone: str) -> datetime:
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return datetime(value.year, value.month, value.day, tzinfo=zone_of(zone)).astimezone(UTC)
