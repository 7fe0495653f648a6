"""Back up an installation while it runs: the rows first, then the blobs that they name.

A blob is written before the row that names it and is never changed, so that what the copied rows
name is there to be copied. The heads of the audit come before the rows, so that the rows have what
they name.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from secrets import token_hex

from assistant.adapters.blobs.dir_blobs import file_of
from assistant.domain.errors import AlreadyThere, BadArguments, Misconfigured, NotFound
from workers.backup.copying import (
    NoFile,
    Progress,
    copy,
    described,
    files_below,
    flush_file,
    flush_folder,
    flush_folders,
    telling,
)
from workers.backup.database import blobs_named, snapshot
from workers.backup.manifest import MANIFEST, BackupFile, Manifest, write_manifest
from workers.data_folder import SQLITE, DataFolder
from workers.settings import Settings

_EVERY = 100
"""Files between two words about how far it is."""


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A backup that was made."""

    manifest: Manifest
    digest: str
    """Of the list of its files, which has the digest of each."""


def take(settings: Settings, to: Path, *, say: Progress) -> Taken:
    """Back up to a new folder.

    Raises:
        Misconfigured: the data is on servers that have backups of their own; or the folder cannot
            be written.
        NotFound: there is nothing to back up.
        AlreadyThere: the folder holds something.
        NoSpace: the disk is full.
    """
    refuse_servers(settings)
    source = DataFolder(settings)
    database = source.sqlite_file
    if database is None or not database.exists():
        raise NotFound(f"a database in {source.root}; --data names another folder")
    to = to.expanduser().absolute()
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise AlreadyThere(f"{to} holds something; name a folder that is new")
    what = f"nothing was backed up to {to}"
    with telling(what), _unfinished(to) as part:
        manifest = _Copier(source, database, settings.policy_file, part, say).copied()
        digest = write_manifest(manifest, part)
        flush_file(part / MANIFEST)
        flush_folders(part)
        part.rename(to)
        flush_folder(to.parent)
    return Taken(manifest=manifest, digest=digest)


def refuse_servers(settings: Settings) -> None:
    """Raise ``Misconfigured`` with what to run, where rows or blobs are on servers."""
    folder = DataFolder(settings)
    postgres = folder.sqlite_file is None
    bucket = settings.blobs if settings.blobs.startswith("s3://") else ""
    if not (postgres or bucket):
        return
    rows = (
        "the database with "
        '`pg_dump --format=custom --file=assistant.dump "$ASSISTANT_DATABASE_URL"`'
        if postgres
        else f"the database with `sqlite3 {folder.sqlite_file} \"VACUUM INTO 'assistant.sqlite3'\"`"
    )
    blobs = (
        f"the bucket {bucket} with its own replication or versions"
        if bucket
        else f"the folder {folder.blobs}"
    )
    raise Misconfigured(
        f"{'the database' if postgres else 'the bucket'} is a server of your own, with backups of "
        f"its own; in this order, copy {folder.audit_heads}, then {rows}, then {blobs}, "
        f"then what else you need of {folder.root} (docs/backup.md)"
    )


@contextmanager
def _unfinished(to: Path) -> Iterator[Path]:
    """Make a folder beside ``to`` that counts as no backup, and remove it after an error."""
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_what_was_killed(to)
    part = to.with_name(f".{to.name}.{token_hex(4)}.part")
    part.mkdir(mode=0o700)
    descriptor = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield part
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    finally:
        os.close(descriptor)


def _remove_what_was_killed(to: Path) -> None:
    """Remove what backups to this folder have left that nobody works on any more."""
    for part in to.parent.glob(f".{to.name}.*.part"):
        with suppress(OSError):
            descriptor = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(part, ignore_errors=True)
            finally:
                os.close(descriptor)


class _Copier:
    """Copies one installation, part after part."""

    def __init__(
        self, source: DataFolder, database: Path, policy: Path, part: Path, say: Progress
    ) -> None:
        self._source = source
        self._database = database
        self._policy = policy
        self._part = part
        self._say = say
        self._files: list[BackupFile] = []
        self._missing: list[str] = []

    def copied(self) -> Manifest:
        self._one(self._source.audit_heads, "audit-heads.log")
        self._one(self._policy, "policy.yaml")
        self._one(self._source.root / "http-token.secret", "http-token.secret")
        self._say("copying the database")
        revision = snapshot(self._database, self._part / SQLITE)
        flush_file(self._part / SQLITE)
        self._files.append(described(self._part, SQLITE))
        self._blobs()
        self._folder(self._source.radicale / "collections", "radicale/collections")
        self._folder(self._source.audit_archive, "audit-archive")
        return Manifest(
            made=datetime.now(UTC),
            version=_version(),
            revision=revision,
            files=tuple(self._files),
            missing=tuple(self._missing),
        )

    def _one(self, file: Path, path: str) -> None:
        """Copy a file that may not be there."""
        with suppress(FileNotFoundError):
            self._files.append(copy(file.resolve(), self._part, path))

    def _blobs(self) -> None:
        names = blobs_named(self._part / SQLITE)
        for count, name in enumerate(names):
            if count % _EVERY == 0:
                self._say(f"copying blobs: {count:,} of {len(names):,}")
            try:
                path = file_of(name)
                self._files.append(copy(self._source.blobs / path, self._part, f"blobs/{path}"))
            except (FileNotFoundError, BadArguments):  # a broken row can name anything
                self._missing.append(name)
        if self._missing:  # of a mail that was forgotten since, the blobs are gone, and it is well
            now = set(blobs_named(self._database))
            self._missing = [name for name in self._missing if name in now]

    def _folder(self, folder: Path, path: str) -> None:
        """Copy files each of which is replaced whole. One that is deleted meanwhile is left out."""
        self._say(f"copying {path}")
        for file in files_below(folder):
            if not _passing(file):
                with suppress(FileNotFoundError, NoFile):
                    self._files.append(copy(folder / file, self._part, f"{path}/{file}"))


def _passing(file: str) -> bool:
    """Whether a file is a lock, a cache or a draft, which nobody misses."""
    steps = file.split("/")
    props = ".Radicale.props"
    hidden = any(step.startswith(".Radicale") and step != props for step in steps)
    return hidden or steps[-1].endswith(".part")


def _version() -> str:
    """The version of the program; empty where it runs without being installed."""
    try:
        return version("assistant")
    except PackageNotFoundError:
        return ""
