"""The reminders that the owner's programs show before an event (VALARM, RFC 5545, 3.6.6)."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import icalendar

from assistant.domain.calendar.events import LONGEST_ALERT, MOST_ALERTS
from assistant.domain.errors import BadArguments

_WORDS = "Reminder"


def alerts_of(part: Any) -> tuple[timedelta, ...]:
    """Return how long before the begin of an event its reminders are shown, the earliest first.

    Leaves out what is no plain reminder: a mail, a sound, a fixed time, one after the begin.
    """
    found = (_before(alarm) for alarm in part.walk("VALARM"))
    shown = {before for before in found if before is not None}
    return tuple(sorted(shown, reverse=True)[:MOST_ALERTS])


def add_alerts(part: Any, alerts: Iterable[timedelta]) -> None:
    """Add reminders to an event.

    Raises:
        BadArguments: a reminder is after the begin, or too long before it.
    """
    for before in sorted(set(alerts), reverse=True):
        if not timedelta() <= before <= LONGEST_ALERT:
            raise BadArguments(f"a reminder is at most {LONGEST_ALERT.days} days before the event")
        alarm = icalendar.Alarm()
        alarm.add("ACTION", "DISPLAY")
        alarm.add("DESCRIPTION", str(part.get("SUMMARY", "")).strip() or _WORDS)
        alarm.add("TRIGGER", -before)
        part.add_component(alarm)


def _before(alarm: Any) -> timedelta | None:
    if str(alarm.get("ACTION", "")).upper() != "DISPLAY":
        return None
    trigger = alarm.get("TRIGGER")
    lasts = getattr(trigger, "dt", None)
    related = str(getattr(trigger, "params", {}).get("RELATED", "START")).upper()
    if not isinstance(lasts, timedelta) or related != "START":
        return None
    return -lasts if timedelta() <= -lasts <= LONGEST_ALERT else None
