"""Tell where the plain text of a mail says other words than the HTML that mail programs show."""

import re
from collections.abc import Iterable

from assistant.domain.text.invisible import without_invisible
from ingest.html.stripping import strip_tags

COMPARED = 1_000_000
"""The most bytes of a mail that are compared."""
_LEAST = 5
_SHARE = 3
"""Said where so many words, and one in so many of all, stand in one of them alone."""
_LINK = re.compile(r"(?:https?://|www\.|mailto:)[^\s<>]{1,2000}", re.IGNORECASE)
_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af]|[^\W_]{3,40}"
)
"""A word, or a letter of a script that sets no blanks between words."""


def other_words(plain: Iterable[str], sources: Iterable[str]) -> bool:
    """Return whether the plain text says many words that stand nowhere in the HTML, or the reverse.

    Tags are stripped and no more, which takes a tenth of the time of reading HTML as it is seen: so
    words that the HTML hides count as its words here.
    """
    here, there = _words("\n".join(plain)), _words(strip_tags("\n".join(sources)))
    return _has_more(here, there) or _has_more(there, here)


def _has_more(one: frozenset[str], other: frozenset[str]) -> bool:
    alone = len(one - other)
    return alone >= _LEAST and alone * _SHARE > len(one)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(_LINK.sub(" ", without_invisible(text)).casefold()))
