"""The part of a transaction that handles files, and the store of their bytes."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from assistant.domain.files.version import FileVersion


class FileTx(Protocol):
    """Paths, versions and origins of files. Their bytes are in blobs."""

    def file(self, path: str) -> FileVersion:
        """Return the newest version. Raises ``NotFound`` if there is no file at the path."""
        ...

    def file_versions(self, path: str) -> Sequence[FileVersion]:
        """Return every version, newest first, deleted ones too; empty if there never was one."""
        ...

    def files(
        self, prefix: str, *, after: str = "", limit: int = 200, deleted: bool = False
    ) -> Sequence[FileVersion]:
        """Return the newest version of each path with this prefix that comes after ``after``.

        Sorted by path. With ``deleted``, deleted files are among them.
        """
        ...

    def twin(self, path: str) -> str:
        """Return the path of a file that differs from this one only in case, or an empty text."""
        ...

    def write_file(self, file: FileVersion) -> FileVersion:
        """Store the next version of a path; ``file.version`` is the one before it, 0 for none.

        A ``deleted`` version has no bytes. Where ``file.call`` is set, the call's row gives origin,
        source and actor (``files.origins``). Writes the audit entry.

        Raises:
            Stale: the path has a newer version.
            NotFound: the file to delete does not exist.
            AlreadyThere: the path has a ``twin``, which people would confuse with it.
        """
        ...


class Blobs(Protocol):
    """Immutable bytes by name. Names are ``[A-Za-z0-9-_/.]``, at most 512 characters."""

    def put(self, name: str, data: bytes) -> None:
        """Store bytes, durable on return. Storing a name again changes nothing."""
        ...

    def get(self, name: str) -> bytes:
        """Return the bytes. Raises ``NotFound`` or ``Unreachable``."""
        ...

    def delete(self, name: str) -> None:
        """Delete a blob, if it exists."""
        ...

    def names(self, prefix: str = "") -> Iterable[str]:
        """Return the names with this prefix, sorted."""
        ...

    def check(self) -> None:
        """Raise ``Unreachable`` or ``Misconfigured`` if the store cannot be used."""
        ...
