"""Look into a zip archive of a stranger, inflating no more than a limit."""

import io
import zipfile
import zlib
from collections.abc import Sequence

from ingest.extract.extracted import ExtractLimits, NotReadableError

_ENTRY = b"PK\x01\x02"
_ENCRYPTED = 0x1
_PIECE = 256 * 1024
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""What documents are packed with. Others may want memory of any size before they unpack a byte."""


class Archive:
    """The files in a zip archive.

    Raises:
        NotReadableError: it is broken, or has more entries than ``limits.entries``.
    """

    def __init__(self, data: bytes, limits: ExtractLimits) -> None:
        # The directory is read whole by the library, so its entries are counted before.
        if data.count(_ENTRY) > limits.entries:
            raise NotReadableError(f"it holds more than {limits.entries:,} files")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, OverflowError) as bad:
            raise NotReadableError("the archive is broken") from bad
        self._limits = limits
        self._left = limits.inflated
        self.entries: Sequence[zipfile.ZipInfo] = self._zip.infolist()
        self.names = frozenset(entry.filename for entry in self.entries)

    @property
    def encrypted(self) -> bool:
        return any(entry.flag_bits & _ENCRYPTED for entry in self.entries)

    @property
    def ambiguous(self) -> bool:
        """Whether two entries have one name, of which programs show different ones."""
        return len(self.names) < len(self.entries)

    def read(self, name: str) -> bytes:
        """Return one file. What the directory says of its size is not relied on.

        Raises:
            NotReadableError: it is missing, encrypted or broken, or inflates to too much.
        """
        most = min(self._limits.entry, self._left)
        pieces: list[bytes] = []
        size = 0
        try:
            if self._zip.getinfo(name).compress_type not in _METHODS:
                raise NotReadableError("it is packed in a way that is not read here")
            with self._zip.open(name) as opened:
                while piece := opened.read(_PIECE):
                    size += len(piece)
                    if size > most:
                        raise NotReadableError(f"it unpacks to more than {most:,} bytes")
                    pieces.append(piece)
        except (
            zipfile.BadZipFile,
            zlib.error,
            KeyError,
            RuntimeError,  # it is encrypted
            NotImplementedError,
            EOFError,
            OSError,
            ValueError,
            IndexError,
            OverflowError,
        ) as bad:
            if isinstance(bad, NotReadableError):
                raise
            raise NotReadableError("a part of it is broken") from bad
        self._left -= size
        return b"".join(pieces)

    def read_if_there(self, name: str) -> bytes:
        """Return one file, or nothing if there is none. Raises ``NotReadableError`` as ``read``."""
        return self.read(name) if name in self.names else b""
