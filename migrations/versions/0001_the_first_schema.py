"""The first schema.

Full-text search is written by hand: FTS5 with triggers on SQLite, a GIN index on Postgres. Both are
left out of Alembic's comparison (``migrations/env.py``).
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


SQLITE_SEARCH = (
    """
    CREATE VIRTUAL TABLE mail_fts USING fts5(
      subject, sender, summary, content='mail', content_rowid='number',
      tokenize='unicode61 remove_diacritics 2')
    """,
    """
    CREATE TRIGGER mail_fts_new AFTER INSERT ON mail BEGIN
      INSERT INTO mail_fts (rowid, subject, sender, summary)
      VALUES (new.number, new.subject, new.sender, new.summary);
    END
    """,
    """
    CREATE TRIGGER mail_fts_old AFTER DELETE ON mail BEGIN
      INSERT INTO mail_fts (mail_fts, rowid, subject, sender, summary)
      VALUES ('delete', old.number, old.subject, old.sender, old.summary);
    END
    """,
    """
    CREATE TRIGGER mail_fts_changed AFTER UPDATE OF subject, sender, summary ON mail BEGIN
      INSERT INTO mail_fts (mail_fts, rowid, subject, sender, summary)
      VALUES ('delete', old.number, old.subject, old.sender, old.summary);
      INSERT INTO mail_fts (rowid, subject, sender, summary)
      VALUES (new.number, new.subject, new.sender, new.summary);
    END
    """,
)
# The expression is that of assistant/adapters/sql/mails.py, letter for letter, or it is not used.
POSTGRES_SEARCH = """
    CREATE INDEX ix_mail_search ON mail USING gin (
      to_tsvector('simple', translate(subject || ' ' || sender || ' ' || summary,
      '@._-+/:<>&#%=~', '              ')))
"""


def upgrade() -> None:
    op.create_table(
        "canary",
        sa.Column("queue", sa.String(), nullable=False),
        sa.Column("sent", sa.Double(), nullable=False),
        sa.Column("passed", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("queue"),
    )
    op.create_table(
        "high_water",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "owner",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "conversation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("heard", sa.Integer(), nullable=False),
        sa.Column("thought", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
        sa.Column("spoke", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("conversation", schema=None) as batch_op:
        batch_op.create_index(
            "ix_conversation_open",
            ["owner", "channel", "place"],
            unique=True,
            sqlite_where=sa.text("NOT closed"),
            postgresql_where=sa.text("NOT closed"),
        )

    op.create_table(
        "delivery",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("wanted", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("shown", sa.String(), nullable=False),
        sa.Column("handle", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("owner", "id"),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("queue", sa.String(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("rung", sa.Double(), nullable=False),
        sa.Column("ring_after", sa.Double(), nullable=False),
        sa.Column("rings", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claim", sa.String(), nullable=True),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("beat", sa.Integer(), nullable=False),
        sa.Column("again", sa.Boolean(), nullable=False),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.create_index(
            "ix_job_held",
            ["claim"],
            unique=False,
            sqlite_where=sa.text("claim IS NOT NULL"),
            postgresql_where=sa.text("claim IS NOT NULL"),
        )
        batch_op.create_index("ix_job_trace", ["trace"], unique=False)
        batch_op.create_index(
            "ix_job_waiting",
            ["due"],
            unique=False,
            sqlite_where=sa.text("claim IS NULL AND NOT failed"),
            postgresql_where=sa.text("claim IS NULL AND NOT failed"),
        )

    op.create_table(
        "mail",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("door", sa.String(), nullable=False),
        sa.Column("raw", sa.String(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("sender_address", sa.String(), nullable=False),
        sa.Column("recipients", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("sent", sa.DateTime(timezone=True), nullable=True),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("defects", sa.Text(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("summarised_by", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
        sa.UniqueConstraint("owner", "sha256"),
    )
    with op.batch_alter_table("mail", schema=None) as batch_op:
        batch_op.create_index("ix_mail_received", ["received"], unique=False)
        batch_op.create_index("ix_mail_state", ["owner", "state", "number"], unique=False)
        batch_op.create_index("ix_mail_trace", ["trace"], unique=False)

    op.create_table(
        "model_use",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_table(
        "own_event",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("calendar", sa.String(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("call", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("owner", "calendar", "uid"),
    )
    op.create_table(
        "screen",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("key"),
    )
    with op.batch_alter_table("screen", schema=None) as batch_op:
        batch_op.create_index("ix_screen_place", ["place", "number"], unique=False)

    op.create_table(
        "sighting",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("owner", "channel", "event"),
    )
    op.create_table(
        "attachment",
        sa.Column("mail", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("blob", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["mail"],
            ["mail.id"],
        ),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("mail", "ordinal"),
    )
    op.create_table(
        "call",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("conversation", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("risk", sa.String(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("report", sa.Boolean(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("told", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation"],
            ["conversation.id"],
        ),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("owner", "number"),
    )
    with op.batch_alter_table("call", schema=None) as batch_op:
        batch_op.create_index("ix_call_state", ["owner", "state", "number"], unique=False)
        batch_op.create_index("ix_call_trace", ["trace"], unique=False)
        batch_op.create_index("ix_call_turn", ["conversation", "turn"], unique=False)

    op.create_table(
        "entry",
        sa.Column("conversation", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("call", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation"],
            ["conversation.id"],
        ),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("conversation", "seq"),
    )
    op.create_table(
        "approval",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("call", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("binding", sa.String(), nullable=False),
        sa.Column("card", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided", sa.DateTime(timezone=True), nullable=True),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["call"],
            ["call.id"],
        ),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("call"),
    )
    op.create_table(
        "effect",
        sa.Column("call", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("destination", sa.String(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["call"],
            ["call.id"],
        ),
        sa.ForeignKeyConstraint(
            ["owner"],
            ["owner.id"],
        ),
        sa.PrimaryKeyConstraint("call", "key"),
    )

    if op.get_bind().dialect.name == "sqlite":
        for statement in SQLITE_SEARCH:
            op.execute(statement)
    else:
        op.execute(POSTGRES_SEARCH)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE mail_fts")
    op.drop_table("effect")
    op.drop_table("approval")
    op.drop_table("entry")
    with op.batch_alter_table("call", schema=None) as batch_op:
        batch_op.drop_index("ix_call_turn")
        batch_op.drop_index("ix_call_trace")
        batch_op.drop_index("ix_call_state")

    op.drop_table("call")
    op.drop_table("attachment")
    op.drop_table("sighting")
    with op.batch_alter_table("screen", schema=None) as batch_op:
        batch_op.drop_index("ix_screen_place")

    op.drop_table("screen")
    op.drop_table("own_event")
    op.drop_table("model_use")
    with op.batch_alter_table("mail", schema=None) as batch_op:
        batch_op.drop_index("ix_mail_trace")
        batch_op.drop_index("ix_mail_state")
        batch_op.drop_index("ix_mail_received")

    op.drop_table("mail")
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_job_waiting",
            sqlite_where=sa.text("claim IS NULL AND NOT failed"),
            postgresql_where=sa.text("claim IS NULL AND NOT failed"),
        )
        batch_op.drop_index("ix_job_trace")
        batch_op.drop_index(
            "ix_job_held",
            sqlite_where=sa.text("claim IS NOT NULL"),
            postgresql_where=sa.text("claim IS NOT NULL"),
        )

    op.drop_table("job")
    op.drop_table("delivery")
    with op.batch_alter_table("conversation", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_conversation_open",
            sqlite_where=sa.text("NOT closed"),
            postgresql_where=sa.text("NOT closed"),
        )

    op.drop_table("conversation")
    op.drop_table("owner")
    op.drop_table("high_water")
    op.drop_table("canary")
