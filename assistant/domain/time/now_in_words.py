"""Tell a model what time it is: the week by its dates, the next change of the clocks, and now.

What changes least comes first, so that a provider can keep as much of the prompt as possible.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from assistant.domain.time.moments import zone_of

DAYS = 7
"""Days that are named with their dates, today included."""
AHEAD = timedelta(days=14)
"""How far ahead a change of the clocks is told."""
_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)


def now_in_words(now: datetime, zone: str) -> str:
    """Write the zone, the next days, a change of the clocks, and now with its offset."""
    there = zone_of(zone)
    local = now.astimezone(there)
    days = (local.date() + timedelta(days=n) for n in range(DAYS))
    week = ", ".join(f"{day:%A} {day.isoformat()}" for day in days)
    change = _change(now, there)
    said = f"It is {local:%A} {local.isoformat(timespec='seconds')}, time zone {zone}."
    return "\n".join(filter(None, (f"Today and the days to come: {week}.", change, said)))


def _change(now: datetime, zone: ZoneInfo) -> str:
    """Say when the clocks change next, if that is soon; empty if it is not."""
    before = now.astimezone(UTC)
    end = before + AHEAD
    while before < end and _offset(before, zone) == _offset(before + _HOUR, zone):
        before += _HOUR
    if before >= end:
        return ""
    before = before.replace(second=0, microsecond=0)
    while _offset(before, zone) == _offset(before + _MINUTE, zone):
        before += _MINUTE
    after = (before + _MINUTE).astimezone(zone)
    was = (after.astimezone(UTC) + _offset(before, zone)).replace(tzinfo=None)
    way = "forward" if _offset(before, zone) < _offset(before + _MINUTE, zone) else "back"
    return (
        f"The clocks are put {way} on {was:%A} {was.date().isoformat()}: {was:%H:%M} becomes"
        f" {after:%H:%M}, and the offset {after.isoformat()[-6:]}."
    )


def _offset(moment: datetime, zone: ZoneInfo) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()
