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
        return [_line(part + "\n") for part in raw[:-1]] + ([_line(raw[-1])] if raw[-1] else []), ""
    return [_line(part + "\n") for part in raw], rest


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


def _line(raw: str) -> TextLine:
    depth, place = 0, 0
    while depth < MOST_QUOTED and (found := _after_mark(raw, place)) >= 0:
        depth, place = depth + 1, found
    if depth == 1 and raw.startswith(">From "):
        depth = 0  # mbox files write it so, and nobody quoted it
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
