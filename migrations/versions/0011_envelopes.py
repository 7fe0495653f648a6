"""Keep the envelope of a mail; one that came before has an empty one."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mail", sa.Column("envelope", sa.Text(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("mail", "envelope")
