"""Keep what is known of invitations that came by mail, and what their owner is asked about.

Mail that was read before invites nobody until it is read again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

WANTED = sa.text("wanted")


def upgrade() -> None:
    op.add_column("mail", sa.Column("invitations", sa.String(), nullable=False, server_default=""))
    op.create_table(
        "invitation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("occurrence", sa.String(), nullable=False),
        sa.Column("organizer", sa.String(), nullable=False),
        sa.Column("mail", sa.String(), nullable=False),
        sa.Column("led", sa.String(), nullable=False),
        sa.Column("known", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("wanted", sa.Boolean(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("said", sa.String(), nullable=False),
        sa.Column("withdrawn", sa.String(), nullable=False),
        sa.Column("call", sa.String(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_invitation_event", "invitation", ["owner", "uid", "occurrence", "organizer"]
    )
    op.create_index("ix_invitation_mail", "invitation", ["owner", "mail"])
    op.create_index("ix_invitation_led", "invitation", ["owner", "led"])
    op.create_index(
        "ix_invitation_wanted",
        "invitation",
        ["owner"],
        sqlite_where=WANTED,
        postgresql_where=WANTED,
    )


def downgrade() -> None:
    op.drop_table("invitation")
    op.drop_column("mail", "invitations")
