"""What is read from a file, and how much of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from assistant.domain.mail.attached import AttachmentText, FileKind

MiB = 1024 * 1024


class ExtractLimits(BaseModel):
    model_config = ConfigDict(frozen=True)
    characters: int = 1_000_000
    """Characters of text."""
    pages: int = 500
    """Pages, slides and sheets."""
    rows: int = 20_000
    """Rows of one sheet."""
    cells: int = 200_000
    """Cells of one file."""
    columns: int = 200
    entries: int = 5_000
    """Files in an archive."""
    named: int = 200
    """Files in an archive that are named."""
    entry: int = 32 * MiB
    """Bytes of one file in an archive, inflated."""
    inflated: int = 64 * MiB
    """Bytes of all that is inflated of one archive."""


class NotReadableError(ValueError):
    """The file cannot be read; the argument says why."""


class FullError(Exception):
    """There is room for no more text."""


@dataclass
class Writing:
    """Collects text up to a limit."""

    most: int
    pages: int = 0
    defects: list[str] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _size: int = 0
    truncated: bool = False

    def add(self, text: str) -> None:
        """Add text. Raises ``FullError`` where it does not fit, after adding what does."""
        left = self.most - self._size
        self._parts.append(text[:left])
        self._size += min(len(text), left)
        if len(text) > left:
            self.truncated = True
            raise FullError

    def line(self, text: str) -> None:
        self.add(f"{text}\n")

    @property
    def empty(self) -> bool:
        return not any(part.strip() for part in self._parts)

    def done(self) -> AttachmentText:
        text = "".join(self._lines()).strip()
        # A lone surrogate cannot be stored, and a NUL not in Postgres.
        text = text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
        return AttachmentText(
            text=text,
            pages=self.pages,
            truncated=self.truncated,
            defects=tuple(dict.fromkeys(self.defects)),
        )

    def _lines(self) -> Iterator[str]:
        """Yield the text with at most one empty line in a row."""
        empty = 0
        for line in "".join(self._parts).splitlines():
            bare = line.rstrip()
            empty = 0 if bare else empty + 1
            if empty <= 1:
                yield f"{bare}\n"


def many(number: int, one: str, more: str = "") -> str:
    """Return ``1 word`` or ``2 words``."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def no_text_in(kind: FileKind) -> str:
    """Say why a file of this kind has no text here."""
    if kind.type == "application/x-empty":
        return "it is empty"
    return f"no text is read from this kind of file: {kind.said}"
