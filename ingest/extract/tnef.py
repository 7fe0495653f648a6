"""Open Outlook's winmail.dat (TNEF): its text and its attachments.

The format is Microsoft's MS-OXTNEF. The libraries that read it copy the rest of the file for each
attribute and count to numbers that the file names, so this is read here, once from front to back.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from ingest.extract.extracted import NotReadableError

SIGNATURE = 0x223E9F78
_ATTRIBUTE = struct.Struct("<BII")
_U32 = struct.Struct("<I")
_TITLE, _DATA, _RENDER, _ATTACHMENT = 0x18010, 0x6800F, 0x69002, 0x69005
_BODY, _PROPERTIES, _CODE_PAGE, _SUBJECT = 0x2800C, 0x69003, 0x69007, 0x18004
_P_BODY, _P_HTML, _P_RTF, _P_DATA = 0x1000, 0x1013, 0x1009, 0x3701
_P_LONG_NAME, _P_NAME, _P_MIME = 0x3707, 0x3704, 0x370E
_FIXED = {
    0x2: 4,
    0x3: 4,
    0x4: 4,
    0xA: 4,
    0xB: 4,
    0x5: 8,
    0x6: 8,
    0x7: 8,
    0x14: 8,
    0x40: 8,
    0x48: 16,
}
_COUNTED = frozenset({0x1E, 0x1F, 0xD, 0x102})
_UNICODE, _STRING, _OBJECT = 0x1F, 0x1E, 0xD
_MANY = 0x1000
_NAMED = 0x8000
_MOST_PROPERTIES = 10_000
MOST_PARTS = 100
_INTERFACE = 16
"""Bytes of the interface's identifier that stand before an object."""
_RTF_START = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_WINDOW = 4096
_MOST_RTF = 16 * 1024 * 1024


class Enclosed(NamedTuple):
    name: str
    type: str
    """Its declared type; empty where none is."""
    data: bytes


class Opened(NamedTuple):
    """What was in it. A stranger wrote it."""

    text: str = ""
    html: bytes = b""
    rtf: bytes = b""
    parts: tuple[Enclosed, ...] = ()
    defects: tuple[str, ...] = ()


def open_tnef(data: bytes) -> Opened:
    """Return the text and the attachments of a winmail.dat, as far as it is whole.

    Raises:
        NotReadableError: it is no TNEF.
    """
    if len(data) < 6 or _U32.unpack_from(data)[0] != SIGNATURE:  # noqa: PLR2004
        raise NotReadableError("it is no winmail.dat")
    opening = _Opening()
    for attribute, value in _attributes(data, opening.defects):
        opening.take(attribute, value)
    return opening.done()


class _Opening:
    def __init__(self) -> None:
        self.defects: list[str] = []
        self._charset = "cp1252"
        self._text = ""
        self._html = b""
        self._rtf = b""
        self._parts: list[dict[str, bytes | str]] = []

    def take(self, attribute: int, value: memoryview) -> None:
        if attribute == _CODE_PAGE and len(value) >= _U32.size:
            self._use(f"cp{_U32.unpack_from(value)[0]}")
        elif attribute == _BODY:
            self._text = self._text or self._words(bytes(value))
        elif attribute == _PROPERTIES:
            self._take_properties(value)
        elif attribute == _RENDER:
            self._parts.append({})
        elif self._parts:
            self._take_part(attribute, value)

    def done(self) -> Opened:
        parts = [part for part in self._parts if part.get("data")]
        if len(parts) > MOST_PARTS:
            self.defects.append(f"only {MOST_PARTS} of its {len(parts):,} attachments are shown")
        return Opened(
            text=self._text.replace("\r\n", "\n").replace("\0", ""),
            html=self._html,
            rtf=self._rtf,
            parts=tuple(_enclosed(part) for part in parts[:MOST_PARTS]),
            defects=tuple(dict.fromkeys(self.defects)),
        )

    def _take_properties(self, value: memoryview) -> None:
        for tag, kind, content in _properties(value, self.defects):
            if tag == _P_BODY:
                self._text = self._string(kind, content)
            elif tag == _P_HTML:
                self._html = bytes(content)
            elif tag == _P_RTF:
                self._rtf = self._unpacked(bytes(content))

    def _take_part(self, attribute: int, value: memoryview) -> None:
        part = self._parts[-1]
        if attribute == _TITLE:
            part.setdefault("name", self._words(bytes(value)))
        elif attribute == _DATA:
            part["data"] = bytes(value)
        elif attribute == _ATTACHMENT:
            for tag, kind, content in _properties(value, self.defects):
                if tag == _P_LONG_NAME:
                    part["name"] = self._string(kind, content)
                elif tag == _P_NAME:
                    part.setdefault("name", self._string(kind, content))
                elif tag == _P_MIME:
                    part["type"] = self._string(kind, content)
                elif tag == _P_DATA:
                    part.setdefault("data", bytes(content[_INTERFACE * (kind == _OBJECT) :]))

    def _unpacked(self, packed: bytes) -> bytes:
        try:
            return unpack_rtf(packed)
        except NotReadableError as error:
            self.defects.append(str(error))
            return b""

    def _string(self, kind: int, content: memoryview) -> str:
        data = bytes(content)
        if kind == _UNICODE:
            return data.decode("utf-16-le", "replace").rstrip("\0")
        return self._words(data)

    def _words(self, data: bytes) -> str:
        return data.decode(self._charset, "replace").rstrip("\0")

    def _use(self, charset: str) -> None:
        try:
            b"a".decode(charset)
        except (LookupError, ValueError):
            return
        self._charset = charset


def _enclosed(part: dict[str, bytes | str]) -> Enclosed:
    data = part.get("data", b"")
    return Enclosed(
        name=str(part.get("name", ""))[:1000],
        type=str(part.get("type", ""))[:200],
        data=data if isinstance(data, bytes) else b"",
    )


def _attributes(data: bytes, defects: list[str]) -> Iterator[tuple[int, memoryview]]:
    view = memoryview(data)
    at = 6
    while at + _ATTRIBUTE.size <= len(view):
        _, attribute, length = _ATTRIBUTE.unpack_from(view, at)
        at += _ATTRIBUTE.size
        if at + length > len(view):
            defects.append("the winmail.dat ends too early")
        yield attribute, view[at : at + length]
        at += length + 2  # a checksum follows, which says nothing


def _properties(view: memoryview, defects: list[str]) -> Iterator[tuple[int, int, memoryview]]:
    """Yield tag, type and first value of each property (MS-OXTNEF section 2.1.3.4)."""
    try:
        (count,) = _U32.unpack_from(view)
        at = _U32.size
        for _ in range(min(count, _MOST_PROPERTIES)):
            kind, tag = struct.unpack_from("<HH", view, at)
            at += 4
            if tag >= _NAMED:
                at = _skip_name(view, at)
            value, at = _value(view, at, kind)
            yield tag, kind & ~_MANY, value
    except (struct.error, ValueError):
        defects.append("a part of the winmail.dat is broken")


def _skip_name(view: memoryview, at: int) -> int:
    (by_name,) = _U32.unpack_from(view, at + 16)
    at += 20
    if not by_name:
        return at + 4
    (length,) = _U32.unpack_from(view, at)
    return at + 4 + _padded(length)


def _value(view: memoryview, at: int, kind: int) -> tuple[memoryview, int]:
    """Return the first value of a property, and where the next property begins."""
    simple = kind & ~_MANY
    count = 1
    if kind & _MANY or simple in _COUNTED:
        (count,) = _U32.unpack_from(view, at)
        at += 4
    if simple in _FIXED:
        end = at + count * _FIXED[simple]
        if end > len(view):
            raise ValueError("it ends too early")
        return view[at : at + _FIXED[simple]], end
    if simple not in _COUNTED:
        raise ValueError("no such type")
    first: memoryview | None = None
    for _ in range(count):  # each takes four bytes at least, or the data ends
        (length,) = _U32.unpack_from(view, at)
        at += 4
        first = view[at : at + length] if first is None else first
        at += _padded(length)
    return view[:0] if first is None else first, at


def _padded(length: int) -> int:
    return (length + 3) & ~3


def unpack_rtf(data: bytes) -> bytes:
    """Return RTF that Outlook compressed (MS-OXRTFCP). Raises ``NotReadableError``."""
    if len(data) < 16:  # noqa: PLR2004
        raise NotReadableError("the formatted text of the winmail.dat is broken")
    size, kind = struct.unpack_from("<I4s", data, 4)
    if kind == b"MELA":
        return data[16 : 16 + size]
    if kind != b"LZFu":
        raise NotReadableError("the formatted text of the winmail.dat is broken")
    return _unpack(data, min(size, _MOST_RTF))


def _unpack(data: bytes, most: int) -> bytes:
    window = bytearray(_RTF_START.ljust(_WINDOW, b" "))
    write = len(_RTF_START)
    out = bytearray()
    at = 16
    while at < len(data) and len(out) < most:
        flags = data[at]
        at += 1
        for bit in range(8):
            if flags >> bit & 1:
                if at + 2 > len(data):
                    return bytes(out)
                offset, length = data[at] << 4 | data[at + 1] >> 4, (data[at + 1] & 15) + 2
                at += 2
                if offset == write:
                    return bytes(out[:most])
                for _ in range(length):
                    byte = window[offset]
                    out.append(byte)
                    window[write] = byte
                    offset, write = (offset + 1) % _WINDOW, (write + 1) % _WINDOW
            else:
                if at >= len(data):
                    return bytes(out)
                out.append(data[at])
                window[write] = data[at]
                write = (write + 1) % _WINDOW
                at += 1
    return bytes(out[:most])
