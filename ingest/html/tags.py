"""Divide HTML into tags and text as browsers do (WHATWG HTML, section 13.2.5)."""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

_TAG = re.compile(
    r"<(/?)([a-zA-Z][^\s/>]*+)((?:[^>\"'=]++|=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|[=\"'])*+)>"
)
_ATTRIBUTE = re.compile(
    r"([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]++)))?"
)
_ENTITY = re.compile(r"&#?\w{1,40};")
_COMMENT_END = re.compile(r"--!?>")
_LONGEST_NAME = 60
_MOST_ATTRIBUTES = 200
RAW = frozenset({
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "plaintext",
})  # fmt: skip
"""What holds text alone, up to its own end tag."""


class Start(NamedTuple):
    name: str
    attributes: dict[str, str]
    closes_itself: bool = False
    raw: str = ""
    """The text up to its end tag, if it holds text alone."""


class End(NamedTuple):
    name: str


class Comment(NamedTuple):
    words: str
    is_declaration: bool = False


Token = Start | End | Comment | str


def tokens(source: str) -> Iterator[Token]:
    """Yield the tags, the comments and the text between them, in linear time."""
    place, copied = 0, 0
    missing: set[str] = set()
    while (start := source.find("<", place)) >= 0:
        token, end = _token_at(source, start, missing)
        if end < 0:
            break  # what has no end is nothing, up to the end
        place = end
        if token is None:
            continue
        if start > copied:
            yield _text(source[copied:start])
        copied = end
        yield token
    if start > copied or (start < 0 and copied < len(source)):
        yield _text(source[copied:] if start < 0 else source[copied:start])


def _token_at(source: str, start: int, missing: set[str]) -> tuple[Token | None, int]:
    """Return the tag or comment there, or none, and where to go on; -1 if it has no end."""
    following = source[start + 1 : start + 2]
    if following in {"!", "?"}:
        return _comment_at(source, start)
    tag = _TAG.match(source, start)
    if tag:
        name = tag[2][:_LONGEST_NAME].lower()
        if tag[1]:
            return End(name), tag.end()
        raw, end = _raw_after(source, name, tag.end(), missing)
        return Start(name, _attributes(tag[3]), tag[3].endswith("/"), raw), end
    if following == "/":
        return _comment_at(source, start)
    if following.isascii() and following.isalpha():
        return None, -1
    return None, start + 1


def _comment_at(source: str, start: int) -> tuple[Comment, int]:
    if source.startswith("<!--", start):
        found = _COMMENT_END.search(source, start + 2)
        end = found.end() if found else -1
        return Comment(source[start + 4 : found.start()] if found else ""), end
    end = source.find(">", start) + 1
    return Comment(source[start + 2 : min(end, start + 200)], is_declaration=True), end or -1


def _raw_after(source: str, name: str, place: int, missing: set[str]) -> tuple[str, int]:
    if name not in RAW:
        return "", place
    if name == "plaintext":
        return source[place:], len(source)
    found = None
    if name not in missing:
        found = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, place)
    if not found:
        missing.add(name)
    raw = source[place : found.start()] if found else source[place:]
    end = found.start() if found else len(source)
    return (_text(raw) if name in {"title", "textarea"} else raw), end


def _attributes(written: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if not written:
        return found
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        lower = name.lower()
        if lower not in found:
            value = double or single or bare
            found[lower] = _ENTITY.sub(_decoded, value) if "&" in value else value
        if len(found) > _MOST_ATTRIBUTES:
            break
    return found


def _decoded(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _text(words: str) -> str:
    return html.unescape(words) if "&" in words else words
