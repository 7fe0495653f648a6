"""The moments at which an owner can be reminded of what waits for them."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum

from assistant.domain.time.moments import zone_of

_EVENING, _MORNING = time(18), time(9)


class Later(StrEnum):
    """When to be reminded, as the owner says it. It is stored with buttons and keeps its name."""

    HOUR = "in an hour"
    EVENING = "this evening"
    TOMORROW = "tomorrow 9:00"


def reminders(now: datetime, zone: str, *, until: datetime) -> Mapping[Later, datetime]:
    """Return the moments that are still to come and before ``until``, on the clocks of ``zone``."""
    there = zone_of(zone)
    today = now.astimezone(there).date()
    moments = {
        Later.HOUR: now + timedelta(hours=1),
        Later.EVENING: datetime.combine(today, _EVENING, there),
        Later.TOMORROW: datetime.combine(today + timedelta(days=1), _MORNING, there),
    }
    return {later: at.astimezone(UTC) for later, at in moments.items() if now < at < until}
