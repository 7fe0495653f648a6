"""Which schema a database has and which this code needs, told without loading Alembic."""

from sqlalchemy import inspect, text

from assistant.adapters.sql.driver import Engines, translated

HEAD = "0003"
"""The newest revision in ``migrations/versions``; a test holds the two together."""


def current(engines: Engines) -> str:
    """The revision of a database, empty when it has none. Raises ``Unreachable``."""
    with translated(), engines.read.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return ""
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return str(found or "")
