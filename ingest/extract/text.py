"""The text of a file, whatever its kind, within limits."""

from collections.abc import Callable

from ingest.extract.extracted import (
    Extracted,
    ExtractLimits,
    FullError,
    NotReadableError,
    Writing,
)
from ingest.extract.formats.opendocument import read_open_document
from ingest.extract.formats.pdf import read_pdf
from ingest.extract.formats.plain import name_entries, read_plain
from ingest.extract.formats.rich import read_rich
from ingest.extract.formats.sheets import read_sheets
from ingest.extract.formats.slides import read_slides
from ingest.extract.formats.word import read_word
from ingest.extract.kinds import FileKind
from ingest.extract.signatures import OPEN_DOCUMENTS

Read = Callable[[bytes, Writing, ExtractLimits], None]

_OFFICE = "application/vnd.openxmlformats-officedocument."
_READ: dict[str, Read] = {
    "application/pdf": read_pdf,
    f"{_OFFICE}wordprocessingml.document": read_word,
    f"{_OFFICE}spreadsheetml.sheet": read_sheets,
    f"{_OFFICE}presentationml.presentation": read_slides,
    **dict.fromkeys((kind for kind in OPEN_DOCUMENTS if "oasis" in kind), read_open_document),
    "application/rtf": read_rich,
    "application/zip": name_entries,
    "application/json": read_plain,
    "application/xml": read_plain,
    "text/plain": read_plain,
    "text/csv": read_plain,
    "text/tab-separated-values": read_plain,
    "text/markdown": read_plain,
    "text/calendar": read_plain,
    "text/vcard": read_plain,
    "text/x-script": read_plain,
    "application/x-url": read_plain,
}


_NOT_HERE = {
    "message/rfc822": "a message, read as mail",
    "text/html": "a web page, read as mail is",
    "application/x-empty": "it is empty",
}


def can_read(kind: FileKind) -> bool:
    """Return whether ``text_of`` finds text in files of this kind."""
    return kind.type in _READ


def load(kind: FileKind) -> None:
    """Import what reading this kind takes long to import, so that no limit counts it."""
    if _READ.get(kind.type) is read_sheets:
        import openpyxl  # noqa: F401, PLC0415


def text_of(data: bytes, kind: FileKind, *, limits: ExtractLimits) -> Extracted:
    """Return the text of a file. Never raises for what the file holds, but ``MemoryError``.

    Run it in a process that may die: a broken file can end it, or keep it busy.
    """
    read = _READ.get(kind.type)
    if read is None:
        said = _NOT_HERE.get(kind.type, f"no text is read from this kind of file: {kind.said}")
        return Extracted(defects=(said,))
    out = Writing(most=limits.characters)
    try:
        read(data, out, limits)
    except FullError:
        out.defects.append(f"only the first {limits.characters:,} characters were read")
    except NotReadableError as error:
        out.defects.insert(0, str(error))
    except RecursionError:
        out.defects.append("it is nested too deeply")
    except MemoryError:
        raise
    # What a library raises on bytes that no program would write is not documented.
    except Exception as error:  # noqa: BLE001
        out.defects.append(f"it could not be read ({type(error).__name__})")
    return out.done()
