"""The text of documents, spreadsheets and slides of LibreOffice (OpenDocument)."""

from dataclasses import dataclass, field

from ingest.extract.archive import Archive
from ingest.extract.extracted import ExtractLimits, NotReadableError, Writing, many
from ingest.extract.markup import read_markup

_HIDDEN = frozenset({"hidden-text", "hidden-paragraph"})
_UNSEEN = frozenset({"tracked-changes", "annotation", "automatic-styles", "styles", "scripts"})
_BLOCKS = frozenset({"p", "h"})


def read_open_document(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write the text of an .odt, .ods or .odp file, sheets and slides below their names.

    Deleted text whose change is kept, hidden text, sheets and rows are counted and left out.

    Raises:
        NotReadableError: it is encrypted or broken, or unpacks to too much.
        FullError: the text is longer than the limit.
    """
    archive = Archive(data, limits)
    if b"encryption-data" in archive.read_if_there("META-INF/manifest.xml"):
        raise NotReadableError("it is encrypted, and needs a password")
    if archive.ambiguous:
        out.defects.append("it holds two parts of one name; another program may show other text")
    content = archive.read("content.xml")
    styles = _HiddenStyles()
    read_markup(content, styles)
    text = _OpenText(out, limits, frozenset(styles.found))
    try:
        read_markup(content, text)
    finally:
        text.tell()


@dataclass
class _HiddenStyles:
    """The styles of text and of tables that are not shown."""

    found: set[str] = field(default_factory=set)
    _style: str = ""

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        if tag == "style":
            self._style = attrib.get("name", "")
        elif (tag == "text-properties" and attrib.get("display") == "none") or (
            tag == "table-properties" and attrib.get("display") == "false"
        ):
            self.found.add(self._style)

    def end(self, tag: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


@dataclass
class _OpenText:
    out: Writing
    limits: ExtractLimits
    hiding: frozenset[str]
    _skip: list[str] = field(default_factory=list)
    _hidden_words: int = 0
    _deleted_words: int = 0
    _hidden_tables: int = 0
    _blocks: int = 0
    _cells: int = 0
    _rows: int = 0

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        if self._skip:
            self._skip.append(tag)
        elif tag in _UNSEEN or tag in _HIDDEN or attrib.get("style-name") in self.hiding:
            self._hidden_tables += tag == "table"
            self._skip.append(tag)
        elif tag in {"table-row", "table-column"} and attrib.get("visibility", "") in {
            "collapse",
            "filter",
        }:
            self._skip.append(tag)
        elif tag == "table" and attrib.get("name"):
            self.out.pages += 1
            self._rows = 0
            self.out.line(f"\n[sheet {attrib['name'][:100]}]")
        elif tag == "page" and "master-page-name" in attrib:
            self.out.pages += 1
            self.out.line(f"\n[slide {self.out.pages}]")
        elif tag in _BLOCKS:
            self._blocks += 1
        elif tag == "tab":
            self.out.add("\t")
        elif tag == "line-break":
            self.out.add("\n")
        elif tag == "s":
            self.out.add(" ")

    def end(self, tag: str) -> None:
        if self._skip:
            self._skip.pop()
        elif tag in _BLOCKS:
            self._blocks -= 1
            self.out.add(" " if self._cells else "\n")
        elif tag == "table-cell":
            self.out.add(" | ")
        elif tag == "table-row":
            self._rows += 1
            self.out.add("\n")

    def data(self, text: str) -> None:
        if self._skip:
            if "tracked-changes" in self._skip:
                self._deleted_words += len(text.split())
            elif self._skip[0] not in _UNSEEN:
                self._hidden_words += len(text.split())
        elif self._blocks:
            self.out.add(" ".join(text.split()) if text.isspace() else text)

    def tell(self) -> None:
        for count, said in (
            (self._deleted_words, "deleted, with the change kept in the file"),
            (self._hidden_words, "hidden"),
        ):
            if count:
                verb = "is" if count == 1 else "are"
                self.out.defects.append(f"{many(count, 'word')} {verb} {said}")
        if self._hidden_tables:
            verb = "is" if self._hidden_tables == 1 else "are"
            self.out.defects.append(f"{many(self._hidden_tables, 'sheet')} {verb} hidden")
