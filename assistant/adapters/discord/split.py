"""Split long text into messages: nothing is lost, none is blank, code fences stay closed."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from wcwidth import grapheme_boundary_before

from assistant.adapters.discord.text import units

LIMIT = 2_000
"""The most characters of a message: https://docs.discord.com/developers/resources/message."""
SMALLEST = 100
"""The lowest limit, with room for a fence, a word and the blanks beside it."""

_LONGEST = 64
"""The most code points of one visible character; a family emoji has 11."""
_TICKS = "```"
_CLOSE = f"\n{_TICKS}"
_OPENING = re.compile(rf"\\[^0-9A-Za-z\s]|(?P<ticks>{_TICKS})(?:(?P<language>[\w+.#-]{{1,20}})\n)?")
_ESCAPE = re.compile(r"\\[^0-9A-Za-z\s]")


def split(text: str, limit: int = LIMIT) -> tuple[str, ...]:
    """Split the text into parts within the limit; joined, they give the text again.

    Cuts before paragraphs, lines, words or visible characters, in this order of preference. Two
    things change: a code fence that is open at the end of a part is closed there by a newline and
    three backticks, and opened again at the next part by three backticks, its language and a
    newline; and a run of blanks is cut to an eighth of the limit. A blank text has no parts.

    Args:
        text: in Discord's markdown.
        limit: in UTF-16 code units, at least 100.
    """
    if limit < SMALLEST:
        raise ValueError(f"a part has {SMALLEST} characters at the least")
    most = limit // 8
    text = re.sub(rf"(\s{{{most}}})\s+", r"\1", text)
    return tuple(_parts(text, limit)) if text.strip() else ()


def _parts(text: str, limit: int) -> Iterator[str]:
    fences = list(_fences(text))
    unsafe = _unsafe(text, fences)
    lengths = list(accumulate((1 + (ord(c) > 0xFFFF) for c in text), initial=0))  # noqa: PLR2004 (beyond it characters take two units)
    last = len(text.rstrip()) - 1
    start = 0
    while True:
        opened = _reopened(fences, start)
        room = lengths[start] + limit - units(opened)
        end = len(text)
        closed = _CLOSE if _within(fences, end) else ""
        if lengths[end] + len(closed) <= room:
            yield f"{opened}{text[start:]}{closed}"
            return
        furthest = min(bisect_right(lengths, room - len(_CLOSE)) - 1, last)
        end = _cut(text, start, furthest, fences, unsafe)
        yield f"{opened}{text[start:end]}{_CLOSE if _within(fences, end) else ''}"
        start = end


def _cut(text: str, start: int, furthest: int, fences: "Sequence[_Fence]", unsafe: set[int]) -> int:
    """Return the best end of a part, so that neither it nor the rest is blank."""
    first = start + len(text[start:]) - len(text[start:].lstrip()) + 1

    good: tuple[Callable[[int], bool], ...] = (
        lambda at: text[at - 2 : at] == "\n\n" and not _within(fences, at),
        lambda at: text[at - 1] == "\n" and not _within(fences, at),
        lambda at: text[at - 1] == "\n",
        lambda at: text[at - 1].isspace(),
    )
    half = max(first, start + (furthest - start) // 2)
    for fits in good:
        for at in range(furthest, half - 1, -1):
            if fits(at) and not text[at].isspace() and at not in unsafe and _whole(text, at):
                return at
    any_character = [at for at in range(furthest, first - 1, -1) if at not in unsafe]
    return next((at for at in any_character if _whole(text, at)), [*any_character, furthest][0])


def _whole(text: str, at: int) -> bool:
    """Return whether a cut here splits no visible character (UAX 29), unless a very long one."""
    near = text[max(0, at - _LONGEST) : at + 1]
    return grapheme_boundary_before(near, len(near)) == len(near) - 1


@dataclass(frozen=True)
class _Fence:
    begins: int
    """The place of its first backticks."""
    content: int
    ends: int
    """The end of its content; that of the text if nothing closes the fence."""
    language: str


def _fences(text: str) -> Iterator[_Fence]:
    at = 0
    while found := _OPENING.search(text, at):
        at = found.end()
        if found["ticks"]:
            close = text.find(_TICKS, at)
            ends = len(text) if close < 0 else close
            yield _Fence(found.start(), at, ends, found["language"] or "")
            at = ends + len(_TICKS)


def _within(fences: Sequence[_Fence], at: int) -> _Fence | None:
    """Return the fence that is open when a part ends here."""
    before = bisect_left(fences, at, key=lambda fence: fence.begins) - 1
    return fences[before] if before >= 0 and at <= fences[before].ends else None


def _reopened(fences: Sequence[_Fence], at: int) -> str:
    fence = _within(fences, at)
    return f"{_TICKS}{fence.language}\n" if fence else ""


def _unsafe(text: str, fences: Sequence[_Fence]) -> set[int]:
    """Return where no part may end: within escapes, and where a fence would be empty."""
    unsafe = {found.start() + 1 for found in _ESCAPE.finditer(text)}
    for fence in fences:
        content = text[fence.content : fence.ends]
        first = fence.content + len(content) - len(content.lstrip())
        last = fence.content + len(content.rstrip())
        unsafe.update(range(fence.begins + 1, first + 1))
        unsafe.update(range(last, fence.ends + len(_TICKS)))
    return unsafe
