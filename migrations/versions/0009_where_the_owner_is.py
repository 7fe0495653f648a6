"""The zone that the owner chose while travelling, and when the owner last acted."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("owner", sa.Column("chosen_zone", sa.String(), nullable=False, server_default=""))
    op.add_column("owner", sa.Column("acted", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("owner", "acted")
    op.drop_column("owner", "chosen_zone")
