"""Tell which schema a database has and which this code needs, without loading Alembic."""

from sqlalchemy import inspect, text

from assistant.adapters.sql.driver import Engines, translated

HEAD = "0003"
"""The newest revision in ``migrations/versions``; a test compares the two."""


def current(engines: Engines) -> str:
    """Return the revision of a database, empty if it has none. Raises ``Unreachable``."""
    with translated(), engines.read.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return ""
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return str(found or "")
