"""The part of the assistant that a job waits for, and since when."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("waits_for", sa.String(), nullable=False, server_default=""))
    op.add_column("job", sa.Column("waits_since", sa.Double(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("job", "waits_since")
    op.drop_column("job", "waits_for")
