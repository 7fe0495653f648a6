"""The tables of the database. Columns bear the names of the domain's fields.

Every row belongs to an owner, except in four tables of the program itself: ``canary``,
``high_water``, ``installation`` and, as it lists them, ``owner``. Times are aware and in UTC. Only
the job table and those of the program count in epoch seconds, because SQL does arithmetic on them.

Import a table from the file of its noun. This package imports all of them, so that ``SQLModel``
knows every table.
"""

from sqlmodel import SQLModel

from assistant.adapters.sql.tables import (
    approvals,
    audit,
    calls,
    conversations,
    deliveries,
    files,
    governance,
    grants,
    installations,
    jobs,
    mails,
    owners,
)
from assistant.adapters.sql.tables.calendar import copies

__all__ = [
    "SQLModel",
    "approvals",
    "audit",
    "calls",
    "conversations",
    "copies",
    "deliveries",
    "files",
    "governance",
    "grants",
    "installations",
    "jobs",
    "mails",
    "owners",
]
