"""Refuse to change or delete entries of the audit.

An entry may only be chained, once. Whoever has the database can drop these triggers, and then the
chain, the rows of calls and effects, and the heads that were kept elsewhere show a change.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_FACTS = (
    "number",
    "id",
    "owner",
    "trace",
    "at",
    "kind",
    "subject",
    "actor",
    "tool",
    "version",
    "args",
    "verdict",
    "reason",
    "result",
    "began",
    "ended",
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgres()


def _guard_sqlite() -> None:
    changed = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in _FACTS)
    op.execute(
        "CREATE TRIGGER audit_stays BEFORE UPDATE ON audit"
        f" WHEN OLD.place IS NOT NULL OR {changed}"
        " BEGIN SELECT RAISE(ABORT, 'an audit entry cannot be changed'); END"
    )
    op.execute(
        "CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit"
        " BEGIN SELECT RAISE(ABORT, 'an audit entry cannot be deleted'); END"
    )


def _guard_postgres() -> None:
    old, new = (", ".join(f"{row}.{name}" for name in _FACTS) for row in ("OLD", "NEW"))
    op.execute(
        "CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$"
        " BEGIN RAISE EXCEPTION 'an audit entry cannot be changed or deleted'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_stays BEFORE UPDATE ON audit FOR EACH ROW"
        f" WHEN (OLD.place IS NOT NULL OR ({old}) IS DISTINCT FROM ({new}))"
        " EXECUTE FUNCTION audit_refuse()"
    )
    op.execute(
        "CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit FOR EACH ROW"
        " EXECUTE FUNCTION audit_refuse()"
    )
    op.execute(
        "CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit FOR EACH STATEMENT"
        " EXECUTE FUNCTION audit_refuse()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER IF EXISTS audit_stays")
        op.execute("DROP TRIGGER IF EXISTS audit_is_kept")
        return
    for name in ("audit_stays", "audit_is_kept", "audit_is_not_emptied"):
        op.execute(f"DROP TRIGGER IF EXISTS {name} ON audit")
    op.execute("DROP FUNCTION IF EXISTS audit_refuse()")
