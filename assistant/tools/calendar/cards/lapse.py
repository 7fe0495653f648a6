"""Tell from when on nobody needs a change of an event any more."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from assistant.domain.calendar.events import When
from assistant.domain.time.moments import zone_of
from assistant.domain.time.wall_clock import day_begins


def lapse(times: Iterable[When], *, now: datetime, zone: str) -> datetime | None:
    """Return when a change lapses that is asked for now; None if never.

    That is when the event begins, as it is or as it would be; once it has begun, when it ends.
    Whole days count as begun when the first of them ends, as they begin at midnight.

    Args:
        times: the event as it is, and as it would be.
        now: when the change is asked for.
        zone: the owner's IANA zone, in which a day begins.
    """
    there = zone_of(zone)
    found = [moment for when in times if (moment := _lapse(when, now, there)) is not None]
    return min(found, default=None)


def _lapse(when: When, now: datetime, zone: ZoneInfo) -> datetime | None:
    return next((moment for moment in _moments(when, zone) if moment > now), None)


def _moments(when: When, zone: ZoneInfo) -> tuple[datetime, datetime]:
    if isinstance(when.start, datetime) and isinstance(when.end, datetime):
        return when.start, when.end
    return day_begins(when.start + timedelta(days=1), zone), day_begins(when.end, zone)
