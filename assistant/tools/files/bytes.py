"""The bytes of files: immutable blobs named by their digest, and how they read as text."""

from collections.abc import Sequence
from hashlib import sha256

from assistant.domain.errors import NotFound
from assistant.domain.files import FileVersion
from assistant.domain.tool_errors import ErrorType, ToolFailure
from assistant.ports import Blobs

_ODD = 10
"""More than one odd character in so many means that it is not text."""


def keep_bytes(data: bytes, *, owner: str, blobs: Blobs) -> str:
    """Store bytes durably, for a version to point to; returns the blob's name."""
    name = f"files/{owner}/{sha256(data).hexdigest()}"
    blobs.put(name, data)
    return name


def bytes_of(file: FileVersion, blobs: Blobs) -> bytes:
    """Read what a version holds. Raises ``ToolFailure`` if it is not what was written."""
    try:
        data = blobs.get(file.blob)
    except NotFound as error:
        message = f"the bytes of {file.path}, version {file.version}, are missing"
        raise ToolFailure(ErrorType.FILE_READ, message) from error
    if sha256(data).hexdigest() != file.sha256:
        message = f"the bytes of {file.path}, version {file.version}, are not what was written"
        raise ToolFailure(ErrorType.FILE_READ, message)
    return data


def as_text(data: bytes) -> tuple[str, int] | None:
    """Decode UTF-8, with U+FFFD for what is not, and count those; None for what is not text."""
    if b"\0" in data:
        return None
    text = data.decode(errors="replace")
    odd = text.count("\ufffd") - data.count("\ufffd".encode())
    return None if odd * _ODD > len(text) else (text, odd)


def lines_of(text: str) -> Sequence[str]:
    """Split into lines with their ends. Only a newline ends a line, as in every editor."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]


def said_size(size: int) -> str:
    return f"{size:,} byte{'' if size == 1 else 's'}"
