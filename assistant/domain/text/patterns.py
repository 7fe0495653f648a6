"""Match patterns in time linear to the text, whatever the pattern and the text.

Regular expressions are RE2's (https://github.com/google/re2/wiki/Syntax): no back-references and no
look-around, hence no backtracking. Globs become regular expressions.
"""

from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import re2

LONGEST = 1_000
"""The most characters of one pattern."""
MEMORY = 512 * 1024
"""The most bytes that one compiled pattern may take, its cache included."""


class BadPattern(ValueError):
    """The text is not a valid pattern."""


class Pattern:
    """A compiled regular expression. It matches anywhere in a text; anchor it with ^ and $."""

    __slots__ = ("__weakref__", "_compiled", "source")

    def __init__(self, source: str, *, memory: int = MEMORY, longest: int = LONGEST) -> None:
        """Compile the pattern. Raises ``BadPattern``, which says what is wrong."""
        if len(source) > longest:
            raise BadPattern(f"is longer than {longest} characters")
        self.source = source
        try:
            self._compiled = re2.compile(source.encode(), _options(memory))
        except UnicodeEncodeError as error:
            raise BadPattern("holds half of a character") from error
        except re2.error as error:
            raise BadPattern(f"has an {_plain(error)}") from error

    @property
    def size(self) -> int:
        """Return how many instructions it was compiled to: what it takes of time and memory."""
        return int(self._compiled.programsize)

    def found_in(self, text: str) -> bool:
        return self._compiled.search(_bytes(text)) is not None

    def fits(self, text: str) -> bool:
        """Return whether it matches the whole text."""
        return self._compiled.fullmatch(_bytes(text)) is not None


_SHARED: WeakValueDictionary[str, Pattern] = WeakValueDictionary()


def shared(source: str) -> Pattern:
    """Return the pattern of this source, compiled once as long as anybody holds it.

    Raises ``BadPattern``.
    """
    found = _SHARED.get(source)
    if found is None:
        found = _SHARED[source] = Pattern(source)
    return found


class Glob(Pattern):
    """A path with ``*`` (in one segment), ``**`` (across them) and ``?`` (one character).

    ``a/**`` matches ``a`` and everything in it.
    """

    __slots__ = ("glob",)

    def __init__(self, glob: str) -> None:
        if not glob:
            raise BadPattern("is empty")
        if len(glob) > LONGEST:
            raise BadPattern(f"is longer than {LONGEST} characters")
        self.glob = glob
        super().__init__(f"(?s:{_translated(glob)})", longest=LONGEST * 10)


_SHARED_GLOBS: WeakValueDictionary[str, Glob] = WeakValueDictionary()


def shared_glob(glob: str) -> Glob:
    """Return the glob, compiled once as long as anybody holds it. Raises ``BadPattern``."""
    found = _SHARED_GLOBS.get(glob)
    if found is None:
        found = _SHARED_GLOBS[glob] = Glob(glob)
    return found


def any_of(patterns: Sequence[str]) -> Pattern | None:
    r"""Join patterns into one that matches where any of them does; None where that is impossible.

    The joined pattern would be too large, or one of them has a ``\Q`` that would quote those after.
    """
    if any(r"\Q" in pattern.replace(r"\\", "") for pattern in patterns):
        return None
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    try:
        return Pattern(joined, memory=64 * MEMORY, longest=len(joined))
    except BadPattern:
        return None


def literal(text: str) -> str:
    """Return a pattern that matches exactly this text."""
    return str(re2.escape(text))


def _translated(glob: str) -> str:
    made, place = "", 0
    while place < len(glob):
        rest = glob[place:]
        at_start = place == 0 or glob[place - 1] == "/"
        if rest == "/**":
            piece, length = "(?:/.*)?", 3
        elif rest.startswith("**/") and at_start:
            piece, length = "(?:.*/)?", 3
        elif rest.startswith("**"):
            piece, length = ".*", 2
        elif rest[0] in "*?":
            piece, length = ("[^/]*" if rest[0] == "*" else "[^/]"), 1
        else:
            piece, length = _quoted(rest[0]), 1
        made, place = made + piece, place + length
    return made


def _quoted(char: str) -> str:
    try:
        return literal(char)
    except UnicodeEncodeError as error:
        raise BadPattern("holds half of a character") from error


def _options(memory: int) -> Any:
    options = re2.Options()
    options.max_mem = memory
    options.log_errors = False
    options.never_capture = True
    return options


def _bytes(text: str) -> bytes:
    """Encode as UTF-8. A lone surrogate becomes ``?``, which ``.`` matches, unlike a bad byte."""
    return text.encode("utf-8", "replace")


def _plain(error: Exception) -> str:
    said = error.args[0] if error.args else "is no regular expression"
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
