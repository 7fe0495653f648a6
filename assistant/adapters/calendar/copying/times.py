"""List the times of the objects of a copy, as the calendar itself does."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.event_objects import first_of
from assistant.adapters.calendar.expansion import Expand
from assistant.adapters.calendar.icalendar_objects import UNREADABLE
from assistant.domain.calendar.series import Expanded, Occurrence


def times_of(
    objects: Sequence[bytes], start: datetime, end: datetime, *, zone: ZoneInfo, expand: Expand
) -> Sequence[Expanded]:
    """Return the occurrences of each object; of what cannot be expanded its first time."""
    found = expand(objects, start, end, zone=zone)
    return [
        _with_first(ics, one, zone) if one.unread else one
        for ics, one in zip(objects, found, strict=True)
    ]


def _with_first(ics: bytes, unread: Expanded, zone: ZoneInfo) -> Expanded:
    try:
        first = first_of(ics, zone)
    except UNREADABLE:
        return unread
    once = Occurrence(uid=first.uid, title=first.title, when=first.when)
    return unread.model_copy(update={"events": (once,)})
