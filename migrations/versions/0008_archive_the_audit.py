"""Let go of entries of the audit that are archived.

An entry can be deleted once a cut at its place, or a later one of its owner, is on record. Cuts can
neither be changed nor deleted.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_cut",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("newest", sa.DateTime(timezone=True), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("owner", "place"),
    )
    if op.get_bind().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgres()


def _guard_sqlite() -> None:
    op.execute("DROP TRIGGER audit_is_kept")
    op.execute(
        "CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit WHEN NOT EXISTS"
        " (SELECT 1 FROM audit_cut WHERE owner = OLD.owner AND place >= OLD.place)"
        " BEGIN SELECT RAISE(ABORT, 'an audit entry cannot be deleted'); END"
    )
    for name, event in (("audit_cut_stays", "UPDATE"), ("audit_cut_is_kept", "DELETE")):
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {event} ON audit_cut"
            " BEGIN SELECT RAISE(ABORT, 'a cut of the audit cannot be changed or deleted'); END"
        )


def _guard_postgres() -> None:
    op.execute(
        "CREATE FUNCTION audit_keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " IF EXISTS (SELECT 1 FROM audit_cut WHERE owner = OLD.owner AND place >= OLD.place)"
        " THEN RETURN OLD; END IF;"
        " RAISE EXCEPTION 'an audit entry cannot be changed or deleted'; END $$"
    )
    op.execute("DROP TRIGGER audit_is_kept ON audit")
    op.execute(
        "CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit FOR EACH ROW"
        " EXECUTE FUNCTION audit_keep()"
    )
    op.execute(
        "CREATE FUNCTION audit_cut_refuse() RETURNS trigger LANGUAGE plpgsql AS $$"
        " BEGIN RAISE EXCEPTION 'a cut of the audit cannot be changed or deleted'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_cut_stays BEFORE UPDATE OR DELETE ON audit_cut FOR EACH ROW"
        " EXECUTE FUNCTION audit_cut_refuse()"
    )
    op.execute(
        "CREATE TRIGGER audit_cut_is_not_emptied BEFORE TRUNCATE ON audit_cut FOR EACH STATEMENT"
        " EXECUTE FUNCTION audit_cut_refuse()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER audit_is_kept")
        op.execute(
            "CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit"
            " BEGIN SELECT RAISE(ABORT, 'an audit entry cannot be deleted'); END"
        )
        op.execute("DROP TRIGGER IF EXISTS audit_cut_stays")
        op.execute("DROP TRIGGER IF EXISTS audit_cut_is_kept")
        op.drop_table("audit_cut")
        return
    op.execute("DROP TRIGGER audit_is_kept ON audit")
    op.execute(
        "CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit FOR EACH ROW"
        " EXECUTE FUNCTION audit_refuse()"
    )
    op.drop_table("audit_cut")
    op.execute("DROP FUNCTION audit_cut_refuse()")
    op.execute("DROP FUNCTION audit_keep()")
