"""Nest tags as browsers do before lxml reads them.

lxml ends ``<font>`` and the like with the paragraph around it. A browser goes on with them in the
next paragraph until their own end tag (WHATWG HTML, "the list of active formatting elements"), so
white text would go on where lxml sees black. This writes such tags into the source once more.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ingest.html.budget import CpuBudget

_TAG = re.compile(
    r"<(/?)([a-zA-Z][^\s/>]{0,40})((?:[^>\"'=]++|=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|[=\"'])*+)>"
)
_COMMENT_END = re.compile(r"--!?>")
_FORMATTING = frozenset({
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
})  # fmt: skip
_ENDS_P = frozenset({
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hgroup", "hr", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary",
    "ul", "dd", "dt", "table",
})  # fmt: skip
_REOPENED = frozenset({"p", "div", "center", "span", "h1", "h2", "h3", "h4", "h5", "h6"})
_BORDERS = frozenset({"td", "th", "caption", "table", "button", "object", "marquee", "template"})
"""A search for an open element ends here."""
_CELLS = frozenset({"td", "th", "caption", "button", "object", "marquee", "template"})
"""Formatting does not reach into these, nor out of them."""
_IMPLIED = {
    "li": ({"li"}, {"ul", "ol", "menu", "dir"}),
    "dd": ({"dd", "dt"}, {"dl"}),
    "dt": ({"dd", "dt"}, {"dl"}),
    "tr": ({"tr"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "option": ({"option"}, {"select"}),
}
_ALONE = frozenset({"a", "nobr"})
"""One of these ends where the next begins."""
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
})  # fmt: skip
_RAW = frozenset({
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
})  # fmt: skip
_HEADLESS = frozenset({"html", "head", "body", "tbody", "thead", "tfoot", "colgroup"})
_ROWS = frozenset({
    "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "col", "colgroup",
})  # fmt: skip
_BETWEEN = frozenset({"template", "form", "table", "html", "head", "body", "input"})
"""What may stand between the cells of a table, or is nothing there."""
_DEEPEST = 1_000
_ACTIVE = 30
"""More open formatting than this is not written again."""


class Nested(NamedTuple):
    source: str
    bodies: tuple[str, ...]
    """The ``<body>`` tags: what later ones say counts as well, where the first says nothing."""
    is_cut: bool
    """Whether there was too much to write again."""


class _TableTag:
    """A table that is open."""

    __slots__ = ("is_between", "is_left", "written")

    def __init__(self, written: str) -> None:
        self.written = written
        self.is_between = True
        """Whether no cell is open."""
        self.is_left = False
        """Whether it was ended for what stands between its cells, and may go on."""


class _Tag(NamedTuple):
    name: str
    written: str


def nested(source: str, budget: CpuBudget) -> Nested:
    """Return the source with formatting tags written again where browsers go on with them.

    Raises:
        TimeoutError: the budget is used up.
    """
    nesting = _Nesting(source, budget)
    nesting.run()
    return Nested("".join(nesting.parts), tuple(nesting.bodies[:20]), nesting.is_cut)


class _Nesting:
    def __init__(self, source: str, budget: CpuBudget) -> None:
        self.parts: list[str] = []
        self.bodies: list[str] = []
        self.is_cut = False
        self._source = source
        self._budget = budget
        self._open: list[_Tag] = []
        self._active: list[_Tag | None] = []
        """Formatting that goes on; None where a cell begins."""
        self._pending = 0
        """How many of these, after the last None, are not open."""
        self._left = max(len(source), 20_000)
        self._copied = 0
        self._tables: list[_TableTag] = []
        self._raw_ends = _RawEnds(source)

    def run(self) -> None:
        source, place = self._source, 0
        while (start := source.find("<", place)) >= 0 and len(self._open) <= _DEEPEST:
            self._budget.spend()
            self._go_on(place, source[place:start])
            tag, end = self._tag_at(start)
            if end < 0:
                break
            place = end if tag is None else self._take(tag)
        self.is_cut = self.is_cut or len(self._open) > _DEEPEST
        self._go_on(place, source[place:])
        self.parts.append(source[self._copied :])

    def _tag_at(self, start: int) -> tuple[re.Match[str] | None, int]:
        """Return the tag there, or none, and where to go on; -1 if no more tag ends."""
        source = self._source
        if source.startswith("<!--", start):
            found = _COMMENT_END.search(source, start + 2)
            return None, found.end() if found else -1
        tag = _TAG.match(source, start)
        if tag:
            return tag, tag.end()
        return None, start + 1 if source.find(">", start) >= 0 else -1

    def _go_on(self, place: int, words: str) -> None:
        """Before words: leave a table without a cell, and write formatting that goes on again."""
        outside = bool(self._tables) and self._tables[-1].is_between
        if (self._pending or outside) and words.strip():
            self.parts.append(self._source[self._copied : place])
            self._copied = place
            self._leave_table()
            self._reopen()

    def _leave_table(self) -> None:
        """End a table for what stands between its cells: browsers put that outside."""
        if self._tables and self._tables[-1].is_between:
            self._tables[-1].is_between = False
            self._tables[-1].is_left = True
            self.parts.append("</table>")

    def _among_cells(self, name: str) -> str | None:
        """Note the start of a row or cell, and return what to write before it."""
        if not self._tables:
            return None
        table = self._tables[-1]
        before = ""
        if table.is_left:
            self._left -= len(table.written)
            before = table.written
            while self._open and self._open[-1].name != "table":
                self._open.pop()
            self._count_pending()
        table.is_left = False
        table.is_between = name not in _CELLS
        return before

    def _take(self, tag: re.Match[str]) -> int:
        """Note a tag, write what it needs, and return where to go on."""
        name = tag[2].lower()
        if not tag[1] and name in _ROWS and not self._tables:
            self.parts.append(self._source[self._copied : tag.start()])
            self._copied = tag.end()  # a row or a cell outside a table is nothing
            return tag.end()
        instead = self._ended(name) if tag[1] else self._begun(name, tag)
        if instead is not None:
            self.parts += (self._source[self._copied : tag.start()], instead)
            self._copied = tag.end() if tag[1] else tag.start()
        if name in _RAW and not tag[1]:
            return self._raw_ends.after(name, tag.end())
        return tag.end()

    def _begun(self, name: str, tag: re.Match[str]) -> str | None:
        """Note a start tag, and return what to write before it."""
        if name == "body":
            self.bodies.append(tag[0][:5_000])
        if name in _RAW:
            return None
        before = None
        if name in _ROWS:
            before = self._among_cells(name) or None
        elif self._tables and self._tables[-1].is_between and name not in _BETWEEN:
            before = "</table>"
            self._tables[-1].is_between, self._tables[-1].is_left = False, True
        if name in _HEADLESS:
            return before
        if name in _ENDS_P:
            self._close_through({"p"}, _BORDERS)
        if name in _IMPLIED:
            self._close_through(*_IMPLIED[name])
        if name in _ALONE:
            self._end_formatting(name)
        inline = name in _FORMATTING or name in {"span", "img", "input", "label"}
        if self._pending and inline:
            count = len(self.parts)
            self._reopen()
            before = (before or "") + "".join(self.parts[count:])
            del self.parts[count:]
        if name in _VOID or (tag[3].endswith("/") and ":" in name):
            return before
        self._open.append(_Tag(name, tag[0]))
        if name in _FORMATTING:
            self._activate(self._open[-1])
        elif name == "table":
            self._tables.append(_TableTag(tag[0]))
        elif name in _CELLS:
            self._active.append(None)
            self._pending = 0
        return before

    def _activate(self, tag: _Tag) -> None:
        if len(self._active) >= _ACTIVE and None not in self._active[-_ACTIVE:]:
            self.is_cut = True
            return
        self._active.append(tag)

    def _ended(self, name: str) -> str | None:
        """Note an end tag, and return what to write instead of it."""
        if name in _FORMATTING:
            return self._end_formatting(name)
        if name in {"td", "th", "caption", "tr"} and self._tables and not self._tables[-1].is_left:
            self._tables[-1].is_between = True
        if name == "table" and self._tables and self._tables.pop().is_left:
            self._close_through({name}, set())
            return ""
        if name not in _HEADLESS:
            borders = {"table"} if name in {"tr", "td", "th", "caption"} else _BORDERS - {name}
            self._close_through({name}, borders)
        return None

    def _end_formatting(self, name: str) -> str | None:
        place = self._place_of_active(name)
        if place is None:
            return None
        tag = self._active.pop(place)
        reopened: list[_Tag] = []
        for depth in range(len(self._open) - 1, -1, -1):
            other = self._open[depth]
            if other is tag:
                blocks = [o for o in reopened if o.name not in _FORMATTING]
                if not any(o.name in _ENDS_P for o in blocks):
                    del self._open[depth:]
                    self._count_pending()
                    return None
                self._open[depth:] = list(reversed(blocks))
                self._count_pending()
                ends = "".join(f"</{o.name}>" for o in reopened)
                again = "".join(o.written for o in reversed(blocks))
                self._left -= len(ends) + len(again)
                return f"{ends}</{name}>{again}" if self._left > 0 else None
            if other.name not in _REOPENED and other.name not in _FORMATTING:
                break
            reopened.append(other)
        self._count_pending()
        return None

    def _place_of_active(self, name: str) -> int | None:
        for place in range(len(self._active) - 1, -1, -1):
            active = self._active[place]
            if active is None:
                return None
            if active.name == name:
                return place
        return None

    def _close_through(self, names: AbstractSet[str], borders: AbstractSet[str]) -> None:
        """End the innermost open element of such a name, and all in it."""
        self._budget.spend(len(self._open) // 16)
        for depth in range(len(self._open) - 1, -1, -1):
            name = self._open[depth].name
            if name in names:
                for tag in self._open[depth:]:
                    if tag.name in _CELLS:
                        self._leave_cell()
                del self._open[depth:]
                self._count_pending()
                return
            if name in borders:
                return

    def _leave_cell(self) -> None:
        while self._active:
            if self._active.pop() is None:
                return

    def _count_pending(self) -> None:
        count = 0
        still = {id(tag) for tag in self._open if tag.name in _FORMATTING} if self._active else ()
        for active in reversed(self._active):
            if active is None:
                break
            count += id(active) not in still
        self._pending = count

    def _reopen(self) -> None:
        """Write again what goes on, and is not open."""
        start = len(self._active)
        while start and self._active[start - 1] is not None:
            start -= 1
        still = {id(tag) for tag in self._open}
        for place in range(start, len(self._active)):
            active = self._active[place]
            if active is None or id(active) in still:
                continue
            self._left -= len(active.written)
            if self._left < 0:
                self.is_cut = True
                break
            again = _Tag(active.name, active.written)
            self._active[place] = again
            self._open.append(again)
            self.parts.append(active.written)
        self._pending = 0


class _RawEnds:
    """Finds where text without tags ends, and remembers what has no more end."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._missing: set[str] = set()

    def after(self, name: str, place: int) -> int:
        if name in self._missing:
            return place
        found = re.compile(rf"</{name}", re.IGNORECASE).search(self._source, place)
        if not found:
            self._missing.add(name)
            return place
        return found.start()
