"""Write a new series."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.alerts import add_alerts
from assistant.adapters.calendar.series import affected, writing
from assistant.adapters.calendar.series.reading import TimeForm, read
from assistant.domain.calendar.events import When
from assistant.domain.calendar.recurrence import Recurrence, check, to_rrule
from assistant.domain.calendar.series import Changed

_PRODID = "-//assistant//calendar//EN"


def new_series(
    uid: str,
    title: str,
    when: When,
    recurrence: Recurrence,
    *,
    stamp: datetime,
    zone: ZoneInfo,
    alerts: Sequence[timedelta] = (),
) -> Changed:
    """Write a new series, with the zone's rules and an end.

    Args:
        uid: the UID.
        title: the title.
        when: the first occurrence.
        recurrence: how often it repeats.
        stamp: now.
        zone: whose clock the series follows.
        alerts: how long before each occurrence a reminder is shown.

    Raises:
        BadRecurrence: the repetition does not fit the first day.
    """
    form = TimeForm(all_day=when.all_day, zone=zone, tzid="" if when.all_day else zone.key)
    if zone.key == "UTC":
        form = TimeForm(all_day=when.all_day, zone=zone)
    start = form.wall(when.start)
    check(recurrence, form.local(start))
    part = icalendar.Event()
    part.add("UID", uid)
    part.add("DTSTAMP", stamp.astimezone(UTC))
    writing.put_title(part, title)
    writing.put_span(part, start, writing.exact(when), form)
    part["RRULE"] = icalendar.vRecur.from_ical(to_rrule(recurrence, form.local(start)))
    add_alerts(part, alerts)
    calendar = icalendar.Calendar()
    calendar.add("PRODID", _PRODID)
    calendar.add("VERSION", "2.0")
    calendar.add_component(part)
    ics = writing.written(calendar, start)
    return Changed(ics, affected.from_on(read(ics, zone), None))
