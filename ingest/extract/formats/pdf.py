"""The text of a PDF, page by page."""

import pypdfium2 as pdfium

from ingest.extract.extracted import ExtractLimits, NotReadableError, Writing, many


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
    for number in range(min(out.pages, limits.pages)):
        try:
            words = _page(document, number, limits.characters)
        except pdfium.PdfiumError:
            broken += 1
            continue
        if words.strip():
            out.line(f"[page {number + 1}]")
            out.line(words)
        else:
            silent += 1
    if broken:
        out.defects.append(f"{many(broken, 'page')} could not be read")
    if out.pages > limits.pages:
        out.truncated = True
        out.defects.append(f"only the first {limits.pages:,} of {out.pages:,} pages were read")
    if silent and silent + broken == min(out.pages, limits.pages):
        out.defects.append("its pages are pictures: no text was found in them")
    elif silent:
        out.defects.append(f"{many(silent, 'page')} without text, empty or a picture")


def _page(document: "pdfium.PdfDocument", number: int, most: int) -> str:
    page = document[number]
    try:
        words = page.get_textpage()
        try:
            count = min(words.count_chars(), most + 1)
            return str(words.get_text_range(0, count)) if count > 0 else ""
        finally:
            words.close()
    finally:
        page.close()
