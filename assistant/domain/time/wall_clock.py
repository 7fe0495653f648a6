"""Find the moment at which the clocks of a zone show a time."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_SECOND = timedelta(seconds=1)


def first_moment(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the first moment, in UTC, at which clocks there show this time or a later one.

    That is the first of two where a time comes twice, and the moment at which the clocks are put
    forward where it never comes.

    Args:
        local: a time without a zone, in whole seconds.
        zone: where the clocks are.

    Raises:
        OverflowError: the time is at either end of the calendar.
    """
    early, late = sorted(readings(local, zone))
    if _shown(early, zone) == local:
        return early
    low, high = 0, (late - early) // _SECOND
    while high - low > 1:
        middle = (low + high) // 2
        if _shown(early + middle * _SECOND, zone) < local:
            low = middle
        else:
            high = middle
    return early + high * _SECOND


def readings(local: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return both moments, in UTC, that a time without a zone may mean (PEP 495).

    They differ only where the clocks change. Raises ``OverflowError``.
    """
    before, after = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return before, after


def day_begins(day: date, zone: ZoneInfo) -> datetime:
    """Return the first moment of a day, in UTC. Raises ``OverflowError``."""
    return first_moment(datetime.combine(day, time()), zone)


def _shown(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)
