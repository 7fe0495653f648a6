"""Count the rows that a text takes where a row has so many columns, and cut it to fit."""

import re
import unicodedata

MORE = "… {count} more"
"""Stands in the place of what was cut."""
_CUT = re.compile(r"… \d+ more$", re.MULTILINE)


def cells(text: str) -> int:
    """Count the most columns that a terminal gives to a text; it may give fewer."""
    return sum(map(_cells, text))


def _cells(char: str) -> int:
    if char.isascii():
        return 1
    wide = unicodedata.east_asian_width(char) in "WF"
    return 1 if not wide and unicodedata.category(char)[0] in "LNPZ" else 2


def rows_of(text: str, width: int, *, set_in: int = 0) -> int:
    """Count the rows of a text that is broken at blanks, and within a word that is too long.

    ``set_in``: columns by which the further rows of a line are set in.
    """
    return sum(_rows(line, width, width - set_in) for line in text.split("\n")) if text else 0


def _rows(line: str, first: int, further: int) -> int:
    rows, left, empty = 1, first, True
    for word in line.split():
        long = cells(word)
        if not empty and 1 + long <= left:
            left -= 1 + long
            continue
        if not empty:
            rows, left = rows + 1, further
        while long > left:
            long -= left
            rows, left = rows + 1, further
        left, empty = left - long, False
    return rows


def one_row(text: str) -> str:
    """Return the text with blanks for its line breaks and runs of blanks."""
    return " ".join(text.split())


def cut_to(text: str, most: int) -> tuple[str, int]:
    """Return as much of a text as fits in so many columns, and the count of the rest.

    What was cut ends in ``… 12 more``, which counts the characters left out.
    """
    if cells(text) <= most:
        return text, 0
    kept = max(0, most - len(MORE.format(count=len(text))))
    head = _head(text, kept)
    left = len(text) - len(head)
    return f"{head.rstrip()}{MORE.format(count=left)}", left


def is_cut(text: str) -> bool:
    """Return whether a line of a text ends as ``cut_to`` ends one."""
    return _CUT.search(text) is not None


def shortened(text: str, most: int, *, tail: int = 0) -> str:
    """Return as much of a text as fits in so many columns, with an ellipsis for what is left out.

    ``tail``: columns of its end that are kept.
    """
    if cells(text) <= most:
        return text
    end = _head(text[::-1], tail)[::-1].lstrip() if tail else ""
    return f"{_head(text, most - 1 - cells(end)).rstrip()}…{end}"


def _head(text: str, most: int) -> str:
    """Return the first characters that fit in so many columns."""
    for kept, char in enumerate(text):
        most -= _cells(char)
        if most < 0:
            return text[:kept]
    return text
