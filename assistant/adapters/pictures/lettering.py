"""Fit text into a width, in letters that the fonts of this folder have."""

import json
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from assistant.domain.text.compatibility import with_few_marks

FONTS = Path(__file__).parent / "fonts"
FONT_FILES = tuple(
    str(FONTS / name)
    for name in ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf", "NotoSansArabic-Regular.ttf")
)
FAMILY = "Noto Sans"
NOT_DRAWN = "(see text)"
"""What stands for a text that has no letter of these fonts."""
_UNITS = 1000
_DOTS = "…"
_LONGEST = 200


@cache
def _widths() -> dict[str, int]:
    """Return the width of each character, in thousandths of the font's size."""
    rows = json.loads((FONTS / "widths.json").read_text("utf-8"))
    return {char: int(width) for width, chars in rows.items() for char in chars}


def drawable(text: str) -> str:
    """Return the text without what the fonts do not have, such as emoji."""
    known = _widths()
    composed = unicodedata.normalize("NFC", with_few_marks(text[:_LONGEST]))
    kept = "".join(char for char in composed if char in known)
    words = " ".join(kept.split())
    return words if any(char.isalnum() for char in words) or not text.strip() else NOT_DRAWN


def fitted(text: str, *, size: float, width: float, lines: int) -> list[str]:
    """Return the lines of a text, each within the width; dots end what has no room.

    Args:
        text: in one line.
        size: the font's size in pixels.
        width: in pixels.
        lines: the most lines to return.
    """
    room = width * _UNITS / size
    if lines < 1 or _width(_DOTS) > room:
        return []
    words = drawable(text)
    found = list(_wrapped(words, room))
    if len(found) <= lines:
        return found
    kept = found[: lines - 1]
    last = _after(words, sum(len(line.replace(" ", "")) for line in kept))
    while last and _width(last + _DOTS) > room:
        last = last[:-1]
    return [*kept, last.rstrip() + _DOTS]


def _after(text: str, letters: int) -> str:
    """Return what follows so many characters that are no blanks."""
    places = (n for n, char in enumerate(text) if char != " ")
    return text[next(islice(places, letters, None), len(text)) :]


def fits(text: str, *, size: float, width: float) -> bool:
    """Return whether a text has room in one line."""
    return _width(text) * size <= width * _UNITS


def _wrapped(text: str, room: float) -> Iterator[str]:
    line = ""
    for word in (part for whole in text.split() for part in _broken(whole, room)):
        longer = f"{line} {word}" if line else word
        if line and _width(longer) > room:
            yield line
            line = word
        else:
            line = longer
    if line:
        yield line


def _broken(word: str, room: float) -> Iterator[str]:
    """Yield the parts of a word that is too long for a line."""
    part, width = "", 0
    for char in word:
        wide = _width(char)
        if part and width + wide > room:
            yield part
            part, width = "", 0
        part, width = part + char, width + wide
    yield part


def _width(text: str) -> int:
    known = _widths()
    return sum(known.get(char, _UNITS) for char in text)
