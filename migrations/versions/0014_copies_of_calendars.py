"""Keep a copy of the calendar, and note when an event of the assistant's own is gone."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

DEFECT = sa.text("defect <> ''")
REPEATS = sa.text("repeats")


def upgrade() -> None:
    op.create_table(
        "calendar_copies",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("synced", sa.DateTime(timezone=True), nullable=True),
        sa.Column("began", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("written", sa.Integer(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("longest", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "address"),
    )
    op.create_table(
        "calendar_objects",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("etag", sa.String(), nullable=False),
        sa.Column("ics", sa.String(), nullable=False),
        sa.Column("repeats", sa.Boolean(), nullable=False),
        sa.Column("defect", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "address", "name"),
    )
    op.create_index("ix_calendar_objects_uid", "calendar_objects", ["owner", "address", "uid"])
    op.create_index(
        "ix_calendar_objects_defect",
        "calendar_objects",
        ["owner", "address"],
        sqlite_where=DEFECT,
        postgresql_where=DEFECT,
    )
    op.create_index(
        "ix_calendar_objects_repeats",
        "calendar_objects",
        ["owner", "address", "name"],
        sqlite_where=REPEATS,
        postgresql_where=REPEATS,
    )
    op.create_table(
        "calendar_times",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("begins", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends", sa.DateTime(timezone=True), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("last", sa.String(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("etag", sa.String(), nullable=False),
        sa.Column("occurrence", sa.String(), nullable=False),
        sa.Column("repeats", sa.Boolean(), nullable=False),
        sa.Column("defect", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "address", "name", "ordinal"),
    )
    op.create_index("ix_calendar_times_begin", "calendar_times", ["owner", "address", "begins"])
    op.create_index(
        "ix_calendar_times_defect",
        "calendar_times",
        ["owner", "address", "begins"],
        sqlite_where=DEFECT,
        postgresql_where=DEFECT,
    )
    op.add_column("own_event", sa.Column("gone", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("own_event", "gone")
    op.drop_table("calendar_times")
    op.drop_table("calendar_objects")
    op.drop_table("calendar_copies")
