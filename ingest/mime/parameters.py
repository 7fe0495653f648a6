"""Parse a header field with parameters, such as Content-Type (RFC 2045 and RFC 2231)."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from ingest.mime.charsets import decode
from ingest.mime.encoded_words import decode_words

MOST = 200
"""The most parameters of one field, pieces of continued ones included."""

_NAME = re.compile(r"([^*\s]{1,60})(?:\*(\d{1,3}))?(\*)?\s*$")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_FOLD = re.compile(rb"(?:\r\n|\r|\n)(?=[ \t])")


class Parameters(NamedTuple):
    value: str
    """What stands before the parameters, in small letters without blanks."""
    named: Mapping[str, str]
    """The parameters by name in small letters, decoded. The first of each name."""
    defects: tuple[str, ...] = ()


class _Piece(NamedTuple):
    number: int
    extended: bool
    text: str
    """As it is written, each byte a character."""


def parse_parameters(value: bytes, charset: str | None = None) -> Parameters:
    """Parse ``value; name=value; ...``, leniently. Raises nothing.

    Accepts what the standards forbid and mail programs write: blanks without quotes, raw bytes
    (see ``decode_words`` for ``charset``), encoded words, quotes that nobody closes.
    """
    defects: list[str] = []
    sections = list(_sections(_FOLD.sub(b"", value).decode("latin-1"), defects))
    pieces: dict[str, list[_Piece]] = {}
    for name, piece in _pieces(sections[1 : MOST + 1]):
        pieces.setdefault(name, []).append(piece)
    if len(sections) > MOST + 1:
        defects.append(f"it has more than {MOST} parameters, and the rest was not read")
    named = {name: _joined(found, charset, defects) for name, found in pieces.items()}
    first = "".join(sections[0].lower().split())
    return Parameters(first, MappingProxyType(named), tuple(dict.fromkeys(defects)))


def _sections(text: str, defects: list[str]) -> Iterator[str]:
    """Split a text at the semicolons that no quotes enclose."""
    start, quoted, opened, at = 0, False, 0, 0
    marks = re.compile(r'[;"\\]')
    while found := marks.search(text, at):
        at = found.end()
        if found[0] == "\\":
            at += quoted
        elif found[0] == '"':
            quoted, opened = not quoted, at
        elif not quoted:
            yield text[start : at - 1]
            start = at
    if quoted:
        defects.append("a quotation mark in it is not closed")
        broken = text[opened:].split(";", MOST + 1)
        yield text[start:opened] + broken[0]
        yield from broken[1:]
    else:
        yield text[start:]


def _pieces(sections: list[str]) -> Iterator[tuple[str, _Piece]]:
    for section in sections:
        name, equals, text = section.partition("=")
        found = _NAME.match(name.strip().lower())
        if equals and found:
            yield found[1], _Piece(int(found[2] or -1), bool(found[3]), text.strip())


def _joined(pieces: list[_Piece], charset: str | None, defects: list[str]) -> str:
    """Join the pieces of one parameter, and decode it."""
    alone = sorted((each for each in pieces if each.number < 0), key=lambda each: not each.extended)
    whole = alone[:1]
    continued = sorted({piece.number: piece for piece in reversed(pieces)}.values())
    continued = [piece for piece in continued if piece.number >= 0]
    if continued and not (whole and whole[0].extended):
        whole = continued
        if [piece.number for piece in whole] != list(range(len(whole))):
            defects.append("a piece of a continued parameter is missing")
    label, data = None, []
    for piece in whole:
        text = _unquoted(piece.text)
        if piece.extended and piece is whole[0] and text.count("'") >= 2:  # noqa: PLR2004
            label, _, text = text.split("'", 2)
        raw = text.encode("latin-1")
        data.append(unquote_to_bytes(raw) if piece.extended else raw)
    if label:
        found = decode(b"".join(data), label)
        defects += found.defects
        return " ".join(found.text.split())
    words = decode_words(b"".join(data), charset)
    defects += words.defects
    return words.text


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    inside = text[1:]
    end = re.search(r'(?<!\\)(?:\\\\)*"', inside)
    inside = inside[: end.end() - 1] if end else inside
    return _ESCAPED.sub(r"\1", inside)
