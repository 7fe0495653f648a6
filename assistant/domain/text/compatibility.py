"""Bring text into Unicode's compatibility form (NFKC) in time linear to it."""

import re
import unicodedata

MARKS = 30
"""The most marks on one letter; languages need less (Unicode's stream-safe format, UAX 15)."""


def nfkc(text: str) -> str:
    """Return the compatibility form of a text, with at most ``MARKS`` marks on a letter.

    Python sorts the marks on a letter one by one: without the limit, 40,000 of them take seconds.
    """
    return text if text.isascii() else unicodedata.normalize("NFKC", with_few_marks(text))


def with_few_marks(text: str) -> str:
    """Return a text without the marks beyond ``MARKS`` on one letter."""
    marks = "".join(char for char in set(text) if _is_mark(char))
    if not marks:
        return text
    among = f"[{re.escape(marks)}]"
    return re.sub(f"({among}{{{MARKS}}}){among}+", r"\1", text)


def _is_mark(char: str) -> bool:
    """Return whether a character is drawn on the one before it, or becomes such a mark."""
    form = unicodedata.normalize("NFKD", char)
    return unicodedata.combining(form[0]) != 0
