"""Tell which moments a local time is, where clocks change (PEP 495)."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def moments_at(local: datetime, zone: ZoneInfo) -> tuple[datetime, ...]:
    """Return the moments at which clocks in the zone show a local time: none, one or two.

    Raises:
        OverflowError: at either end of the calendar.
    """
    first, second = _readings(local, zone)
    if first.utcoffset() == second.utcoffset():
        return (first,)
    shown = first.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    return (first, second) if shown == first.replace(tzinfo=None) else ()


def nearest_moments(local: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return the moments before and after a local time that the clocks skip.

    Each is as far from the change as the skipped time was said to be.
    """
    after, before = (one.astimezone(UTC).astimezone(zone) for one in _readings(local, zone))
    return before, after


def _readings(local: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    return local.replace(tzinfo=zone, fold=0), local.replace(tzinfo=zone, fold=1)
