"""Indexes with which no statement walks through all that there ever was."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# The order of a file's bytes, whatever the language of the database. SQLite has no other order.
_PATHS = 'CREATE INDEX ix_file_search_path ON file (owner, path COLLATE "C")'
# Of a path in small letters. An index on an expression is in no metadata.
_FOLDED = "CREATE INDEX ix_file_search_folded ON file (owner, lower(path))"
_UNSETTLED = "CASE WHEN shown = digest THEN 0 ELSE 1 END = 1"
_NOT_FORGOTTEN = "state <> 'forgotten'"


def upgrade() -> None:
    op.drop_index("ix_call_trace", table_name="call")
    op.drop_index("ix_call_turn", table_name="call")
    op.create_index("ix_call_turn", "call", ["conversation", "turn", "number"])
    op.create_index("ix_conversation_place", "conversation", ["owner", "channel", "place"])
    _create_where("ix_delivery_unsettled", "delivery", ["owner", "created"], _UNSETTLED)
    op.create_index("ix_effect_at", "effect", ["at"])
    op.create_index("ix_effect_key", "effect", ["key", "at"])
    op.create_index("ix_grant_expires", "grant", ["expires"])
    op.drop_index("ix_mail_provisional", table_name="mail")
    _create_where("ix_mail_provisional", "mail", ["owner", "provisional", "number"], "provisional")
    op.drop_index("ix_mail_received", table_name="mail")
    op.drop_index("ix_mail_trace", table_name="mail")
    _create_where("ix_mail_newest", "mail", ["owner", "number"], _NOT_FORGOTTEN)
    _create_where("ix_mail_received", "mail", ["owner", "received", "number"], _NOT_FORGOTTEN)
    op.execute(_FOLDED)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_PATHS)


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP INDEX ix_file_search_path")
    op.execute("DROP INDEX ix_file_search_folded")
    op.drop_index("ix_mail_received", table_name="mail")
    op.drop_index("ix_mail_newest", table_name="mail")
    op.create_index("ix_mail_trace", "mail", ["trace"])
    op.create_index("ix_mail_received", "mail", ["received"])
    op.drop_index("ix_mail_provisional", table_name="mail")
    _create_where("ix_mail_provisional", "mail", ["owner", "number"], "provisional")
    op.drop_index("ix_grant_expires", table_name="grant")
    op.drop_index("ix_effect_key", table_name="effect")
    op.drop_index("ix_effect_at", table_name="effect")
    op.drop_index("ix_delivery_unsettled", table_name="delivery")
    op.drop_index("ix_conversation_place", table_name="conversation")
    op.drop_index("ix_call_turn", table_name="call")
    op.create_index("ix_call_turn", "call", ["conversation", "turn"])
    op.create_index("ix_call_trace", "call", ["trace"])


def _create_where(name: str, table: str, columns: list[str], where: str) -> None:
    only = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=only, postgresql_where=only)
