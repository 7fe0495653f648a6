"""The calendar's tools. Only title, time and all-day are ever read or written."""

from typing import Any

from assistant.domain.calendar.events import When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.files.ports import Blobs
from assistant.domain.store import Store
from assistant.domain.time.moments import begins, say_when
from assistant.tools.calendar_changes import create, delete, update
from assistant.tools.calendar_reads import availability, details
from assistant.tools.calendar_restore import putting_back, restore
from assistant.tools.toolbox import Tool


def calendar_tools(
    *, calendar: Calendar, store: Store, blobs: Blobs | None = None, timeout: float = 20.0
) -> tuple[Tool[Any], ...]:
    """What a model is offered.

    Events are kept in ``blobs`` as they were; without any, changes and deletions are for good.
    """
    put_back = putting_back(calendar, blobs) if blobs else None
    return (
        availability(calendar),
        details(calendar, store),
        create(calendar, timeout),
        update(calendar, store, timeout, put_back),
        delete(calendar, store, timeout, put_back),
    )


def calendar_undo_tools(
    *, calendar: Calendar, store: Store, blobs: Blobs, timeout: float = 20.0
) -> tuple[Tool[Any], ...]:
    """``restore_event``, which takes changes back: for an undo, never offered to a model."""
    return (restore(calendar, store, blobs, timeout, putting_back(calendar, blobs)),)


def agenda(calendar: Calendar, when: When, zone: str) -> list[dict[str, Any]]:
    """Events as ``assistant events list`` prints them: id, title, start, end, all_day."""
    return [
        {
            "id": event.uid,
            "title": event.title,
            "start": event.when.start.isoformat(),
            "end": event.when.end.isoformat(),
            "all_day": event.when.all_day,
            "when": say_when(event.when, zone),
        }
        for event in sorted(calendar.between(when), key=lambda event: begins(event.when, zone))
    ]
