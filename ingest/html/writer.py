"""Write text line by line: paragraphs, lists, quotes, rows of tables, links."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_QUOTES = 10
"""Deeper quotes are written as quoted ten times."""
_ONE_LINE = 100
"""Longer cells are paragraphs, not parts of a row."""
_LINES_IN_A_CELL = 3
_COLUMNS = 2
"""A table of more columns is one of data, and its cells may have some lines."""
LINE, BLANK = 1, 2
"""What comes before a line: the end of another, or a blank line as well."""
_ADDRESS = 2_000
"""Longer addresses are left out: no person reads them, and few programs follow them."""
_WORDS = 500
_BLANK = re.compile(r"[ \t\n\r\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_EDGES = " \t\n\r\f\v\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u3000"
_SCHEME = re.compile(r"^(?:https?://|mailto:|tel:|sms:)?(?:www\.)?", re.IGNORECASE)
_SPOILED = re.compile(r"[\s()<>]")
_NOT_DIALLED = re.compile(r"[^\d+]")


class _Mark:
    """Where a link begins; becomes a bracket once its address turns out to be worth writing."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        self.text = ""


class _Line:
    __slots__ = ("gap", "length", "pieces", "prefix", "quotes")

    def __init__(self, gap: int, quotes: int, prefix: str, pieces: list[str | _Mark]) -> None:
        self.gap = gap
        self.quotes = quotes
        self.prefix = prefix
        self.pieces = pieces
        self.length = sum(len(piece) for piece in pieces if isinstance(piece, str))

    def text(self) -> str:
        words = "".join(p if isinstance(p, str) else p.text for p in self.pieces)
        return f"{self.prefix}{words}"


class _Link(NamedTuple):
    address: str
    mark: _Mark
    words: list[str]


class _Row:
    __slots__ = ("cells", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.cells: list[int] = []


class TableRows:
    """What is known of a table whose rows are being written."""

    __slots__ = ("has_headings", "row")

    def __init__(self) -> None:
        self.has_headings = False
        self.row: _Row | None = None


class Writer:
    """Takes words and breaks in the order of reading."""

    def __init__(self) -> None:
        self._lines: list[_Line] = []
        self._pieces: list[str | _Mark] = []
        self._has_text = False
        self._space = False
        self._is_held = False
        """Whether the line is kept open by a blank that does not break."""
        self._gap = 0
        self._prefix = ""
        self._quotes = 0
        self._link: _Link | None = None

    def add(self, words: str) -> None:
        """Add words, with each run of blanks as one space."""
        collapsed = _BLANK.sub(" ", words)
        stripped = collapsed.strip(" ")
        if not stripped:
            self._space = self._space or bool(collapsed)
            self._is_held = self._is_held or "\u00a0" in words
            return
        self._place(stripped, space=collapsed[0] == " ")
        self._space = collapsed[-1] == " "

    def add_as_typed(self, words: str) -> None:
        """Add words with their own line breaks and blanks."""
        first = True
        for line in words.replace("\r\n", "\n").split("\n"):
            if not first:
                self.line_break()
            first = False
            kept = line.rstrip()
            if kept.strip():
                self._place(kept.replace("\u00a0", " "), space=False)

    def _place(self, words: str, *, space: bool) -> None:
        if (space or self._space) and self._has_text:
            place = len(self._pieces)
            while place and isinstance(self._pieces[place - 1], _Mark):
                place -= 1
            self._pieces.insert(place, " ")
        self._space = False
        self._pieces.append(words)
        self._has_text = True
        if self._link and len(self._link.words) < _WORDS:
            self._link.words.append(words[:_WORDS])

    def line_break(self) -> None:
        """End the line; one more leaves a blank line."""
        if self._has_text:
            self._flush()
            self._gap = max(self._gap, LINE)
        elif self._lines:
            self._gap = BLANK if self._gap else LINE
        self._space = False

    def block(self, gap: int) -> None:
        """End the line where a block begins or ends."""
        held = self._is_held and not self._has_text and bool(self._lines)
        self._flush()
        if held:
            self._gap = BLANK  # a line that holds nothing is a blank line
        if not self._prefix:
            self._gap = max(self._gap, gap)

    def rule(self, line: str) -> None:
        self.block(BLANK)
        self._place(line, space=False)
        self.block(LINE)

    def item(self, prefix: str) -> None:
        """Begin an item of a list."""
        self.block(LINE)
        self._prefix = prefix

    def end_item(self) -> None:
        self._flush()
        self._prefix = ""
        self._gap = max(self._gap, LINE)

    def quote(self) -> None:
        self.block(LINE)
        self._quotes += 1

    def end_quote(self) -> None:
        self._flush()
        self._quotes -= 1
        self._gap = BLANK

    def link(self, address: str) -> None:
        if self._link is None:
            self._link = _Link(address, _Mark(), [])
            self._pieces.append(self._link.mark)

    def end_link(self) -> None:
        """Write the address behind the words, if it says more than they do."""
        link, self._link = self._link, None
        if link is None:
            return
        words = " ".join(link.words).strip()
        address = shown_address(link.address, words)
        if not words or not address:
            return
        link.mark.text = "["
        pieces = self._pieces
        if not self._has_text and self._lines:
            pieces = self._lines[-1].pieces
        pieces.append(f"]({address})")

    def is_link_empty(self) -> bool:
        return self._link is not None and not self._link.words

    def row(self, table: TableRows) -> None:
        self._flush()
        table.row = _Row(len(self._lines))

    def cell(self, table: TableRows) -> None:
        self._flush()
        if table.row:
            table.row.cells.append(len(self._lines))

    def end_cell(self) -> None:
        self._flush()

    def end_row(self, table: TableRows) -> None:
        """Make one line of a row whose cells are short; the others are paragraphs."""
        self._flush()
        row, table.row = table.row, None
        if row is None or len(self._lines) == row.start:
            return
        cells = self._cells(row)
        filled = [cell for cell in cells if cell]
        if len(filled) > 1 and all(self._fits(cell, table, len(cells)) for cell in filled):
            self._join(row.start, cells if table.has_headings else filled)
            self._gap = max(self._gap, LINE)
        else:
            for start in row.cells:
                if start < len(self._lines):
                    self._lines[start].gap = BLANK
            self._gap = max(self._gap, LINE if table.has_headings and len(filled) == 1 else BLANK)

    def _cells(self, row: _Row) -> list[list[_Line]]:
        """Return the lines of each cell; none for a row with too many, or with some outside."""
        count = len(self._lines)
        if not row.cells or row.cells[0] != row.start:
            return []
        if count - row.start > _LINES_IN_A_CELL * len(row.cells):
            return []
        ends = [*row.cells[1:], count]
        return [self._lines[start:end] for start, end in zip(row.cells, ends, strict=True)]

    def _fits(self, cell: list[_Line], table: TableRows, columns: int) -> bool:
        if any(line.prefix or line.quotes != self._quotes for line in cell):
            return False
        if len(cell) == 1:
            return table.has_headings or cell[0].length <= _ONE_LINE
        lines = _LINES_IN_A_CELL if table.has_headings or columns > _COLUMNS else 1
        return len(cell) <= lines and all(line.gap < BLANK for line in cell[1:])

    def _join(self, start: int, cells: list[list[_Line]]) -> None:
        first = self._lines[start]
        pieces: list[str | _Mark] = []
        label = len(cells) == _COLUMNS and bool(cells[0]) and cells[0][-1].text().endswith(":")
        for number, cell in enumerate(cells):
            if number and not label:
                pieces.append(" |" if pieces else "|")
            if number and cell:
                pieces.append(" ")
            for place, line in enumerate(cell):
                if place:
                    pieces.append(" ")
                pieces += line.pieces
        del self._lines[start:]
        self._lines.append(_Line(first.gap, first.quotes, first.prefix, pieces))

    def _flush(self) -> None:
        self._space = self._is_held = False
        if not self._has_text:
            return  # marks of links wait for the first words
        quotes = min(self._quotes, MOST_QUOTES)
        self._lines.append(_Line(self._gap, quotes, self._prefix, self._pieces))
        self._pieces, self._has_text, self._gap, self._prefix = [], False, 0, ""

    def text(self, most: int) -> str:
        """Return what was written, up to so many characters."""
        self._flush()
        found: list[str] = []
        length, before = 0, 0
        for line in self._lines:
            if length > most:
                break
            if found:
                found.append("\n")
                if line.gap >= BLANK:
                    found.append(f"{'> ' * min(before, line.quotes)}".rstrip() + "\n")
            before = line.quotes
            words = f"{'> ' * line.quotes}{line.text()}".rstrip()
            if words.endswith("--") and line.text() == "--":
                words += " "  # the sign of a signature (RFC 3676 section 4.3)
            found.append(words)
            length += len(words) + 2 * MOST_QUOTES
        return "".join(found)[:most].strip(_EDGES)


def shown_address(address: str, words: str) -> str:
    """Return the address of a link if it says more than its words, else nothing."""
    written = address.strip()
    if not written or len(written) > _ADDRESS:
        return ""
    scheme = written.partition(":")[0].lower()
    if written.startswith(("#", "x-apple")) or scheme not in _SCHEMES:
        return ""
    if scheme == "tel" and _NOT_DIALLED.sub("", written) in _NOT_DIALLED.sub("", words):
        return ""
    if _bare(written) == _bare(words):
        return ""
    return _SPOILED.sub(lambda found: f"%{ord(found[0]):02X}", written)


_SCHEMES = frozenset({"http", "https", "mailto", "tel", "sms", "ftp", "webcal", "callto", "geo"})


def _bare(address: str) -> str:
    return _SCHEME.sub("", address.strip("<> \n").lower()).rstrip("/")
