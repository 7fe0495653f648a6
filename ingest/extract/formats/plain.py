"""Text as it stands: logs, tables, notes, calendar files."""

from ingest.extract.archive import Archive
from ingest.extract.extracted import ExtractLimits, FullError, Writing, many
from ingest.mime.charsets import decode
from ingest.mime.labels import UTF_8

_LINE = 64 * 1024
_LEAD = 0xC0
"""The least byte that begins a character of several bytes in UTF-8."""
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_AS_EVERYBODY_DOES = f"it names no character set, and was read as {UTF_8.name}"


def read_plain(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write a text. Raises ``FullError`` where it is longer than the limit."""
    begin = _beginning(data, 4 * (limits.characters + 1))  # four bytes are the most of a character
    text = decoded(begin, out)
    out.add(text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(begin) < len(data):
        out.truncated = True
        raise FullError


def decoded(data: bytes, out: Writing, *, html: bool = False) -> str:
    """Return the text of a file, which names no character set; add what was guessed of it."""
    found = decode(data, None, html=html)
    out.defects.extend(said for said in found.defects if said != _AS_EVERYBODY_DOES)
    return found.text


def _beginning(data: bytes, most: int) -> bytes:
    """Return the first bytes, cut between two lines, as a cut character would spoil the rest."""
    begin = data[:most]
    if len(data) <= most or begin.startswith(_WIDE):
        return begin
    if end := begin.rfind(b"\n", max(0, most - _LINE)) + 1:
        return begin[:end]
    tail = begin[-3:]
    lead = next((at for at, byte in enumerate(tail) if byte >= _LEAD), len(tail))
    return begin[: most - len(tail) + lead]


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
