"""Decode bytes by the character set that a mail names, and say where that was not possible.

Labels mean what browsers take them to mean (WHATWG Encoding): ``iso-8859-1`` is windows-1252. The
seven-bit codings that browsers have given up are read too, as mail still uses them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import charset_normalizer

from ingest.mime import japanese
from ingest.mime.labels import ASCII, UTF_8, WINDOWS_1252, Charset, charset_of, is_no_name

SAMPLE = 4_096
"""The most bytes that are looked at to detect a character set, or its name in HTML."""
SHORTEST = 8
"""Bytes beyond ASCII that a detection needs: fewer fit too many character sets."""

_MARKS = (
    (b"\xef\xbb\xbf", UTF_8),
    (b"\xff\xfe\x00\x00", Charset("utf-32le", "utf-32-le")),
    (b"\x00\x00\xfe\xff", Charset("utf-32be", "utf-32-be")),
    (b"\xff\xfe", Charset("utf-16le", "utf-16-le")),
    (b"\xfe\xff", Charset("utf-16be", "utf-16-be")),
)
_FIRST_OF_MARKS = tuple(mark for mark, _ in _MARKS)
_UNMARKED = {
    "utf-16": (Charset("utf-16le", "utf-16-le"), Charset("utf-16be", "utf-16-be")),
    "utf-32": (Charset("utf-32le", "utf-32-le"), Charset("utf-32be", "utf-32-be")),
}
_WIDER = {
    "big5hkscs": ("cp950",),
    "cp932": ("shift_jis_2004",),
    "iso2022_jp": ("iso2022_jp_ext", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_2004"),
}
"""Codecs that read what a codec does not: extensions that mail programs use under its name."""
_LATIN = frozenset({"cp1252", "iso8859-15", "cp1254", "mac-roman"})
"""Codecs whose labels mail programs write without looking."""
_CJK = frozenset({"gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp950", "johab"})
_DETECTED = (
    "cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp874",
    "gb18030", "big5", "cp932", "euc_jp", "cp949",
)  # fmt: skip
"""What a detection chooses from. Rarer sets of Latin letters are not among them: French would be
taken for Lithuanian."""
_ESCAPES = re.compile(rb"\x1b[$(]")
_META = re.compile(rb"(?i)<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([\w.:-]{2,40})")
_SEQUENCE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_LETTERS = re.compile(r"[^\W\d_]")
_FOREIGN = re.compile(r"[^\W\d_\x00-\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_LINE_END = re.compile(rb"[\r\n]")
_AROUND = 200
"""Bytes before and after one beyond ASCII that show what letter it is."""


class Decoded(NamedTuple):
    text: str
    charset: str
    """The character set that the bytes were read by, which need not be the one that was named."""
    defects: tuple[str, ...] = ()
    """What was guessed and what was replaced, in plain words; empty where neither happened."""


def decode(data: bytes, label: str | None, *, html: bool = False, detect: bool = True) -> Decoded:
    """Decode bytes by the character set that a mail names. Raises nothing.

    A byte order mark is believed more than the label. Where the bytes are not valid in the named
    set, or none or an unknown one is named, UTF-8 is tried, then the set named in the HTML (if it
    is ``html``), then a detection from a sample (unless ``detect`` is off), then windows-1252.
    """
    found = _by_mark(data, label)
    if found is None:
        charset = charset_of(label)
        if charset is None:
            found = _unnamed(data, label, html=html, detect=detect)
        elif charset.codec in _UNMARKED:
            found = _unmarked(data, charset, label)
        else:
            found = _as_named(data, charset, label, html=html, detect=detect)
    if zeros := found.text.count("\0"):
        found = found._replace(defects=(*found.defects, f"it holds {zeros} zeros, as no text does"))
    return found._replace(text=_SURROGATE.sub("\ufffd", found.text))


def is_clean(data: bytes, label: str | None) -> bool:
    """Return whether the bytes are valid in the character set that is named."""
    charset = charset_of(label)
    return charset is not None and _strict(data, charset.codec) is not None


# By what is named


def _by_mark(data: bytes, label: str | None) -> Decoded | None:
    if not data.startswith(_FIRST_OF_MARKS):
        return None
    for mark, charset in _MARKS:
        if data.startswith(mark):
            text = _strict(data[len(mark) :], charset.codec)
            if text is not None:
                return Decoded(text, charset.name)
    named = charset_of(label)
    for mark, charset in _MARKS:
        # The mark of UTF-16 is also a pair of letters in Latin-1, so only its own label counts.
        if named and data.startswith(mark) and charset.name.startswith(named.name[:6]):
            return _replaced(data[len(mark) :], charset)
    return None


def _as_named(
    data: bytes, charset: Charset, label: str | None, *, html: bool, detect: bool
) -> Decoded:
    text = _strict(data, charset.codec)
    if text is None:
        text = _wider(data, charset.codec)
    if text is None:
        return _invalid(data, charset, label, html=html, detect=detect)
    better = _contradicted(data, text, charset, detect=detect)
    if better is not None:
        return better._replace(defects=(_not_as_named(label, better.charset), *better.defects))
    return Decoded(text, charset.name)


def _unmarked(data: bytes, charset: Charset, label: str | None) -> Decoded:
    """Decode UTF-16 or UTF-32 that does not say in which order its bytes stand."""
    little, big = _UNMARKED[charset.codec]
    valid = [each for each in (big, little) if _strict(data, each.codec) is not None]
    if charset.codec == "utf-16" or not valid:
        # A script has few high bytes and many low ones. RFC 2781 section 4.3: big-endian if equal.
        step = 2 if charset.codec == "utf-16" else 4
        heads, tails = data[: 16 * SAMPLE][0::step], data[: 16 * SAMPLE][step - 1 :: step]
        order = big if len(set(heads)) <= len(set(tails)) else little
        valid = [order]
    found = _replaced(data, valid[0])
    said = f"it is named {_shown(label)} without the order of its bytes, and was read as"
    return found._replace(defects=(f"{said} {found.charset}", *found.defects))


def _strict(data: bytes, codec: str) -> str | None:
    try:
        text = data.decode(codec)
    except (UnicodeError, ValueError):
        return None
    return text if text.isascii() or not _SURROGATE.search(text) else None


def _wider(data: bytes, codec: str) -> str | None:
    for other in _WIDER.get(codec, ()):
        if (text := _strict(data, other)) is not None:
            return text
    if codec == "iso2022_kr" and not data.startswith(b"\x1b$)C"):
        return _strict(b"\x1b$)C" + data, codec)
    if codec == "iso2022_jp":
        return japanese.from_iso_2022(data)
    if codec == "euc_jp":
        return japanese.from_euc(data)
    return None


# Where the bytes say something else


def _contradicted(data: bytes, text: str, charset: Charset, *, detect: bool) -> Decoded | None:
    """Return another reading of bytes that are valid as named, but hardly meant so."""
    if wide := _by_zeros(data, charset):
        return wide
    if charset.seven_bit or charset.codec == UTF_8.codec or data.isascii():
        return _by_escapes(data) if data.isascii() and not charset.seven_bit else None
    if _is_rather_utf_8(data, charset.codec):
        return Decoded(data.decode(), UTF_8.name)
    found = _detected(data) if detect and _is_hardly_latin(text, charset) else None
    return found if found and found.charset != charset.name else None


def _is_hardly_latin(text: str, charset: Charset) -> bool:
    """Return whether a text has more accents than any language in Latin letters."""
    head = text[: 4 * SAMPLE]
    letters, foreign = len(_LETTERS.findall(head)), len(_FOREIGN.findall(head))
    return charset.codec in _LATIN and foreign > SHORTEST and foreign * 2 > letters


def _by_zeros(data: bytes, charset: Charset) -> Decoded | None:
    """Read UTF-16 that is named something else: every second byte of plain letters is zero."""
    head = data[:SAMPLE]
    if not head.count(0) * 3 > len(head) or charset.name.startswith(("utf-16", "utf-32")):
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if min(even, odd) * 20 > max(even, odd):
        return None
    name = "utf-16be" if even > odd else "utf-16le"
    text = _strict(data, f"{name[:6]}-{name[6:]}")
    return None if text is None else Decoded(text, name)


def _by_escapes(data: bytes) -> Decoded | None:
    """Read the codings that switch by escape sequences (ISO 2022), whatever is named."""
    if not _ESCAPES.search(data):
        return None
    for label in ("iso-2022-jp", "iso-2022-kr"):
        charset = charset_of(label)
        if charset is None:
            continue
        text = _strict(data, charset.codec)
        if text is None:
            text = _wider(data, charset.codec)
        if text is not None:
            return Decoded(text, charset.name)
    return None


def _is_rather_utf_8(data: bytes, codec: str) -> bool:
    if _strict(data, UTF_8.codec) is None:
        return False
    lengths = [len(found) for found in _SEQUENCE.findall(data[: 16 * SAMPLE])]
    if codec in _CJK:
        # Two Chinese letters in GBK can look like two of UTF-8, but not like its longer sequences.
        return sum(length >= 3 for length in lengths) >= 2  # noqa: PLR2004
    return len(lengths) >= (1 if codec in _LATIN else 3)


# Where the bytes are not as named


def _invalid(
    data: bytes, charset: Charset, label: str | None, *, html: bool, detect: bool
) -> Decoded:
    other = _by_zeros(data, charset) or _as_utf_8(data) or (_by_meta(data) if html else None)
    replaced = _replaced(data, charset)
    if other is None and detect:
        beyond = sum(map(len, re.findall(rb"[\x80-\xff]+", data[: 16 * SAMPLE])))
        if charset.codec == ASCII.codec or replaced.text.count("\ufffd") * 5 > beyond:
            other = _detected(data)
            if other is None and charset.codec == UTF_8.codec:
                other = _replaced(data, WINDOWS_1252)
    if other is None and charset.codec == ASCII.codec:
        other = _replaced(data, WINDOWS_1252)
    if other is None:
        return replaced
    return other._replace(defects=(_not_as_named(label, other.charset), *other.defects))


def _unnamed(data: bytes, label: str | None, *, html: bool, detect: bool) -> Decoded:
    unknown = label is not None and not is_no_name(label)
    said = (
        f"it names the unknown character set {_shown(label)}"
        if unknown
        else "it names no character set"
    )
    if data.isascii():
        found = _by_zeros(data, ASCII) or _by_escapes(data)
        if found is None:
            plain = Decoded(data.decode("ascii"), ASCII.name)
            return plain._replace(defects=(f"{said}, and was read as ASCII",)) if unknown else plain
    else:
        found = _by_zeros(data, ASCII) or (_by_meta(data) if html else None) or _as_utf_8(data)
        if found is None and detect:
            found = _detected(data)
        if found is None:
            found = _replaced(data, WINDOWS_1252)
    return found._replace(defects=(f"{said}, and was read as {found.charset}", *found.defects))


def _as_utf_8(data: bytes) -> Decoded | None:
    text = _strict(data, UTF_8.codec)
    return None if text is None or data.isascii() else Decoded(text, UTF_8.name)


def _by_meta(data: bytes) -> Decoded | None:
    """Read HTML by the character set in its ``meta`` element, if its bytes are valid in that."""
    named = _META.search(data, 0, SAMPLE)
    charset = charset_of(named[1].decode("ascii", "replace")) if named else None
    if charset is None:
        return None
    if charset.codec.startswith("utf-16"):  # which could not have been found as ASCII
        charset = UTF_8
    text = _strict(data, charset.codec)
    return None if text is None else Decoded(text, charset.name)


def _detected(data: bytes) -> Decoded | None:
    """Detect the character set from the lines that are beyond ASCII. None if nothing fits."""
    lines: list[bytes] = []
    size = 0
    for line in _lines_beyond_ascii(data):
        lines.append(line)
        size += len(line)
        if size > SAMPLE:
            break
    sample = b"\n".join(lines)[:SAMPLE]
    if sum(map(len, re.findall(rb"[\x80-\xff]+", sample))) < SHORTEST:
        return None
    matches = charset_normalizer.from_bytes(
        sample, cp_isolation=list(_DETECTED), preemptive_behaviour=False, enable_fallback=False
    )
    best = matches.best()
    if best is None:
        return None
    # Where others fit no better, it is the most common: windows-1252.
    equal = {each.encoding for each in matches if _score(each) == _score(best)}
    equal.update(best.could_be_from_charset)
    charset = charset_of("cp1252" if "cp1252" in equal else best.encoding)
    return _replaced(data, charset) if charset else None


def _lines_beyond_ascii(data: bytes) -> Iterator[bytes]:
    """Yield what stands around each byte beyond ASCII, in its line. Looks at each byte once."""
    end = 0
    for found in _BEYOND_ASCII.finditer(data):
        at = found.start()
        if at < end:
            continue
        start = max(end, at - _AROUND)
        start = 1 + max(data.rfind(b"\n", start, at), data.rfind(b"\r", start, at), start - 1)
        most = start + 2 * _AROUND + 1
        line_end = _LINE_END.search(data, at, most)
        end = line_end.start() if line_end else min(most, len(data))
        yield data[start:end]


def _score(match: charset_normalizer.CharsetMatch) -> tuple[float, float]:
    return match.chaos, match.coherence


def _replaced(data: bytes, charset: Charset) -> Decoded:
    text = _strict(data, charset.codec)
    if text is not None:
        return Decoded(text, charset.name)
    text = _SURROGATE.sub("\ufffd", data.decode(charset.codec, "replace"))
    written = data.count("\ufffd".encode()) if charset.codec == UTF_8.codec else 0
    count = max(1, text.count("\ufffd") - written)
    places = "1 place is" if count == 1 else f"{count} places are"
    return Decoded(text, charset.name, (f"{places} not valid in {charset.name}, shown as \ufffd",))


# Words


def _not_as_named(label: str | None, charset: str) -> str:
    return f"it is named {_shown(label)}, but its bytes look like {charset}, and were read as that"


def _shown(label: str | None) -> str:
    return "".join(char for char in (label or "")[:40] if char.isascii() and char.isprintable())
