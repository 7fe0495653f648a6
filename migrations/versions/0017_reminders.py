"""Keep reminders, and by when the owner was to be told something."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

WAITING = sa.text("state = 'waiting'")
OVER = sa.text("state <> 'waiting'")
TOLD = sa.text("told")
MISSING = sa.text("shown IS NULL AND kind <> 'turn'")
UNTOLD = sa.text("shown IS NOT NULL AND NOT told")


def upgrade() -> None:
    op.create_table(
        "reminder",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wall", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("repeats", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("told", sa.DateTime(timezone=True), nullable=True),
        sa.Column("call", sa.String(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_reminder_newest", "reminder", ["owner", "number"])
    op.create_index(
        "ix_reminder_waiting",
        "reminder",
        ["owner", "at"],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )
    op.create_index(
        "ix_reminder_over", "reminder", ["owner", "at"], sqlite_where=OVER, postgresql_where=OVER
    )
    op.create_table(
        "due_notice",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shown", sa.DateTime(timezone=True), nullable=True),
        sa.Column("says_late", sa.Boolean(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "id"),
    )
    for name, where in (("missing", MISSING), ("untold", UNTOLD), ("over", TOLD)):
        op.create_index(
            f"ix_due_notice_{name}",
            "due_notice",
            ["owner", "due"],
            sqlite_where=where,
            postgresql_where=where,
        )
    op.create_index("ix_due_notice_kind", "due_notice", ["owner", "kind", "made"])


def downgrade() -> None:
    op.drop_table("due_notice")
    op.drop_table("reminder")
