"""The first bytes by which a format is known, with its words for people."""

from typing import NamedTuple


class Format(NamedTuple):
    type: str
    said: str


UNKNOWN = Format("application/octet-stream", "file of unknown kind")
EMPTY = Format("application/x-empty", "empty file")
ZIP = Format("application/zip", "zip archive")
TEXT = Format("text/plain", "text")

# Where, which bytes, and what it is then. The first that fits counts.
SIGNATURES: tuple[tuple[int, bytes, Format], ...] = (
    (0, b"%PDF-", Format("application/pdf", "PDF")),
    (0, b"\xff\xd8\xff", Format("image/jpeg", "photo (JPEG)")),
    (0, b"\x89PNG\r\n\x1a\n", Format("image/png", "picture (PNG)")),
    (0, b"GIF87a", Format("image/gif", "picture (GIF)")),
    (0, b"GIF89a", Format("image/gif", "picture (GIF)")),
    (8, b"WEBPVP8", Format("image/webp", "picture (WebP)")),
    (0, b"II*\0", Format("image/tiff", "picture (TIFF)")),
    (0, b"MM\0*", Format("image/tiff", "picture (TIFF)")),
    (4, b"ftypheic", Format("image/heic", "photo (HEIC)")),
    (4, b"ftypheix", Format("image/heic", "photo (HEIC)")),
    (4, b"ftypmif1", Format("image/heif", "photo (HEIF)")),
    (4, b"ftypavif", Format("image/avif", "picture (AVIF)")),
    (4, b"ftypM4A", Format("audio/mp4", "sound (M4A)")),
    (4, b"ftypqt  ", Format("video/quicktime", "video (QuickTime)")),
    (4, b"ftyp", Format("video/mp4", "video (MP4)")),
    (0, b"\x1aE\xdf\xa3", Format("video/x-matroska", "video (Matroska)")),
    (8, b"AVI LIST", Format("video/x-msvideo", "video (AVI)")),
    (8, b"WAVEfmt ", Format("audio/wav", "sound (WAV)")),
    (0, b"ID3", Format("audio/mpeg", "sound (MP3)")),
    (0, b"\xff\xfb", Format("audio/mpeg", "sound (MP3)")),
    (0, b"OggS", Format("audio/ogg", "sound (Ogg)")),
    (0, b"fLaC", Format("audio/flac", "sound (FLAC)")),
    (0, b"#!AMR", Format("audio/amr", "sound (AMR)")),
    (0, b"Rar!\x1a\x07", Format("application/vnd.rar", "RAR archive")),
    (0, b"7z\xbc\xaf\x27\x1c", Format("application/x-7z-compressed", "7-Zip archive")),
    (0, b"\x1f\x8b\x08", Format("application/gzip", "gzip archive")),
    (0, b"BZh", Format("application/x-bzip2", "bzip2 archive")),
    (0, b"\xfd7zXZ\0", Format("application/x-xz", "xz archive")),
    (0, b"(\xb5/\xfd", Format("application/zstd", "Zstandard archive")),
    (0, b"MSCF", Format("application/vnd.ms-cab-compressed", "cabinet archive")),
    (257, b"ustar", Format("application/x-tar", "tar archive")),
    (0x8001, b"CD001", Format("application/x-iso9660-image", "disk image (ISO)")),
    (0, b"vhdxfile", Format("application/x-vhdx", "disk image (VHDX)")),
    (0, b"MZ", Format("application/vnd.microsoft.portable-executable", "program (Windows)")),
    (0, b"\x7fELF", Format("application/x-executable", "program (Linux)")),
    (0, b"\xcf\xfa\xed\xfe", Format("application/x-mach-binary", "program (macOS)")),
    (0, b"\xce\xfa\xed\xfe", Format("application/x-mach-binary", "program (macOS)")),
    (0, b"\xca\xfe\xba\xbe", Format("application/x-mach-binary", "program (macOS or Java)")),
    (0, b"dex\n03", Format("application/x-dex", "program (Android)")),
    (0, b"L\0\0\0\x01\x14\x02\0", Format("application/x-ms-shortcut", "shortcut (Windows)")),
    (0, b"ITSF", Format("application/vnd.ms-htmlhelp", "help file (Windows)")),
    (0, b"\x78\x9f\x3e\x22", Format("application/ms-tnef", "Outlook's winmail.dat")),
    (0, b"{\\rtf", Format("application/rtf", "rich text document (RTF)")),
    (0, b"SQLite format 3\0", Format("application/vnd.sqlite3", "database (SQLite)")),
    (0, b"8BPS", Format("image/vnd.adobe.photoshop", "picture (Photoshop)")),
    (0, b"%!PS", Format("application/postscript", "PostScript document")),
    (0, b"wOFF", Format("font/woff", "font")),
    (0, b"wOF2", Format("font/woff2", "font")),
    (0, b"OTTO", Format("font/otf", "font")),
)

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_OPEN = "application/vnd.oasis.opendocument."

# A zip archive that holds this file is this.
OFFICE: tuple[tuple[str, Format], ...] = (
    ("word/document.xml", Format(_WORD, "Word document")),
    ("xl/workbook.xml", Format(_SHEET, "spreadsheet (Excel)")),
    ("xl/workbook.bin", Format("application/vnd.ms-excel.sheet.binary", "spreadsheet (Excel)")),
    ("ppt/presentation.xml", Format(_SLIDES, "slides (PowerPoint)")),
    ("AndroidManifest.xml", Format("application/vnd.android.package-archive", "program (Android)")),
    ("META-INF/MANIFEST.MF", Format("application/java-archive", "program (Java)")),
    ("META-INF/container.xml", Format("application/epub+zip", "e-book (EPUB)")),
)
MACROS = frozenset({"word/vbaProject.bin", "xl/vbaProject.bin", "ppt/vbaProject.bin"})

# What the file ``mimetype`` in a zip archive says.
OPEN_DOCUMENTS = {
    f"{_OPEN}text": "text document (OpenDocument)",
    f"{_OPEN}spreadsheet": "spreadsheet (OpenDocument)",
    f"{_OPEN}presentation": "slides (OpenDocument)",
    "application/epub+zip": "e-book (EPUB)",
}

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Microsoft's compound file; a name in it tells what it is. The first that is there counts."""
COMPOUND_NAMES: tuple[tuple[str, Format], ...] = (
    ("EncryptedPackage", Format("application/x-ole-storage", "encrypted Office document")),
    ("__substg1.0_", Format("application/vnd.ms-outlook", "message (Outlook)")),
    ("__properties_version1", Format("application/vnd.ms-outlook", "message (Outlook)")),
    ("WordDocument", Format("application/msword", "Word document (old format)")),
    ("Workbook", Format("application/vnd.ms-excel", "spreadsheet (old Excel)")),
    ("PowerPoint Document", Format("application/vnd.ms-powerpoint", "slides (old PowerPoint)")),
)
OLD_OFFICE = Format("application/x-ole-storage", "Office document (old format)")

# What a text begins with, in lower case and without white space before it.
BEGINNINGS: tuple[tuple[bytes, Format], ...] = (
    (b"begin:vcalendar", Format("text/calendar", "calendar file")),
    (b"begin:vcard", Format("text/vcard", "contact card")),
    (b"-----begin pgp message", Format("application/pgp-encrypted", "encrypted message (PGP)")),
    (b"-----begin pgp signed", Format("text/plain", "text signed with PGP")),
    (b"-----begin pgp signature", Format("application/pgp-signature", "PGP signature")),
    (b"-----begin pgp public", Format("application/pgp-keys", "PGP key")),
    (b"-----begin pgp private", Format("application/pgp-keys", "PGP private key")),
    (b"-----begin certificate", Format("application/x-pem-file", "certificate")),
    (b"<!doctype html", Format("text/html", "web page (HTML)")),
    (b"<html", Format("text/html", "web page (HTML)")),
    (b"<head", Format("text/html", "web page (HTML)")),
    (b"<body", Format("text/html", "web page (HTML)")),
    (b"<script", Format("text/html", "web page (HTML)")),
    (b"<svg", Format("image/svg+xml", "drawing (SVG)")),
    (b"#!", Format("text/x-script", "program (script)")),
    (b"@echo off", Format("text/x-script", "program (script)")),
    (b"[internetshortcut]", Format("application/x-url", "shortcut to a web page")),
)
METHODS: dict[str, str] = {
    "REQUEST": "calendar invitation",
    "CANCEL": "cancelled calendar event",
    "REPLY": "answer to a calendar invitation",
    "COUNTER": "other time for a calendar event",
}

# Object identifiers of PKCS #7 (RFC 5652), as they stand in the first bytes.
SIGNED = Format("application/pkcs7-mime", "signed message (S/MIME)")
SIGNATURE = Format("application/pkcs7-signature", "S/MIME signature")
SEALED = Format("application/pkcs7-mime", "encrypted message (S/MIME)")
PKCS7: tuple[tuple[bytes, Format], ...] = (
    (b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02", SIGNED),
    (b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03", SEALED),
    (b"\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17", SEALED),
    (
        b"\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x09",
        Format("application/pkcs7-mime", "compressed message (S/MIME)"),
    ),
)
