"""Open an opaque signed message (S/MIME): what was signed is inside, not encrypted.

No signature is checked: that would need the signer's certificate to be trusted.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ingest.extract.extracted import NotReadableError

_SIGNED_DATA = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
_DATA = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
_OID, _OCTETS, _CONSTRUCTED, _SEQUENCE, _EXPLICIT = 0x06, 0x04, 0x24, 0x30, 0xA0
_END = 0x00
_DEEPEST = 16
_BROKEN = "the signed message is broken"


class _Element(NamedTuple):
    tag: int
    start: int
    """Where its content begins."""
    end: int
    """Where its content ends."""
    after: int
    """Where what follows it begins."""


def open_signed(data: bytes) -> bytes:
    """Return the message in PKCS #7 signed data (RFC 5652 section 5), BER or DER, with its header.

    Raises:
        NotReadableError: it is broken, or holds no message, only a signature.
    """
    try:
        info = _children(data, _element(data, 0, len(data), 0))
        if _content(data, next(info)) != _SIGNED_DATA:
            raise NotReadableError("it is no signed message")
        signed = _children(data, next(_children(data, next(info))))
        next(signed)  # the version
        next(signed)  # the digest algorithms
        inner = _children(data, next(signed))
        if _content(data, next(inner)) != _DATA:
            raise NotReadableError("what was signed is no message")
        held = next(inner, None)
        if held is None:
            raise NotReadableError("it holds a signature alone")
        return b"".join(_octets(data, next(_children(data, held)), 0))
    except (IndexError, StopIteration) as bad:
        raise NotReadableError(_BROKEN) from bad


def _octets(data: bytes, element: _Element, depth: int) -> Iterator[bytes]:
    if element.tag == _OCTETS:
        yield data[element.start : element.end]
    elif element.tag == _CONSTRUCTED and depth < _DEEPEST:
        for child in _children(data, element):
            yield from _octets(data, child, depth + 1)
    else:
        raise NotReadableError(_BROKEN)


def _content(data: bytes, element: _Element) -> bytes:
    return data[element.start : element.end]


def _children(data: bytes, parent: _Element) -> Iterator[_Element]:
    at = parent.start
    while at < parent.end:
        child = _element(data, at, parent.end, 0)
        yield child
        at = child.after


def _element(data: bytes, at: int, end: int, depth: int) -> _Element:
    tag = data[at]
    first = data[at + 1]
    at += 2
    if tag & 0x1F == 0x1F or depth > _DEEPEST:  # noqa: PLR2004 (a tag of several bytes)
        raise NotReadableError(_BROKEN)
    if first == 0x80:  # noqa: PLR2004 (no length: it ends with two zero bytes)
        close = _close(data, at, end, depth)
        return _Element(tag, at, close, close + 2)
    length = first
    if first & 0x80:
        size = first & 0x7F
        if size > 4:  # noqa: PLR2004
            raise NotReadableError(_BROKEN)
        length = int.from_bytes(data[at : at + size], "big")
        at += size
    if at + length > end:
        raise NotReadableError("the signed message ends too early")
    return _Element(tag, at, at + length, at + length)


def _close(data: bytes, at: int, end: int, depth: int) -> int:
    """Return where the content of an element without a length ends."""
    while data[at : at + 2] != b"\0\0":
        if at + 2 > end:
            raise NotReadableError("the signed message ends too early")
        at = _element(data, at, end, depth + 1).after
    return at
