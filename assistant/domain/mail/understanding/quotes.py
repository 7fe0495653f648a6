"""Tell whether a quote stands in a text, however either of them was written down.

Blanks, line breaks, marks of quoted lines, what transport left behind, hyphens at the end of a
line, quotation marks, dashes, case, compatibility forms and invisible characters do not matter.
Words and numbers do: each is compared whole, so that ``EUR 40`` does not stand in ``EUR 400``.
"""

import re

from assistant.domain.text.compatibility import nfkc
from assistant.domain.text.invisible import without_invisible

LONGEST = 400
"""The most characters of a quote."""
WORDS = 3
"""The least words of a quote; a number counts double, so that ``30 November`` is enough."""
UNSPACED = 6
"""The least letters of a quote where words are not spaced, such as in Chinese."""
CODE = 5
"""The least characters of a quote that is one number, such as ``€1,250.00``."""

_SOFT_BREAK = re.compile(r"=\r?\n")
_CODED = re.compile(r"(?:=[0-9A-F]{2})+")
_MARKS = re.compile(r"^[ \t]*(?:[>|][ \t]?)+", re.MULTILINE)
_ADDRESS = re.compile(r"\]\([^()\s]{0,2000}\)")
"""The address in ``[words](address)``, which is how links of HTML are written as text."""
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011]\s*(?=[^\W\d_])")
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u201b\u00b4`\u2032", "'"))
_ALIKE = str.maketrans(
    {
        **dict.fromkeys('"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u201a\u2033', " "),
        **dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212~*_|>[]#\u2022\u00b7", " "),
        "\ufffd": "",  # what ``sound`` puts in the place of half a character
    }
)
_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)+|\w+(?:'\w+)*|[^\w\s']")
_UNSPACED_LETTER = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u3190-\u9fff\U00020000-\U0003ffff]"
)


def plain_words(text: str) -> str:
    """Return the words, numbers and signs of a text in the form in which quotes are compared.

    They are divided by single blanks, with one at the beginning and the end.
    """
    if "=" in text:
        text = _CODED.sub(_decoded, _SOFT_BREAK.sub("", text))
    text = _ADDRESS.sub("]", _MARKS.sub("", text))
    text = nfkc(nfkc(without_invisible(text).translate(_APOSTROPHES)).casefold())
    tokens = _TOKEN.findall(_HYPHEN.sub("", text).translate(_ALIKE))
    return f" {' '.join(tokens)} " if tokens else " "


def plain_quote(quote: str) -> str:
    """Return a quote in the form of ``plain_words``, without signs at its ends.

    It is empty where the quote is too short to prove anything, or longer than ``LONGEST``.
    """
    if len(quote) > LONGEST:
        return ""
    tokens = plain_words(quote).split()
    while tokens and not tokens[0][0].isalnum():
        del tokens[0]
    while tokens and not tokens[-1][-1].isalnum():
        del tokens[-1]
    return f" {' '.join(tokens)} " if _proves(tokens) else ""


def stands_in(quote: str, text: str) -> bool:
    """Return whether a text contains these words; False for too few words to prove anything."""
    return stands_in_plain(quote, plain_words(text))


def stands_in_plain(quote: str, plain: str) -> bool:
    """Do the same with a text in the form of ``plain_words``."""
    words = plain_quote(quote)
    return bool(words) and words in plain


def _proves(tokens: list[str]) -> bool:
    words = [token for token in tokens if token[0].isalnum()]
    numbers = [word for word in words if any(map(str.isdigit, word))]
    return (
        len(words) + len(numbers) >= WORDS
        or (bool(numbers) and sum(map(len, tokens)) >= CODE)
        or len(_UNSPACED_LETTER.findall("".join(words))) >= UNSPACED
    )


def _decoded(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("=", "")).decode("utf-8", "replace")
