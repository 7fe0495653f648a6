"""Find the first time of a series whose object is too much for a parser."""

from collections.abc import Iterator

_NAMES = ("UID", "SUMMARY", "DTSTART", "DTEND", "DURATION")
_LONGEST = 2_000


def outline(ics: bytes) -> str:
    """Return the series' VEVENT with no more than its UID, title and first time.

    Looks at each line once. Of a changed occurrence that stands alone, returns that.
    """
    part: dict[str, str] = {}
    for part in _events(ics):
        if "RECURRENCE-ID" not in part:
            break
    kept = (part[name] for name in _NAMES if name in part)
    return "\r\n".join(("BEGIN:VEVENT", *kept, "END:VEVENT", ""))


def _events(ics: bytes) -> Iterator[dict[str, str]]:
    """Yield the lines of each event by their names, the first of each name."""
    inside: list[str] = []
    part: dict[str, str] = {}
    for line in _lines(ics):
        name = line.replace(";", ":").partition(":")[0].upper()
        if name == "BEGIN":
            inside.append(line.partition(":")[2].strip().upper())
            if inside[-1] == "VEVENT":
                part = {}
        elif name == "END" and inside:
            if inside.pop() == "VEVENT":
                yield part
        elif inside and inside[-1] == "VEVENT" and len(line) <= _LONGEST:
            part.setdefault(name, line)


def _lines(ics: bytes) -> list[str]:
    """Return the lines, unfolded (RFC 5545, 3.1)."""
    text = ics.decode(errors="replace").replace("\r\n", "\n")
    return text.replace("\n ", "").replace("\n\t", "").split("\n")
