"""Build the tree of a document as browsers do (WHATWG HTML, section 13.2.6).

Text is hidden or seen by the elements around it, so the tree must be the one that a browser builds
of bad HTML too: lxml ends ``<font color=white>`` with its paragraph, where a browser goes on.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from ingest.html.budget import CpuBudget
from ingest.html.tags import RAW, Comment, End, Start, tokens
from ingest.html.tree import Document, Element

DEEPEST = 500
"""Deeper elements are put beside each other, as Chromium does."""
_FORMATTING = frozenset({
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
})  # fmt: skip
_CELLS = frozenset({"td", "th", "caption"})
_MARKED = _CELLS | {"applet", "object", "marquee", "template"}
"""Formatting does not reach into these, nor out of them."""
_SCOPE = _MARKED | {"html", "table"}
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl",
    "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "main", "menu", "nav", "ol",
    "p", "search", "section", "summary", "ul", "pre", "listing", "form", "button",
})  # fmt: skip
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_ENDS_P = (_BLOCKS - {"button"}) | _HEADINGS | {"hr", "li", "dd", "dt", "plaintext", "xmp"}
_ROWS = frozenset({"tr", "tbody", "thead", "tfoot", "col", "colgroup"}) | _CELLS
_GROUPS = frozenset({"tbody", "thead", "tfoot"})
_VOID = frozenset({
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip
_METADATA = frozenset({"style", "script", "title", "meta", "link", "base"})
_SPECIAL = (
    _SCOPE | _BLOCKS | _HEADINGS | _ROWS | _VOID | RAW
    | {"body", "head", "li", "dd", "dt", "select", "noscript"}
)  # fmt: skip
_IN_LISTS = _SPECIAL - {"address", "div", "p"}
_ENDS_LIKE: dict[str, tuple[AbstractSet[str], AbstractSet[str]]] = {
    "li": ({"li"}, _IN_LISTS - {"li"}),
    "dd": ({"dd", "dt"}, _IN_LISTS - {"dd", "dt"}),
    "dt": ({"dd", "dt"}, _IN_LISTS - {"dd", "dt"}),
    "button": ({"button"}, _SCOPE),
}
"""What ends where another starts, and what a search for it does not go beyond."""
_BETWEEN = frozenset({"table", *_GROUPS, "tr"})
_OPAQUE = frozenset({"svg", "math"})
_BREAKS_OUT = _BLOCKS | _HEADINGS | {
    "b", "big", "body", "br", "code", "dd", "dt", "em", "embed", "head", "hr", "i", "img", "li",
    "meta", "nobr", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt",
    "u", "var",
}  # fmt: skip
_WITH_HTML = frozenset({"foreignobject", "desc", "annotation-xml"})
_OUTLOOK = re.compile(r"\s*\[if [^\]]{0,100}\bmso\b[^\]]{0,100}\]>")
_NOT_OUTLOOK = re.compile(r"\s*\[if [^\]]{0,100}![^\]]{0,100}\]>")
_ACTIVE = 40
_ALIKE = 3
_ROUNDS = 8


def read_tree(source: str, budget: CpuBudget) -> Document:
    """Build the document.

    Raises:
        TimeoutError: the budget is used up.
    """
    builder = _Builder(budget)
    for token in tokens(source):
        budget.spend(2)
        builder.take(token)
    return builder.document()


class _Builder:
    def __init__(self, budget: CpuBudget) -> None:
        self._budget = budget
        self._root = Element("html", {})
        self._head = Element("head", {})
        self._body = Element("body", {})
        self._root.append(self._head)
        self._root.append(self._body)
        self._open = [self._root, self._body]
        self._active: list[Element | None] = []
        """Formatting that goes on until its end tag; None where a cell begins."""
        self._in_head = True
        self._has_form = False
        self._styles: list[Element] = []
        self._for_outlook: list[str] = []
        self._quirks = True

    def document(self) -> Document:
        outlook = " ".join(self._for_outlook)
        return Document(self._root, tuple(self._styles), outlook, self._quirks)

    def take(self, token: Start | End | Comment | str) -> None:
        if isinstance(token, str):
            self._text(token)
        elif isinstance(token, Start):
            self._start(token)
        elif isinstance(token, End):
            self._end(token.name)
        elif token.is_declaration:
            if token.words[:7].lower() == "doctype":
                self._quirks = False
        elif _OUTLOOK.match(token.words) and not _NOT_OUTLOOK.match(token.words):
            self._for_outlook.append(token.words)

    # Where things go

    def _insert(self, child: Element | str) -> None:
        """Put a child where it belongs: before a table, if no cell of it is open."""
        current = self._open[-1]
        if current.tag in _BETWEEN and not (isinstance(child, Element) and child.tag in _ROWS):
            for place in range(len(self._open) - 1, 0, -1):
                table = self._open[place]
                if table.tag == "table":
                    if table.parent is not None:
                        table.parent.insert_before_last(child)
                        return
                    break
        if isinstance(child, str):
            current.children.append(child)
        else:
            current.append(child)

    def _push(self, start: Start) -> Element:
        element = Element(start.name, start.attributes)
        self._insert(element)
        if len(self._open) < DEEPEST:
            self._open.append(element)
        return element

    def _text(self, words: str) -> None:
        if words.isspace():
            if not self._in_head and self._open[-1].tag not in _BETWEEN:
                self._open[-1].children.append(words)
            return
        self._in_head = False
        self._reopen()
        self._insert(words)

    # Start tags

    def _start(self, start: Start) -> None:
        name = start.name
        if name in {"html", "head", "body"}:
            self._merge(name, start.attributes)
            return
        if self._in_head and name in _METADATA:
            self._metadata(start, self._head)
            return
        self._in_head = False
        foreign = any(element.tag in _OPAQUE for element in self._open[-20:])
        if foreign and self._foreign(start):
            return
        if name in _ROWS:
            self._row(start)
        elif name in RAW or name in _METADATA:
            self._raw(start)
        elif name != "form" or not self._has_form:
            self._in_body(start)

    def _merge(self, name: str, attributes: dict[str, str]) -> None:
        element = {"html": self._root, "head": self._head, "body": self._body}[name]
        for key, value in attributes.items():
            element.attributes.setdefault(key, value)
        if name != "html":
            self._in_head = name == "head" and self._in_head
        if "class" in element.attributes:
            element.classes = tuple(element.attributes["class"].split())

    def _metadata(self, start: Start, parent: Element | None) -> None:
        element = Element(start.name, start.attributes)
        if start.raw:
            element.children.append(start.raw)
        if start.name == "style":
            self._styles.append(element)
        if parent is not None:
            parent.append(element)
        else:
            self._open[-1].append(element)

    def _raw(self, start: Start) -> None:
        if start.name in _METADATA:
            self._metadata(start, None)
            return
        if start.name in _ENDS_P:
            self._close({"p"}, _SCOPE | {"button"})
        self._reopen()
        element = Element(start.name, start.attributes)
        if start.raw:
            element.children.append(start.raw)
        self._insert(element)

    def _foreign(self, start: Start) -> bool:
        """Take a tag inside ``<svg>`` or ``<math>``; False if it breaks out of it."""
        if start.name in _BREAKS_OUT or (start.name == "font" and start.attributes):
            if not any(element.tag in _WITH_HTML for element in self._open[-20:]):
                self._close(_OPAQUE, frozenset())
            return False
        element = self._push(start)
        if start.closes_itself and self._open[-1] is element:
            self._open.pop()
        elif start.raw:
            element.children.append(start.raw)
        return True

    def _in_body(self, start: Start) -> None:
        name = start.name
        if name in _ENDS_P:
            self._close({"p"}, _SCOPE | {"button"})
        self._end_like(name)
        if name == "table":
            self._before_table()
        elif name not in _ENDS_P:
            self._reopen()
        if name in _VOID:
            self._insert(Element(name, start.attributes))
            return
        if name in _OPAQUE and start.closes_itself:
            return
        if name == "form" and self._is_between_cells():
            return
        element = self._push(start)
        if name in _FORMATTING:
            self._activate(element)
        elif name in _MARKED:
            self._active.append(None)

    def _end_like(self, name: str) -> None:
        """End what cannot be open where such an element starts."""
        if name == "form":
            self._has_form = True
        elif name in _HEADINGS:
            if self._open[-1].tag in _HEADINGS:
                self._open.pop()
        elif name in {"option", "optgroup"}:
            if self._open[-1].tag == "option":
                self._open.pop()
        elif name in {"a", "nobr"}:
            if self._active_place(name) is not None:
                self._end_formatting(name)
                self._forget(name)
        elif name in _ENDS_LIKE:
            self._close(*_ENDS_LIKE[name])

    def _before_table(self) -> None:
        if self._is_between_cells():
            self._close({"table"}, {"template"})
        if not self._quirks:
            self._close({"p"}, _SCOPE | {"button"})

    def _row(self, start: Start) -> None:
        """Take a row or a cell; outside a table it is nothing."""
        name = start.name
        if not self._in_scope("table", {"template"}):
            return
        if name in _CELLS:
            self._close(_CELLS, {"table", "template"})
            until = {"table", "template"} if name == "caption" else {"tr", *_GROUPS, "table"}
        elif name == "tr":
            until = {*_GROUPS, "table", "template"}
        else:
            until = {"table", "template"}
        while self._open[-1].tag not in until:
            self._pop()
        if name in {"td", "th"} and self._open[-1].tag != "tr":
            self._imply_row()
        elif name == "tr" and self._open[-1].tag == "table":
            self._push(Start("tbody", {}))
        if name == "col":
            return
        element = self._push(start)
        if name in _CELLS and self._open[-1] is element:
            self._active.append(None)

    def _imply_row(self) -> None:
        if self._open[-1].tag == "table":
            self._push(Start("tbody", {}))
        if self._open[-1].tag in _GROUPS:
            self._push(Start("tr", {}))

    # End tags

    def _end(self, name: str) -> None:
        if name in _FORMATTING:
            self._end_formatting(name)
        elif name in _CELLS or name in _GROUPS or name == "tr":
            self._close({name}, {"table", "template"})
        elif name in {"table", "template"}:
            self._close({name}, {"template"} - {name})
        elif name in _HEADINGS:
            self._close(_HEADINGS, _SCOPE)
        elif name == "br":
            self._in_body(Start("br", {}))
        elif name in {"html", "head", "body"}:
            self._in_head = self._in_head and name != "head"
        else:
            self._end_other(name)

    def _end_other(self, name: str) -> None:
        if name == "form":
            self._end_form()
        elif name in _BLOCKS or name in _MARKED:
            self._close({name}, (_SCOPE - {name}) | ({"button"} if name == "p" else set()))
        elif name == "li":
            self._close({"li"}, _SCOPE | {"ul", "ol"})
        elif name in {"dd", "dt"}:
            self._close({name}, _SCOPE)
        else:
            self._close({name}, _SPECIAL - {name})

    def _end_form(self) -> None:
        """End a form, and nothing that is open in it."""
        self._has_form = False
        for place in range(len(self._open) - 1, 1, -1):
            if self._open[place].tag == "form":
                del self._open[place]
                return
            if self._open[place].tag in _SCOPE:
                return

    def _close(self, names: AbstractSet[str], borders: AbstractSet[str]) -> None:
        """End the innermost open element of such a name, and all in it."""
        opened = self._open
        for place in range(len(opened) - 1, 1, -1):
            tag = opened[place].tag
            if tag in names:
                self._budget.spend((len(opened) - place) // 8)
                while len(opened) > place:
                    self._pop()
                return
            if tag in borders:
                return

    def _pop(self) -> None:
        element = self._open.pop()
        if element.tag in _MARKED:
            while self._active and self._active.pop() is not None:
                pass

    def _is_between_cells(self) -> bool:
        for element in reversed(self._open):
            if element.tag in _BETWEEN:
                return True
            if element.tag in _MARKED:
                return False
        return False

    def _in_scope(self, name: str, borders: AbstractSet[str]) -> bool:
        for element in reversed(self._open):
            if element.tag == name:
                return True
            if element.tag in borders:
                return False
        return False

    # Formatting

    def _activate(self, element: Element) -> None:
        alike = 0
        place = len(self._active) - 1
        while place >= 0 and self._active[place] is not None:
            other = self._active[place]
            if other and other.tag == element.tag and other.attributes == element.attributes:
                alike += 1
                if alike == _ALIKE:
                    del self._active[place]
                    break
            place -= 1
        if len(self._active) - 1 - place > _ACTIVE:
            del self._active[place + 1]
        self._active.append(element)

    def _active_place(self, name: str) -> int | None:
        for place in range(len(self._active) - 1, -1, -1):
            active = self._active[place]
            if active is None:
                return None
            if active.tag == name:
                return place
        return None

    def _forget(self, name: str) -> None:
        place = self._active_place(name)
        if place is not None:
            element = self._active.pop(place)
            if element in self._open:
                self._open.remove(element)

    def _reopen(self) -> None:
        """Open formatting again that goes on."""
        active = self._active
        if not active or active[-1] is None or active[-1] in self._open:
            return
        start = len(active) - 1
        while start and active[start - 1] is not None and active[start - 1] not in self._open:
            start -= 1
        self._budget.spend(len(self._open) // 8 + len(active) - start)
        for place in range(start, len(active)):
            element = active[place]
            if element is not None:
                active[place] = self._push(Start(element.tag, element.attributes))

    def _end_formatting(self, name: str) -> None:
        """End formatting, also where blocks were begun in it (the "adoption agency algorithm")."""
        for _ in range(_ROUNDS):
            at = self._active_place(name)
            if at is None:
                self._close({name}, _SPECIAL)
                return
            element = self._active[at]
            if element is None or element not in self._open:
                del self._active[at]
                return
            depth = self._open.index(element)
            self._budget.spend(len(self._open) // 8)
            inside = self._open[depth + 1 :]
            if any(other.tag in _SCOPE for other in inside):
                return
            block = next((other for other in inside if other.tag in _SPECIAL), None)
            if block is None:
                del self._open[depth:]
                del self._active[at]
                return
            self._adopt(element, block, at)

    def _adopt(self, element: Element, block: Element, at: int) -> None:
        opened, active = self._open, self._active
        depth = opened.index(element)
        common = opened[depth - 1]
        last, bookmark = block, at
        place = opened.index(block)
        for inner in range(1, place - depth):
            place -= 1
            node = opened[place]
            if node in active and inner > _ALIKE:
                gone = active.index(node)
                del active[gone]
                bookmark -= gone < bookmark
            if node not in active:
                del opened[place]
                continue
            clone = Element(node.tag, node.attributes)
            where = active.index(node)
            active[where] = opened[place] = clone
            if last is block:
                bookmark = where + 1
            self._move(last, clone)
            last = clone
        self._move(last, common)
        clone = Element(element.tag, element.attributes)
        self._budget.spend(len(block.elements))
        block.give_children_to(clone)
        block.append(clone)
        gone = active.index(element)
        active.insert(bookmark + (bookmark == gone), clone)
        active.remove(element)
        opened.remove(element)
        opened.insert(opened.index(block) + 1, clone)

    def _move(self, element: Element, parent: Element) -> None:
        if element.parent is not None:
            element.parent.remove(element)
        if parent.tag in _BETWEEN:
            table = next((e for e in reversed(self._open) if e.tag == "table"), None)
            if table is not None and table.parent is not None:
                table.parent.insert_before_last(element)
                return
        parent.append(element)
