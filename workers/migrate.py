"""Bring a database to the schema of this code."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, insert, select, text, update

import migrations
from assistant.adapters.sql.driver import Engines, translated
from assistant.adapters.sql.tables import ModeRow, OwnerRow, table
from assistant.domain.modes import ModeRecord
from assistant.ports import Clock

_LOCK = 7_214_511
"""Names the advisory lock that migrating processes take on Postgres."""


def upgrade(engines: Engines, revision: str = "head") -> None:
    """Upgrade to a revision. Two processes at once do it once."""
    with translated(), engines.write.connect() as connection, connection.begin():
        _lock(connection)
        command.upgrade(_config(connection), revision)


def downgrade(engines: Engines, revision: str) -> None:
    """Go back to a revision (``base`` for none). What newer columns held is lost."""
    with engines.write.connect() as connection, connection.begin():
        _lock(connection)
        command.downgrade(_config(connection), revision)


def check(engines: Engines) -> None:
    """Raise Alembic's ``CommandError`` when tables and migrations differ."""
    with engines.write.connect() as connection, connection.begin():
        command.check(_config(connection))


def ensure_owner(engines: Engines, *, id: str, name: str, zone: str, clock: Clock) -> None:
    """The one person served by default; name and zone follow the settings."""
    owner = table(OwnerRow)
    with translated(), engines.write.connect() as connection, connection.begin():
        if connection.execute(select(owner.c.id).where(owner.c.id == id)).first():
            statement = update(owner).where(owner.c.id == id).values(name=name, zone=zone)
            connection.execute(statement)
        else:
            values = {"id": id, "name": name, "zone": zone, "calls": 0, "created": clock.now()}
            connection.execute(insert(owner).values(values))
            connection.execute(insert(table(ModeRow)).values(_normal(id, clock)))


def _normal(owner: str, clock: Clock) -> dict[str, Any]:
    record = ModeRecord(since=clock.now())
    return {
        "owner": owner,
        **record.model_dump(),
        "mode": record.mode.value,
        "before": record.before.value,
    }


def _lock(connection: Connection) -> None:
    """SQLite's ``BEGIN IMMEDIATE`` is lock enough."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:id)"), {"id": _LOCK})


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_here()))
    config.attributes["connection"] = connection
    return config


def _here() -> Path:
    return Path(migrations.__file__).parent
