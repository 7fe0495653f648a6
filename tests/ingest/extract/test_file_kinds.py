"""What a file is by its content, and what its name hides."""

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.limits import MailLimits
from ingest.extract.extracted import ExtractLimits
from ingest.extract.kinds import kind_of
from ingest.extract.text import text_of
from ingest.parse import parse
from tests.ingest.extract import samples

EXE = b"MZ\x90\0" + bytes(200)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
SIGNED = b"0\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02\xa0\x80"


@pytest.mark.parametrize(
    ("data", "declared", "name", "type", "said"),
    [
        (samples.pdf("hi"), "application/octet-stream", "a.pdf", "application/pdf", "PDF"),
        (samples.word(), "", "a.docx", None, "Word document"),
        (samples.sheet(), "", "a.xlsx", None, "spreadsheet (Excel)"),
        (samples.slides("hi"), "", "a.pptx", None, "slides (PowerPoint)"),
        (samples.open_document("x"), "", "a.odt", None, "text document (OpenDocument)"),
        (samples.zipped({"a.txt": b"hi"}), "", "a.zip", "application/zip", "zip archive"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg", "a.jpg", "image/jpeg", "photo (JPEG)"),
        (EXE, "", "setup.exe", None, "program (Windows)"),
        (OLE + "WordDocument".encode("utf-16-le"), "", "a.doc", None, "Word document (old format)"),
        (
            OLE + "EncryptedPackage".encode("utf-16-le"),
            "",
            "a.docx",
            None,
            "encrypted Office document",
        ),
        (samples.winmail(), "application/ms-tnef", "winmail.dat", None, "Outlook's winmail.dat"),
        (SIGNED, "application/pkcs7-mime", "smime.p7m", None, "signed message (S/MIME)"),
        (SIGNED, "application/pkcs7-signature", "smime.p7s", None, "S/MIME signature"),
        (
            SIGNED.replace(b"\x07\x02", b"\x07\x03"),
            "application/pkcs7-mime",
            "smime.p7m",
            None,
            "encrypted message (S/MIME)",
        ),
        (b"Version: 1\r\n", "application/pgp-encrypted", "", None, "encrypted message (PGP)"),
        (b"-----BEGIN PGP MESSAGE-----\r\n", "", "x.asc", None, "encrypted message (PGP)"),
        (b"-----BEGIN PGP SIGNATURE-----\r\n", "", "x.asc", None, "PGP signature"),
        (b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n", "", "", "text/calendar", "calendar invitation"),
        (b"BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\n", "", "", None, "cancelled calendar event"),
        (b"BEGIN:VCALENDAR\r\n", "", "", "text/calendar", "calendar file"),
        (b"{\\rtf1 hi}", "", "a.rtf", "application/rtf", "rich text document (RTF)"),
        (b"a,b\r\n1,2\r\n", "text/csv; charset=utf-8", "", "text/csv", "table (CSV)"),
        (b"hello", "text/plain", "a.txt", "text/plain", "text"),
        ("grüße".encode("utf-16"), "", "a.txt", "text/plain", "text"),
        (b"Get-Item .", "text/plain", "a.ps1", None, "program (script)"),
        (b"<!DOCTYPE html><p>", "", "a.html", "text/html", "web page (HTML)"),
        (b"From: a@b\r\nSubject: x\r\n\r\nhi", "message/rfc822", "", None, "message, read as mail"),
        (b"", "application/pdf", "a.pdf", None, "empty file"),
        (bytes(range(256)), "", "a.bin", "application/octet-stream", "file of unknown kind"),
    ],
)
def test_a_file_is_told_by_its_content(
    data: bytes, declared: str, name: str, type: str | None, said: str
) -> None:
    found = kind_of(data, declared, name)
    assert (found.said, found.doubt) == (said, "")
    if type:
        assert found.type == type


@pytest.mark.parametrize(
    ("data", "declared", "name", "doubt"),
    [
        (
            EXE,
            "application/pdf",
            "invoice.pdf",
            "named invoice.pdf, but it is a program (Windows)",
        ),
        (EXE, "", "invoice.pdf.exe", "named like a .pdf file, but it ends in .exe"),
        (b"alert(1)", "", "photo.jpg.js", "named like a .jpg file, but it ends in .js"),
        (EXE, "image/png", "", "declared as image/png, but it is a program (Windows)"),
        (
            EXE,
            "",
            "invoice\u202efdp.exe",
            "its name holds characters that hide how it ends",
        ),
        (
            EXE,
            "",
            "invoice.pdf" + " " * 80 + ".exe",
            (
                "its name holds characters that hide how it ends; "
                "named like a .pdf file, but it ends in .exe"
            ),
        ),
        (
            b"<html><script>",
            "application/pdf",
            "invoice.pdf",
            "named invoice.pdf, but it is a web page (HTML)",
        ),
        (samples.pdf("x"), "", "report.docx", "named report.docx, but it is a PDF"),
        (
            samples.zipped({"a": b"x"}),
            "",
            "photo.jpg",
            "named photo.jpg, but it is a zip archive",
        ),
        (bytes(range(256)), "", "a.pdf", "named a.pdf, but it is no such file"),
        (b"<svg onload='x'/>", "", "a.png", "named a.png, but it is a drawing (SVG)"),
        (
            samples.zipped({"word/document.xml": "x", "word/vbaProject.bin": b"x"}),
            "",
            "a.docx",
            "named a.docx, but it holds macros",
        ),
    ],
)
def test_what_deceives_is_said(data: bytes, declared: str, name: str, doubt: str) -> None:
    assert kind_of(data, declared, name).doubt == doubt


@pytest.mark.parametrize(
    ("data", "declared", "name"),
    [
        (samples.pdf("x"), "application/octet-stream", "Rechnung 3.11.2026.pdf"),
        (samples.pdf("x"), "application/x-pdf", "a"),
        (b"\x89PNG\r\n\x1a\n", "image/jpeg", "photo.jpg"),
        (b"hello", "application/octet-stream", "notes.txt"),
        (b"a;b", "application/vnd.ms-excel", "a.csv"),
        (b"{}", "application/json", "a.txt"),
        (samples.zipped({"a": b"x"}), "application/x-zip-compressed", "backup.tar.zip"),
        (b"<html>", "text/html", "page.html"),
        (b"#!/bin/sh\n", "text/x-sh", "run.sh"),
    ],
)
def test_what_mail_programs_write_is_in_no_doubt(data: bytes, declared: str, name: str) -> None:
    assert kind_of(data, declared, name).doubt == ""


def test_an_archive_of_too_many_files_is_not_walked() -> None:
    many = samples.zipped({}) + b"PK\x01\x02" * 6_000
    assert kind_of(b"PK\x03\x04" + many, "", "a.zip").said == "zip archive, broken or too large"


LZMA = b"\x09\x04\x05\x00"


@pytest.mark.parametrize(
    ("method", "packed"),
    [
        (14, LZMA + b"\xff" * 5 + b"A" * 50),  # options that no decoder has
        (14, LZMA + b"\x5d\xff\xff\xff\xff" + bytes(50)),  # a dictionary of 4 GiB
        (14, b"\x09"),
        (12, b"BZh9AAAA"),
        (8, b"zzzz"),
        (93, b"abc"),
    ],
    ids=["LZMA options", "LZMA dictionary", "LZMA cut", "bzip2", "deflate", "Zstandard"],
)
@pytest.mark.parametrize("name", ["mimetype", "word/document.xml"])
def test_an_archive_packed_in_an_odd_way_is_not_unpacked(
    method: int, packed: bytes, name: str
) -> None:
    data = samples.packed_by(method, packed, name)
    kind = kind_of(data, "application/zip", "a.zip")
    assert kind.said in {"zip archive, broken or too large", "Word document"}
    mail = (
        b"Subject: x\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
    [file] = parse(mail + b64encode(data), MailLimits()).attachments
    assert (file.data, file.said) == (data, kind.said)
    told = text_of(data, kind, limits=ExtractLimits())
    assert told.defects or name in told.text  # of an archive, the names in it


@given(st.binary(max_size=600), st.text(max_size=60), st.text(max_size=300))
def test_nothing_makes_it_raise(data: bytes, declared: str, name: str) -> None:
    found = kind_of(data, declared, name)
    assert found.said
    assert len(found.doubt) < 600


@given(st.sampled_from([b"PK\x03\x04", OLE, b"0\x80", b"%PDF-", b"BEGIN:VCALENDAR\n"]), st.binary())
def test_no_content_after_a_signature_makes_it_raise(start: bytes, data: bytes) -> None:
    assert kind_of(start + data, "", "").said
