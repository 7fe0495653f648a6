"""Read Japanese as Windows writes it: with letters that Python's ISO-2022-JP and EUC-JP lack.

Both standards leave rows of their table empty, where NEC and IBM put ①, ㈱ and 髙. Python reads
these in its codec for Shift_JIS alone (cp932), so the pairs of bytes are rewritten for it.
"""

import re

MOST = 1_000_000
"""The most bytes that are read so. Rewriting is slower than a codec."""

_ESCAPE = re.compile(rb"\x1b(\$@|\$B|\$\(D|\(B|\(J|\(I)")
_ASCII = frozenset({b"(B", b"(J"})
_EUC_RUN = re.compile(rb"(?:[\xa1-\xfe]{2})+")


def from_iso_2022(data: bytes) -> str | None:
    """Decode ISO-2022-JP with the letters of NEC and IBM. None where it is not that."""
    if len(data) > MOST or not data.isascii():
        return None
    found = _ESCAPE.split(data)
    if b"\x1b" in found[0]:
        return None
    texts = [found[0]]
    for escape, run in zip(found[1::2], found[2::2], strict=True):
        written = _written(escape, run)
        if written is None:
            return None
        texts.append(written)
    return _cp932(b"".join(texts))


def from_euc(data: bytes) -> str | None:
    """Decode EUC-JP with the letters of NEC and IBM. None where it is not that."""
    if len(data) > MOST or b"\x8e" in data or b"\x8f" in data:
        return None
    pieces = _EUC_RUN.sub(lambda run: _shift(bytes(byte & 0x7F for byte in run[0])), data)
    rest = _EUC_RUN.sub(b"", data)
    return _cp932(pieces) if rest.isascii() else None


def _written(escape: bytes, run: bytes) -> bytes | None:
    """Return a run of ISO-2022-JP in Shift_JIS."""
    if escape in _ASCII:
        return None if b"\x1b" in run else run
    if escape == b"(I":
        return bytes(byte | 0x80 if byte > 0x20 else byte for byte in run)  # noqa: PLR2004
    if escape == b"$(D":
        return None
    # A line ends in ASCII, also where the escape back to it is missing.
    pairs = re.match(rb"(?:[\x21-\x7e]{2})*", run)
    end = pairs.end() if pairs else 0
    rest = run[end:]
    return (
        None
        if rest.strip(b"\r\n") and not rest.startswith((b"\r", b"\n"))
        else (_shift(run[:end]) + rest)
    )


def _shift(pairs: bytes) -> bytes:
    """Rewrite pairs of JIS X 0208 as Shift_JIS."""
    out = bytearray()
    for first, second in zip(pairs[0::2], pairs[1::2], strict=True):
        head = ((first - 0x21) >> 1) + 0x81
        out.append(head if head <= 0x9F else head + 0x40)  # noqa: PLR2004
        if first & 1:
            out.append(second + (0x1F if second < 0x60 else 0x20))  # noqa: PLR2004
        else:
            out.append(second + 0x7E)
    return bytes(out)


def _cp932(data: bytes) -> str | None:
    try:
        return data.decode("cp932")
    except UnicodeDecodeError:
        return None
