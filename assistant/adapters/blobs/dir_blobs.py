"""Store blobs as files below one directory, the default on one machine.

The blob ``raw/3f/9a.eml`` is the file ``raw+/3f+/9a.eml``. No name can hold ``+``, so a blob
``raw`` may exist beside the folder; ``~`` marks a file that is still being written. Every step of a
path is opened relative to the one before and never through a symbolic link, so that nothing outside
is touched.
"""

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from assistant.domain.errors import BLOBS, Misconfigured, NotFound, Outage
from assistant.domain.files.blob_names import check_name

_FOLDER = "+"
_UNFINISHED = "~"
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_SETTINGS = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ELOOP})
"""Errors that do not go away by waiting."""


def file_of(name: str) -> str:
    """Return the file that holds a blob, relative to the root: ``raw+/3f+/9a.eml``."""
    *folders, file = check_name(name).split("/")
    return "/".join((*(f"{folder}{_FOLDER}" for folder in folders), file))


class DirBlobs:
    """The ``Blobs`` of one directory, created on first use; files 0600, directories 0700.

    Needs a file system with hard links. Several processes may share the directory.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._flushed: set[tuple[str, ...]] = set()
        """Outer folders that this process has flushed to disk, without the innermost ones."""

    def put(self, name: str, data: bytes) -> None:
        *folders, file = check_name(name).split("/")
        with self._telling(f"{name} was not stored"), self._opened(folders, make=True) as folder:
            _keep_first(folder, file, data)

    def get(self, name: str) -> bytes:
        *folders, file = check_name(name).split("/")
        with self._telling(f"{name} was not read"):
            try:
                with self._opened(folders) as folder:
                    return _read(folder, file)
            except FileNotFoundError:
                raise NotFound(f"the blob {name}") from None

    def delete(self, name: str) -> None:
        *folders, file = check_name(name).split("/")
        with (
            self._telling(f"{name} was not deleted"),
            suppress(FileNotFoundError),
            self._opened(folders) as folder,
        ):
            os.unlink(file, dir_fd=folder)
            os.fsync(folder)

    def names(self, prefix: str = "") -> Iterable[str]:
        with self._telling("the names were not listed"):
            if self._root.exists():
                with self._opened(()) as root:
                    yield from _walk(root, "", prefix)

    def check(self) -> None:
        """Write, read and delete a test blob; create the root if needed."""
        probe = f"check/{token_hex(8)}"
        try:
            self.put(probe, b"readable")
            self.get(probe)
            self.delete(probe)
        except Outage as error:
            if isinstance(error.__cause__, OSError) and error.__cause__.errno in _SETTINGS:
                raise Misconfigured(*error.args) from error.__cause__
            raise

    @contextmanager
    def _opened(self, folders: Sequence[str], *, make: bool = False) -> Iterator[int]:
        """Open the innermost of ``folders`` and yield its file descriptor.

        With ``make``, create missing folders and flush all: another process may have created one
        and not yet flushed it.
        """
        folder = _open_root(self._root, make=make)
        try:
            for depth, name in enumerate(folders, 1):
                flushed = tuple(folders[:depth]) in self._flushed
                inner = _enter(folder, name + _FOLDER, make=make, flushed=flushed)
                os.close(folder)
                folder = inner
            if make:
                self._flushed.update(tuple(folders[:depth]) for depth in range(1, len(folders)))
            yield folder
        finally:
            os.close(folder)

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = error.strerror or str(error)
            told = f"{what} in the directory {self._root}: {why}"
            raise Outage(told, part=BLOBS) from error


def _make(root: Path) -> None:
    """Create the root and the directories above it, durably, where they are missing."""
    if root.exists():
        return
    _make(root.parent)
    root.mkdir(mode=0o700, exist_ok=True)
    above = os.open(root.parent, _OPEN_FOLDER)
    try:
        os.fsync(above)
    finally:
        os.close(above)


def _open_root(root: Path, *, make: bool) -> int:
    """Open the root. One that is not there holds names that only seem to be gone."""
    try:
        return os.open(root, _OPEN_FOLDER)
    except FileNotFoundError as error:
        if not make:
            raise Outage(f"the directory {root} is not there", part=BLOBS) from error
    _make(root)
    return os.open(root, _OPEN_FOLDER)


def _enter(folder: int, name: str, *, make: bool, flushed: bool = False) -> int:
    """Open the folder ``name`` in ``folder``; with ``make``, create it and flush it to disk.

    Every process flushes a folder before it puts anything into it, so a folder with content is on
    disk. Another process may have created an empty one a moment ago.
    """
    try:
        inner = _open_folder(folder, name)
    except FileNotFoundError:
        if not make:
            raise
        with suppress(FileExistsError):
            os.mkdir(name, mode=0o700, dir_fd=folder)
        os.fsync(folder)
        return _open_folder(folder, name)
    if make and not flushed and _is_empty(inner):
        os.fsync(folder)
    return inner


def _open_folder(folder: int, name: str) -> int:
    return os.open(name, _OPEN_FOLDER | os.O_NOFOLLOW, dir_fd=folder)


def _is_empty(folder: int) -> bool:
    with os.scandir(folder) as entries:
        return next(entries, None) is None


def _keep_first(folder: int, file: str, data: bytes) -> None:
    """Write a temporary file, then link it: the name appears with all its bytes or not at all.

    Flushes the folder even if the name exists, as its writer may not have flushed it yet.
    """
    aside = _UNFINISHED + token_hex(8)
    try:
        _write(folder, aside, data)
        os.link(aside, file, src_dir_fd=folder, dst_dir_fd=folder)
    except FileExistsError:
        pass
    finally:
        _remove(folder, aside)
    os.fsync(folder)


def _write(folder: int, file: str, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    opened = os.open(file, flags, 0o600, dir_fd=folder)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(opened, left) :]
        os.fsync(opened)
    finally:
        os.close(opened)


def _read(folder: int, file: str) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(file, flags, dir_fd=folder), "rb") as stream:
        return stream.read()


def _remove(folder: int, file: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(file, dir_fd=folder)


def _walk(folder: int, below: str, prefix: str) -> Iterator[str]:
    """Yield the names in ``folder``, each with ``below`` before it, sorted, without links."""
    for step, is_folder in sorted(_steps(folder)):
        name = below + step
        if not is_folder and name.startswith(prefix):
            yield name
        if is_folder and (name.startswith(prefix) or prefix.startswith(name)):
            inner = _enter(folder, step[:-1] + _FOLDER, make=False)
            try:
                yield from _walk(inner, name, prefix)
            finally:
                os.close(inner)


def _steps(folder: int) -> Iterator[tuple[str, bool]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and entry.name.endswith(_FOLDER):
                yield entry.name.removesuffix(_FOLDER) + "/", True
            elif entry.is_file(follow_symlinks=False) and not entry.name.startswith(_UNFINISHED):
                yield entry.name, False
