"""Policies, modes, grants, the audit and files; what a call was judged by.

Columns are dropped one by one: rebuilding a table that others refer to would empty those.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# Every owner has a mode from the beginning.
MODES = """
    INSERT INTO mode (owner, mode, before, by, reason, revision, since, word)
    SELECT id, 'normal', 'normal', 'setup', '', 0, created, '' FROM owner
"""


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("args", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("previous", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
        sa.UniqueConstraint("place"),
    )
    op.create_index(
        "ix_audit_loose",
        "audit",
        ["number"],
        unique=False,
        sqlite_where=sa.text("place IS NULL"),
        postgresql_where=sa.text("place IS NULL"),
    )
    op.create_index("ix_audit_owner", "audit", ["owner", "number"], unique=False)
    op.create_index("ix_audit_subject", "audit", ["subject"], unique=False)
    op.create_index(op.f("ix_audit_trace"), "audit", ["trace"], unique=False)

    op.create_table(
        "file",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "path"),
    )
    op.create_table(
        "file_version",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("blob", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("call", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "path", "version"),
    )
    op.create_table(
        "grant",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("destination", sa.String(), nullable=False),
        sa.Column("reach", sa.String(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("from_call", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("owner", "number"),
    )
    op.create_table(
        "mode",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("review", sa.DateTime(timezone=True), nullable=True),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner"),
    )
    op.create_table(
        "policy",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "version"),
    )
    op.add_column("approval", sa.Column("remind", sa.DateTime(timezone=True)))
    op.add_column("approval", sa.Column("word", sa.String(), nullable=False, server_default=""))
    op.add_column("approval", sa.Column("policy", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_approval_decided", "approval", ["owner", "decided"], unique=False)

    op.add_column("call", sa.Column("actor", sa.String(), nullable=False, server_default="model"))
    op.add_column("call", sa.Column("reach", sa.String(), nullable=False, server_default="governs"))
    op.add_column("call", sa.Column("verdict", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("layer", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("rule", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("policy", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("call", sa.Column("mode", sa.String(), nullable=False, server_default="normal"))
    op.add_column("call", sa.Column("grant", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("word", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("supersedes", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("undoes", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("copied", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("call", sa.Column("output", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("failure", sa.Text(), nullable=False, server_default="null"))
    op.add_column("call", sa.Column("touched", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("call", sa.Column("progress", sa.String(), nullable=False, server_default=""))
    op.add_column("call", sa.Column("beat", sa.DateTime(timezone=True)))
    op.add_column(
        "call", sa.Column("stop", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("call", sa.Column("cleared", sa.DateTime(timezone=True)))
    op.create_index("ix_call_created", "call", ["owner", "created"], unique=False)

    op.add_column("effect", sa.Column("inverse", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("effect", sa.Column("undone", sa.String(), nullable=False, server_default=""))

    op.add_column("entry", sa.Column("source", sa.String(), nullable=False, server_default=""))

    op.add_column(
        "mail",
        sa.Column("provisional", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_index(
        "ix_mail_provisional",
        "mail",
        ["owner", "number"],
        unique=False,
        sqlite_where=sa.text("provisional"),
        postgresql_where=sa.text("provisional"),
    )

    op.add_column("model_use", sa.Column("cause", sa.String(), nullable=False, server_default=""))
    op.add_column(
        "model_use", sa.Column("outcome", sa.String(), nullable=False, server_default="answered")
    )
    op.create_index("ix_model_use_at", "model_use", ["owner", "at"], unique=False)

    op.add_column("owner", sa.Column("grants", sa.Integer(), nullable=False, server_default="0"))

    op.execute(MODES)
    op.drop_index(
        "ix_job_trace", table_name="job"
    )  # every job pays for it, hardly anything reads by it


def downgrade() -> None:
    op.create_index("ix_job_trace", "job", ["trace"], unique=False)
    op.drop_column("owner", "grants")

    op.drop_index("ix_model_use_at", table_name="model_use")
    op.drop_column("model_use", "outcome")
    op.drop_column("model_use", "cause")

    op.drop_index(
        "ix_mail_provisional",
        table_name="mail",
        sqlite_where=sa.text("provisional"),
        postgresql_where=sa.text("provisional"),
    )
    op.drop_column("mail", "provisional")

    op.drop_column("entry", "source")

    op.drop_column("effect", "undone")
    op.drop_column("effect", "inverse")

    op.drop_index("ix_call_created", table_name="call")
    op.drop_column("call", "cleared")
    op.drop_column("call", "stop")
    op.drop_column("call", "beat")
    op.drop_column("call", "progress")
    op.drop_column("call", "touched")
    op.drop_column("call", "failure")
    op.drop_column("call", "output")
    op.drop_column("call", "copied")
    op.drop_column("call", "undoes")
    op.drop_column("call", "supersedes")
    op.drop_column("call", "word")
    op.drop_column("call", "grant")
    op.drop_column("call", "mode")
    op.drop_column("call", "policy")
    op.drop_column("call", "rule")
    op.drop_column("call", "layer")
    op.drop_column("call", "verdict")
    op.drop_column("call", "reach")
    op.drop_column("call", "actor")

    op.drop_index("ix_approval_decided", table_name="approval")
    op.drop_column("approval", "policy")
    op.drop_column("approval", "word")
    op.drop_column("approval", "remind")

    op.drop_table("policy")
    op.drop_table("mode")
    op.drop_table("grant")
    op.drop_table("file_version")
    op.drop_table("file")
    op.drop_index(op.f("ix_audit_trace"), table_name="audit")
    op.drop_index("ix_audit_subject", table_name="audit")
    op.drop_index("ix_audit_owner", table_name="audit")
    op.drop_index(
        "ix_audit_loose",
        table_name="audit",
        sqlite_where=sa.text("place IS NULL"),
        postgresql_where=sa.text("place IS NULL"),
    )

    op.drop_table("audit")
