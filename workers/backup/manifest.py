"""The list of what a backup holds. A folder with a sound one, written last, counts as a backup."""

import os
import stat
from datetime import datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from assistant.domain.errors import NotFound, Permanent
from workers.data_folder import SQLITE

MANIFEST = "manifest.json"
ALONE = (SQLITE, "audit-heads.log", "policy.yaml", "http-token.secret")
"""Files of the data folder that a backup may hold."""
FOLDERS = ("blobs", "radicale/collections", "audit-archive")
"""Folders of the data folder that a backup may hold files of."""
PLACED = tuple(dict.fromkeys((*(name.partition("/")[0] for name in FOLDERS), *reversed(ALONE))))
"""What a restore puts into a data folder, in this order: the database comes last."""


class BadBackup(Permanent):
    """That is no whole backup."""


class BackupFile(BaseModel):
    """One file of a backup."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    path: str
    """Where it goes in the data folder."""
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @field_validator("path")
    @classmethod
    def _placed(cls, value: str) -> str:
        """Refuse what would be put anywhere but where a backup takes its files from."""
        steps = value.split("/")
        sound = str(PurePosixPath(value)) == value and "\0" not in value
        inside = value in ALONE or any(value.startswith(f"{folder}/") for folder in FOLDERS)
        if not (sound and inside) or {"", ".", ".."} & set(steps):
            raise ValueError("it names a file that no backup holds")
        return value


class Manifest(BaseModel):
    """What a backup holds, of which version, and when it was made."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    format: Literal[1] = 1
    made: datetime
    version: str
    """Of the program."""
    revision: str
    """Of the database."""
    files: tuple[BackupFile, ...]
    missing: tuple[str, ...] = ()
    """Blobs that rows name and that were not there."""

    @model_validator(mode="after")
    def _whole(self) -> "Manifest":
        paths = [file.path for file in self.files]
        if len(set(paths)) < len(paths):
            raise ValueError("it names a file twice")
        if SQLITE not in paths:
            raise ValueError("it names no database")
        return self

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def write_manifest(manifest: Manifest, folder: Path) -> str:
    """Write it into a folder; return its digest, which tells this backup from any other."""
    data = manifest.model_dump_json(indent=1).encode() + b"\n"
    with (folder / MANIFEST).open("xb") as opened:
        opened.write(data)
    return sha256(data).hexdigest()


def read_manifest(folder: Path, *, digest: str = "") -> Manifest:
    """Read the list of a backup.

    Args:
        folder: of the backup.
        digest: what ``backup`` printed, if it is known: then nobody can have changed anything.

    Raises:
        NotFound: there is no such folder.
        BadBackup: the list is missing, cut, forged or of another format.
    """
    if not folder.is_dir():
        raise NotFound(f"the folder {folder}")
    try:
        data = _read(folder / MANIFEST)
    except OSError as error:
        raise BadBackup(f"{folder} has no {MANIFEST} that can be read") from error
    if digest and sha256(data).hexdigest() != digest.strip().lower():
        raise BadBackup(f"{folder / MANIFEST} has another digest than {digest.strip()[:64]}")
    try:
        return Manifest.model_validate_json(data)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        why = str(problem["msg"]).removeprefix("Value error, ")
        raise BadBackup(f"{folder / MANIFEST}: {where}{': ' if where else ''}{why}") from None


def _read(file: Path) -> bytes:
    """Read a file that is neither a link nor a pipe, which would be waited for."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{file} is no file")
        return opened.read()
