"""Find and remove characters that a person does not see, and a model reads all the same."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator

_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_BLANKS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85")
"""Control characters that divide words."""
_SHOWN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
"""Format characters with a shape of their own: Arabic and Syriac signs for numbers and the like."""
_IGNORED = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that are drawn as nothing (Default_Ignorable_Code_Point)."""
_PICTURES = range(0x1F000, 0x1FC00)
"""Where emoji are, and where Unicode puts those that this Python does not know yet."""
_JOINER = "\u200d"
_JOINERS = frozenset("\u200c\u200d")
_JOINING = re.compile(
    "[\u0620-\u06d3\u06fa-\u070c\u0710-\u109f\u1780-\u17b3\u17b6-\u180a\u1820-\u18af"
    "\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc]"
)
"""Letters of scripts whose letters join, from Arabic to Mongolian: joiners are their spelling."""
_SELECTORS = frozenset("\ufe0e\ufe0f")
_SYMBOLS = frozenset({"So", "Sm", "Sk"})

_SAID = re.compile(r"[\d,]+ invisible characters?, which no model is shown$")


def is_invisible(char: str) -> bool:
    """Return whether a character is drawn as nothing; blanks and line breaks are not meant."""
    if char in _BLANKS or char in _SHOWN:
        return False
    category = unicodedata.category(char)
    if category == "Cn" and ord(char) in _PICTURES:
        return False
    return category in _CATEGORIES or _IGNORED.match(char) is not None


def without_invisible(text: str) -> str:
    """Return what a person sees of a text.

    An emoji keeps its joiners and its selector, a word of a script whose letters join its joiners.
    """
    hidden = invisible_among(text)
    return _those(hidden).sub(_kept, text) if hidden else text


def count_invisible(text: str) -> int:
    """Count the characters that ``without_invisible`` removes."""
    hidden = invisible_among(text)
    return sum(not _kept(found) for found in _those(hidden).finditer(text)) if hidden else 0


def json_without_invisible(value: Any) -> Any:
    """Apply ``without_invisible`` to every text in a JSON value, names of members included."""
    if isinstance(value, str):
        return without_invisible(value)
    if isinstance(value, dict):
        return {without_invisible(n): json_without_invisible(item) for n, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_without_invisible(item) for item in value]
    return value


def invisible_among(text: str) -> frozenset[str]:
    """Return the characters of a text that are drawn as nothing, each once."""
    if text.isascii() and text.isprintable():
        return frozenset()
    return frozenset(char for char in set(text) if is_invisible(char))


def _those(chars: Iterable[str]) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(chars)))}]")


def _kept(found: re.Match[str]) -> str:
    """Return the character if an emoji or a word needs it, else nothing."""
    char, text, place = found[0], found.string, found.start()
    if char in _SELECTORS:
        return (
            char if _is_symbol(text, place - 1) or text[place + 1 : place + 2] == "\u20e3" else ""
        )
    if (
        char in _JOINERS
        and place
        and _JOINING.match(text, place - 1)
        and _JOINING.match(text, place + 1)
    ):
        return char
    if char == _JOINER:
        before = place - 2 if text[place - 1 : place] in _SELECTORS else place - 1
        return char if _is_symbol(text, before) and _is_symbol(text, place + 1) else ""
    return ""


def _is_symbol(text: str, place: int) -> bool:
    """Return whether an emoji, or a part of one, stands there."""
    char = text[place : place + 1] if place >= 0 else ""
    if not char or char.isascii():
        return False
    return unicodedata.category(char) in _SYMBOLS or ord(char) in _PICTURES


Visible = Annotated[str, AfterValidator(without_invisible)]
"""The type of a text that a model is shown."""
VisibleJson = Annotated[dict[str, Any], AfterValidator(json_without_invisible)]
"""The type of a JSON object that a model is shown."""


def say_invisible(count: int) -> str:
    """Say how many characters of a text are invisible; empty for none."""
    if not count:
        return ""
    return f"{count:,} invisible character{'' if count == 1 else 's'}, which no model is shown"


def says_invisible(words: str) -> bool:
    """Return whether these words come from ``say_invisible``."""
    return _SAID.match(words) is not None
