"""Tell which schema a database has and which this code needs, without loading Alembic."""

from functools import cache
from pathlib import Path

from sqlalchemy import inspect, text

import migrations
from assistant.adapters.sql.driver import Engines, translated
from assistant.domain.errors import Misconfigured


class NewerDatabase(Misconfigured):
    """The database is of a newer version of the assistant."""

    said_alone = False


@cache
def head() -> str:
    """Return the newest revision of this code: the highest number of a file of migrations."""
    return max(_known())


@cache
def _known() -> frozenset[str]:
    """Return every revision of this code: the number that the name of its file begins with."""
    versions = Path(migrations.__file__).parent / "versions"
    return frozenset(path.name.partition("_")[0] for path in versions.glob("[0-9]*_*.py"))


def is_known(revision: str) -> bool:
    """Return whether this code knows a revision."""
    return revision in _known()


def current(engines: Engines) -> str:
    """Return the revision of a database, empty if it has none. Raises ``Unreachable``."""
    with translated(), engines.read.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return ""
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return str(found or "")


def refuse_newer(engines: Engines) -> str:
    """Return the revision of a database, empty if it has none.

    Raises:
        NewerDatabase: this code does not know that revision.
        Unreachable: the database does not answer.
    """
    found = current(engines)
    if found and found not in _known():
        raise NewerDatabase(
            f"it has revision {found} and this program knows {head()} at the most; "
            "install that version, or restore a backup that this one made"
        )
    return found
