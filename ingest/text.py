"""Clean a stranger's text for display: to one line, or to paragraphs."""

import re
import unicodedata

SUBJECT = 998
"""The most characters of a subject: those of a line (RFC 5322 section 2.1.1)."""
NAME = 200
"""The most characters of a display name, of a file name and of a defect."""
ADDRESS = 320
"""The most characters of an address: 64 @ 255, RFC 5321 section 4.5.3.1."""
RECIPIENTS = 2_000
"""The most characters of all recipients."""

_BREAKS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def line(text: str, limit: int) -> str:
    """Return one line of at most ``limit`` characters, without invisible characters.

    Removes control, bidirectional, zero-width, private and unassigned characters (Unicode
    categories Cc, Cf, Cs, Co and Cn); every run of white space becomes one space.
    """
    return _shorten(" ".join(visible(text[: 8 * limit]).split()), limit)


def paragraphs(text: str, limit: int) -> str:
    """Clean a text as ``line`` does, but keep line breaks and at most one empty line in a row."""
    lines = (" ".join(visible(raw).split()) for raw in text[: 8 * limit].splitlines())
    return _shorten(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), limit)


def visible(text: str) -> str:
    """Turn line breaks and tabs into spaces, and remove invisible characters."""
    if text.isprintable():  # no break, and none of these categories
        return text
    odd = {char for char in set(text) if not char.isprintable()}
    shown = {ord(char): " " for char in odd & _BREAKS}
    hidden = {ord(char): "" for char in odd - _BREAKS if unicodedata.category(char) in _INVISIBLE}
    return text.translate(shown | hidden)


def _shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
