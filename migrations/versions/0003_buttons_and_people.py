"""Tokens of buttons, people who are listened to, and where a delivery stands."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "token",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("verb", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("card", sa.String(), nullable=False),
        sa.Column("delivery", sa.String(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_token_delivery", "token", ["owner", "delivery"], unique=False)
    op.create_index("ix_token_expires", "token", ["expires"], unique=False)
    op.create_table(
        "person",
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("channel", "id"),
    )
    op.add_column(
        "conversation", sa.Column("aside", sa.String(), nullable=False, server_default="")
    )
    op.add_column("call", sa.Column("led", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("delivery", sa.Column("tried", sa.DateTime(timezone=True)))
    op.add_column("delivery", sa.Column("note", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_delivery_created", "delivery", ["owner", "created"], unique=False)
    op.add_column("mail", sa.Column("bundle", sa.String(), nullable=False, server_default=""))
    op.create_index(
        "ix_mail_bundle",
        "mail",
        ["owner", "bundle"],
        unique=False,
        sqlite_where=sa.text("bundle <> ''"),
        postgresql_where=sa.text("bundle <> ''"),
    )
    op.create_index(
        "ix_mail_address", "mail", ["owner", "sender_address", "received"], unique=False
    )


def downgrade() -> None:
    op.drop_index("ix_mail_address", table_name="mail")
    op.drop_index("ix_mail_bundle", table_name="mail")
    op.drop_column("mail", "bundle")
    op.drop_index("ix_delivery_created", table_name="delivery")
    op.drop_column("delivery", "note")
    op.drop_column("delivery", "tried")
    op.drop_column("call", "led")
    op.drop_column("conversation", "aside")
    op.drop_table("person")
    op.drop_index("ix_token_expires", table_name="token")
    op.drop_index("ix_token_delivery", table_name="token")
    op.drop_table("token")
