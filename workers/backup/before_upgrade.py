"""Keep the database as it was before an upgrade changes its schema."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from re import compile as pattern
from time import time

from assistant.domain.errors import AssistantError
from workers.backup.copying import flush_file, flush_folder, not_done
from workers.backup.database import check, snapshot
from workers.data_folder import DataFolder

KEPT = 3
_LEFT = 3600.0
"""Seconds after which an unfinished copy is one that a crash has left behind."""
_NAME = pattern(r"assistant-(?P<revision>\w+)-(?P<at>[0-9]{8}T[0-9]{12}Z)\.sqlite3")


def keep_database(folder: DataFolder, *, revision: str) -> Path:
    """Copy the database into ``backups``; return the copy. The newest three stay.

    Raises:
        AssistantError: it could not be copied, so that the database must not be changed.
    """
    source = folder.sqlite_file
    assert source is not None  # noqa: S101 (a server has backups of its own)
    name = f"assistant-{revision}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z.sqlite3"
    part, kept = folder.backups / f".{name}.part", folder.backups / name
    try:
        folder.backups.mkdir(mode=0o700, exist_ok=True)
        snapshot(source, part)
        check(part)
        flush_file(part)
        part.rename(kept)
        flush_folder(folder.backups)
    except OSError as error:
        raise _stopped(not_done(str(kept), error)) from error
    except AssistantError as error:
        raise _stopped(error) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    _remove_older(folder.backups)
    return kept


def _stopped(error: AssistantError) -> AssistantError:
    """Say that nothing was changed, and how to go on."""
    why = error.args[0] if error.args else error
    return type(error)(
        f"the database was not upgraded, as it could not be backed up first ({why}); "
        "once that is mended, start again, or use --no-backup"
    )


def _remove_older(folder: Path) -> None:
    found = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
    for path in sorted(found, key=lambda path: path.name.rpartition("-")[2])[:-KEPT]:
        path.unlink(missing_ok=True)
    for part in folder.glob(".assistant-*.part*"):
        with suppress(FileNotFoundError):
            if time() - part.stat().st_mtime > _LEFT:
                part.unlink()
