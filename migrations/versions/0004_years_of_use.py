"""Indexes with which no statement walks through all there ever was, and words that go."""

import json

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
_NO_MAIL = "substr(id, 1, 4) <> 'mail'"
_UNSETTLED = "CASE WHEN shown = digest THEN 0 ELSE 1 END = 1"
_NOT_FORGOTTEN = "state <> 'forgotten'"


def upgrade() -> None:
    op.drop_index("ix_call_trace", table_name="call")
    op.drop_index("ix_call_turn", table_name="call")
    op.create_index("ix_call_turn", "call", ["conversation", "turn", "number"])
    op.create_index("ix_conversation_place", "conversation", ["owner", "channel", "place"])
    _create_where("ix_delivery_unsettled", "delivery", ["owner", "created"], _UNSETTLED)
    op.add_column("conversation", sa.Column("emptied", sa.DateTime(timezone=True), nullable=True))
    _create_where("ix_conversation_worded", "conversation", ["owner", "spoke"], "emptied IS NULL")
    _create_where("ix_delivery_old", "delivery", ["owner", "created"], _NO_MAIL)
    _create_where("ix_job_failed", "job", ["due"], "failed")
    op.create_index("ix_sighting_at", "sighting", ["at"])
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
    _write_out_what_was_asked()
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
    op.drop_index("ix_sighting_at", table_name="sighting")
    op.drop_index("ix_job_failed", table_name="job")
    op.drop_index("ix_delivery_old", table_name="delivery")
    op.drop_index("ix_delivery_unsettled", table_name="delivery")
    op.drop_index("ix_conversation_worded", table_name="conversation")
    op.drop_column("conversation", "emptied")
    op.drop_index("ix_conversation_place", table_name="conversation")
    op.drop_index("ix_call_turn", table_name="call")
    op.create_index("ix_call_turn", "call", ["conversation", "turn"])
    op.create_index("ix_call_trace", "call", ["trace"])


def _create_where(name: str, table: str, columns: list[str], where: str) -> None:
    only = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=only, postgresql_where=only)


def _write_out_what_was_asked() -> None:
    """Give each call all it was asked for, also what its facts repeat."""
    connection = op.get_bind()
    found = sa.text("SELECT id, facts, asked FROM call WHERE asked LIKE '[%'")
    write = sa.text("UPDATE call SET asked = :asked WHERE id = :id")
    for id, facts, asked in connection.execute(found).all():
        args, (names, others) = json.loads(facts)["args"], json.loads(asked)
        whole = {name: others[name] if name in others else args[name] for name in names}
        connection.execute(write, {"id": id, "asked": json.dumps(whole, separators=(",", ":"))})
