"""Say of a call what its owner typed, and of an approval what only its details show.

Both are for the card. What waits already has neither: its card shows all of it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("call", sa.Column("typed", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("approval", sa.Column("unseen", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("approval", "unseen")
    op.drop_column("call", "typed")
