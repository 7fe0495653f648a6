"""A part of a mail, and what its header says of it."""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import NamedTuple

from ingest.mime.encoded_words import decode_words
from ingest.mime.parameters import Parameters, parse_parameters

UNREAD = "application/x-unread"
"""The kind of the one part that stands for all that a limit left out."""
MESSAGES = frozenset({"message/rfc822", "message/global", "message/news"})
"""Kinds whose body is a mail."""

_NAME = rb"([!-9;-~\x80-\xff]{1,200})[ \t]*:"
_FIELD = re.compile(_NAME + rb"[ \t]*([^\r\n]*(?:(?:\r\n|\n|\r)[ \t][^\r\n]*)*)")
_MIME_FIELD = re.compile(rb"(?i)(?:content-[a-z-]{1,60}|mime-version)[ \t]*:")
_END_OF_LINE = re.compile(rb"\r\n|\n|\r")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_BLANK_LINE = re.compile(rb"\n[ \t]*\r?\n|\r\r")
_KIND = re.compile(r"[!#$&+.^_a-z0-9-]{1,100}/[!#$&+.^_a-z0-9-]{1,100}")
_NONE = Parameters("", MappingProxyType({}))


class MimePart(NamedTuple):
    """A leaf with data, or a container with children."""

    kind: str
    """Its declared type in small letters, such as ``text/plain``, or what stands in its place."""
    depth: int
    """1 for the mail itself."""
    fields: tuple[tuple[str, bytes], ...] = ()
    """Its header fields: names in small letters, values as they were sent, folds included."""
    children: tuple["MimePart", ...] = ()
    """The parts of a multipart, or the one mail in a ``message/rfc822``."""
    data: bytes = b""
    """A leaf's bytes, its transfer coding undone. Empty for a container."""
    charset: str | None = None
    """The label of its character set, for ``charsets.decode``."""
    disposition: str | None = None
    """``inline``, ``attachment``, another word in small letters, or None."""
    name: str = ""
    """The name of its file as it was sent, decoded: not yet safe for a file system."""
    content_id: str = ""
    coding: str = ""
    """Its Content-Transfer-Encoding, as it was sent."""
    parameters: Parameters = _NONE
    """Those of its Content-Type, such as ``format`` and ``delsp``."""
    raw: memoryview = memoryview(b"")
    """All of it as it was sent, header included."""
    unread: int = 0
    """How many parts it stands for that a limit left out."""
    defects: tuple[str, ...] = ()

    def field(self, name: str) -> bytes | None:
        """Return the first field of a name, given in small letters."""
        return next((value for field, value in self.fields if field == name), None)

    def walk(self) -> Iterator["MimePart"]:
        """Yield this part and all below it, in the order of the mail."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting.extend(reversed(part.children))

    def with_defects(self, *defects: str) -> "MimePart":
        return self._replace(defects=tuple(dict.fromkeys((*self.defects, *defects))))


class ByteSpan(NamedTuple):
    """A stretch of bytes, which is not copied."""

    source: bytes
    start: int
    end: int

    def bytes(self) -> bytes:
        return self.source[self.start : self.end]


def unread(count: int, depth: int) -> MimePart:
    parts = "part" if count == 1 else "parts"
    return MimePart(UNREAD, depth, name=f"{count} more {parts}, not read", unread=count)


def read_header(
    span: ByteSpan, depth: int, default: str, *, most_bytes: int, most_fields: int
) -> tuple[MimePart, ByteSpan]:
    """Read a part's header. Returns the part, without its body, and where that stands."""
    fields, body, defects = _fields(span, most_bytes, most_fields)
    part = MimePart(default, depth, fields, raw=memoryview(span.source)[span.start : span.end])
    return _with_facts(part, default, defects), span._replace(start=body)


def _fields(
    span: ByteSpan, most_bytes: int, most_fields: int
) -> tuple[tuple[tuple[str, bytes], ...], int, list[str]]:
    """Return the header fields, where the body begins, and what is wrong with the header."""
    source, at, end = span
    most = min(end, at + most_bytes)
    fields: list[tuple[str, bytes]] = []
    defects: list[str] = []
    if source.startswith((b"From ", b">From "), at):  # the line of a mailbox file
        at = _after_line(source, at, most)
    while at < most:
        if blank := _END_OF_LINE.match(source, at, most):
            return tuple(fields), blank.end(), defects
        found = _FIELD.match(source, at, most)
        if found and len(fields) < most_fields and (found.end() < most or most == end):
            fields.append((found[1].decode("latin-1").lower(), found[2]))
            at = _after_line(source, found.end(), end)
            continue
        if found:
            defects.append("its header is too long, and was not read to its end")
            blank = _BLANK_LINE.search(source, at, end)
            return tuple(fields), blank.end() if blank else end, defects
        following = _after_line(source, at, most)
        if source[at:following].strip() == b"":  # a line of blanks, meant as an empty one
            return tuple(fields), following, defects
        if not fields or not _MIME_FIELD.match(source, following, most):
            defects.append("no empty line divides its header from its body")
            return tuple(fields), at, defects
        defects.append("a line of its header is no field")
        at = following
    return tuple(fields), at, defects


def _after_line(source: bytes, at: int, end: int) -> int:
    found = _LINE.match(source, at, end)
    return found.end() if found else end


def _with_facts(part: MimePart, default: str, defects: list[str]) -> MimePart:
    """Fill in what the header says."""
    kind = parse_parameters(part.field("content-type") or default.encode())
    placed = parse_parameters(part.field("content-disposition") or b"")
    defects += (f"its type: {defect}" for defect in kind.defects)
    defects += (f"its disposition: {defect}" for defect in placed.defects)
    declared = kind.value
    if not _KIND.fullmatch(declared):
        defects.append("its type cannot be read, and it was read as text")
        declared = "text/plain"
    name = placed.named.get("filename") or kind.named.get("name", "")
    return part._replace(
        kind=declared,
        charset=kind.named.get("charset"),
        disposition=placed.value or None,
        name=name,
        content_id=decode_words(part.field("content-id") or b"").text.strip("<> "),
        coding=(part.field("content-transfer-encoding") or b"").decode("latin-1").strip(),
        parameters=kind,
    ).with_defects(*defects)
