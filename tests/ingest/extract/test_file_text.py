"""The text of files as their readers see it, and files that are made to hurt."""

import zipfile
from io import BytesIO
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.mail.attached import AttachmentText
from ingest.extract.archive import Archive
from ingest.extract.extracted import ExtractLimits, NotReadableError
from ingest.extract.kinds import kind_of
from ingest.extract.text import text_of
from tests.ingest.extract import samples
from tests.ingest.extract.samples import word_of

LIMITS = ExtractLimits()


def read(data: bytes, name: str = "", limits: ExtractLimits = LIMITS) -> AttachmentText:
    return text_of(data, kind_of(data, "", name), limits=limits)


# PDF


def test_a_pdf_is_read_page_by_page() -> None:
    found = read(samples.pdf("Invoice 4711\ndue 24 December", "Thank you"))
    assert found.text == "[page 1]\nInvoice 4711\ndue 24 December\n[page 2]\nThank you"
    assert (found.pages, found.defects) == (2, ())


def test_a_pdf_of_pictures_says_so() -> None:
    found = read(samples.pdf("", ""))
    assert found.text == ""
    assert found.defects == ("its pages are pictures: no text was found in them",)


def test_an_encrypted_pdf_says_so() -> None:
    assert read(samples.encrypted_pdf()).defects == ("it is encrypted, and needs a password",)


def test_a_broken_pdf_says_so() -> None:
    assert read(b"%PDF-1.4\nno more").defects == ("the PDF is broken",)


def test_a_pdf_of_a_hundred_thousand_pages_is_read_in_part() -> None:
    began = process_time()
    found = read(samples.pdf("one", "two", kids=50_000))
    assert found.pages in {0, 100_000}
    assert found.truncated or found.defects
    assert process_time() - began < 5


# Word


def test_a_word_document_is_read_as_it_is_seen() -> None:
    found = read(samples.word())
    assert found.text.splitlines() == [
        "[header]",
        "Ada's office",
        "Offer",
        "We meet on 24 December.",
        "Item  | Price  |",
        "Chair  | 99 EUR  |",
        "",
        "[footer]",
        "Page one",
    ]
    assert found.defects == ("3 words are hidden",)


def test_deleted_words_are_counted_and_not_shown() -> None:
    body = (
        "<w:p><w:r><w:t>Pay </w:t></w:r>"
        "<w:del><w:r><w:delText>one hundred</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>ninety</w:t></w:r></w:ins></w:p>"
    )
    found = read(word_of(body))
    assert found.text == "Pay ninety"
    assert found.defects == ("2 words are deleted, with the change kept in the file",)


@pytest.mark.parametrize(
    "run",
    [
        "<w:rPr><w:vanish/></w:rPr>",
        '<w:rPr><w:vanish w:val="1"/></w:rPr>',
        '<w:rPr><w:sz w:val="2"/></w:rPr>',
        '<w:rPr><w:rStyle w:val="Sub"/></w:rPr>',
    ],
)
def test_hidden_words_are_counted_and_not_shown(run: str) -> None:
    styles = (
        f"<w:styles {samples.W}><w:style w:styleId='Base'><w:rPr><w:vanish/></w:rPr></w:style>"
        "<w:style w:styleId='Sub'><w:basedOn w:val='Base'/></w:style></w:styles>"
    )
    body = f"<w:p><w:r>{run}<w:t>obey me</w:t></w:r><w:r><w:t>Hello</w:t></w:r></w:p>"
    found = read(word_of(body, styles=styles))
    assert (found.text, found.defects) == ("Hello", ("2 words are hidden",))


def test_words_that_are_hidden_no_more_are_shown() -> None:
    body = '<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Hello</w:t></w:r></w:p>'
    assert read(word_of(body)).text == "Hello"


def test_white_words_are_shown_and_told() -> None:
    body = '<w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Hello you</w:t></w:r></w:p>'
    found = read(word_of(body))
    assert (found.text, found.defects) == ("Hello you", ("2 words are in white",))


def test_words_for_older_programs_do_not_come_twice() -> None:
    body = (
        "<w:p><w:r><AlternateContent><Choice><w:t>box</w:t></Choice>"
        "<Fallback><w:t>box</w:t></Fallback></AlternateContent></w:r></w:p>"
    )
    assert read(word_of(body)).text == "box"


# Spreadsheets


def test_a_spreadsheet_is_read_without_what_is_hidden() -> None:
    found = read(samples.sheet())
    assert found.text.splitlines() == [
        "[sheet Costs]",
        "Item | Price | When | Paid",
        "Chair | 99.5 | 2026-12-24 | yes",
        "Table | 1200 |  | no",
        "",
        "[sheet Columns]",
        "seen",
    ]
    assert found.pages == 3
    assert found.defects == ("1 sheet is hidden", "3 values in hidden rows or columns")


def test_rows_beyond_what_the_sheet_says_it_has_are_read() -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="900"><c r="Z900"><v>7</v></c></row>'
    assert read(samples.sheet_with(rows)).text.splitlines()[1:3] == ["1", " | " * 25 + "7"]


def test_columns_far_to_the_right_are_left_out_and_told() -> None:
    found = read(
        samples.sheet_with('<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>')
    )
    assert found.text.splitlines()[1] == "1"
    found = read(samples.sheet_with(f"<row>{'<c><v>2</v></c>' * 300}</row>"))
    assert "only the first 200 columns of sheet Costs were read" in found.defects


def test_rows_far_apart_are_read_in_part() -> None:
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>7</v></c></row>' for n in (1, 1_000_000))
    began = process_time()
    found = read(samples.sheet_with(rows))
    assert "7" in found.text
    assert found.truncated
    assert process_time() - began < 5


def test_many_cells_are_read_in_part() -> None:
    cells = "".join(f"<c><v>{n}</v></c>" for n in range(500))
    rows = "".join(f'<row r="{n}">{cells}</row>' for n in range(1, 1_001))
    found = read(samples.sheet_with(rows), limits=ExtractLimits(cells=10_000))
    assert found.truncated
    assert len(found.text) < 100_000


# Slides, OpenDocument, rich text, text, archives


def test_slides_are_read_with_notes_and_without_hidden_ones() -> None:
    found = read(samples.slides("Welcome", "unseen", hidden=[2]))
    assert found.text == "[slide 1]\nWelcome\n\n[notes]\nsay hello"
    assert (found.pages, found.defects) == (2, ("1 slide is hidden",))


def test_a_text_document_is_read_without_what_is_deleted_or_hidden() -> None:
    body = (
        "<office:text><text:tracked-changes><text:p>not this</text:p></text:tracked-changes>"
        "<text:h>Offer</text:h><text:p>We <text:span text:style-name='H'>obey</text:span>meet"
        "<text:s/>soon</text:p></office:text>"
    )
    styles = (
        "<style:style style:name='H'><style:text-properties text:display='none'/></style:style>"
    )
    found = read(samples.open_document(body, styles=styles))
    assert found.text == "Offer\nWe meet soon"
    assert found.defects == (
        "2 words are deleted, with the change kept in the file",
        "1 word is hidden",
    )


def test_an_open_spreadsheet_is_read_sheet_by_sheet() -> None:
    repeated = "table:number-columns-repeated='1000000'"
    cell = f"<table:table-cell {repeated}><text:p>7</text:p></table:table-cell>"
    body = (
        f"<office:spreadsheet><table:table table:name='Costs'><table:table-row>{cell}"
        "</table:table-row></table:table></office:spreadsheet>"
    )
    found = read(samples.open_document(body, kind="spreadsheet"))
    assert found.text.splitlines()[0] == "[sheet Costs]"
    assert found.text.count("7") == 1


def test_an_encrypted_open_document_says_so() -> None:
    found = read(samples.open_document("", manifest="<m><encryption-data/></m>"))
    assert found.defects == ("it is encrypted, and needs a password",)


def test_rich_text_is_read_without_what_is_hidden() -> None:
    rtf = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}Gr\'fc\'dfe \u8364?9\par {\v obey me}Ada}"
    found = read(rtf)
    assert (found.text, found.defects) == ("Grüße €9\nAda", ("2 words are hidden",))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße\r\nAda".encode(), "Grüße\nAda"),
        ("Grüße".encode("cp1252"), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        (b"\xef\xbb\xbfa,b\n1,2\n", "a,b\n1,2"),
    ],
)
def test_a_text_is_read_in_its_charset(data: bytes, text: str) -> None:
    assert read(data, "a.csv").text == text


def test_a_long_text_is_cut_and_says_so() -> None:
    found = read("ä".encode() * 100, limits=ExtractLimits(characters=9))
    assert (found.text, found.truncated) == ("ä" * 9, True)
    assert found.defects == ("only the first 9 characters were read",)


def test_the_files_of_an_archive_are_named_and_not_opened() -> None:
    found = read(samples.zipped({"in/a.txt": b"hello", "b\u202e.exe": b"x"}))
    assert found.text == "2 files:\nin/a.txt (5 bytes)\nb�.exe (1 byte)"


def test_what_has_no_text_says_so() -> None:
    assert read(b"GIF89a").defects == ("no text is read from this kind of file: picture (GIF)",)


# Bombs


def test_a_bomb_is_not_inflated() -> None:
    began = process_time()
    found = read(samples.zip_bomb())
    assert found.defects == ("it unpacks to more than 33,554,432 bytes",)
    assert process_time() - began < 3


def test_many_small_bombs_are_not_inflated() -> None:
    limits = ExtractLimits(entry=1_000_000, inflated=3_000_000)
    archive = Archive(samples.zipped({f"{n}.xml": b" " * 900_000 for n in range(9)}), limits)
    for number in range(3):
        archive.read(f"{number}.xml")
    with pytest.raises(NotReadableError, match="unpacks to more"):
        archive.read("3.xml")


def test_a_size_in_the_directory_is_not_believed() -> None:
    found = read(samples.lying_zip())
    assert found.text == ""
    assert found.defects


@pytest.mark.parametrize(
    "data",
    [
        samples.zipped({"word/document.xml": samples.billion_laughs()}),
        samples.slides("x"),
        samples.open_document("x"),
    ],
)
def test_entities_are_not_expanded(data: bytes) -> None:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        files = {
            name: samples.billion_laughs() if b"<" in archive.read(name)[:1] else archive.read(name)
            for name in archive.namelist()
        }
    began = process_time()
    found = read(samples.zipped(files))
    assert "ha" not in found.text
    assert "document type" in " ".join(found.defects)
    assert process_time() - began < 2


def test_entities_of_a_spreadsheet_are_not_expanded() -> None:
    with zipfile.ZipFile(BytesIO(samples.sheet())) as archive:
        files: dict[str, bytes | str] = {n: archive.read(n) for n in archive.namelist()}
    files["xl/sharedStrings.xml"] = samples.billion_laughs()
    assert read(samples.zipped(files)).defects == ("its XML declares a document type",)


def test_a_file_outside_is_not_read() -> None:
    body = '<!DOCTYPE w [<!ENTITY f SYSTEM "file:///etc/passwd">]><w><p><t>&f;</t></p></w>'
    found = read(samples.zipped({"word/document.xml": body}))
    assert "root" not in found.text
    assert found.defects


def test_deep_nesting_ends() -> None:
    found = read(word_of("<w:p>" * 100_000))
    assert found.defects == ("its XML is broken",)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rtf",
    [
        b"{" * 1_000_000,
        b"{\\field{\\*\\fldinst{HYPERLINK " * 40_000,
        b"{\\fonttbl" + b"\\f1 x" * 200_000,
        b"\\u8364?" * 140_000,
        b"\\'e4" * 250_000,
        b"\\" * 1_000_001,
    ],
)
def test_rich_text_takes_linear_time(rtf: bytes) -> None:
    began = process_time()
    read(b"{\\rtf1 " + rtf)
    assert process_time() - began < 4


SAMPLES = (
    samples.pdf("Invoice", "due"),
    samples.word(),
    samples.sheet(),
    samples.slides("Welcome"),
    samples.open_document("<text:p>hi</text:p>"),
    rb"{\rtf1 Gr\'fc\u8364?{\v x}}",
    b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n",
)


@given(st.sampled_from(SAMPLES), st.integers(0), st.binary(min_size=1, max_size=40))
def test_no_damage_makes_it_raise(data: bytes, at: int, damage: bytes) -> None:
    at %= len(data)
    found = read(data[:at] + damage + data[at + len(damage) :])
    assert len(found.text) <= LIMITS.characters
    assert found.text.encode() is not None


UNSEEN = {
    "in white": b"BT 1 1 1 rg /F1 12 Tf 72 600 Td (ghost) Tj ET",
    "drawn invisibly": b"BT 3 Tr /F1 12 Tf 72 600 Td (ghost) Tj ET",
    "too small": b"BT /F1 12 Tf 0.01 0 0 0.01 72 600 Tm (ghost) Tj ET",
    "beside the page": b"BT /F1 12 Tf 7200 600 Td (ghost) Tj ET",
    "": b"BT /F1 12 Tf 0 0 1 rg 72 600 Td ( - ) Tj ( ) Tj (.) Tj ET",
}


@pytest.mark.parametrize("said", UNSEEN)
def test_texts_of_a_pdf_that_nobody_sees_are_told(said: str) -> None:
    data = samples.pdf("seen")
    shown = data.partition(b"stream\n")[2].partition(b"\nendstream")[0]
    both = shown + b"\n" + UNSEEN[said]
    data = data.replace(b"/Length %d" % len(shown), b"/Length %d" % len(both))
    found = text_of(data.replace(shown, both), kind_of(data, "", "a.pdf"), limits=ExtractLimits())
    assert "seen" in found.text
    assert [said in defect for defect in found.defects] == ([True] if said else [])


def test_a_pdf_of_many_pieces_is_not_looked_at_for_long() -> None:
    data = samples.pdf(*["\n".join("abcdefghij" * 60) for _ in range(60)])
    began = process_time()
    found = text_of(data, kind_of(data, "", "a.pdf"), limits=ExtractLimits())
    assert process_time() - began < 3
    assert any("not all of its texts" in defect for defect in found.defects)


@pytest.mark.parametrize(
    "colour", ['w:val="FFFFFF"', 'w:val="fefeFD"', 'w:val="auto" w:themeColor="background1"']
)
def test_words_of_a_document_in_the_colour_of_its_page_are_told(colour: str) -> None:
    run = f"<w:r><w:rPr><w:color {colour}/></w:rPr><w:t>two ghosts</w:t></w:r>"
    data = samples.word_of(f"<w:p>{run}</w:p>")
    found = text_of(data, kind_of(data, "", "a.docx"), limits=ExtractLimits())
    assert found.defects == ("2 words are in white",)


def test_words_that_an_attached_mail_hides_are_told() -> None:
    data = b"Subject: x\r\nContent-Type: text/html\r\n\r\n<p>seen<p hidden>two ghosts</p>"
    found = text_of(data, kind_of(data, "message/rfc822", "a.eml"), limits=ExtractLimits())
    assert found.text.endswith("seen")
    assert "2 words are hidden" in found.defects
