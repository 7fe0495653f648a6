"""Say when the first event of a calendar file begins, by a look at its first lines.

No zone is worked out, and no word of the file's writer is told but a name such as Europe/Berlin.
"""

import re
from datetime import datetime

_READ = 64 * 1024
_EVENT = b"BEGIN:VEVENT"
_BEGINS = re.compile(
    rb"^DTSTART((?:;[^:\r\n]{1,200})?):(\d{8})(?:T(\d{4})\d\d(Z?))?[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_ZONE = re.compile(rb"(?:^|;)TZID=\"?([A-Za-z]{2,20}/[A-Za-z_/+-]{2,30})\"?(?:;|$)", re.IGNORECASE)


def event_begins(data: bytes) -> str:
    """Return such as ``Wed 2 Dec 2026, 09:00 (UTC)``; empty where no event says when it begins."""
    _, event, rest = data[:_READ].partition(_EVENT)
    found = _BEGINS.search(rest) if event else None
    if found is None:
        return ""
    parameters, day, hour, is_utc = found.groups()
    try:
        at = datetime.strptime((day + (hour or b"0000")).decode("ascii"), "%Y%m%d%H%M")  # noqa: DTZ007
    except ValueError:
        return ""
    said = f"{at:%a} {at.day} {at:%b} {at.year}"
    if not hour:
        return said
    zone = _ZONE.search(parameters)
    where = "UTC" if is_utc else zone[1].decode("ascii") if zone else ""
    return f"{said}, {at:%H:%M}" + (f" ({where})" if where else "")
