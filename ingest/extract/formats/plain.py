"""Text as it stands: logs, tables, notes, calendar files."""

import codecs

from ingest.extract.archive import Archive
from ingest.extract.extracted import ExtractLimits, Writing, many

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_plain(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write a text. Raises ``FullError`` where it is longer than the limit."""
    most = 4 * (limits.characters + 1)  # four bytes are the most of a character
    text, charset = decode(data[:most], cut=len(data) > most)
    if "�" in text:
        out.defects.append(f"some of its bytes are no text in {charset}")
    out.add(text.replace("\r\n", "\n").replace("\r", "\n"))


def decode(data: bytes, *, cut: bool = False) -> tuple[str, str]:
    """Return a text and the charset that it was read in.

    That is what its byte order mark says, else UTF-8 if it is valid, else windows-1252.

    ``cut`` says that the end may stand in the middle of a character.
    """
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(charset, "replace"), charset
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data, final=not cut), "utf-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), "windows-1252"


def name_entries(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write the names of the files in a zip archive, with their sizes; open none.

    Raises:
        NotReadableError: it is broken, or holds too many files.
        FullError: the text is longer than the limit.
    """
    archive = Archive(data, limits)
    files = [entry for entry in archive.entries if not entry.is_dir()]
    out.line(f"{many(len(files), 'file')}:")
    for entry in files[: limits.named]:
        name = "".join(char if char.isprintable() else "�" for char in entry.filename[:300])
        sealed = ", encrypted" if entry.flag_bits & 1 else ""
        out.line(f"{name} ({many(entry.file_size, 'byte')}{sealed})")
    if len(files) > limits.named:
        out.truncated = True
        out.defects.append(f"only {limits.named:,} of its {len(files):,} files are named")
    if archive.encrypted:
        out.defects.append("it is encrypted, and needs a password")
