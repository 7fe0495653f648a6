"""Files of each kind, honest and hostile, made here."""

import io
import struct
import zipfile
from collections.abc import Iterable, Mapping
from datetime import date

import docx
import openpyxl

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def zipped(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return whole.getvalue()


def pdf(*pages: str, kids: int = 1) -> bytes:
    """A PDF with a page for each text; ``kids`` names each page so many times."""
    objects: list[bytes] = []

    def add(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    font = add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    numbers = []
    for page in pages:
        lines = b" ".join(b"(%s) Tj 0 -14 Td" % line.encode() for line in page.split("\n"))
        stream = b"BT /F1 12 Tf 72 720 Td " + lines + b" ET" if page else b""
        content = add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        numbers.append(
            add(
                b"<< /Type /Page /Parent PARENT /MediaBox [0 0 612 792] "
                b"/Resources << /Font << /F1 %d 0 R >> >> /Contents %d 0 R >>" % (font, content)
            )
        )
    named = b" ".join(b"%d 0 R" % number for number in numbers * kids)
    count = len(numbers) * kids
    parent = add(b"<< /Type /Pages /Kids [%s] /Count %d >>" % (named, count))
    catalog = add(b"<< /Type /Catalog /Pages %d 0 R >>" % parent)
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        body = body.replace(b"PARENT", b"%d 0 R" % parent)  # noqa: PLW2901
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root %d 0 R >>\n" % (len(objects) + 1, catalog)
    return bytes(out + b"startxref\n%d\n%%%%EOF" % table)


def encrypted_pdf() -> bytes:
    """A PDF whose trailer asks for a password that nobody gives."""
    entry = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (
        b"41" * 32,
        b"42" * 32,
    )
    return pdf("secret").replace(b"trailer << ", b"trailer << /ID [<61> <61>] " + entry + b" ")


def word() -> bytes:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Ada's office"
    document.sections[0].footer.paragraphs[0].text = "Page one"
    document.add_heading("Offer", 1)
    document.add_paragraph("We meet on 24 December.")
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "Item"
    table.cell(0, 1).text = "Price"
    table.cell(1, 0).text = "Chair"
    table.cell(1, 1).text = "99 EUR"
    document.add_paragraph().add_run("an unseen order").font.hidden = True
    whole = io.BytesIO()
    document.save(whole)
    return whole.getvalue()


def word_of(body: str, **files: str) -> bytes:
    """A Word document with this body, and other parts such as ``styles``."""
    document = f"{DECLARATION}<w:document {W}><w:body>{body}</w:body></w:document>"
    parts = {"[Content_Types].xml": "<Types/>", "word/document.xml": document}
    parts |= {f"word/{name}.xml": content for name, content in files.items()}
    return zipped(parts)


def sheet() -> bytes:
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "Costs"
    first.append(["Item", "Price", "When", "Paid"])
    first.append(["Chair", 99.5, date(2026, 12, 24), True])
    first.append(["unseen row", 1, None, None])
    first.append(["Table", 1200, None, False])
    first.row_dimensions[3].hidden = True
    secret = book.create_sheet("Secret")
    secret.append(["unseen sheet"])
    secret.sheet_state = "hidden"
    last = book.create_sheet("Columns")
    last.append(["seen", "unseen column"])
    last.column_dimensions["B"].hidden = True
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def sheet_with(rows: str) -> bytes:
    """A spreadsheet whose only sheet has these rows, as XML."""
    with zipfile.ZipFile(io.BytesIO(sheet())) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    start, rest = files["xl/worksheets/sheet1.xml"].split(b"<sheetData>")
    _, end = rest.split(b"</sheetData>")
    files["xl/worksheets/sheet1.xml"] = (
        start + b"<sheetData>" + rows.encode() + b"</sheetData>" + end
    )
    return zipped(files)


def slides(*texts: str, hidden: Iterable[int] = ()) -> bytes:
    files: dict[str, bytes | str] = {
        "[Content_Types].xml": "<Types/>",
        "ppt/presentation.xml": "<p/>",
    }
    for number, text in enumerate(texts, 1):
        show = ' show="0"' if number in hidden else ""
        files[f"ppt/slides/slide{number}.xml"] = (
            f'<p:sld xmlns:p="p" xmlns:a="a"{show}><a:p><a:t>{text}</a:t></a:p></p:sld>'
        )
    files["ppt/notesSlides/notesSlide1.xml"] = (
        '<p:notes xmlns:p="p" xmlns:a="a"><a:p><a:t>say hello</a:t></a:p></p:notes>'
    )
    return zipped(files)


OPEN = 'xmlns:office="o" xmlns:text="t" xmlns:table="tb" xmlns:style="s"'


def open_document(body: str, kind: str = "text", styles: str = "", manifest: str = "<m/>") -> bytes:
    content = (
        f"<office:document-content {OPEN}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "META-INF/manifest.xml": manifest,
        }
    )


def zip_bomb(name: str = "word/document.xml", size: int = 200_000_000) -> bytes:
    """An archive of one file that inflates a thousand times, as a Word document."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open(name, "w", force_zip64=True) as opened:
            for _ in range(size // 1_000_000):
                opened.write(b" " * 1_000_000)
    return whole.getvalue()


def packed_by(method: int, packed: bytes, name: str = "mimetype") -> bytes:
    """An archive of one file whose packed bytes are these, by any method of compression."""
    called = name.encode()
    sizes = struct.pack("<III", 0, len(packed), 10)
    local = struct.pack("<4sHHHHH", b"PK\x03\x04", 63, 0, method, 0, 0) + sizes
    entry = struct.pack("<4sHHHHHH", b"PK\x01\x02", 63, 63, 0, method, 0, 0) + sizes
    file = local + struct.pack("<HH", len(called), 0) + called + packed
    directory = entry + struct.pack("<HHHHHII", len(called), 0, 0, 0, 0, 0, 0) + called
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), len(file), 0)
    return file + directory + end


def lying_zip() -> bytes:
    """An archive whose directory says that its file has ten bytes, which has ten million."""
    whole = bytearray(zipped({"word/document.xml": b" " * 10_000_000}))
    at = whole.index(b"PK\x01\x02")
    struct.pack_into("<I", whole, at + 24, 10)
    return bytes(whole)


def billion_laughs() -> str:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{levels}]><x>&l9;</x>'


# winmail.dat


def attribute(tag: int, value: bytes, level: int = 1) -> bytes:
    checksum = sum(value) & 0xFFFF
    return struct.pack("<BII", level, tag, len(value)) + value + struct.pack("<H", checksum)


def properties(*found: tuple[int, int, bytes]) -> bytes:
    out = struct.pack("<I", len(found))
    for kind, tag, value in found:
        out += struct.pack("<HH", kind, tag)
        if kind in {0x1E, 0x1F, 0x102, 0xD}:
            out += struct.pack("<II", 1, len(value)) + value + b"\0" * (-len(value) % 4)
        else:
            out += value
    return out


def tnef(*attributes: bytes) -> bytes:
    return struct.pack("<IH", 0x223E9F78, 1) + b"".join(attributes)


def winmail() -> bytes:
    return tnef(
        attribute(0x89006, struct.pack("<I", 0x10000)),
        attribute(0x69007, struct.pack("<II", 1252, 0)),
        attribute(
            0x69003,
            properties(
                (0x3, 0x3FDE, struct.pack("<I", 1252)),
                (0x1F, 0x1000, "Grüße\r\nAda\0".encode("utf-16-le")),
                (0x102, 0x1013, b"<p>Gr\xfc\xdfe</p>"),
            ),
        ),
        attribute(0x69002, b"\0" * 14, 2),
        attribute(0x18010, b"REPORT~1.PDF\0", 2),
        attribute(0x6800F, pdf("in winmail"), 2),
        attribute(
            0x69005,
            properties(
                (0x1F, 0x3707, "report 2026.pdf\0".encode("utf-16-le")),
                (0x1E, 0x370E, b"application/pdf\0"),
            ),
            2,
        ),
    )
