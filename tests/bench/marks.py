"""Moments noted by any number of processes and threads in one file, at the cost of one write.

A moment is ``time.monotonic()``, which on Linux and macOS all processes of a machine share.
"""

import os
import struct
import time
from pathlib import Path

_MOMENT = struct.Struct("d")


class Marks:
    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)

    def note(self) -> None:
        """Short appends are whole, whoever else appends."""
        os.write(self._file, _MOMENT.pack(time.monotonic()))

    def count(self) -> int:
        return os.fstat(self._file).st_size // _MOMENT.size

    def clear(self) -> None:
        os.ftruncate(self._file, 0)

    def wait_for(self, count: int, *, seconds: float) -> float:
        """The moment of the ``count``-th mark. Raises ``TimeoutError``."""
        give_up = time.monotonic() + seconds
        while self.count() < count:
            if time.monotonic() > give_up:
                raise TimeoutError(f"{self.count()} of {count} came in {seconds:g} s")
            time.sleep(0.001)
        where = (count - 1) * _MOMENT.size
        [moment] = _MOMENT.unpack(os.pread(self._file, _MOMENT.size, where))
        return float(moment)
