"""Take a mail apart into its parts (RFC 2045 and RFC 2046), and mend what would lose words.

The bytes are not copied on the way: a part knows where it stands in them. The standard library's
parser holds each line as a text of its own, which takes thirteen times the size of a binary mail.
"""

import re

from assistant.domain.limits import MailLimits
from ingest.mime.boundaries import find_parts
from ingest.mime.labels import charset_of
from ingest.mime.parts import MESSAGES, ByteSpan, MimePart, read_header, unread
from ingest.mime.transfer import UuFile, split_uuencoded, undo

_FIELD = re.compile(rb"[!-9;-~]{1,200}[ \t]*:")
_WHOLE = re.compile(r"(?i)base64|quoted-?printable")
_LINE_ENDS = (b"\r\n", b"\n")
_ZEROS = 10
_SIGNS = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x89PNG\r\n\x1a\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document"),
    (b"\x1f\x8b\x08", "a compressed file"),
    (b"\x7fELF", "a program"),
)


def parse_tree(raw: bytes, limits: MailLimits) -> MimePart:
    """Take a mail apart. Raises nothing.

    Every error of form is a defect of its part. What is beyond a limit of parts, attachments or
    levels becomes one leaf of the kind ``UNREAD``, the last child of the mail, whose name says how
    much it is.
    """
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    reading = _Reading(limits)
    mail = reading.part(ByteSpan(raw, 0, len(raw)), 1, "text/plain")
    if reading.unread:
        mail = mail._replace(children=(*mail.children, unread(reading.unread, 2)))
    return mail


def seems_to_be(data: bytes, charset: str | None = None) -> str | None:
    """Say what bytes are that are no text; None if they may be text."""
    for sign, said in _SIGNS:
        if data.startswith(sign):
            return said
    head = data[:4_096]
    named = charset_of(charset)
    if head.count(0) * _ZEROS > len(head) and not (named and named.own_line_ends):
        even, odd = head[0::2].count(0), head[1::2].count(0)
        if min(even, odd) * _ZEROS > max(even, odd):  # in UTF-16, one of the two is zero
            return "no text"
    return None


class _Reading:
    """The reading of one mail: how much of its limits is used."""

    def __init__(self, limits: MailLimits) -> None:
        self.unread = 0
        self._limits = limits
        self._parts = 0
        self._attachments = 0

    def part(self, span: ByteSpan, depth: int, default: str) -> MimePart:
        self._parts += 1
        limits = self._limits
        part, body = read_header(
            span, depth, default, most_bytes=limits.headers, most_fields=limits.header_fields
        )
        if part.kind.startswith("multipart/"):
            return self._multipart(part, body)
        if part.kind in MESSAGES:
            return self._message(part, body)
        return self._leaf(part, body)

    def _is_full(self, depth: int) -> bool:
        return self._parts >= self._limits.parts or depth > self._limits.depth

    # Containers

    def _multipart(self, part: MimePart, body: ByteSpan) -> MimePart:
        found = find_parts(part, body, self._limits.parts)
        if found is None and _WHOLE.match(part.coding):
            body, part = _undone(body, part)
            found = find_parts(part, body, self._limits.parts)
        if found is None:
            return self._shown_raw(part, body)
        self.unread += found.uncounted
        default = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
        children: list[MimePart] = []
        for section in found.parts:
            if self._is_full(part.depth + 1):
                self.unread += 1
                continue
            child = self.part(ByteSpan(body.source, *section), part.depth + 1, default)
            if self._is_allowed(child):
                children.append(child)
        return part._replace(children=tuple(children)).with_defects(*found.defects)

    def _is_allowed(self, child: MimePart) -> bool:
        """Return whether a part is no attachment, or not one too many. Count it if so."""
        is_shown = child.kind.startswith(("text/", "multipart/")) or child.kind in MESSAGES
        if is_shown and child.disposition != "attachment" and not child.name:
            return True
        self._attachments += 1
        if self._attachments <= self._limits.attachments:
            return True
        self.unread += 1
        return False

    def _shown_raw(self, part: MimePart, body: ByteSpan) -> MimePart:
        """Show a multipart as it was sent, as no line divides it."""
        data = body.bytes()
        if not data.strip():
            return part.with_defects("it is a multipart without parts")
        said = "no line divides it into parts, and it is shown as it was sent"
        leaf = MimePart("text/plain", part.depth + 1, data=data, raw=memoryview(data))
        return part._replace(children=(leaf,)).with_defects(said)

    def _message(self, part: MimePart, body: ByteSpan) -> MimePart:
        if _WHOLE.match(part.coding) and not _FIELD.match(body.source, body.start, body.end):
            body, part = _undone(body, part)
        if self._is_full(part.depth + 1):
            self.unread += 1
            return part
        inner = self.part(body, part.depth + 1, "text/plain")
        return part._replace(children=(inner,))

    # Leaves

    def _leaf(self, part: MimePart, body: ByteSpan) -> MimePart:
        content = undo(body.bytes(), part.coding)
        data = content.data
        if not _WHOLE.match(part.coding):
            data = _without_line_end(data, part.charset)
        part = part._replace(data=data).with_defects(*content.defects)
        if not part.kind.startswith("text/"):
            return part
        if seems := seems_to_be(data, part.charset):
            return part.with_defects(f"it is named {part.kind}, but its bytes are {seems}")
        if part.kind != "text/plain" or part.disposition == "attachment":
            return part
        words, files, defects = split_uuencoded(data)
        return self._with_files(part, words, files).with_defects(*defects) if files else part

    def _with_files(self, part: MimePart, words: bytes, files: list[UuFile]) -> MimePart:
        """Make a text with files in it the multipart that should have been sent."""
        depth = part.depth + 1
        children = [part._replace(depth=depth, data=words, fields=(), defects=(), name="")]
        for file in files:
            child = MimePart(
                "application/octet-stream",
                depth,
                data=file.data,
                disposition="attachment",
                name=file.name.decode("utf-8", "replace"),
            )
            if self._is_full(depth):
                self.unread += 1
            elif self._is_allowed(child):
                self._parts += 1
                children.append(child)
        said = "a file was" if len(files) == 1 else f"{len(files)} files were"
        mixed = part._replace(kind="multipart/mixed", data=b"", children=tuple(children))
        return mixed.with_defects(f"{said} written into its text (uuencode)")


def _undone(body: ByteSpan, part: MimePart) -> tuple[ByteSpan, MimePart]:
    """Undo the transfer coding of a container, which the standard forbids."""
    content = undo(body.bytes(), part.coding)
    source = b"\n" + content.data  # a delimiter is found by the end of the line before it
    said = "it is encoded as a whole, which only its parts may be"
    return ByteSpan(source, 1, len(source)), part.with_defects(said, *content.defects)


def _without_line_end(data: bytes, label: str | None) -> bytes:
    """Drop the end of line that mail adds below a text, where it is not one in its characters."""
    charset = charset_of(label)
    if charset and charset.own_line_ends:
        for end in _LINE_ENDS:
            if data.endswith(end):
                return data.removesuffix(end)
    return data
