"""Messages that are sent, and messages that nobody should have to read."""

HEAD = (
    b"From: =?utf-8?q?J=C3=BCrg?= <juerg@example.org>\r\n"
    b"To: ada@example.org, Bob <bob@example.org>\r\n"
    b"Subject: Lunch\r\n"
    b"Date: Tue, 3 Nov 2026 10:00:00 +0100\r\n"
    b"Message-ID: <1@example.org>\r\n"
    b"MIME-Version: 1.0\r\n"
)
PLAIN = HEAD + b"\r\nAt noon?\r\nYours\r\n"


def mixed(
    *parts: bytes, head: bytes = HEAD, kind: bytes = b"mixed", boundary: bytes = b"x"
) -> bytes:
    """A multipart of parts that are written with their own headers."""
    opening = head + b"Content-Type: multipart/" + kind + b"; boundary=" + boundary + b"\r\n\r\n"
    inside = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    return opening + inside + b"--" + boundary + b"--\r\n"


def words(text: str, kind: str = "plain") -> bytes:
    return f"Content-Type: text/{kind}; charset=utf-8\r\n\r\n{text}".encode()


def file(name: bytes, data: bytes = b"aGVsbG8=") -> bytes:
    return (
        b"Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n"
        b'Content-Disposition: attachment; filename="' + name + b'"\r\n\r\n' + data
    )


def nested(levels: int, inside: bytes = b"deep\r\n") -> bytes:
    opening = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(levels)
    )
    return HEAD + opening + b"\r\n" + inside


UNREADABLE = HEAD + b"X: y\r\n" * 1_001 + b"\r\nhi"
"""A mail that is held: its header has too many fields."""
