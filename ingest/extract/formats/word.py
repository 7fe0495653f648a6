"""The text of a Word document, as a reader of it sees it."""

import re
from dataclasses import dataclass, field

from ingest.extract.archive import Archive
from ingest.extract.extracted import ExtractLimits, NotReadableError, Writing, many
from ingest.extract.markup import read_markup

_TINY = 3
"""Half points; text of that size or less is not seen."""
_OFF = frozenset({"0", "false", "off", "none"})
_NEARLY_WHITE = re.compile("(?:[fF][0-9a-fA-F]){3}")
_DELETED = frozenset({"del", "moveFrom"})
_PARTS = (
    ("header", "[header]"),
    ("document", ""),
    ("footnotes", "[footnotes]"),
    ("endnotes", "[endnotes]"),
    ("comments", "[comments]"),
    ("footer", "[footer]"),
)
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read_word(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write the text of a .docx file with its tables, headers, footers and notes.

    Text that was deleted with its change kept, or that is hidden, is counted and left out.

    Raises:
        NotReadableError: it is encrypted or broken, or unpacks to too much.
        FullError: the text is longer than the limit.
    """
    archive = Archive(data, limits)
    if archive.ambiguous:
        out.defects.append("it holds two parts of one name; another program may show other text")
    styles = _Styles()
    if found := archive.read_if_there("word/styles.xml"):
        read_markup(found, styles)
    hidden = styles.hidden()
    walk = _Text(out, hidden)
    try:
        for part, title in _PARTS:
            for name in _files(archive, part):
                walk.title = title
                _read_part(archive, name, walk, out)
    finally:
        walk.tell()


def _files(archive: Archive, part: str) -> list[str]:
    """Return the files of a part, such as ``header1.xml`` and ``header2.xml``."""
    start = f"word/{part}"
    return sorted(
        name
        for name in archive.names
        if name.startswith(start)
        and name.endswith(".xml")
        and (not (number := name[len(start) : -4]) or number.isdecimal())
    )[:50]


def _read_part(archive: Archive, name: str, walk: "_Text", out: Writing) -> None:
    try:
        read_markup(archive.read(name), walk)
    except NotReadableError as error:
        if name == "word/document.xml" and out.empty:
            raise
        out.defects.append(f"{name.rpartition('/')[2]} could not be read: {error}")
    walk.reset()


def _is_on(attrib: dict[str, str]) -> bool:
    return attrib.get("val", "true").lower() not in _OFF


def _is_tiny(tag: str, attrib: dict[str, str]) -> bool:
    size = attrib.get("val", "")
    return tag == "sz" and size.isdecimal() and len(size) < 6 and int(size) <= _TINY  # noqa: PLR2004


@dataclass
class _Styles:
    """Which styles hide text, by themselves or by the style they are based on."""

    _vanish: set[str] = field(default_factory=set)
    _based: dict[str, str] = field(default_factory=dict)
    _style: str = ""

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        if tag == "style":
            self._style = attrib.get("styleId", "")
        elif tag == "basedOn":
            self._based[self._style] = attrib.get("val", "")
        elif self._style and ((tag == "vanish" and _is_on(attrib)) or _is_tiny(tag, attrib)):
            self._vanish.add(self._style)

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ""

    def data(self, text: str) -> None:
        pass

    def hidden(self) -> frozenset[str]:
        found = set(self._vanish)
        for style in self._based:
            seen = [style]
            while (base := self._based.get(seen[-1], "")) and base not in seen and len(seen) < 20:  # noqa: PLR2004
                seen.append(base)
            if self._vanish & set(seen):
                found.add(style)
        return frozenset(found)


@dataclass
class _Text:
    """Writes what is seen, and counts the words of what is not."""

    out: Writing
    hiding_styles: frozenset[str]
    title: str = ""
    _open: list[str] = field(default_factory=list)
    _deleted: int = 0
    _fallback: int = 0
    _tables: int = 0
    _hidden_run: bool = False
    _hidden_paragraph: bool = False
    _white: bool = False
    _reading: str = ""
    _words: dict[str, int] = field(default_factory=dict)

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        if tag in _DELETED and self._inside() != "rPr":
            self._deleted += 1
        elif tag == "Fallback":
            self._fallback += 1
        elif tag == "tbl":
            self._tables += 1
        elif tag in {"t", "delText"}:
            self._reading = tag
        elif tag in _BREAKS and self._inside() == "r":
            self._write(_BREAKS[tag])
        else:
            self._look(tag, attrib)
        self._open.append(tag)

    def end(self, tag: str) -> None:
        if self._open:
            self._open.pop()
        if tag in _DELETED and self._inside() != "rPr":
            self._deleted = max(0, self._deleted - 1)
        elif tag == "Fallback":
            self._fallback = max(0, self._fallback - 1)
        elif tag == "r":
            self._hidden_run = self._white = False
        elif tag == "p":
            self._hidden_paragraph = False
            self._write(" " if self._tables else "\n")
        elif tag == "tc":
            self._write(" | ")
        elif tag == "tr":
            self._write("\n")
        elif tag == "tbl":
            self._tables = max(0, self._tables - 1)
        elif tag in {"t", "delText"}:
            self._reading = ""

    def data(self, text: str) -> None:
        if not self._reading or self._fallback:
            return
        if self._deleted or self._reading == "delText":
            self._count("deleted", text)
        elif self._hidden_run or self._hidden_paragraph:
            self._count("hidden", text)
        else:
            if self._white:
                self._count("white", text)
            self._write(text)

    def reset(self) -> None:
        """Begin the next part."""
        self._open.clear()
        self._deleted = self._fallback = self._tables = 0
        self._hidden_run = self._hidden_paragraph = self._white = False
        self._reading = ""

    def tell(self) -> None:
        said = {
            "deleted": "deleted, with the change kept in the file",
            "hidden": "hidden",
            "white": "in white",
        }
        for what, words in self._words.items():
            verb = "is" if words == 1 else "are"
            self.out.defects.append(f"{many(words, 'word')} {verb} {said[what]}")

    def _look(self, tag: str, attrib: dict[str, str]) -> None:
        """Note what hides the text of a run or of a paragraph."""
        inside = self._inside()
        if inside == "pPr" and tag == "pStyle":
            self._hidden_paragraph = attrib.get("val", "") in self.hiding_styles
        if inside != "rPr" or "pPr" in self._open:
            return
        if (
            (tag in {"vanish", "webHidden", "specVanish"} and _is_on(attrib))
            or (tag == "rStyle" and attrib.get("val", "") in self.hiding_styles)
            or _is_tiny(tag, attrib)
        ):
            self._hidden_run = True
        elif tag == "color" and _is_white(attrib):
            self._white = True

    def _inside(self) -> str:
        return self._open[-1] if self._open else ""

    def _write(self, text: str) -> None:
        if self._fallback:
            return
        if self.title and text.strip():
            self.out.line(f"\n{self.title}")
            self.title = ""
        if text.strip() or not self.title:
            self.out.add(text)

    def _count(self, what: str, text: str) -> None:
        self._words[what] = self._words.get(what, 0) + len(text.split())


def _is_white(colour: dict[str, str]) -> bool:
    """Return whether a colour is white, nearly white, or that of the page."""
    is_nearly = _NEARLY_WHITE.fullmatch(colour.get("val", "")) is not None
    return is_nearly or colour.get("themeColor") in {"background1", "light1"}
