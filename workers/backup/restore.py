"""Restore a backup into an empty data folder.

Everything is copied into a folder of its own and checked there; then it is moved into place, the
database last. While that folder is there, nothing else works on the data folder, and a restore that
was cut off is done again from the beginning.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assistant.domain.errors import AlreadyThere, InUse, Misconfigured, NoSpace
from workers.backup.copying import (
    NoFile,
    Progress,
    copy,
    flush_folder,
    flush_folders,
    said_size,
    telling,
)
from workers.backup.database import check
from workers.backup.manifest import PLACED, BackupFile, BadBackup, Manifest, read_manifest
from workers.backup.take import refuse_servers
from workers.data_folder import SQLITE, DataFolder, UpState
from workers.revision import NewerDatabase, head, is_known
from workers.settings import Settings

_EVERY = 100
_IGNORED = frozenset({"lost+found"})
"""What a file system of its own has in its root."""


def restore(settings: Settings, backup: Path, *, digest: str, say: Progress) -> Manifest:
    """Put a backup into the data folder, or change nothing.

    Args:
        settings: name the data folder, which is empty or not there.
        backup: a folder that ``take`` made.
        digest: what ``take`` said; empty if it is not known.
        say: told how far it is.

    Raises:
        Misconfigured: the settings name servers or folders of their own.
        NotFound, BadBackup: there is no such backup, or it is not whole.
        NewerDatabase: it is of a newer version of the program.
        AlreadyThere, InUse: the folder holds data, or somebody works on it.
        NoSpace: the disk is full.
    """
    refuse_servers(settings)
    _refuse_other_folders(settings)
    backup = backup.expanduser().absolute()
    manifest = read_manifest(backup, digest=digest)
    _refuse_newer(manifest.revision)
    folder = DataFolder(settings)
    with telling(f"nothing was restored to {folder.root}"), _staging(folder) as staging:
        _check_space(folder, manifest)
        _copy(backup, staging, manifest, say)
        say("checking the database")
        if check(staging / SQLITE) != manifest.revision:
            raise BadBackup(f"the database in {backup} is not of the revision in its list")
        flush_folders(staging)
        say("moving everything into place")
        for name in PLACED:
            with suppress(FileNotFoundError):
                (staging / name).rename(folder.root / name)
        flush_folder(folder.root)
    return manifest


def _refuse_other_folders(settings: Settings) -> None:
    for name, value in (("DATABASE_URL", settings.database_url), ("BLOBS", settings.blobs)):
        if value:
            raise Misconfigured(
                f"ASSISTANT_{name} names another place than ASSISTANT_DATA_DIR, and a restore "
                "fills that folder alone: restore without this setting, then move what it names"
            )


def _refuse_newer(revision: str) -> None:
    if revision and not is_known(revision):
        raise NewerDatabase(
            f"the backup has revision {revision} and this program knows {head()} at the most; "
            "install that version"
        )


@contextmanager
def _staging(folder: DataFolder) -> Iterator[Path]:
    """Make the folder that is filled first, alone; leave the data folder as it was on an error."""
    new = not folder.root.exists()
    _refuse_data(folder)
    folder.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock, again = _locked(folder)
    staging = folder.restoring
    try:
        others = {path.name for path in folder.root.iterdir()} - {staging.name, *_IGNORED}
        if others - (set(PLACED) if again else set()):  # somebody began to work on it just now
            with suppress(OSError):
                staging.rmdir()
            raise _holds_data(folder)
        _clear(folder)
        try:
            yield staging
        except BaseException:
            _clear(folder)
            staging.rmdir()
            if new:
                with suppress(OSError):
                    folder.root.rmdir()
            raise
        staging.rmdir()
        flush_folder(folder.root)
    finally:
        os.close(lock)


def _locked(folder: DataFolder) -> tuple[int, bool]:
    """Make and lock the folder that is filled first.

    Returns:
        Its descriptor, and whether it was there: then a restore was cut off, and what it has put
        into the data folder may be removed.
    """
    try:
        folder.restoring.mkdir(mode=0o700)
        again = False
    except FileExistsError:
        again = True
    lock = os.open(folder.restoring, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    if not _is_ours(lock, folder.restoring):
        os.close(lock)
        raise InUse(f"a restore into {folder.root} runs already")
    return lock, again


def _is_ours(lock: int, staging: Path) -> bool:
    """Lock a folder, and return whether that is the one which stands there.

    A restore that has just ended has removed it, and what is in place is whole.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock), staging.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _refuse_data(folder: DataFolder) -> None:
    """Raise where the folder holds anything that no restore has put there."""
    if not folder.root.exists() or folder.restoring.is_dir():
        return
    if folder.up_state is UpState.RUNS:
        raise InUse(f"an assistant runs on {folder.root}: stop it, and name an empty folder")
    if any(path.name not in _IGNORED for path in folder.root.iterdir()):
        raise _holds_data(folder)


def _holds_data(folder: DataFolder) -> AlreadyThere:
    return AlreadyThere(
        f"{folder.root} holds data, and a restore fills an empty folder: "
        f"move it away, or name another with --data"
    )


def _clear(folder: DataFolder) -> None:
    """Remove what a restore has put here."""
    for path in (*folder.restoring.iterdir(), *(folder.root / name for name in PLACED)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _check_space(folder: DataFolder, manifest: Manifest) -> None:
    if folder.free < manifest.size:
        raise NoSpace(
            f"the backup has {said_size(manifest.size)}, and {said_size(folder.free)} are free "
            f"in {folder.root}; nothing was restored"
        )


def _copy(backup: Path, staging: Path, manifest: Manifest, say: Progress) -> None:
    for count, file in enumerate(manifest.files):
        if count % _EVERY == 0:
            say(f"copying files: {count:,} of {len(manifest.files):,}")
        _copy_one(backup, staging, file)


def _copy_one(backup: Path, staging: Path, file: BackupFile) -> None:
    try:
        found = copy(backup / file.path, staging, file.path)
    except (FileNotFoundError, NotADirectoryError, NoFile) as error:
        raise BadBackup(f"{backup / file.path} is not there") from error
    if found != file:
        raise BadBackup(f"{backup / file.path} is not what was written")
