"""Walk a document in the order of reading: write what is seen, keep apart what is hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ingest.html.budget import CpuBudget
from ingest.html.css.boxes import FAINT
from ingest.html.css.lengths import pixels
from ingest.html.css.styles import MARKUP, ROOT, ShownElement, Style, Styles
from ingest.html.stripping import strip_tags
from ingest.html.tree import Document, Element
from ingest.html.writer import BLANK, LINE, TableRows, Writer

OUTLOOK_RULE = "_" * 32
"""What Outlook writes above the head of a quoted mail in plain text."""
_PARAGRAPHS = frozenset({
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "figure", "dl", "fieldset", "listing",
    "xmp", "plaintext",
})  # fmt: skip
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_INLINE = frozenset({"inline", "contents", "run-in"})
_SPACED = frozenset({"inline-block", "inline-flex", "inline-grid", "inline-table"})
_VALUED = frozenset({
    "", "text", "submit", "button", "reset", "email", "search", "tel", "url", "number", "date",
    "time", "datetime-local", "month", "week",
})  # fmt: skip
_PIXEL = 3.0
_MOST_DIGITS = 6


def read(document: Document, styles: Styles, budget: CpuBudget) -> tuple[Writer, list[str]]:
    """Return what is seen, written, and the pieces that are hidden.

    Raises:
        TimeoutError: the budget is used up.
    """
    reading = _Reading(document, styles, budget)
    reading.run()
    return reading.writer, reading.hidden()


class _Open:
    """An element that was begun: its children still to be read, and what ends it."""

    __slots__ = ("children", "end", "hides", "style")

    def __init__(
        self, children: Iterator[Element | str], style: Style, end: Callable[[], None] | None
    ) -> None:
        self.children = children
        self.style = style
        self.end = end
        self.hides: bool | None = None


class _Reading:
    def __init__(self, document: Document, styles: Styles, budget: CpuBudget) -> None:
        self.writer = Writer()
        self._document = document
        self._styles = styles
        self._budget = budget
        self._pieces: list[list[str]] = []
        self._is_open = False
        self._tables: list[TableRows] = []
        self._lists: list[int | None] = []
        self._outlook_words: frozenset[str] | None = None
        self._pictured: set[str] = set()
        self._picture_in_link = False

    def run(self) -> None:
        opened: list[_Open] = []
        self._begin(self._document.root, ROOT, opened)
        while opened:
            top = opened[-1]
            child = next(top.children, None)
            if child is None:
                opened.pop()
                if top.end:
                    top.end()
                continue
            self._budget.spend(5)
            if isinstance(child, Element):
                self._begin(child, top.style, opened)
                continue
            if top.hides is None:
                top.hides = self._styles.hides_text(top.style)
            if top.hides:
                self._hide(child)
            else:
                self._show(child, top.style)

    def hidden(self) -> list[str]:
        return [" ".join(piece) for piece in self._pieces]

    def _show(self, words: str, style: Style) -> None:
        if style.is_kept_as_typed:
            self.writer.add_as_typed(words)
        else:
            self.writer.add(words)
        if self._is_open and words.strip():
            self._is_open = False

    def _hide(self, words: str) -> None:
        if not words.strip():
            return
        if not self._is_open:
            self._pieces.append([])
            self._is_open = True
        self._pieces[-1].append(words)

    def _hide_all(self, element: Element) -> None:
        """Keep apart what stands in an element that is hidden as a whole."""
        self._is_open = False
        waiting: list[Element | str] = [element]
        while waiting:
            self._budget.spend()
            node = waiting.pop()
            if isinstance(node, str):
                self._hide(node)
            elif node.tag == "img":
                self._hide(node.attributes.get("alt", ""))
            elif node.tag not in MARKUP:
                waiting.extend(reversed(node.children))
        self._is_open = False

    def _begin(self, element: Element, parent: Style, opened: list[_Open]) -> None:
        if element.tag in MARKUP:
            return
        shown = self._styles.of(element, parent)
        if shown.is_hidden or (shown.only_outlook and not self._is_in_outlook(element)):
            self._hide_all(element)
            return
        if element.tag in _EMPTY:
            if shown.style.is_visible and shown.style.alpha >= FAINT:
                _EMPTY[element.tag](self, element)
            elif element.tag == "img":
                self._hide(element.attributes.get("alt", ""))
            return
        end = self._start(element, shown)
        opened.append(_Open(iter(element.children), shown.style, end))

    def _is_in_outlook(self, element: Element) -> bool:
        """Return whether Outlook shows the same words from a comment: a button drawn twice."""
        if not self._document.for_outlook:
            return False
        if self._outlook_words is None:
            comments = self._document.for_outlook.replace("<![endif]", " ")
            bare = comments.replace("[if ", "<if ")
            self._outlook_words = frozenset(strip_tags(bare).split())
        words: list[str] = []
        waiting: list[Element | str] = [element]
        while waiting:
            self._budget.spend()
            node = waiting.pop()
            if isinstance(node, str):
                words += node.split()
            else:
                waiting.extend(node.children)
        return all(word in self._outlook_words for word in words)

    # What begins and ends with an element

    def _start(self, element: Element, shown: ShownElement) -> Callable[[], None] | None:
        tag, writer = element.tag, self.writer
        if tag == "a" and shown.display in _SPACED:
            writer.add(" ")
        if tag in _STARTS:
            return _STARTS[tag](self, element)
        if shown.display in _INLINE:
            return None
        if shown.display in _SPACED and tag not in {"div", "p"}:
            writer.add(" ")
            return _spaced(writer)
        gap = BLANK if tag in _PARAGRAPHS and not shown.is_tight else LINE
        if _is_outlook_head(element):
            writer.rule(OUTLOOK_RULE)
        writer.block(gap)
        return lambda: writer.block(gap)

    def _start_table(self, _element: Element) -> Callable[[], None]:
        self.writer.block(LINE)
        self._tables.append(TableRows())

        def end() -> None:
            self._tables.pop()
            self.writer.block(LINE)

        return end

    def _start_row(self, _element: Element) -> Callable[[], None]:
        table = self._tables[-1] if self._tables else TableRows()
        self.writer.row(table)
        return lambda: self.writer.end_row(table)

    def _start_cell(self, element: Element) -> Callable[[], None]:
        writer = self.writer
        if not self._tables:
            writer.block(LINE)
            return lambda: writer.block(LINE)
        table = self._tables[-1]
        if element.tag == "th":
            table.has_headings = True
        writer.cell(table)
        return writer.end_cell

    def _start_list(self, element: Element) -> Callable[[], None]:
        ordered = element.tag == "ol"
        first = _whole(element.attributes.get("start", "1")) if ordered else None
        gap = LINE if self._lists else BLANK
        self.writer.block(gap)
        self._lists.append(first)

        def end() -> None:
            self._lists.pop()
            self.writer.block(gap)

        return end

    def _start_item(self, element: Element) -> Callable[[], None]:
        number = self._lists[-1] if self._lists else None
        if number is not None:
            number = _whole(element.attributes.get("value", str(number)))
            self._lists[-1] = number + 1
        sign = "-" if number is None else f"{number}."
        self.writer.item(f"{' ' if len(self._lists) > 1 else ''}{sign} ")
        return self.writer.end_item

    def _start_quote(self, element: Element) -> Callable[[], None]:
        writer = self.writer
        if _is_indented_only(element):
            writer.block(BLANK)
            return lambda: writer.block(BLANK)
        writer.quote()
        return writer.end_quote

    def _start_link(self, element: Element) -> Callable[[], None] | None:
        address = element.attributes.get("href", "")
        if not address:
            return None
        self._picture_in_link = False
        self.writer.link(address)

        def end() -> None:
            if self._picture_in_link and self.writer.is_link_empty():
                if address not in self._pictured:
                    self.writer.add("picture")
                self._pictured.add(address)
            self._picture_in_link = False
            self.writer.end_link()

        return end

    def _start_short_quote(self, _element: Element) -> Callable[[], None]:
        self.writer.add('"')
        return lambda: self.writer.add('"')

    # What is empty

    def _image(self, element: Element) -> None:
        alt = element.attributes.get("alt", "")
        sizes = [pixels(element.attributes.get(s, "auto"), 16) for s in ("width", "height")]
        if any(size is not None and size <= _PIXEL for size in sizes):
            self._hide(alt)
            return
        if alt.strip():
            self._show(alt, ROOT)
        else:
            self._picture_in_link = True

    def _input(self, element: Element) -> None:
        if element.attributes.get("type", "").lower() in _VALUED:
            words = element.attributes.get("value") or element.attributes.get("placeholder", "")
            self._show(f" {words} ", ROOT)

    def _break(self, _element: Element) -> None:
        self.writer.line_break()

    def _line(self, _element: Element) -> None:
        self.writer.block(BLANK)


_EMPTY: dict[str, Callable[[_Reading, Element], None]] = {
    "br": _Reading._break,  # noqa: SLF001
    "hr": _Reading._line,  # noqa: SLF001
    "img": _Reading._image,  # noqa: SLF001
    "input": _Reading._input,  # noqa: SLF001
}
_STARTS: dict[str, Callable[[_Reading, Element], Callable[[], None] | None]] = {
    "table": _Reading._start_table,  # noqa: SLF001
    "tr": _Reading._start_row,  # noqa: SLF001
    "td": _Reading._start_cell,  # noqa: SLF001
    "th": _Reading._start_cell,  # noqa: SLF001
    "li": _Reading._start_item,  # noqa: SLF001
    "blockquote": _Reading._start_quote,  # noqa: SLF001
    "a": _Reading._start_link,  # noqa: SLF001
    "q": _Reading._start_short_quote,  # noqa: SLF001
    **dict.fromkeys(_LISTS, _Reading._start_list),  # noqa: SLF001
}


def _spaced(writer: Writer) -> Callable[[], None]:
    return lambda: writer.add(" ")


def _whole(words: str) -> int:
    digits = words.strip()
    if not (
        digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) <= _MOST_DIGITS
    ):
        return 1
    return int(digits)


def _is_indented_only(element: Element) -> bool:
    """Return whether a blockquote is how Gmail indents: the writer's own words."""
    attributes = element.attributes
    if attributes.get("type", "").lower() == "cite" or "quote" in attributes.get("class", ""):
        return False
    written = attributes.get("style", "")[:500].lower().replace(" ", "")
    return "border:none" in written and "margin:" in written


def _is_outlook_head(element: Element) -> bool:
    """Return whether Outlook's head of a quoted mail begins here: From, Sent, To, Subject."""
    if element.tag != "div":
        return False
    if element.attributes.get("id", "").lower().endswith("divrplyfwdmsg"):
        return True
    written = element.attributes.get("style", "")[:500].lower().replace(" ", "")
    return "border-top:solid#e1e1e1" in written or "border-top:solid#b5c4df" in written
