"""Write a mail, byte by byte: what a program of the world would send, sound or not."""

import quopri
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

HEAD: Mapping[str, str] = MappingProxyType({
    "From": "Jürg Meier <juerg@firm.example>",
    "To": "Ada <ada@home.example>",
    "Subject": "Lunch on Friday",
    "Date": "Tue, 03 Nov 2026 10:00:00 +0100",
    "Message-ID": "<1@firm.example>",
    "MIME-Version": "1.0",
})  # fmt: skip
SOUND: Mapping[str, object] = MappingProxyType({
    "sender": "Jürg Meier <juerg@firm.example>",
    "sender_address": "juerg@firm.example",
    "recipients": "Ada <ada@home.example>",
    "subject": "Lunch on Friday",
    "sent": "2026-11-03T10:00:00+01:00",
    "message_id": "<1@firm.example>",
})  # fmt: skip
"""What is found in ``HEAD``."""
NOON = "Shall we meet at noon by the bridge?"


def encoded(value: str, charset: str = "utf-8", way: str = "B") -> bytes:
    """A header's value: as it is where it is plain, else its words in RFC 2047."""
    if value.isascii():
        return value.encode()
    words, address = (value, "") if "<" not in value else value.rsplit("<", 1)
    pieces = [words.strip()[at : at + 12] for at in range(0, len(words.strip()), 12)]
    coded = [_word(piece.encode(charset), charset, way) for piece in pieces]
    joined = b"\r\n ".join(coded)
    return joined + (b" <" + address.encode() if address else b"")


def _word(data: bytes, charset: str, way: str) -> bytes:
    if way == "B":
        return b"=?%s?B?%s?=" % (charset.encode(), b64encode(data))
    return b"=?%s?Q?%s?=" % (charset.encode(), b"".join(b"=%02X" % byte for byte in data))


def head(**fields: str | bytes | None) -> bytes:
    """The header of ``HEAD`` with other values; None leaves a field out.

    ``Reply_To`` is written ``Reply-To``. Bytes are written as they are.
    """
    given = {name.replace("_", "-"): value for name, value in fields.items()}
    out = []
    for name, value in {**HEAD, **given}.items():
        if value is not None:
            written = value if isinstance(value, bytes) else encoded(value)
            out.append(name.encode() + b": " + written + b"\r\n")
    return b"".join(out)


def mail(part: bytes, **fields: str | bytes | None) -> bytes:
    """A mail of one part, which has its own header fields."""
    return head(**fields) + part


def text(
    words: str,
    kind: str = "plain",
    *,
    charset: str = "utf-8",
    coding: str = "quoted-printable",
    more: str = "",
) -> bytes:
    """A text as a part of a mail."""
    data = words.replace("\r\n", "\n").replace("\n", "\r\n").encode(charset)
    return (
        f"Content-Type: text/{kind}; charset={charset}{more}\r\n"
        f"Content-Transfer-Encoding: {coding}\r\n\r\n"
    ).encode() + coded(data, coding)


def html(words: str, **how: str) -> bytes:
    return text(words, "html", **how)


def coded(data: bytes, coding: str) -> bytes:
    if coding == "base64":
        whole = b64encode(data)
        return b"\r\n".join(whole[at : at + 76] for at in range(0, len(whole), 76)) + b"\r\n"
    if coding == "quoted-printable":
        lines = quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
        return lines if lines.endswith(b"\r\n") else lines + b"\r\n"
    return data if data.endswith(b"\r\n") else data + b"\r\n"


def multi(kind: str, *parts: bytes, more: str = "") -> bytes:
    """A multipart of parts that are written with their own header fields."""
    boundary = b"=_" + sha256(kind.encode() + b"".join(parts)).hexdigest()[:20].encode()
    opening = f'Content-Type: multipart/{kind}; boundary="'.encode() + boundary + b'"'
    inside = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    return opening + more.encode() + b"\r\n\r\n" + inside + b"--" + boundary + b"--\r\n"


def both(plain: str, rich: str) -> bytes:
    """The same words as text and as HTML."""
    return multi("alternative", text(plain), html(rich))


def file(
    name: str,
    data: bytes,
    kind: str = "application/octet-stream",
    *,
    how: str = "attachment",
    more: str = "",
) -> bytes:
    named = encoded(name).decode()
    placed = (
        f'Content-Disposition: {how}; filename="{named}"\r\n'
        if name
        else (f"Content-Disposition: {how}\r\n" if how else "")
    )
    return (
        f"Content-Type: {kind}\r\n{placed}{more}Content-Transfer-Encoding: base64\r\n\r\n"
    ).encode() + coded(data, "base64")


def message(raw: bytes, *, kind: str = "message/rfc822", how: str = "attachment") -> bytes:
    """A whole mail as a part of another."""
    return f"Content-Type: {kind}\r\nContent-Disposition: {how}\r\n\r\n".encode() + raw
