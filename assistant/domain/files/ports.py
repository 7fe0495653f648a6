"""What files need of a transaction, and their bytes."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from assistant.domain.files.version import FileVersion


class FileTx(Protocol):
    """What paths hold. Bytes are in blobs; here are their names, versions and origins."""

    def file(self, path: str) -> FileVersion:
        """The newest version. Raises ``NotFound`` for a path that holds nothing."""
        ...

    def file_versions(self, path: str) -> Sequence[FileVersion]:
        """Every version, the newest first, also of what was deleted. Empty if there was none."""
        ...

    def files(
        self, prefix: str, *, after: str = "", limit: int = 200, deleted: bool = False
    ) -> Sequence[FileVersion]:
        """What paths that begin so hold now, by path, those later than ``after``.

        With ``deleted`` also the newest versions of paths that hold nothing any more.
        """
        ...

    def twin(self, path: str) -> str:
        """The path that holds something and differs from this one in case alone; else empty."""
        ...

    def write_file(self, file: FileVersion) -> FileVersion:
        """The path's next version; ``file.version`` is the one it follows, 0 for none.

        ``deleted`` versions hold nothing. Where a call is named, origin, source and actor are what
        its row says (``file_origins``). Writes its audit entry.

        Raises:
            Stale: the path's newest version is another by now.
            NotFound: what is to be deleted is not there.
            AlreadyThere: the path has a ``twin``, and the two could be taken for each other.
        """
        ...


class Blobs(Protocol):
    """Immutable bytes by name. Names are ``[A-Za-z0-9-_/.]``, at most 512 characters."""

    def put(self, name: str, data: bytes) -> None:
        """Durable on return. Putting the same name again changes nothing that can be seen."""
        ...

    def get(self, name: str) -> bytes:
        """Raises ``NotFound`` or ``Unreachable``."""
        ...

    def delete(self, name: str) -> None:
        """Gone on return, also when it was not there."""
        ...

    def names(self, prefix: str = "") -> Iterable[str]:
        """The names that begin so, in order."""
        ...

    def check(self) -> None:
        """Raises ``Unreachable`` or ``Misconfigured`` when it cannot be used."""
        ...
