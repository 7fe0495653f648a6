"""Alembic's entry point. The caller (``workers/migrate.py``) hands over an open connection."""

from alembic import context

from assistant.adapters.sql.tables import SQLModel

SEARCH = ("mail_fts", "ix_mail_search", "ix_file_search")
"""What is searched by is each database's own; these tables and indexes are no SQLModel's."""


def ours(_object: object, name: str | None, kind: str, *_rest: object) -> bool:
    """Whether Alembic should compare this with the metadata."""
    return not (name or "").startswith(SEARCH) or kind not in ("table", "index")


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
    include_object=ours,
)
with context.begin_transaction():
    context.run_migrations()
