"""Undo a Content-Transfer-Encoding (RFC 2045 section 6), also where it is broken or untrue."""

import re
from binascii import Error as BadCoding
from binascii import a2b_base64, a2b_qp, a2b_uu
from collections.abc import Callable
from typing import NamedTuple

RUNS = 10_000
"""The most runs of base64, each with its own end, that one part may consist of."""
FILES = 20
"""The most files that are taken out of one text."""

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_BLANKS = b" \t\r\n\v\f\0"
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]")
_WORDS = re.compile(rb"\S[ \t]+\S")
_RUN = re.compile(rb"([A-Za-z0-9+/]+)=*")
_BROKEN_BREAK = re.compile(rb"=(?:[ \t]++(?:\r\n|\r|\n)|\r(?!\n))")
_NOT_QUOTED = re.compile(rb"=(?![0-9A-Fa-f]{2}|[ \t]*+(?:[\r\n]|\Z))")
_QUOTED = re.compile(rb"=(?:[0-9A-F]{2}|\r?\n)")
_BEGIN = re.compile(rb"(?m)^begin(?:-base64)? [0-7]{3,4} ([^\r\n]{1,255})\r?\n")
_END = re.compile(rb"(?m)^(?:end|====)[ \t]*\r?$\n?")
_LINE = re.compile(rb"[^\r\n]+")
_UU_LINES = re.compile(rb"(?:[ -`][!-` ]{0,90}\r?\n){1,}")

_IDENTITY = frozenset({"", "7bit", "8bit", "binary", "7bits", "8bits", "none", "plain", "identity"})


class DecodedBody(NamedTuple):
    data: bytes
    defects: tuple[str, ...] = ()


class UuFile(NamedTuple):
    name: bytes
    data: bytes


def undo(body: bytes, coding: str) -> DecodedBody:
    """Return the bytes that a transfer coding stands for, and what was wrong with it."""
    plain = re.sub(r"[^a-z0-9]", "", coding.partition(";")[0].lower()[:100])
    if plain in _IDENTITY:
        return DecodedBody(body)
    known = _CODINGS.get(plain)
    return known(body) if known else _from_unknown(body, coding)


def _from_unknown(body: bytes, coding: str) -> DecodedBody:
    shown = "".join(char for char in coding[:40] if char.isascii() and char.isprintable())
    said = f"it names the unknown transfer coding {shown}, and was read as"
    if len(body) > 60 and not body.translate(None, _BASE64 + _BLANKS) and not _WORDS.search(body):  # noqa: PLR2004
        found = _from_base64(body)
        return DecodedBody(found.data, (f"{said} base64", *found.defects))
    if _QUOTED.search(body):
        found = _from_quoted_printable(body)
        return DecodedBody(found.data, (f"{said} quoted-printable", *found.defects))
    return DecodedBody(body, (f"{said} plain",))


def _from_base64(body: bytes) -> DecodedBody:
    defects = []
    garbage = body.translate(None, _BASE64 + _BLANKS)
    tail = b""
    if garbage:
        body, tail = _before_footer(body)
        if not body.strip():
            return DecodedBody(tail, ("it is named base64, but is not, and is shown as it is",))
        if tail:
            defects.append(f"{len(tail)} bytes after its base64 are no base64, and are shown as is")
        elif garbage := body.translate(None, _BASE64 + _BLANKS):
            defects.append(f"{len(garbage)} bytes in its base64 are no base64, and were left out")
    clean = body.translate(None, _BLANKS + garbage)
    data, more = _runs(clean)
    return DecodedBody(data + tail, (*defects, *more))


def _before_footer(body: bytes) -> tuple[bytes, bytes]:
    """Split base64 from the words that a mailing list wrote below it."""
    bad = _NOT_BASE64.search(body)
    words = _WORDS.search(body)
    if bad is None or words is None:
        return body, b""
    start = min(bad.start(), words.start())
    start = max(body.rfind(b"\n", 0, start) + 1, 0)
    # A line of one run, with a blank before garbage, is base64 with garbage all the same.
    rest = body[start:]
    spaced = len(_WORDS.findall(rest[:2_000]))
    return (body[:start], rest) if spaced > rest[:2_000].count(b"\n") // 2 else (body, b"")


def _runs(clean: bytes) -> tuple[bytes, list[str]]:
    """Decode base64 without blanks, which may be several runs that each end in ``=``."""
    end = clean.find(b"=")
    if end < 0 or not clean[end:].strip(b"="):
        return _run(clean)
    out, defects, count = [], [], 0
    for found in _RUN.finditer(clean):
        count += 1
        if count > RUNS:
            defects.append(f"its base64 was read up to {RUNS} runs, and not beyond")
            break
        data, more = _run(found[0])
        out.append(data)
        defects += more
    return b"".join(out), [f"its base64 consists of {count} runs", *dict.fromkeys(defects)]


def _run(run: bytes) -> tuple[bytes, list[str]]:
    rest = len(run.rstrip(b"=")) % 4
    defects = []
    if rest == 1:
        run = run.rstrip(b"=")[:-1]
        defects.append("the last letter of its base64 is left over")
    try:
        return a2b_base64(run + b"=="), defects
    except BadCoding:
        return b"", ["its base64 could not be read"]


def _from_quoted_printable(body: bytes) -> DecodedBody:
    wrong = _NOT_QUOTED.search(body)
    said = ("signs = in its quoted-printable text code nothing, and are shown",) if wrong else ()
    return DecodedBody(a2b_qp(_BROKEN_BREAK.sub(b"=\n", body)), said)


def _from_uuencode(body: bytes) -> DecodedBody:
    _, files, defects = split_uuencoded(body)
    if files:
        return DecodedBody(files[0].data, defects)
    return DecodedBody(body, ("its uuencoded data could not be read, and is shown as it is",))


_CODINGS: dict[str, Callable[[bytes], DecodedBody]] = {
    "base64": _from_base64,
    "quotedprintable": _from_quoted_printable,
    **dict.fromkeys(("xuuencode", "uuencode", "xuue", "uue", "uu", "xuu"), _from_uuencode),
}


def split_uuencoded(body: bytes) -> tuple[bytes, list[UuFile], tuple[str, ...]]:
    """Take the files that are uuencoded into a text out of it.

    Returns the text that remains, the files, and the defects. What looks like a file, but is not,
    remains in the text.
    """
    if b"begin" not in body:
        return body, [], ()
    rest: list[bytes] = []
    files: list[UuFile] = []
    defects: list[str] = []
    start = 0
    for begin in _BEGIN.finditer(body):
        if begin.start() < start:
            continue
        if len(files) == FILES:
            defects.append(f"only its first {FILES} uuencoded files were taken out")
            break
        coded = _coded(body, begin)
        if coded is None:
            continue
        data, end, defect = coded
        files.append(UuFile(begin[1].strip(), data))
        defects += defect
        rest.append(body[start : begin.start()])
        start = end
    rest.append(body[start:])
    return b"".join(rest), files, tuple(defects)


def _coded(body: bytes, begin: re.Match[bytes]) -> tuple[bytes, int, list[str]] | None:
    """Decode the lines after a ``begin`` line; returns the data and where they end."""
    if begin[0].startswith(b"begin-base64"):
        end = _END.search(body, begin.end())
        stop = end.start() if end else len(body)
        found = _from_base64(body[begin.end() : stop])
        return found.data, end.end() if end else stop, list(found.defects)
    lines = _UU_LINES.match(body, begin.end())
    if lines is None or not _has_its_length(body, lines.start()):
        return None
    out, broken, stop = [], 0, lines.end()
    for line in _LINE.finditer(body, lines.start(), lines.end()):
        if line[0] == b"end":
            stop = line.start()
            break
        try:
            out.append(a2b_uu(line[0]))
        except BadCoding:
            # Some write more than the line's length says (as the standard library knows, too).
            size = (((line[0][0] - 32) & 63) * 4 + 5) // 3
            try:
                out.append(a2b_uu(line[0][:size]))
            except BadCoding:
                broken += 1
    data = b"".join(out)
    if not data:
        return None
    end = _END.match(body, stop)
    defects = [f"{broken} lines of a uuencoded file could not be read"] if broken else []
    if end is None:
        defects.append("a uuencoded file has no end")
    return data, end.end() if end else stop, defects


def _has_its_length(body: bytes, start: int) -> bool:
    """Return whether a line is as long as its first letter says; other text hardly ever is."""
    line = _LINE.match(body, start)
    size = (body[start] - 32) & 63
    needed = (size + 2) // 3 * 4
    return line is not None and size > 0 and abs(len(line[0]) - 1 - needed) <= 2  # noqa: PLR2004
