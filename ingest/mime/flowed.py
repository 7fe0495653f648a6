"""Join the lines of a text that flows (RFC 3676)."""

from collections.abc import Iterator

SIGNATURE = "-- "
_BLANK = " "


def unflow(text: str, *, delsp: bool = False) -> str:
    """Join the soft-broken lines of a ``format=flowed`` text into paragraphs.

    A line that ends in a blank goes on in the next, if that is quoted as deeply; with ``delsp``
    the blank itself is removed. Stuffed blanks go, and quote marks become ``> ``. The line that
    begins a signature is never joined.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(_paragraphs(lines, delsp=delsp))


def _paragraphs(lines: list[str], *, delsp: bool) -> Iterator[str]:
    waiting: list[str] = []
    level = 0
    for line in lines:
        unquoted = line.lstrip(">")
        depth = len(line) - len(unquoted)
        words = unquoted.removeprefix(_BLANK)
        if waiting and (depth != level or words == SIGNATURE):
            yield _quoted(level, waiting)  # a soft break that nothing follows is a hard one
            waiting = []
        level = depth
        if words.endswith(_BLANK) and words != SIGNATURE:
            waiting.append(words[:-1] if delsp else words)
        else:
            yield _quoted(level, [*waiting, words])
            waiting = []
    if waiting:
        yield _quoted(level, waiting)


def _quoted(level: int, pieces: list[str]) -> str:
    words = "".join(pieces)
    return f"{'>' * level} {words}" if level else words
