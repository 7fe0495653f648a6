"""Copy an SQLite database while others write to it, and read what a copy names."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from assistant.domain.errors import DATABASE, NoSpace, Outage
from workers.backup.manifest import BadBackup

_PATIENCE = 30.0
"""Seconds to wait for a lock. Writers hold theirs for a moment."""
_FULL = "database or disk is full"

_IN_ARGUMENTS = "json_extract({0}, '$.args.blob')"
# Each place where a row names a blob. What undoes a change of an event keeps the event in one. The
# output of a call is the path of a file, whose version names the blob, or in older rows a blob.
_NAMED = {
    "mail": ("raw", "body", "words", "hidden"),
    "attachment": ("blob",),
    "file_version": ("blob",),
    "call": (
        "iif(output LIKE '%:/%', '', output)",
        f"iif(json_valid(facts), {_IN_ARGUMENTS.format('facts')}, '')",
    ),
    "effect": (f"iif(json_valid(inverse), {_IN_ARGUMENTS.format('inverse')}, '')",),
}


def snapshot(source: Path, target: Path) -> str:
    """Copy a database as it is at one moment; return the revision of its schema.

    ``VACUUM INTO`` reads in one transaction and keeps no writer waiting. SQLite's backup in steps
    would begin anew with each write of another process.

    Raises:
        NoSpace: the disk is full.
        Outage: the database cannot be read.
    """
    with _told(source), closing(_opened(source)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))
    target.chmod(0o600)
    with _told(target), closing(_opened(target)) as copy:
        _forget_who_lives(copy)
        return revision_of(copy)


def check(file: Path) -> str:
    """Return the revision of a copy. Raises ``BadBackup`` where it is no sound database."""
    try:
        with closing(_opened(file)) as copy:
            found = [row[0] for row in copy.execute("PRAGMA quick_check(1)")]
            if found != ["ok"]:
                raise BadBackup(f"its database is damaged ({found[0]})")
            return revision_of(copy)
    except sqlite3.DatabaseError as error:
        raise BadBackup(f"its database cannot be read ({error})") from error


def blobs_named(file: Path) -> list[str]:
    """Return the names of the blobs that the rows of a database name."""
    with _told(file), closing(_opened(file)) as connection:
        return sorted(set(_names(connection)))


def revision_of(connection: sqlite3.Connection) -> str:
    if not _has(connection, "alembic_version"):
        return ""
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(found[0]) if found else ""


def _names(connection: sqlite3.Connection) -> Iterator[str]:
    for table, columns in _NAMED.items():
        there = _columns(connection, table)
        for column in columns:
            # What is no plain column is an expression over columns that were always there.
            if there and (column in there or not column.isidentifier()):
                wanted = f"SELECT {column} FROM \"{table}\" WHERE coalesce({column}, '') <> ''"  # noqa: S608 (constants)
                yield from (str(row[0]) for row in connection.execute(wanted))


def _forget_who_lives(copy: sqlite3.Connection) -> None:
    """Leave out which installations live: nobody lives on a copy."""
    if _has(copy, "installation"):
        copy.execute("DELETE FROM installation")


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the columns of a table; none where an older schema has no such table."""
    return {row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')}


def _has(connection: sqlite3.Connection, table: str) -> bool:
    wanted = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return connection.execute(wanted, (table,)).fetchone() is not None


def _opened(file: Path) -> sqlite3.Connection:
    """Open a database that is there."""
    uri = f"{file.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=_PATIENCE, isolation_level=None)


@contextmanager
def _told(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if _FULL in str(error):
            raise NoSpace(f"{file}: {error}; free some space and try again") from error
        raise Outage(f"{file}: {error}", part=DATABASE) from error
