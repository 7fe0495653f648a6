"""Strip tags from HTML that cannot be read as a person sees it, in linear time."""

import html
import re

_TAG = re.compile(r"<(?:!--|(/?)([a-zA-Z][a-zA-Z0-9]{0,20})[^>]*>|[!?/][^>]*>)")
_CELLS = frozenset({"td", "th"})
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
    end = source.rfind(">") + 1
    while tag := _TAG.search(source, place, end):
        found.append(source[place : tag.start()])
        place = tag.end()
        name = (tag[2] or "").lower()
        if tag[0] == "<!--":
            place = ends.after("-->", place)
        elif name in _BREAKS:
            found.append("\n")
        elif name in _CELLS:
            found.append(" ")
        elif name in _DROPPED and not tag[1]:
            place = ends.after(f"</{name}", place)
    found.append(source[place:])
    words = html.unescape("".join(found)).replace("\0", "")
    return _LINES.sub("\n", _BLANKS.sub(" ", words)).strip()


class _Ends:
    """Finds ends, and remembers which are not to be found any more."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._missing: set[str] = set()

    def after(self, end: str, start: int) -> int:
        """Return the place after the next such end; without one, the start: the rest is text."""
        if end in self._missing:
            return start
        found = re.compile(re.escape(end), re.IGNORECASE).search(self._source, start)
        if found is None:
            self._missing.add(end)
            return start
        return found.end() if end == "-->" else found.start()
