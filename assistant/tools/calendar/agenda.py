"""The events of a time, as the terminal lists them."""

from typing import Any

from assistant.domain.events import When
from assistant.domain.moments import begins, say_when
from assistant.ports import Calendar


def agenda(calendar: Calendar, when: When, zone: str) -> list[dict[str, Any]]:
    """List events as ``assistant events list`` prints them: id, title, start, end, all_day."""
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
