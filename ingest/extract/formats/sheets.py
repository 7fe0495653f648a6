"""The values in a spreadsheet, as they were last calculated."""

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

from ingest.extract.archive import Archive
from ingest.extract.extracted import ExtractLimits, FullError, NotReadableError, Writing, many
from ingest.extract.markup import read_markup

_NEEDED = (".xml", ".rels")
_MEDIA = ("xl/media/", "xl/drawings/", "xl/embeddings/", "xl/printerSettings/", "docProps/")


def read_sheets(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write the rows of each sheet of an .xlsx file below ``[sheet NAME]``.

    Hidden sheets, rows and columns are counted and left out.

    Raises:
        NotReadableError: it is encrypted or broken, or unpacks to too much.
        FullError: the text is longer than the limit.
    """
    from openpyxl import load_workbook  # noqa: PLC0415 (it takes long to import)

    archive = Archive(data, limits)
    if archive.ambiguous:
        out.defects.append("it holds two parts of one name; another program may show other values")
    whole = _unpacked(archive)
    try:
        book = load_workbook(whole, read_only=True, data_only=True, keep_links=False)
    # The library documents no errors for what no program would write.
    except Exception as error:
        raise NotReadableError("the spreadsheet is broken") from error
    _Book(zipfile.ZipFile(whole), out, limits).read(book)


def _unpacked(archive: Archive) -> io.BytesIO:
    """Return an archive of the same XML without compression: the library inflates without limit."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as repacked:
        for name in sorted(archive.names):
            if name.lower().endswith(_NEEDED) and not name.startswith(_MEDIA):
                content = archive.read(name)
                _refuse_entities(content)
                repacked.writestr(name, content)
    whole.seek(0)
    return whole


def _refuse_entities(content: bytes) -> None:
    for coded in ("utf-8", "utf-16-le", "utf-16-be"):
        if "<!DOCTYPE".encode(coded) in content or "<!ENTITY".encode(coded) in content:
            raise NotReadableError("its XML declares a document type")


@dataclass
class _Hidden:
    """The hidden rows and columns of a sheet."""

    rows: set[int] = field(default_factory=set)
    columns: list[tuple[int, int]] = field(default_factory=list)
    most: int = 100_000
    _row: int = 0

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        hides = attrib.get("hidden", "0") in {"1", "true"}
        if tag == "row":
            self._row = _number(attrib.get("r", "")) or self._row + 1
            if (hides or attrib.get("ht") == "0") and len(self.rows) < self.most:
                self.rows.add(self._row)
        elif tag == "col" and hides and len(self.columns) < self.most:
            span = _number(attrib.get("min", "")), _number(attrib.get("max", ""))
            self.columns.append(span)

    def end(self, tag: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass

    def first_columns(self, most: int) -> frozenset[int]:
        return frozenset(
            number
            for first, last in self.columns[:most]
            for number in range(first, min(last, most) + 1)
        )


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0  # noqa: PLR2004


@dataclass
class _Book:
    archive: zipfile.ZipFile
    out: Writing
    limits: ExtractLimits
    cells: int = 0
    hidden_cells: int = 0

    def read(self, book: Any) -> None:
        sheets = list(book.worksheets)
        self.out.pages = len(sheets)
        seen = [sheet for sheet in sheets if sheet.sheet_state == "visible"]
        try:
            for sheet in seen[: self.limits.pages]:
                self._read_sheet(sheet)
        finally:
            if len(seen) < len(sheets):
                hidden = len(sheets) - len(seen)
                verb = "is" if hidden == 1 else "are"
                self.out.defects.append(f"{many(hidden, 'sheet')} {verb} hidden")
            if self.hidden_cells:
                self.out.defects.append(
                    f"{many(self.hidden_cells, 'value')} in hidden rows or columns"
                )

    def _read_sheet(self, sheet: Any) -> None:
        self.out.line(f"\n[sheet {str(sheet.title)[:100]}]")
        try:
            hidden = self._hidden(str(getattr(sheet, "_worksheet_path", "")))
            columns = hidden.first_columns(self.limits.columns)
            sheet.reset_dimensions()  # what the file says of its size is not relied on
            rows = sheet.iter_rows(max_col=self.limits.columns + 1, values_only=True)
            for number, row in enumerate(rows, 1):
                if number > self.limits.rows or self.cells > self.limits.cells:
                    self.out.truncated = True
                    self.out.defects.append(f"sheet {str(sheet.title)[:40]} was read in part")
                    return
                if len(row) > self.limits.columns and row[-1] is not None:
                    self._tell_columns(sheet)
                seen = row[: self.limits.columns]
                self._read_row(seen, columns, hide=number in hidden.rows)
        except (FullError, MemoryError):
            raise
        # The library documents no errors for what no program would write.
        except Exception as error:  # noqa: BLE001
            why = str(error) if isinstance(error, NotReadableError) else "it is broken"
            self.out.defects.append(f"sheet {str(sheet.title)[:40]} could not be read: {why}")

    def _tell_columns(self, sheet: Any) -> None:
        self.out.truncated = True
        name = str(sheet.title)[:40]
        most = self.limits.columns
        self.out.defects.append(f"only the first {most} columns of sheet {name} were read")

    def _hidden(self, path: str) -> _Hidden:
        hidden = _Hidden()
        name = path.removeprefix("/")
        if name in self.archive.NameToInfo:
            read_markup(self.archive.read(name), hidden)
        return hidden

    def _read_row(self, row: Iterable[object], columns: frozenset[int], *, hide: bool) -> None:
        values = []
        for column, value in enumerate(row, 1):
            if value is None:
                values.append("")
                continue
            self.cells += 1
            if hide or column in columns:
                self.hidden_cells += 1
            else:
                values.append(_written(value))
        if any(values):
            self.out.line(" | ".join(values).rstrip(" |"))


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        whole_day = value.time() == time()
        return value.date().isoformat() if whole_day else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, int):
        return "a very large number" if value.bit_length() > 256 else str(value)  # noqa: PLR2004
    return " ".join(str(value).split())
