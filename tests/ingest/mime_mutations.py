"""Change a mail at random, as a transport or an attacker would."""

from random import Random

_PIECES = (
    b"--x\r\n", b"--x--\r\n", b"\r\n\r\n", b"\r\n", b"\n", b"\r", b"\0", b"=", b"=?utf-8?q?", b"?=",
    b"boundary=x", b"boundary=", b"Content-Type: multipart/mixed; boundary=x\r\n\r\n", b'"', b";",
    b"Content-Type: message/rfc822\r\n\r\n", b"Content-Transfer-Encoding: base64\r\n", b"\xff\xfe",
    b"Content-Transfer-Encoding: quoted-printable\r\n", b"charset=iso-2022-jp", b"\x1b$B", b"+AGE-",
    b"begin 644 a\r\n", b"end\r\n", b"charset=utf-16", b"charset=hz", b"~{", b"*0*=", b"''", b"<",
)  # fmt: skip


def mutated(raw: bytes, random: Random) -> bytes:
    """Return the mail with one to eight changes."""
    for _ in range(random.randint(1, 8)):
        at = random.randint(0, len(raw))
        end = min(len(raw), at + random.randint(1, 40))
        change = random.randrange(6)
        if change == 0:
            raw = raw[:at] + raw[end:]
        elif change == 1:
            raw = raw[:at] + raw[at:end] * random.randint(2, 5) + raw[end:]
        elif change == 2:
            raw = raw[:at] + random.choice(_PIECES) + raw[at:]
        elif change == 3:
            raw = raw[:at] + bytes([random.randrange(256)]) + raw[at + 1 :]
        elif change == 4:
            raw = raw[:at]
        else:
            raw = raw[:at] + raw[random.randint(0, len(raw)) :][:200] + raw[at:]
    return raw
