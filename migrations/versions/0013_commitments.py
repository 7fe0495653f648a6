"""Keep what mails ask of their owner, and what the owner promised.

Mail that was summarised before asks for nothing here until it is summarised again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

OPEN = sa.text("state = 'open'")


def upgrade() -> None:
    op.create_table(
        "commitment",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("mail", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("quote", sa.String(), nullable=False),
        sa.Column("due", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_commitment_newest", "commitment", ["owner", "number"])
    op.create_index("ix_commitment_mail", "commitment", ["mail"])
    op.create_index(
        "ix_commitment_due",
        "commitment",
        ["owner", "due"],
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )


def downgrade() -> None:
    op.drop_table("commitment")
