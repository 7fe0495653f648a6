"""Copy files durably, and tell what was copied by its digest."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from assistant.domain.errors import AssistantError, Misconfigured, NoSpace, Permanent
from workers.backup.manifest import BackupFile

Progress = Callable[[str], None]
"""Told what is being done, in a few words."""
_CHUNK = 1024 * 1024
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class NoFile(Permanent):
    """It is no file."""


def copy(source: Path, root: Path, path: str) -> BackupFile:
    """Copy a file to ``path`` below ``root``, durably and for this user alone.

    Raises:
        OSError: of the source as of the copy; ``FileNotFoundError`` where the source is gone.
        NoFile: the source is a link, a pipe or the like.
    """
    digest, size = sha256(), 0
    # Without O_NONBLOCK, opening a pipe waits for somebody who writes.
    try:
        descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NoFile(f"{source} is a link") from error
        raise
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NoFile(str(source))
        target = root / path
        _make_folder(root, target.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(target, flags, 0o600), "wb") as made:
            while chunk := opened.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
                made.write(chunk)
            made.flush()
            os.fsync(made.fileno())
    return BackupFile(path=path, size=size, sha256=digest.hexdigest())


def _make_folder(root: Path, folder: Path) -> None:
    """Make a folder and those above it, as far as ``root``, for this user alone."""
    if folder != root and not folder.is_dir():
        _make_folder(root, folder.parent)
        folder.mkdir(mode=0o700)


def described(root: Path, path: str) -> BackupFile:
    """Tell a file that is there by its digest."""
    digest, size = sha256(), 0
    with (root / path).open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return BackupFile(path=path, size=size, sha256=digest.hexdigest())


def flush_file(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def flush_folders(root: Path) -> None:
    """Flush every folder from ``root`` down, so that the names in it are on the disk."""
    for folder, _, _ in os.walk(root, topdown=False):
        flush_folder(Path(folder))


def flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def files_below(root: Path) -> Iterator[str]:
    """Name every file below ``root``, relative to it; none where it is not there."""
    for folder, folders, files in os.walk(root):
        folders.sort()
        for file in sorted(files):
            yield (Path(folder) / file).relative_to(root).as_posix()


def said_size(size: float) -> str:
    """Such as ``74.8 MB``."""
    for unit in ("B", "KB", "MB"):
        if size < 1000:  # noqa: PLR2004 (units of a thousand)
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Turn errors of the disk into ours: ``what`` was not done, and why."""
    try:
        yield
    except OSError as error:
        raise not_done(what, error) from error


def not_done(what: str, error: OSError) -> AssistantError:
    file = f"{error.filename}: " if error.filename else ""
    if error.errno in _FULL:
        return NoSpace(f"{what}: {file}{error.strerror}; free some space and try again")
    return Misconfigured(f"{what}: {file}{error.strerror}")
