"""Tell which schema a database has and which this code needs, without loading Alembic."""

from functools import cache
from pathlib import Path

from sqlalchemy import inspect, text

import migrations
from assistant.adapters.sql.driver import Engines, translated


@cache
def head() -> str:
    """Return the newest revision of this code: the highest number of a file of migrations."""
    versions = Path(migrations.__file__).parent / "versions"
    return max(path.name.partition("_")[0] for path in versions.glob("[0-9]*_*.py"))


def current(engines: Engines) -> str:
    """Return the revision of a database, empty if it has none. Raises ``Unreachable``."""
    with translated(), engines.read.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return ""
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return str(found or "")
