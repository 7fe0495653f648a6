"""Say what a calendar part tells, for a mail that has no other words (RFC 5545, RFC 6047).

These are words to read. What an invitation changes is found by ``ingest.invitations`` alone.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

EVENTS = 20
"""The most events of one calendar that are told."""
SIZE = 128 * 1024
_SAID = {
    "REQUEST": "Invitation",
    "CANCEL": "Cancelled",
    "REPLY": "Answer to an invitation",
    "COUNTER": "Another time is proposed",
}
_FIELDS = (("Where", "LOCATION"), ("From", "ORGANIZER"))


def words_of_calendar(text: str) -> str:
    """Return what a person is to know of each event; empty where it cannot be read."""
    from icalendar import Calendar  # noqa: PLC0415 (slow to load, and few mails need it)

    try:
        # It takes a text of one line for the name of a file, and would read that; bytes never.
        calendar = Calendar.from_ical(text[:SIZE].encode())
        said = _SAID.get(str(calendar.get("METHOD", "")).upper(), "Event")
        events = calendar.walk("VEVENT")[:EVENTS]
        return "\n\n".join("\n".join(_lines(said, event)) for event in events)
    except Exception:  # noqa: BLE001 - it does not document what it raises on a stranger's bytes
        return ""


def _lines(said: str, event: Any) -> Iterator[str]:
    yield f"{said}: {event.get('SUMMARY', 'without a title')}"
    start, end = (_moment(event.get(name)) for name in ("DTSTART", "DTEND"))
    if start:
        yield f"When: {start}" + (f" to {end}" if end else "")
    for name, field in _FIELDS:
        if value := event.get(field):
            yield f"{name}: {str(value).removeprefix('mailto:').removeprefix('MAILTO:')}"
    if more := str(event.get("DESCRIPTION", "")).strip():
        yield f"\n{more}"


def _moment(field: Any) -> str:
    try:
        value = field.dt if field else None
    except Exception:  # noqa: BLE001 - as above, and the rest of the event is told
        return ""
    if isinstance(value, datetime):
        zone = field.params.get("TZID") or ("UTC" if value.tzinfo else "")
        return f"{value:%a %d %b %Y, %H:%M}" + (f" ({zone})" if zone else "")
    return f"{value:%a %d %b %Y}" if isinstance(value, date) else ""
