"""The text of a file, whatever its kind, within limits."""

from collections.abc import Callable

from assistant.domain.mail.attached import AttachmentText, FileKind
from ingest.extract.extracted import (
    ExtractLimits,
    FullError,
    NotReadableError,
    Writing,
    no_text_in,
)
from ingest.extract.formats.message import read_message
from ingest.extract.formats.opendocument import read_open_document
from ingest.extract.formats.pdf import read_pdf
from ingest.extract.formats.plain import name_entries, read_plain
from ingest.extract.formats.rich import read_rich
from ingest.extract.formats.sheets import read_sheets
from ingest.extract.formats.slides import read_slides
from ingest.extract.formats.web import read_page
from ingest.extract.formats.word import read_word
from ingest.extract.signatures import OPEN_DOCUMENTS

Read = Callable[[bytes, Writing, ExtractLimits], None]

_OFFICE = "application/vnd.openxmlformats-officedocument."
READ: dict[str, Read] = {
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
    "text/html": read_page,
    "message/rfc822": read_message,
    "text/x-script": read_plain,
    "application/x-url": read_plain,
}
"""What reads each kind; ``READABLE`` names the same kinds."""


def load(kind: FileKind) -> None:
    """Import what reading this kind takes long to import, so that no limit counts it."""
    if READ.get(kind.type) is read_sheets:
        import openpyxl  # noqa: F401, PLC0415


def text_of(data: bytes, kind: FileKind, *, limits: ExtractLimits) -> AttachmentText:
    """Return the text of a file. Never raises for what the file holds, but ``MemoryError``.

    Run it in a process that may die: a broken file can end it, or keep it busy.
    """
    read = READ.get(kind.type)
    if read is None:
        return AttachmentText(defects=(no_text_in(kind),))
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
