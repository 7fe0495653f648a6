"""Lines of a text with their quote marks counted. Linear in the text."""

from typing import NamedTuple

from ingest.text import visible

MOST_LINES = 10_000
"""The lines that are looked at; what is below belongs to the letter that is open there."""
MOST_QUOTED = 200
"""The quote marks of one line that are counted."""
_LOOKED_AT = 1_000
"""The characters of a line that can be a heading; a longer line is looked at this far."""
_SPACES = frozenset(" \t\xa0\u202f")


class TextLine(NamedTuple):
    """One line as it stood, and what it looks like without its quote marks."""

    raw: str
    """With its line break."""
    depth: int
    """How often it is quoted."""
    bare: str
    """Without quote marks and invisible characters, shortened, every blank one space."""
    indented: bool


def lines_of(text: str) -> tuple[list[TextLine], str]:
    """Return the first lines of a text, and the rest of it as it stood."""
    raw = text.split("\n", MOST_LINES)
    rest = raw.pop() if len(raw) > MOST_LINES else ""
    if not rest and len(raw) <= MOST_LINES:
        lines = [_line(part + "\n") for part in raw[:-1]] + ([_line(raw[-1])] if raw[-1] else [])
        return _without_mbox_marks(lines), ""
    return _without_mbox_marks([_line(part + "\n") for part in raw]), rest


def unquoted(raw: str, depth: int) -> str:
    """Return a line without its line break and without so many quote marks."""
    place = 0
    for _ in range(depth):
        found = _after_mark(raw, place)
        if found < 0:
            break
        place = found
    if place and raw[place : place + 1] in _SPACES:
        place += 1
    return raw[place:].rstrip("\r\n")


def _without_mbox_marks(lines: list[TextLine]) -> list[TextLine]:
    """Take ``>From `` for unquoted, as mbox files write it so, unless it stands among quoted lines.

    There a stranger whose mail is quoted wrote it, and it must not become words of who quotes it.
    """
    place = 0
    while place < len(lines):
        begin = place
        while place < len(lines) and _has_mbox_mark(lines[place]):
            place += 1
        around = (lines[at] for at in (begin - 1, place) if 0 <= at < len(lines))
        if place > begin and not any(line.depth for line in around):
            lines[begin:place] = (line._replace(depth=0) for line in lines[begin:place])
        place = max(place, begin + 1)
    return lines


def _has_mbox_mark(line: TextLine) -> bool:
    return line.depth == 1 and line.raw.startswith(">From ")


def _line(raw: str) -> TextLine:
    depth, place = 0, 0
    while depth < MOST_QUOTED and (found := _after_mark(raw, place)) >= 0:
        depth, place = depth + 1, found
    content = raw[place : place + _LOOKED_AT].rstrip("\n")
    start = 1 if depth else 0
    return TextLine(
        raw=raw,
        depth=depth,
        bare=" ".join(visible(content).split()),
        indented=content[start : start + 1] in _SPACES and bool(content.strip()),
    )


def _after_mark(raw: str, place: int) -> int:
    """Return the place behind the next quote mark, or -1 where there is none."""
    for at in range(place, place + 4):
        char = raw[at : at + 1]
        if char == ">":
            return at + 1
        if not char or char not in _SPACES:
            return -1
    return -1
