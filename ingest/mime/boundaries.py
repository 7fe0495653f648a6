"""Find the parts of a multipart by its boundary (RFC 2046 section 5.1), or without a good one."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ingest.mime.parts import ByteSpan, MimePart

LONGEST = 300
"""The most characters of a boundary; the standard allows 70."""

_GIVEN = re.compile(
    rb'(?i)boundary[ \t\r\n]{0,9}=[ \t\r\n]{0,9}(?:"([^"]{1,400})"?|([^;"]{1,400}))'
)
_FOLD = re.compile(rb"(?:\r\n|\r|\n)[ \t]*")
_GUESSED = re.compile(rb"\n--([^\r\n]{1,200}?)[ \t]{0,9}\r?\n(?i:content-[a-z-]{1,60})[ \t]{0,9}:")
_USUAL = re.compile(rb"(?i)multi-?part|\bmime\b")


class Section(NamedTuple):
    start: int
    end: int


class Delimited(NamedTuple):
    """Where the parts of a multipart are, and what stands outside them."""

    parts: tuple[Section, ...]
    uncounted: int = 0
    """How many delimiters come after the most parts that are taken."""
    defects: tuple[str, ...] = ()


def find_parts(part: MimePart, body: ByteSpan, most: int) -> Delimited | None:
    """Find at most so many parts; None if no line of the body divides it."""
    for boundary in dict.fromkeys(_given(part)):
        if found := _divide(body, boundary, most):
            return found
    guessed = _GUESSED.search(body.source, max(body.start - 1, 0), body.end)
    found = _divide(body, guessed[1], most) if guessed else None
    if found is None:
        return None
    if any(_given(part)):
        said = "its boundary stands nowhere in it; its parts were found by the lines between them"
    else:
        said = "it names no boundary; its parts were found by the lines between them"
    return found._replace(defects=(said, *found.defects))


def _given(part: MimePart) -> Iterator[bytes]:
    """Yield what the boundary may be: as it was written, and with its folds read otherwise."""
    field = part.field("content-type") or b""
    written = _GIVEN.search(field)
    if written:
        given = written[1] or written[2].strip()
        for between in (b"", b" ", b"\t"):
            yield _FOLD.sub(between, given).rstrip()
        unfolded = re.sub(rb"[\r\n]+", b"", given)
        yield unfolded.rstrip()
        yield re.sub(rb"\\(.)", rb"\1", unfolded).rstrip()
        if not written[1]:
            yield given.split()[0] if given else b""
    yield part.parameters.named.get("boundary", "").encode("utf-8", "replace").rstrip()


def _divide(body: ByteSpan, boundary: bytes, most: int) -> Delimited | None:
    if not boundary or len(boundary) > LONGEST:
        return None
    source, end = body.source, body.end
    first = max(body.start - 1, 0)  # the end of the line before the body
    delimiter = re.compile(rb"\n--" + re.escape(boundary) + rb"(--)?[ \t]*(?=[\r\n]|\Z)")
    parts: list[Section] = []
    outside: list[Section] = []
    begun, inside, closed, uncounted = body.start, False, False, 0
    reopened = False
    for passed, found in enumerate(delimiter.finditer(source, first, end), 1):
        stop = max(begun, found.start() - (source[found.start() - 1 : found.start()] == b"\r"))
        if stop > begun or not inside:  # two delimiters may follow each other
            (parts if inside else outside).append(Section(begun, stop))
        begun = _next_line(source, found.end(), end)
        reopened |= closed and not found[1]
        closed, inside = bool(found[1]), not found[1]
        if len(parts) == most or passed > 2 * most:
            # Counted without looking at each: there may be millions.
            uncounted = source.count(b"\n--" + boundary, found.end(), end) + inside
            uncounted -= source.count(b"\n--" + boundary + b"--", found.end(), end)
            inside = False
            break
    if not parts and not outside:
        return None
    if not uncounted:
        (parts if inside else outside).append(Section(begun, end))
    defects = list(_said_outside(source, outside))
    if reopened:
        defects.append("more parts come after its last delimiter")
    if not closed and not uncounted:
        defects.append("its last delimiter is missing: it may have been cut off")
    if not parts and outside:
        defects.append("it is a multipart without parts")
    return Delimited(tuple(parts), max(uncounted, 0), tuple(defects))


def _next_line(source: bytes, at: int, end: int) -> int:
    if source.startswith(b"\r\n", at, end):
        return at + 2
    return min(at + 1, end)


def _said_outside(source: bytes, outside: list[Section]) -> Iterator[str]:
    """Say what words stand where no mail program shows them."""
    for section in outside[:9]:
        words = source[section.start : min(section.end, section.start + LONGEST)].strip()
        length = section.end - section.start
        if words and not (length <= LONGEST and _USUAL.search(words)):
            shown = " ".join(words[:60].decode("utf-8", "replace").split())
            yield f"{length} bytes stand outside its parts, and are not shown: {shown}"
