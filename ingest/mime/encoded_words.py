"""Decode the text of a header field: encoded words (RFC 2047), UTF-8 (RFC 6532) and raw bytes."""

import re
from binascii import Error as BadCoding
from binascii import a2b_base64, a2b_qp
from typing import NamedTuple

from ingest.mime.charsets import decode, is_clean
from ingest.mime.labels import charset_of

MOST = 2_000
"""The most encoded words of one field."""
LONGEST_START = 80
"""More characters than the ``=?charset?q?`` of an encoded word has."""

_START = re.compile(rb"=\?([^?\s\x00-\x1f]{0,60})\?[ \t]?([bBqQ])[ \t]?\?")
_FOLD = re.compile(rb"(?:\r\n|\r|\n)(?=[ \t])")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_NOT_QUOTED = re.compile(rb"=(?![0-9A-Fa-f]{2})")
_CONTROLS = dict.fromkeys([*range(32), 0x7F], " ") | dict.fromkeys(
    map(ord, "\x85\u2028\u2029"), " "
)
_BLANKS = b" \t\r\n"
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")


class HeaderText(NamedTuple):
    text: str
    """One line: no control character, not even one that was encoded."""
    defects: tuple[str, ...] = ()


class _Word(NamedTuple):
    charset: str
    data: bytes


def decode_words(value: bytes, charset: str | None = None) -> HeaderText:
    """Decode the value of a header field, folded or not. Raises nothing.

    ``charset`` is that of the body: raw bytes that are not UTF-8 are read by it, if they are valid
    in it. Encoded words are also decoded inside quoted strings, beside other letters, and with
    blanks in them, where the standard forbids them.
    """
    if value.isascii() and b"=?" not in value:
        body = charset_of(charset)
        text = _FOLD.sub(b"", value).strip(_BLANKS).decode("ascii")
        if text.isprintable() and not (body and body.seven_bit):
            return HeaderText(text)
    defects: list[str] = []
    pieces = _split(_FOLD.sub(b"", value).strip(_BLANKS), defects)
    raw = b" ".join(piece for piece in pieces if isinstance(piece, bytes))
    if _CONTROL.search(raw):
        defects.append("it holds control characters, which are shown as blanks")
    label = _charset_of_raw(raw, charset, defects)
    texts: list[str] = []
    run: list[_Word] = []
    for piece in pieces:
        if isinstance(piece, _Word):
            if run and run[0].charset.lower() != piece.charset.lower():
                texts.append(_decoded(run, defects))
                run = []
            run.append(piece)
            continue
        texts.append(_decoded(run, defects))
        run = []
        is_plain = label == "us-ascii" and piece.isascii()
        found = piece.decode("ascii") if is_plain else decode(piece, label, detect=False).text
        texts.append(found)
    texts.append(_decoded(run, defects))
    return HeaderText("".join(texts).translate(_CONTROLS).strip(), tuple(dict.fromkeys(defects)))


def decode_raw(value: bytes, charset: str | None = None) -> HeaderText:
    """Decode the raw bytes of a field as ``decode_words`` does, and leave its encoded words."""
    defects: list[str] = []
    raw = _FOLD.sub(b"", value)
    return HeaderText(
        decode(raw, _charset_of_raw(raw, charset, defects), detect=False).text, tuple(defects)
    )


def _split(value: bytes, defects: list[str]) -> list[_Word | bytes]:
    """Split a value into encoded words and what stands between them, without the blanks there."""
    pieces: list[_Word | bytes] = []
    done = end = count = 0
    start = _START.search(value)
    while start:
        if end < start.end():
            end = value.find(b"?=", start.end())
        if end < 0:
            defects.append("an encoded word has no end, and is shown as it is")
            break
        after = _START.search(value, start.end(), end + LONGEST_START)
        if after and after.start() < end:
            defects.append("an encoded word has no end, and is shown as it is")
            start = after
            continue
        between = value[done : start.start()]
        is_gap = bool(pieces) and isinstance(pieces[-1], _Word) and not between.strip(_BLANKS)
        if between and not is_gap:
            pieces.append(between)
        pieces.append(_word(start, value[start.end() : end], defects))
        done = end + 2
        count += 1
        if count == MOST:
            defects.append(f"only its first {MOST} encoded words were decoded")
            break
        start = _START.search(value, done)
    if value[done:]:
        pieces.append(value[done:])
    return pieces


def _word(start: re.Match[bytes], payload: bytes, defects: list[str]) -> _Word:
    charset = start[1].decode("latin-1").partition("*")[0]
    if start[2] in b"qQ":
        if _NOT_QUOTED.search(payload):
            defects.append("a sign = in an encoded word codes nothing")
            payload = _NOT_QUOTED.sub(b"=3D", payload)
        return _Word(charset, a2b_qp(payload, header=True))
    letters = _NOT_BASE64.sub(b"", payload)
    if _NOT_BASE64.sub(b"", payload.strip(b"= \t\r\n")) != payload.strip(b"= \t\r\n"):
        defects.append("an encoded word has letters that are no base64")
    if len(letters) % 4 == 1:
        defects.append("the last letter of an encoded word is left over")
        letters = letters[:-1]
    try:
        return _Word(charset, a2b_base64(letters + b"=="))
    except BadCoding:
        defects.append("an encoded word could not be read")
        return _Word(charset, b"")


def _decoded(run: list[_Word], defects: list[str]) -> str:
    """Decode adjacent words of one character set: each alone, or as one if a letter is split."""
    if not run:
        return ""
    label = run[0].charset
    whole = b"".join(word.data for word in run)
    charset = charset_of(label)
    if charset and charset.begins_anew and all(is_clean(word.data, label) for word in run):
        found = [decode(word.data, label, detect=False) for word in run]
    else:
        # Only once in a field, as a field may hold thousands of words.
        found = [decode(whole, label, detect=not defects)]
    for each in found:
        defects += (f"in an encoded word, {defect}" for defect in each.defects)
    return "".join(each.text for each in found)


def _charset_of_raw(raw: bytes, charset: str | None, defects: list[str]) -> str | None:
    """Return the character set of all that is not encoded."""
    if raw.isascii():
        label = _seven_bit(raw, charset, defects)
        if label != "us-ascii" or b"\x1b" not in raw:
            return label
    if is_clean(raw, "utf-8") and not raw.isascii():
        return "utf-8"
    if not raw.isascii() and charset and is_clean(raw, charset):
        defects.append(_as_body(charset))
        return charset
    found = decode(raw, None)
    if found.charset == "us-ascii":
        return "us-ascii"
    defects.append(f"its raw bytes were read as {found.charset}, which nothing names")
    return found.charset


def _seven_bit(raw: bytes, charset: str | None, defects: list[str]) -> str:
    """Return the charset of the body for raw bytes of ASCII that are letters beyond it there."""
    body = charset_of(charset)
    if charset and body and body.seven_bit and not body.ebcdic:
        found = decode(raw, charset, detect=False)
        if not found.defects and not found.text.isascii():
            defects.append(_as_body(charset))
            return charset
    return "us-ascii"


def _as_body(charset: str) -> str:
    return f"its raw bytes were read as {charset[:40]}, the character set of the body"
