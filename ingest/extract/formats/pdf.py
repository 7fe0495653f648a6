"""The text of a PDF, page by page."""

from collections import Counter
from collections.abc import Sequence
from ctypes import byref, c_float, c_uint
from itertools import islice
from math import hypot

import pypdfium2 as pdfium
from pypdfium2 import raw

from ingest.extract.extracted import ExtractLimits, NotReadableError, Writing, many

OBJECTS = 20_000
"""The most objects of all pages that are looked at for texts that a reader does not see."""
_WHITE = 0xF0
_TINY = 1.0
"""Points: letters of this size are a line."""
_UNSEEN = {
    "white": "in white or without colour",
    "invisible": "drawn invisibly, as in scans",
    "tiny": "too small to be read",
    "beside": "beside the page",
}


def read_pdf(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write the text of each page below a mark such as ``[page 2]``.

    Raises:
        NotReadableError: it is encrypted or broken.
        FullError: the text is longer than the limit.
    """
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise NotReadableError("it is encrypted, and needs a password") from error
        raise NotReadableError("the PDF is broken") from error
    try:
        _read_pages(document, out, limits)
    finally:
        document.close()


def _read_pages(document: "pdfium.PdfDocument", out: Writing, limits: ExtractLimits) -> None:
    out.pages = len(document)
    silent = broken = 0
    unseen = Counter[str]()
    left = OBJECTS
    for number in range(min(out.pages, limits.pages)):
        try:
            words, looked_at = _page(document, number, limits.characters, left, unseen)
        except pdfium.PdfiumError:
            broken += 1
            continue
        left -= looked_at
        if words.strip():
            out.line(f"[page {number + 1}]")
            out.line(words)
        else:
            silent += 1
    _tell(unseen, out, all_seen=left > 0)
    if broken:
        out.defects.append(f"{many(broken, 'page')} could not be read")
    if out.pages > limits.pages:
        out.truncated = True
        out.defects.append(f"only the first {limits.pages:,} of {out.pages:,} pages were read")
    if silent and silent + broken == min(out.pages, limits.pages):
        out.defects.append("its pages are pictures: no text was found in them")
    elif silent:
        out.defects.append(f"{many(silent, 'page')} without text, empty or a picture")


def _tell(unseen: Counter[str], out: Writing, *, all_seen: bool) -> None:
    for kind, said in _UNSEEN.items():
        if count := unseen[kind]:
            out.defects.append(f"{many(count, 'text')} {'is' if count == 1 else 'are'} {said}")
    if not all_seen:
        out.defects.append("not all of its texts were looked at for whether a reader sees them")


def _page(
    document: "pdfium.PdfDocument", number: int, most: int, left: int, unseen: Counter[str]
) -> tuple[str, int]:
    """Return the text of a page, and how much of it was looked at; count unseen texts."""
    page = document[number]
    try:
        words = page.get_textpage()
        try:
            looked_at = _look(page, left, unseen)
            count = min(words.count_chars(), most + 1)
            return (str(words.get_text_range(0, count)) if count > 0 else ""), looked_at
        finally:
            words.close()
    finally:
        page.close()


def _look(page: "pdfium.PdfPage", left: int, unseen: Counter[str]) -> int:
    """Count the texts of a page that its reader does not see; return how much was looked at."""
    looked_at = 0
    edges = page.get_mediabox()
    for one in islice(page.get_objects(), max(left, 0)):
        looked_at += 1
        if one.type == raw.FPDF_PAGEOBJ_TEXT and (kind := _unseen(one, edges)):
            unseen[kind] += 1
    return looked_at


def _unseen(text: "pdfium.PdfObject", edges: Sequence[float]) -> str:
    """Return why a text is not seen; empty where it is, as far as it is looked at."""
    if raw.FPDFTextObj_GetTextRenderMode(text) == raw.FPDF_TEXTRENDERMODE_INVISIBLE:
        return "invisible"
    colours = [c_uint() for _ in range(4)]
    if raw.FPDFPageObj_GetFillColor(text, *map(byref, colours)):
        *inks, opaque = (colour.value for colour in colours)
        if min(inks) >= _WHITE or opaque == 0:
            return "white"
    size, turned = c_float(), text.get_matrix()
    is_sized = raw.FPDFTextObj_GetFontSize(text, byref(size))
    if is_sized and abs(size.value) * hypot(turned.c, turned.d) < _TINY:
        return "tiny"
    left, bottom, right, top = text.get_bounds()
    is_beside = right < edges[0] or top < edges[1] or left > edges[2] or bottom > edges[3]
    return "beside" if is_beside and text.level == 0 else ""
