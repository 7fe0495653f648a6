"""Strip tags from HTML that cannot be read as a person sees it, in linear time."""

import html
import re

_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9]{0,20})")
_DROPPED = frozenset({"script", "style", "title", "template"})
_BREAKS = frozenset({
    "p", "div", "br", "tr", "table", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "blockquote", "pre", "section", "article", "header", "footer",
})  # fmt: skip
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")


def strip_tags(source: str) -> str:
    """Return the text between the tags, hidden or not, without comments, scripts and styles."""
    found: list[str] = []
    place, ends = 0, _Ends(source)
    while (start := source.find("<", place)) >= 0:
        found.append(source[place:start])
        if source.startswith("<!--", start):
            place = ends.after("-->", start + 4)
            continue
        name = _NAME.match(source, start + 1)
        if not name and source[start + 1 : start + 2] not in {"!", "?", "/"}:
            found.append("<")
            place = start + 1
            continue
        tag = name[1].lower() if name else ""
        place = ends.after(">", start + 1)
        if tag in _BREAKS:
            found.append("\n")
        elif tag in {"td", "th"}:
            found.append(" ")
        elif tag in _DROPPED and source[start + 1] != "/":
            place = ends.after(f"</{tag}", place)
            place = ends.after(">", place)
    found.append(source[place:])
    words = html.unescape("".join(found)).replace("\0", "")
    return _LINES.sub("\n", _BLANKS.sub(" ", words)).strip()


class _Ends:
    """Finds ends, and remembers which are not to be found any more."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._missing: set[str] = set()

    def after(self, end: str, start: int) -> int:
        """Return the place after the next such end; without one, the start: the rest is text."""
        if end in self._missing:
            return start
        if end not in self._patterns:
            self._patterns[end] = re.compile(re.escape(end), re.IGNORECASE)
        found = self._patterns[end].search(self._source, start)
        if found is None:
            self._missing.add(end)
            return start
        return found.end()
