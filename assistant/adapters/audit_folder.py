"""The archive of the audit: a folder of files, each as ``assistant audit export`` writes one."""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from assistant.domain.audit.cuts import NotArchived

_PART = ".part"
_LEFT = 3600.0
"""Seconds after which an unfinished file is one that a crash has left behind."""


class AuditFolder:
    """See ``assistant.domain.audit.ports.AuditArchive``. Several processes may write at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, name: str) -> bool:
        return (self._folder / name).is_file()

    def holds(self, name: str, fits: Callable[[Iterable[str]], bool]) -> bool:
        try:
            return _fits(self._folder / name, fits)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._failed(error) from error

    def write(self, name: str, lines: Iterable[str], fits: Callable[[Iterable[str]], bool]) -> None:
        part: Path | None = None
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._remove_what_crashes_left()
            descriptor, made = mkstemp(dir=self._folder, prefix=f"{name}.", suffix=_PART)
            part = Path(made)
            with open(descriptor, "w", encoding="utf-8", newline="\n") as opened:  # noqa: PTH123
                opened.writelines(lines)
                opened.flush()
                os.fsync(opened.fileno())
            if not _fits(part, fits):
                raise NotArchived(f"{name} does not fit: see what `assistant audit verify` says")
            part.replace(self._folder / name)
            for folder in (self._folder, self._folder.parent):
                _flush(folder)
        except OSError as error:
            raise self._failed(error) from error
        finally:
            if part is not None:
                part.unlink(missing_ok=True)

    def _remove_what_crashes_left(self) -> None:
        for part in self._folder.glob(f"*{_PART}"):
            with suppress(FileNotFoundError):  # another process has just finished it
                if time.time() - part.stat().st_mtime > _LEFT:
                    part.unlink()

    def _failed(self, error: OSError) -> NotArchived:
        return NotArchived(f"{self._folder}: {error.strerror or error}")


def _fits(file: Path, fits: Callable[[Iterable[str]], bool]) -> bool:
    with file.open(encoding="utf-8", errors="replace", newline="\n") as opened:
        return fits(opened)


def _flush(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
