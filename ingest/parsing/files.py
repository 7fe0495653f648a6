"""The files of a mail: their names, what they are, and how many are kept."""

import re
from mimetypes import guess_extension
from pathlib import PurePosixPath

from assistant.domain.limits import MailLimits, MiB
from assistant.domain.mail.mail import ParsedPart
from ingest.extract.kinds import kind_of
from ingest.mime.parts import MESSAGES
from ingest.text import NAME, line

_FOR_PATHS = re.compile(r'[<>:"|?*/\\]')
_TIMES = 2
"""How often the size of a mail its files may take: a message in a message is kept in both."""


class Files:
    """Collects the files of one mail, within its limits."""

    def __init__(self, size: int, limits: MailLimits) -> None:
        self.kept: list[ParsedPart] = []
        self.left_out = 0
        self._most = limits.attachments
        self._room = _TIMES * size + MiB

    def add(self, data: bytes, *, declared: str, name: str, default: str, message: int) -> None:
        """Keep a file under a safe name, or count it where there is no room.

        Args:
            data: its content.
            declared: its media type, as the mail names it.
            name: its name as it came.
            default: its name where it has none.
            message: the place of the message that it came with.
        """
        if len(self.kept) == self._most or len(data) > self._room:
            self.left_out += 1
            return
        self._room -= len(data)
        kind = kind_of(data, declared, name)
        self.kept.append(
            ParsedPart(
                name=file_name(name or default, len(self.kept) + 1),
                content_type=line(declared, NAME),
                data=data,
                said=kind.said,
                kind=kind.type,
                doubt=kind.doubt,
                letter=message,
            )
        )


def file_name(given: str, number: int) -> str:
    """Return a name that is valid for a file on every system; ``attachment-N`` if none is left."""
    base = line(given.replace("\\", "/").rpartition("/")[2], 10 * NAME)
    base = _FOR_PATHS.sub("_", base).strip(". ")
    if len(base) > NAME:
        suffix = PurePosixPath(base).suffix[:20]
        base = base[: NAME - len(suffix)] + suffix
    return base or f"attachment-{number}"


def extension(kind: str) -> str:
    """Return how the name of such a file ends, for one that has no name."""
    if kind in MESSAGES:
        return ".eml"
    if kind.startswith("message/"):
        return ".txt"
    return guess_extension(kind) or (".txt" if kind.startswith("text/") else ".bin")
