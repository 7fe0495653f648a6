"""What a file is, by its content, in words for people; and where its name says otherwise."""

import re
import unicodedata

from assistant.domain.mail.attached import FileKind
from ingest.extract.archive import Archive
from ingest.extract.calendars import event_begins
from ingest.extract.extracted import ExtractLimits, NotReadableError
from ingest.extract.signatures import (
    BEGINNINGS,
    COMPOUND,
    COMPOUND_NAMES,
    EMPTY,
    MACROS,
    METHODS,
    OFFICE,
    OLD_OFFICE,
    OPEN_DOCUMENTS,
    PKCS7,
    SIGNATURE,
    SIGNATURES,
    SIGNED,
    TEXT,
    UNKNOWN,
    ZIP,
    Format,
)
from ingest.text import line

_BEGIN = 4096
_NAME = 80
_LIMITS = ExtractLimits()

# What a text is, by its declared type or the ending of its name.
_TEXTS: dict[str, Format] = {
    "csv": Format("text/csv", "table (CSV)"),
    "tsv": Format("text/tab-separated-values", "table (TSV)"),
    "json": Format("application/json", "JSON file"),
    "md": Format("text/markdown", "text (Markdown)"),
    "log": Format("text/plain", "log"),
    "xml": Format("application/xml", "XML file"),
    "eml": Format("message/rfc822", "message, read as mail"),
    "html": Format("text/html", "web page (HTML)"),
    "htm": Format("text/html", "web page (HTML)"),
    "ics": Format("text/calendar", "calendar file"),
}
_DECLARED_TEXTS = {
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "text/markdown": "md",
    "message/rfc822": "eml",
    "text/rfc822-headers": "eml",
    "text/html": "html",
    "text/xml": "xml",
    "application/xml": "xml",
}
_SCRIPT = Format("text/x-script", "program (script)")
_SCRIPTS = frozenset(
    [
        "bat",
        "cmd",
        "hta",
        "js",
        "jse",
        "ps1",
        "psm1",
        "py",
        "reg",
        "sh",
        "vb",
        "vbe",
        "vbs",
        "wsf",
        "wsh",
    ]
)
_PROGRAMS = _SCRIPTS | frozenset(
    [
        "apk",
        "app",
        "com",
        "cpl",
        "exe",
        "jar",
        "lnk",
        "msi",
        "pif",
        "scr",
        "url",
        "iso",
        "img",
        "vhd",
    ]
)

# The endings of a name, and the types that they promise.
_PROMISES: dict[str, str] = {
    "pdf": "application/pdf",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "png": "image/png",
    "gif": "image/gif",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "zip": "application/zip",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "txt": "text/plain",
    "csv": "text/csv",
}
_KNOWN_ENDINGS = frozenset(_PROMISES) | frozenset(
    [
        "doc",
        "xls",
        "ppt",
        "rtf",
        "html",
        "htm",
        "eml",
        "webp",
        "heic",
        "tif",
        "tiff",
        "wav",
        "avi",
        "mov",
        "json",
        "xml",
        "md",
        "log",
        "ics",
        "vcf",
    ]
)
_PICTURES = "image/"
_RUNS = (
    "program",
    "shortcut",
    "web page",
    "drawing (SVG)",
    "disk image",
    "help file",
    "cabinet archive",
)
_METHOD = re.compile(rb"(?im)^METHOD(?:;[^:\r\n]{0,80})?:[ \t]*([A-Z]{1,20})")
_HEADER = re.compile(rb"[A-Za-z][A-Za-z0-9-]{0,60}:[ \t]")


def kind_of(data: bytes, declared: str, name: str) -> FileKind:
    """Return what a file is.

    Args:
        data: its content.
        declared: its Content-Type, with or without parameters; may be empty.
        name: its name as it came, before anything was removed from it; may be empty.
    """
    declared = declared.partition(";")[0].strip().lower()[:200]
    endings = _endings(name)
    macros = False
    try:
        found, macros = _by_content(data, declared, endings[-1] if endings else "")
    except NotReadableError:
        found = Format(ZIP.type, "zip archive, broken or too large")
    said = f"{found.said} with macros" if macros else found.said
    return FileKind(found.type, said, _doubt(found, declared, name, endings, macros=macros))


# By content


def _by_content(data: bytes, declared: str, ending: str) -> tuple[Format, bool]:
    if not data:
        return EMPTY, False
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(data)
    if data.startswith(COMPOUND):
        return _compound(data), b"_\0V\0B\0A\0_\0P\0R\0O\0J\0E\0C\0T\0" in data
    for at, signature, known in SIGNATURES:
        if data.startswith(signature, at):
            return known, False
    if b"%PDF-" in data[:1024]:  # readers look for it there
        return Format("application/pdf", "PDF"), False
    return _pkcs7(data, declared) or _text(data, declared, ending) or UNKNOWN, False


def _zip(data: bytes) -> tuple[Format, bool]:
    archive = Archive(data, _LIMITS)
    if "mimetype" in archive.names:
        says = archive.read("mimetype")[:200].decode("ascii", "replace").strip()
        if says in OPEN_DOCUMENTS:
            return Format(says, OPEN_DOCUMENTS[says]), False
    for inside, known in OFFICE:
        if inside in archive.names:
            return known, bool(MACROS & archive.names)
    if archive.encrypted:
        return Format(ZIP.type, "zip archive, encrypted"), False
    return ZIP, False


def _compound(data: bytes) -> Format:
    for name, known in COMPOUND_NAMES:
        if name.encode("utf-16-le") in data:
            return known
    return OLD_OFFICE


def _pkcs7(data: bytes, declared: str) -> Format | None:
    if not data.startswith(b"0"):
        return None
    for oid, known in PKCS7:
        if oid in data[:32]:
            signature = known is SIGNED and declared.endswith("pkcs7-signature")
            return SIGNATURE if signature else known
    return None


def _text(data: bytes, declared: str, ending: str) -> Format | None:  # noqa: PLR0911 (a table)
    begin = data[:_BEGIN]
    if not _is_text(begin):
        return None
    bare = begin.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").lstrip(b" \t\r\n\xff\xfe")
    lower = bare.lower()
    for opening, known in BEGINNINGS:
        if lower.startswith(opening):
            return _invitation(data, known) if known.type == "text/calendar" else known
    if lower.startswith(b"<?xml"):
        if b"<svg" in lower:
            return Format("image/svg+xml", "drawing (SVG)")
        return Format("text/html", "web page (HTML)") if b"<html" in lower else _TEXTS["xml"]
    if declared == "application/pgp-encrypted" and lower.startswith(b"version:"):
        return Format(declared, "encrypted message (PGP)")
    if ending in _SCRIPTS:
        return _SCRIPT
    by_name = _TEXTS.get(_DECLARED_TEXTS.get(declared, ending)) or _TEXTS.get(ending) or TEXT
    if by_name.type == "message/rfc822" and not _HEADER.match(bare):
        return TEXT
    return by_name


def _is_text(begin: bytes) -> bool:
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    odd = sum(byte < ord(" ") and byte not in b"\t\n\r\f\x1b" for byte in begin)
    return odd * 200 <= len(begin) and begin.count(0) == 0


def _invitation(data: bytes, known: Format) -> Format:
    method = _METHOD.search(data[: 64 * 1024])
    said = METHODS.get(method[1].decode("ascii").upper(), "") if method else ""
    told = ", ".join(filter(None, (said or known.said, event_begins(data))))
    return Format(known.type, told)


# What deceives


def _endings(name: str) -> list[str]:
    """Return the endings of a name, ``['pdf', 'exe']``, in lower case."""
    seen = line(name.replace("\\", "/").rpartition("/")[2], 1000).rstrip(". ").lower()
    return [part.strip() for part in seen.split(".")[1:]][-3:]


def _doubt(found: Format, declared: str, name: str, endings: list[str], *, macros: bool) -> str:
    doubts = []
    if _turns(name):
        doubts.append("its name holds characters that hide how it ends")
    last = endings[-1] if endings else ""
    before = endings[-2] if len(endings) > 1 else ""
    runs = found.said.startswith(_RUNS)
    named = f"named {line(name, _NAME)}"
    article = "an" if found.said[:1] in "aeiouAEIO" else "a"
    if last in _PROGRAMS and before in _KNOWN_ENDINGS:
        doubts.append(f"named like a .{before} file, but it ends in .{last}")
    elif _broken_promise(last, found, runs=runs):
        said = "no such file" if found == UNKNOWN else f"{article} {found.said}"
        doubts.append(f"{named}, but it is {said}")
    elif macros and last in {"docx", "xlsx", "pptx"}:
        doubts.append(f"{named}, but it holds macros")
    elif runs and _promises_no_program(declared) and not _same(declared, found):
        doubts.append(f"declared as {line(declared, _NAME)}, but it is {article} {found.said}")
    return "; ".join(doubts)


def _broken_promise(ending: str, found: Format, *, runs: bool) -> bool:  # noqa: PLR0911 (a table)
    promised = _PROMISES.get(ending)
    if promised is None:
        return runs and ending in _KNOWN_ENDINGS and not _fits_page(ending, found)
    if found == EMPTY or promised == found.type:
        return False
    if promised.startswith("text/"):
        return runs or not found.type.startswith(("text/", "application/json", "message/"))
    if promised.startswith(_PICTURES):
        return not found.type.startswith(_PICTURES) or runs
    if promised.startswith(("audio/", "video/")):
        return not found.type.startswith(("audio/", "video/"))
    if ending in {"docx", "xlsx", "pptx"}:  # an encrypted one is a compound file
        return not found.said.startswith("encrypted Office")
    return True


def _fits_page(ending: str, found: Format) -> bool:
    return found.type == "text/html" and ending in {"html", "htm", "xml"}


def _promises_no_program(declared: str) -> bool:
    return declared.startswith(("image/", "audio/", "video/", "text/")) or declared in {
        "application/pdf",
        "application/msword",
        *_PROMISES.values(),
    }


def _same(declared: str, found: Format) -> bool:
    if found.type == "text/x-script":
        return declared.startswith("text/")
    if found.type == "image/svg+xml":
        return declared.startswith("image/")
    return declared == found.type or declared.partition("/")[0] == found.type.partition("/")[0]


def _turns(name: str) -> bool:
    """Whether a name holds marks of direction, or runs of spaces that push its ending away."""
    if "     " in name.strip():
        return True
    return any(unicodedata.category(char) in {"Cf", "Cc"} for char in name)
